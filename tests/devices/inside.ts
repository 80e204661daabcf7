/**
 * Runs a program inside a root file system, with the project and the runtimes at fixed places.
 *
 * @module
 */
import { projectRoot, run, type RunResult } from "../../tasks/workspace.ts";
import { namespace } from "./root_file_system.ts";

/** Where things are inside. */
export const INSIDE = {
  project: "/ze/project",
  denoDirectory: "/ze/deno",
  modules: "/ze/modules",
  results: "/ze/results",
  home: "/ze/home",
  deno: "/ze/bin/deno",
  bun: "/ze/bin/bun",
} as const;

/** How a program runs inside. */
export interface InsideOptions {
  /** All of its variables besides PATH, HOME, TMPDIR and LANG. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its folder; the project's by default. */
  readonly cwd?: string;
  /** What is put where: a path outside for each of {@linkcode INSIDE}'s that is needed. */
  readonly places: Readonly<Record<string, string>>;
  /** Milliseconds until it is killed. */
  readonly timeout?: number;
  /** Whether the output is passed on (default) or kept. */
  readonly output?: "show" | "keep";
}

// $1 is the root file system, $2 the folder to start in; then pairs of paths up to "--".
// sh stays the first process of the namespace: a first process would be immune to abort().
const SCRIPT = `
set -eu
root=$1 folder=$2
shift 2
mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys" 2>/dev/null || true
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs tmpfs "$root/ze/home"
while [ "$1" != -- ]; do
  mount --bind "$1" "$root$2"
  shift 2
done
shift
set +e
chroot "$root" /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$@"
exit $?
`;

/** Runs a program inside; everything that is mounted for it is gone when it ends. */
export async function runInside(
  rootfs: string,
  command: readonly string[],
  options: InsideOptions,
): Promise<RunResult> {
  const places: Record<string, string> = { [INSIDE.project]: projectRoot, ...options.places };
  return await run([
    ...await namespace(),
    "sh",
    "-c",
    SCRIPT,
    "sh",
    rootfs,
    options.cwd ?? INSIDE.project,
    ...Object.entries(places).flatMap(([inside, outside]) => [outside, inside]),
    "--",
    ...command,
  ], {
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: INSIDE.home,
      TMPDIR: "/tmp",
      LANG: "C.UTF-8",
      ...options.env,
    },
    clearEnv: true,
    cwd: "/",
    timeout: options.timeout,
    output: options.output ?? "show",
  });
}
