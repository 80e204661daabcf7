/**
 * Whether there is a device to test on, and what it is.
 *
 * `ZE_TEST_DEVICE` says what is expected: `intel` (Intel's driver without its
 * hardware) or `cpu` (kernels on the CPU), as `deno task test` provides, `host`
 * (this machine's own), or `none`. Unset, tests take what there is.
 *
 * @module
 */

import process from "node:process";
import { type Device, drivers, init, isAvailable } from "../../mod.ts";

const expected = process.env["ZE_TEST_DEVICE"];

function whyNone(): string | false {
  if (expected === "none") return "ZE_TEST_DEVICE=none";
  if (isAvailable()) return false;
  let reason = "the driver has no devices";
  try {
    init();
  } catch (error) {
    reason = String(error).split("\n")[0]!;
  }
  // A device that was promised and isn't there must fail the run, not shorten it.
  if (expected) throw new Error(`ZE_TEST_DEVICE=${expected}, but there is no device: ${reason}`);
  return `no Level Zero device: ${reason}`;
}

/** Why tests that need a device are skipped; false if there is one. */
export const noDevice: string | false = whyNone();

/** Why tests that look at what the device computed are skipped; false if it computes. */
export const noExecution: string | false = noDevice ||
  (expected === "intel" && "Intel's driver without hardware executes nothing");

/** Why tests that need Intel's compiler without hardware are skipped. */
export const noIntelCompiler: string | false = expected === "intel"
  ? false
  : "needs ZE_TEST_DEVICE=intel, which `deno task test` provides";

/** Why tests that keep memory with the device are skipped: there, nothing has memory to be kept. */
export const noResidency: string | false = noDevice ||
  (expected === "intel" && "Intel's driver without hardware has no memory to keep anything in");

/** The first device that there is. */
export function testDevice(): Device {
  return drivers().flatMap((driver) => driver.devices)[0]!;
}
