/**
 * Builds the C libraries that tests load.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

function findCompiler(): string | undefined {
  return [process.env["CC"], "cc", "gcc", "clang", "tcc"].find((name) =>
    name && spawnSync(name, ["--version"]).status === 0
  );
}

const compiler = findCompiler();

/** Why tests that need a C compiler are skipped; false if there is one. */
export const noCompiler: string | false = compiler ? false : "no C compiler is on the machine";

const built = new Map<string, string>();

/** Builds a library from a source file beside this one, once per process; gives its path. */
export function buildLibrary(source: string, ...flags: string[]): string {
  const key = [source, ...flags].join(" ");
  const known = built.get(key);
  if (known) return known;
  const file = fileURLToPath(new URL(source, import.meta.url));
  const output = join(mkdtempSync(join(tmpdir(), "level-zero-library-")), "library.so");
  const command = ["-shared", "-fPIC", "-O1", ...flags, file, "-o", output, "-lpthread"];
  const { status, stderr } = spawnSync(compiler!, command, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${compiler} ${command.join(" ")} failed:\n${stderr}`);
  built.set(key, output);
  return output;
}
