/**
 * Builds the C libraries that tests load.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
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

/**
 * Builds a library from a source file beside this one; gives its path. It is
 * kept in the system's folder for temporary files until its source changes.
 */
export function buildLibrary(source: string, ...flags: string[]): string {
  const file = fileURLToPath(new URL(source, import.meta.url));
  const hash = createHash("sha256").update(readFileSync(file)).update(flags.join(" "));
  const output = join(tmpdir(), `level-zero-${hash.digest("hex").slice(0, 16)}.so`);
  if (existsSync(output)) return output;
  // Under another name first: test files run at the same time.
  const unfinished = `${output}.${process.pid}`;
  const command = ["-shared", "-fPIC", "-O1", ...flags, file, "-o", unfinished, "-lpthread"];
  const { status, stderr } = spawnSync(compiler!, command, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${compiler} ${command.join(" ")} failed:\n${stderr}`);
  renameSync(unfinished, output);
  return output;
}
