/**
 * Runs the project's programs under either runtime: on this machine, or inside a root file system.
 *
 * @module
 */
import { INSIDE, runInside } from "../tests/devices/inside.ts";
import type { TestPlace } from "../tests/devices/mod.ts";
import { type BunModules, denoDirectory, type Runtime } from "./runtimes.ts";
import { denoFlags } from "./standard_library.ts";
import { projectRoot, run, type RunResult } from "./workspace.ts";

/** Where a program runs: this machine, or a provisioned place. */
export interface Where {
  /** For a person. */
  readonly title: string;
  /** The place's variables; none on this machine. */
  readonly place?: TestPlace;
  /** The root file system; none on this machine. */
  readonly rootfs?: string;
  /** The variables for a place that is this machine itself. */
  readonly env?: Readonly<Record<string, string>>;
}

/** This machine, with the driver it has. */
export const thisMachine: Where = { title: "this machine" };

/** A runtime and what it needs to resolve the project's imports. */
export interface Equipment {
  /** The runtime. */
  readonly runtime: Runtime;
  /** The packages it finds `@std/*` in, for Bun. */
  readonly modules?: BunModules;
}

/** What to run. */
export interface Program {
  /** `run` for a script, `test` for the test runner. */
  readonly kind: "run" | "test";
  /** The script and its arguments, or the test runner's. */
  readonly args: readonly string[];
  /** A folder outside that the program finds under {@linkcode resultsFolder}. */
  readonly results?: string;
  /** Milliseconds until it is killed. */
  readonly timeout?: number;
  /** Whether the output is shown (default) or kept. */
  readonly output?: "show" | "keep";
}

/** Where a program finds its `results` folder. */
export function resultsFolder(where: Where, results: string): string {
  return where.rootfs ? INSIDE.results : results;
}

/** Runs a program of the project's. */
export async function runProgram(
  equipment: Equipment,
  where: Where,
  program: Program,
): Promise<RunResult> {
  const { runtime, modules } = equipment;
  const inside = where.rootfs !== undefined;
  const path = inside ? INSIDE[runtime.name] : runtime.path;
  const command = [path];
  if (runtime.name === "deno") {
    // Types are what `deno task check` is for; and inside there need not be a network.
    command.push(program.kind, "-A", "--no-check", ...await denoFlags());
    if (inside) command.push("--cached-only");
  } else {
    if (modules) {
      const folder = inside ? INSIDE.modules : modules.folder;
      command.push(`--tsconfig-override=${folder}/tsconfig.json`);
    }
    command.push(program.kind);
  }
  command.push(...program.args);
  const limits = { timeout: program.timeout, output: program.output ?? "show" };
  if (!where.rootfs) return await run(command, { ...limits, cwd: projectRoot, env: where.env });
  const places: Record<string, string> = { [path]: runtime.path };
  if (runtime.name === "deno") places[INSIDE.denoDirectory] = await denoDirectory();
  if (modules) places[INSIDE.modules] = modules.folder;
  if (program.results) places[INSIDE.results] = program.results;
  return await runInside(where.rootfs, command, {
    ...limits,
    places,
    env: {
      DENO_DIR: INSIDE.denoDirectory,
      DENO_NO_UPDATE_CHECK: "1",
      ...await registries(),
      ...(Deno.stdout.isTerminal() ? { TERM: Deno.env.get("TERM") ?? "" } : { NO_COLOR: "1" }),
      ...where.place?.env,
    },
  });
}

/** Deno keeps what it fetched by the registry it came from, so inside it has to hear of the same. */
async function registries(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const settings = await Deno.readTextFile(`${Deno.env.get("HOME")}/.npmrc`).catch(() => "");
  const configured = settings.match(/^\s*registry\s*=\s*(\S+)/m)?.[1];
  if (configured) found.NPM_CONFIG_REGISTRY = configured;
  for (const name of ["NPM_CONFIG_REGISTRY", "JSR_URL"]) {
    const value = Deno.env.get(name);
    if (value) found[name] = value;
  }
  return found;
}
