/**
 * The place with a device that computes: the `cpu` driver, built from tests/devices/cpu/ over
 * PoCL, on this machine if it has PoCL 5 or newer, or else in a Debian 13 root file system.
 *
 * @module
 */
import {
  cacheRoot,
  CommandError,
  digest,
  projectRoot,
  reasonOf,
  run,
  runOrThrow,
  type RunResult,
  say,
} from "../../tasks/workspace.ts";
import { INSIDE, runInside } from "./inside.ts";
import type { TestPlace } from "./mod.ts";
import { type OnThisMachine, provision, type Provisioned } from "./root_file_system.ts";

// The headers of the newest loader, so that the driver has the newest functions too.
const NEWEST = "sid";
const HEADERS = `/opt/level-zero/${NEWEST}/usr/include`;
const LIBRARIES = `/opt/level-zero/${NEWEST}/usr/lib/x86_64-linux-gnu`;
const LOADER = `${LIBRARIES}/libze_loader.so.1`;
const BUILD_FOLDER = "/opt/ze_cpu";
const SOURCES = `${projectRoot}/tests/devices/cpu`;
const SOURCES_INSIDE = `${INSIDE.project}/tests/devices/cpu`;
const BUILD_MILLISECONDS = 5 * 60_000;

const ENVIRONMENT = {
  ZE_ENABLE_ALT_DRIVERS: `${BUILD_FOLDER}/libze_cpu.so`,
  // Compile times have to be real.
  POCL_KERNEL_CACHE: "0",
  ZE_TEST_DEVICE: "cpu",
};

/** A driver that compiles and executes kernels on the CPU, whose waits really wait. */
export const cpu: TestPlace = {
  name: "cpu",
  about: "a driver that compiles and executes kernels on the CPU, over PoCL",
  recipe: {
    name: "cpu",
    suite: "trixie",
    packages: [
      "libze1",
      "libze-dev",
      "pocl-opencl-icd",
      "ocl-icd-opencl-dev",
      "opencl-headers",
      "gcc",
      "libc6-dev",
      "make",
    ],
    olderReleases: [NEWEST],
  },
  env: {
    ...ENVIRONMENT,
    ZE_LOADER_PATH: LOADER,
    // For the layers that belong to it.
    LD_LIBRARY_PATH: LIBRARIES,
  },
};

/** The same behind Debian 13's own loader, which lacks the newest functions. */
export const cpuOlderLoader: TestPlace = {
  ...cpu,
  name: "cpu with an older loader",
  about: `${cpu.about}, behind Debian 13's own loader`,
  env: ENVIRONMENT,
};

const SANITIZED_FOLDER = `${BUILD_FOLDER}/address`;

/** The same under AddressSanitizer, which also sees what Deno frees while the driver reads it. */
export const cpuAddressSanitizer: TestPlace = {
  ...cpu,
  name: "cpu with AddressSanitizer",
  about: `${cpu.about}, built with AddressSanitizer`,
  env: {
    ...cpu.env,
    ZE_ENABLE_ALT_DRIVERS: `${SANITIZED_FOLDER}/libze_cpu.so`,
    LD_PRELOAD: "libasan.so.8",
    // The runtimes free nothing at exit, and have signal stacks of their own.
    ASAN_OPTIONS: "detect_leaks=0:use_sigaltstack=0",
  },
  files: [
    "append_launch",
    "append_memory",
    "append_synchronization",
    "garbage_stress",
    "host_function",
    "memory",
    "memory_garbage",
    "submissions",
    "tracing",
    "workers",
    "wrong_use",
  ].map((name) => `tests/${name}_test.ts`),
};

/**
 * Builds the driver on this machine if it has all that is needed; otherwise makes the root file
 * system unless it is there, and builds in it. Builds only what is not built yet; says why if the
 * driver can't be had. ZE_CPU_ROOTFS=1 asks for the root file system, which is the same anywhere.
 */
