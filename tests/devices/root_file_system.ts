/**
 * Debian root file systems, made once with debootstrap and kept in the user's cache folder.
 *
 * @module
 */
import {
  cacheRoot,
  CommandError,
  digest,
  exists,
  reasonOf,
  run,
  runOrThrow,
  say,
} from "../../tasks/workspace.ts";
import { debianMirror } from "./apt_sources.ts";

/** What a root file system is made of. */
export interface Recipe {
  /** Its name, for people and folders. */
  readonly name: string;
  /** The Debian release, or "own" for the one this machine runs. */
  readonly suite: string;
  /** Packages beyond `--variant=minbase`. */
  readonly packages: readonly string[];
  /** Releases whose libze-dev and libze1 are unpacked to /opt/level-zero/<release>. */
  readonly olderReleases: readonly string[];
}

/** A root file system that can be used, or why there is none. */
export type Provisioned =
  | { readonly path: string; readonly reason?: undefined; readonly env?: undefined }
  | { readonly path?: undefined; readonly reason: string; readonly env?: undefined }
  | OnThisMachine;

/** This machine itself will do, with variables of its own in place of the recipe's. */
export interface OnThisMachine {
  readonly path?: undefined;
  readonly reason?: undefined;
  /** The variables that programs get. */
  readonly env: Readonly<Record<string, string>>;
}

const PROVISION_MILLISECONDS = 15 * 60_000;
const script = new URL("provision.sh", import.meta.url).pathname;

/** Makes the root file system unless it is there; says why if it can't be had. */
export async function provision(recipe: Recipe): Promise<Provisioned> {
  try {
    return { path: await provisionOrThrow(recipe) };
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof CommandError) say(`${recipe.name}: the last lines were:\n${error.tail}`);
    say(`${recipe.name}: can't be had: ${reason}`);
    return { reason };
  }
}

async function provisionOrThrow(recipe: Recipe): Promise<string> {
  if (Deno.build.os !== "linux") throw new Error("root file systems are made on Linux only");
  if (Deno.uid() !== 0) throw new Error("making a root file system needs root; run as root");
  const prefix = await namespace();
  const mirror = await debianMirror();
  const suite = recipe.suite === "own" ? mirror.release : recipe.suite;
  const identity = JSON.stringify([recipe, suite, await Deno.readTextFile(script)]);
  const folder = `${cacheRoot}/rootfs`;
  const path = `${folder}/${recipe.name}-${await digest(identity)}`;
  if (await exists(path)) return path;
  await removeLeftovers(folder);
  const temporary = `${folder}/.${recipe.name}.${Deno.pid}`;
  await Deno.mkdir(folder, { recursive: true });
  say(`${recipe.name}: making a Debian ${suite} root file system (once, about a minute)`);
  const start = Date.now();
  try {
    await runOrThrow([
      ...prefix,
      "sh",
      script,
      temporary,
      suite,
      mirror.uri,
      recipe.packages.join(" "),
      recipe.olderReleases.join(" "),
    ], { progress: recipe.name, timeout: PROVISION_MILLISECONDS, env: await proxies() });
    await Deno.rename(temporary, path).catch(async (error) => {
      // Another run may have been faster.
      if (!await exists(path)) throw error;
    });
  } finally {
    await runOrThrow(["rm", "-rf", "--one-file-system", temporary]);
  }
  say(`${recipe.name}: made in ${Math.round((Date.now() - start) / 1000)} s, kept in ${path}`);
  return path;
}

/** Interrupted runs leave their temporary folders; those whose process is gone are removed. */
async function removeLeftovers(folder: string): Promise<void> {
  if (!await exists(folder)) return;
  for await (const { name } of Deno.readDir(folder)) {
    const process = name.match(/^\..+\.(\d+)$/)?.[1];
    if (!process || await exists(`/proc/${process}`)) continue;
    await runOrThrow(["rm", "-rf", "--one-file-system", `${folder}/${name}`]);
  }
}

let namespaceCommand: Promise<string[]> | undefined;

/**
 * The command that runs another one with mounts, and where possible processes, of its own, all of
 * which end with it. Throws where the machine does not permit that.
 */
export function namespace(): Promise<string[]> {
  return namespaceCommand ??= findNamespace();
}

async function findNamespace(): Promise<string[]> {
  const mounts = ["unshare", "--mount", "--propagation", "private"];
  const probe = ["sh", "-c", "mount -t tmpfs tmpfs /mnt"];
  for (const command of [[...mounts, "--pid", "--fork", "--kill-child"], mounts]) {
    try {
      if ((await run([...command, ...probe])).code === 0) return command;
    } catch {
      // No unshare at all.
    }
  }
  // Both runtimes need /proc, so that copying them into a root file system would not do.
  throw new Error(
    "this machine permits no mounts (unshare --mount failed); in a container, " +
      "give it the capability SYS_ADMIN",
  );
}

/** debootstrap does not read apt's own proxy settings. */
async function proxies(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const scheme of ["http", "https"]) {
    const variable = `${scheme}_proxy`;
    if (Deno.env.get(variable)) continue;
    const result = await run([
      "sh",
      "-c",
      `eval "$(apt-config shell proxy Acquire::${scheme}::Proxy)"; printf %s "\${proxy:-}"`,
    ]);
    if (result.code === 0 && /^https?:/.test(result.output)) found[variable] = result.output;
  }
  return found;
}
