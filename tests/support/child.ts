/**
 * Runs a script in a process of its own, under the same runtime: for what ends
 * a process, and for what depends on its environment.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runtime } from "./testing.ts";

/** How a script ended. */
export interface ChildResult {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a script is run. */
export interface ChildOptions {
  /** Added to the environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What Deno grants; everything by default. */
  readonly denoPermissions?: readonly string[];
  /** Milliseconds until it is killed; 30,000 by default. */
  readonly timeout?: number;
}

/** The address of a file of the project, to import in a script. */
export function projectFile(path: string): string {
  return new URL(`../../${path}`, import.meta.url).href;
}

/** Runs the source text of a module to its end. */
export async function runScript(source: string, options: ChildOptions = {}): Promise<ChildResult> {
  const folder = await mkdtemp(join(tmpdir(), "level-zero-test-"));
  try {
    const file = join(folder, "script.ts");
    await writeFile(file, source);
    const command = runtime === "deno"
      ? [
        "run",
        "--no-check",
        "--no-config",
        "--no-prompt",
        ...options.denoPermissions ?? ["-A"],
        file,
      ]
      : [file];
    return await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, command, {
        cwd: folder,
        env: { ...process.env, NO_COLOR: "1", ...options.env },
        timeout: options.timeout ?? 30_000,
      });
      let stdout = "";
      let stderr = "";
      child.stdout.on("data", (data) => stdout += data);
      child.stderr.on("data", (data) => stderr += data);
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a script that prints one JSON value, and gives that; throws if it fails. */
export async function evaluate<T>(source: string, options?: ChildOptions): Promise<T> {
  const { code, signal, stdout, stderr } = await runScript(source, options);
  if (code !== 0) throw new Error(`The script ended with ${code ?? signal}:\n${stdout}${stderr}`);
  return JSON.parse(stdout) as T;
}