export async function provisionCpu(): Promise<Provisioned> {
  const here = Deno.env.get("ZE_CPU_ROOTFS") === "1" ? undefined : await buildHere();
  if (here) return here;
  const provisioned = await provision(cpu.recipe);
  if (provisioned.path === undefined) return provisioned;
  const reason = await buildInside(provisioned.path, `OUT=${BUILD_FOLDER}`);
  return reason === undefined ? provisioned : { reason };
}

/** Builds it for {@linkcode cpuAddressSanitizer} as well; why it can't be, if so. */
export async function buildWithAddressSanitizer(rootfs: string): Promise<string | undefined> {
  return await buildInside(rootfs, `OUT=${SANITIZED_FOLDER}`, "SANITIZE=-fsanitize=address");
}

async function buildInside(
  rootfs: string,
  ...variables: readonly string[]
): Promise<string | undefined> {
  const command = ["make", "-s", `HEADERS=${HEADERS}`, ...variables, "all"];
  try {
    const build = await runInside(
      rootfs,
      // Runs beside each other build one after the other.
      ["flock", `${BUILD_FOLDER}.lock`, ...command],
      { cwd: SOURCES_INSIDE, places: {}, timeout: BUILD_MILLISECONDS, output: "keep" },
    );
    if (build.code === 0) return undefined;
    say(`cpu: building the driver ${build.ending}:\n${build.output}`);
    return `building the driver ${build.ending}`;
  } catch (error) {
    if (error instanceof CommandError) say(`cpu: the last lines were:\n${error.tail}`);
    return reasonOf(error);
  }
}

/** Checkouts beside each other have a build each: what is newer is decided by time. */
async function folderHere(): Promise<string> {
  return `${cacheRoot}/cpu-driver-${await digest(projectRoot)}`;
}

/**
 * Whether this machine has compiler, headers, loader and PoCL, and all of them new enough, is
 * found out by building the driver and seeing it loaded.
 */
async function buildHere(): Promise<OnThisMachine | undefined> {
  if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") return undefined;
  const folder = await folderHere();
  const env = { ...ENVIRONMENT, ZE_ENABLE_ALT_DRIVERS: `${folder}/libze_cpu.so` };
  const limits = { cwd: SOURCES, timeout: BUILD_MILLISECONDS };
  try {
    await Deno.mkdir(folder, { recursive: true });
    const make = ["make", "-s", `OUT=${folder}`, "all", "test"];
    await runOrThrow(["flock", `${folder}.lock`, ...make], limits);
    await runOrThrow([`${folder}/test_cpu`, "device"], { ...limits, env });
    say("cpu: the driver is built and loaded on this machine itself");
    return { env };
  } catch (error) {
    say(`cpu: not on this machine itself: ${reasonOf(error)}`);
    return undefined;
  }
}

/**
 * Runs the driver's own tests, in C, through the real loader, and in the root file system through
 * the newest too, and once more with AddressSanitizer; they say what they check.
 */
export async function testCpuDriver(rootfs: string | undefined): Promise<RunResult> {
  const script = ["sh", "run_tests.sh"];
  if (rootfs === undefined) {
    const env = { OUT: await folderHere(), POCL_KERNEL_CACHE: "0" };
    return await run(script, { cwd: SOURCES, env, timeout: BUILD_MILLISECONDS, output: "show" });
  }
  const test = (how: string, env: Readonly<Record<string, string>>) =>
    runInside(rootfs, [...script, how], {
      cwd: SOURCES_INSIDE,
      places: {},
      env: { HEADERS, OUT: BUILD_FOLDER, POCL_KERNEL_CACHE: "0", ...env },
      timeout: BUILD_MILLISECONDS,
      output: "show",
    });
  const newest = {
    TEST_HEADERS: HEADERS,
    LOADER,
    // The loader looks for its layers there too.
    LD_LIBRARY_PATH: LIBRARIES,
  };
  let ended = await test("plain", {});
  if (ended.code !== 0) return ended;
  ended = await test("plain", { ...newest, TEST: `${BUILD_FOLDER}/test_newest` });
  if (ended.code !== 0) return ended;
  return await test("address", newest);
}
