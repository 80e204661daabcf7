/**
 * Where `@std/assert` and `@std/toml` come from: JSR, or npm and a file of the project's where JSR
 * is out of reach. Deno gets an import map for it, Bun a tsconfig with paths.
 *
 * @module
 */
import { reasonOf, run, runOrThrow, say } from "./workspace.ts";

/** Where the standard library comes from. */
export type Source = "jsr" | "npm";

const VARIABLE = "ZE_STANDARD_LIBRARY";
const PROBE_MILLISECONDS = 4000;
const MODULES = ["jsr:@std/assert@^1", "jsr:@std/toml@^1"];

/** The import map that replaces deno.json's, from the project's folder. */
export const OFFLINE_IMPORT_MAP = "tests/offline/import_map.json";

let known: Promise<Source> | undefined;

/** Finds out once per run whether JSR can be used; child processes are told by a variable. */
export function standardLibrary(): Promise<Source> {
  return known ??= probe();
}

async function probe(): Promise<Source> {
  const told = Deno.env.get(VARIABLE);
  if (told === "jsr" || told === "npm") return told;
  // Deno itself is asked, and not a host: it knows mirrors and what is cached already.
  const probed = await run([Deno.execPath(), "cache", "--no-config", "--no-lock", ...MODULES], {
    timeout: PROBE_MILLISECONDS,
  });
  const source: Source = probed.code === 0 ? "jsr" : "npm";
  if (source === "npm") {
    say(
      `JSR is out of reach: @std/toml is taken from npm (smol-toml), @std/assert is tests/offline/assert.ts`,
    );
  }
  Deno.env.set(VARIABLE, source);
  return source;
}

/** The flags that every `deno` command needs that resolves the project's imports. */
export async function denoFlags(): Promise<string[]> {
  const flags = ["--node-modules-dir=none"];
  if (await standardLibrary() === "npm") flags.push(`--import-map=${OFFLINE_IMPORT_MAP}`);
  return flags;
}

/** Fetches what the tests import, so that Deno can then run without a network. */
export async function cacheForDeno(): Promise<void> {
  const modules = await standardLibrary() === "jsr" ? MODULES : [await offlineToml()];
  try {
    await runOrThrow([Deno.execPath(), "cache", ...await denoFlags(), ...modules]);
  } catch (error) {
    throw new Error(
      `Could not fetch ${modules.join(" and ")}; the tests import them. ` +
        `Check that the npm registry or JSR can be reached. ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

/** The npm specifier that stands in for `@std/toml`. */
export async function offlineToml(): Promise<string> {
  const url = new URL(`../${OFFLINE_IMPORT_MAP}`, import.meta.url);
  const map: { imports: Record<string, string> } = JSON.parse(await Deno.readTextFile(url));
  return map.imports["@std/toml"]!;
}
