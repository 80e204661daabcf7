/**
 * The place with a device that computes: the `cpu` driver, built from tests/devices/cpu/ over
 * PoCL in a Debian 13 root file system.
 *
 * @module
 */
import { CommandError, reasonOf, type RunResult, say } from "../../tasks/workspace.ts";
import { INSIDE, runInside } from "./inside.ts";
import type { TestPlace } from "./mod.ts";
import { provision, type Provisioned } from "./root_file_system.ts";

// The headers of the newest loader, so that the driver has the newest functions too.
const NEWEST = "sid";
const HEADERS = `/opt/level-zero/${NEWEST}/usr/include`;
const BUILD_FOLDER = "/opt/ze_cpu";
const BUILD_MILLISECONDS = 5 * 60_000;

/** A driver that compiles and executes kernels on the CPU, whose waits really wait. */
export const cpu: TestPlace = {
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
    ZE_ENABLE_ALT_DRIVERS: `${BUILD_FOLDER}/libze_cpu.so`,
    // Compile times have to be real.
    POCL_KERNEL_CACHE: "0",
    ZE_TEST_DEVICE: "cpu",
  },
};

/**
 * Makes the root file system unless it is there, and builds in it what is not built yet of the
 * driver; says why if that can't be had.
 */
export async function provisionCpu(): Promise<Provisioned> {
  const provisioned = await provision(cpu.recipe);
  if (provisioned.path === undefined) return provisioned;
  const command = ["make", "-s", `HEADERS=${HEADERS}`, `OUT=${BUILD_FOLDER}`, "all"];
  try {
    const build = await runInside(
      provisioned.path,
      // Runs beside each other build one after the other.
      ["flock", `${BUILD_FOLDER}.lock`, ...command],
      {
        cwd: `${INSIDE.project}/tests/devices/cpu`,
        places: {},
        timeout: BUILD_MILLISECONDS,
        output: "keep",
      },
    );
    if (build.code === 0) return provisioned;
    say(`cpu: building the driver ${build.ending}:\n${build.output}`);
    return { reason: `building the driver ${build.ending}` };
  } catch (error) {
    if (error instanceof CommandError) say(`cpu: the last lines were:\n${error.tail}`);
    return { reason: reasonOf(error) };
  }
}

/** Runs the driver's own tests, in C, through the real loader; they say what they check. */
export function testCpuDriver(rootfs: string): Promise<RunResult> {
  return runInside(rootfs, ["sh", "run_tests.sh"], {
    cwd: `${INSIDE.project}/tests/devices/cpu`,
    places: {},
    env: { HEADERS, OUT: BUILD_FOLDER, POCL_KERNEL_CACHE: "0" },
    timeout: BUILD_MILLISECONDS,
  });
}
