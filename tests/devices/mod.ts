/**
 * The places that tests run in: Intel's driver without its hardware, a driver that computes on the
 * CPU, and a system with nothing.
 *
 * @module
 */
import {
  buildWithAddressSanitizer,
  cpu,
  cpuAddressSanitizer,
  cpuOlderLoader,
  provisionCpu,
  testCpuDriver,
} from "./cpu.ts";
import { provision, type Provisioned, type Recipe } from "./root_file_system.ts";

export { buildWithAddressSanitizer, cpu, cpuAddressSanitizer, cpuOlderLoader, testCpuDriver };

/** A place to run tests in. */
export interface TestPlace {
  /** What the tests' report calls it. */
  readonly name: string;
  /** What its root file system is made of. */
  readonly recipe: Recipe;
  /** What it is, in a sentence. */
  readonly about: string;
  /** The variables that programs get there. */
  readonly env: Readonly<Record<string, string>>;
  /** The test files that are run there; all by default. */
  readonly files?: readonly string[];
}

const OLDER_RELEASES = ["bookworm", "trixie"];

function older(path: string): string {
  return OLDER_RELEASES.map((release) => `/opt/level-zero/${release}/${path}`).join(":");
}

/**
 * Intel's own driver and compiler, which take the machine for a Data Center GPU Max. Kernels are
 * compiled and not executed; host waits return at once.
 */
export const intel: TestPlace = {
  name: "intel",
  about: "Intel's driver on Debian sid, compiling for a GPU that isn't there",
  recipe: {
    name: "intel",
    suite: "sid",
    packages: [
      "libze1",
      "libze-dev",
      "libze-intel-gpu1",
      "libigc2",
      "gcc",
      "libc6-dev",
      "clang",
    ],
    olderReleases: OLDER_RELEASES,
  },
  env: {
    NEOReadDebugKeys: "1",
    SetCommandStreamReceiver: "1",
    UseAubStream: "0",
    ProductFamilyOverride: "pvc",
    HardwareInfoOverride: "8x8x8",
    // Compile times have to be real.
    NEO_CACHE_PERSISTENT: "0",
    ZE_TEST_DEVICE: "intel",
    ZE_HEADERS: "/usr/include",
    ZE_OLDER_HEADERS: older("usr/include"),
    ZE_OLDER_LOADERS: older("libze_loader.so.1"),
  },
};

/** Nothing but a minimal Debian: no compiler, no libc6-dev, no Level Zero. */
export const minimal: TestPlace = {
  name: "minimal",
  about: "a minimal Debian without compiler, C headers and Level Zero",
  recipe: { name: "minimal", suite: "own", packages: [], olderReleases: [] },
  env: { ZE_TEST_DEVICE: "none" },
};

/**
 * Makes a place's root file system unless it is there, or finds that this machine will do; says
 * why if it can't be had.
 */
export function provisionPlace(place: TestPlace): Promise<Provisioned> {
  return place === cpu ? provisionCpu() : provision(place.recipe);
}
