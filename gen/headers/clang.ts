/**
 * Running clang: the only place of the reader that starts a program.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type AstNode, restoreFiles } from "./ast.ts";

/** The headers that make up the API, in the order they are read; `zer` and the last one are missing from old releases. */
export const HEADERS: readonly string[] = [
  "ze_api.h",
  "zes_api.h",
  "zet_api.h",
  "zer_api.h",
  "loader/ze_loader.h",
  "layers/zel_tracing_api.h",
  "layers/zel_tracing_register_cb.h",
];

const REQUIRED_HEADERS = 3;
const OLDEST_CLANG = 14;
const NEWEST_CLANG = 21;
/** The AST of all headers as JSON is about 80 MB. */
const OUTPUT_LIMIT = 1 << 30;

/** The headers of {@linkcode HEADERS} that a folder has; throws if it is not a Level Zero include folder. */
export function findHeaders(includeFolder: string): string[] {
  const found = HEADERS.filter((header) => existsSync(join(includeFolder, "level_zero", header)));
  for (const header of HEADERS.slice(0, REQUIRED_HEADERS)) {
    if (!found.includes(header)) {
      throw new Error(
        `Found no level_zero/${header} in ${includeFolder}: expected the folder that holds level_zero/`,
      );
    }
  }
  return found;
}

/** The `#include` lines of the translation unit that holds every header. */
export function includeLines(headers: readonly string[]): string {
  // ze_loader.h uses `bool` and leaves its declaration to the program.
  return [
    "#include <stdbool.h>",
    "#include <stddef.h>",
    "#include <stdint.h>",
    ...headers.map((header) => `#include <level_zero/${header}>`),
    "",
  ].join("\n");
}

/** The clang to use: `CLANG` of the environment, or the first of the known names that runs. */
export function findClang(): string | undefined {
  const names = ["clang"];
  for (let version = NEWEST_CLANG; version >= OLDEST_CLANG; version--) {
    names.push(`clang-${version}`);
  }
  const wanted = process.env.CLANG;
  return (wanted ? [wanted] : names).find((name) => spawnSync(name, ["--version"]).status === 0);
}

/** One clang, one include folder: what the rest of the reader asks its questions of. */
export class Clang {
  readonly #program: string;
  readonly #includeFolder: string;

  constructor(program: string, includeFolder: string) {
    this.#program = program;
    this.#includeFolder = includeFolder;
  }

  /** The declarations of a C source, with the file of every location filled in. */
  ast(source: string): AstNode {
    const text = this.#run(source, [
      "-fsyntax-only",
      "-Xclang",
      "-ast-dump=json",
    ]);
    const root = JSON.parse(text) as AstNode;
    restoreFiles(root);
    return root;
  }

  /** The preprocessed source with its `#define` lines and line markers. */
  macros(source: string): string {
    return this.#run(source, ["-E", "-dD"]);
  }

  #run(source: string, options: string[]): string {
    const folder = mkdtempSync(join(tmpdir(), "level-zero-headers-"));
    try {
      const file = join(folder, "source.c");
      writeFileSync(file, source);
      // The model is of one ABI, whatever machine it is made on.
      const result = spawnSync(this.#program, [
        "-x",
        "c",
        "-std=c11",
        "--target=x86_64-linux-gnu",
        "-I",
        this.#includeFolder,
        ...options,
        file,
      ], { encoding: "utf8", maxBuffer: OUTPUT_LIMIT });
      if (result.error) throw result.error;
      if (result.status !== 0) {
        throw new Error(
          `${this.#program} could not read the headers of ${this.#includeFolder} (exit code ${result.status}):\n${result.stderr}`,
        );
      }
      return result.stdout;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
