/**
 * What importing the package and reaching `zeInit` adds to the start of a program.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { median, type Row, within } from "./report.ts";
import { bareStart, runtime } from "./runtime.ts";

const LIMIT = 30;
const ROUNDS = 15;
const LOADERS = ["libze_loader.so.1", "libze_loader.so"];

const scripts = {
  bare: bareStart(LOADERS),
  package: `import { isAvailable } from ${
    JSON.stringify(new URL("../mod.ts", import.meta.url).href)
  };
isAvailable();`,
};

function run(file: string): number {
  const command = runtime === "deno" ? ["run", "-A", "--no-config", "--no-check"] : [];
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...command, file], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

/** Runs a program with the package and one without by turns. */
export function compareStart(): Row {
  const folder = mkdtempSync(join(tmpdir(), "level-zero-bench-"));
  try {
    const [bareFile, packageFile] = [join(folder, "bare.ts"), join(folder, "package.ts")];
    writeFileSync(bareFile, scripts.bare);
    writeFileSync(packageFile, scripts.package);
    // The first run of each fills the runtime's caches.
    run(bareFile), run(packageFile);
    const rounds = Array.from({ length: ROUNDS }, () => ({
      bare: run(bareFile),
      package: run(packageFile),
    }));
    const added = median(rounds.map((round) => round.package - round.bare));
    return {
      what: "a program that imports the package and reaches zeInit",
      measured: `${median(rounds.map((round) => round.package)).toFixed(0)} ms`,
      bare: `${median(rounds.map((round) => round.bare)).toFixed(0)} ms`,
      budget: `${added.toFixed(1)} ms more, ${within(added, LIMIT, " ms")}`,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
