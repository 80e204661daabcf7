/**
 * Sizes of work groups.
 *
 * @module
 */

import { checkInteger } from "./checks.ts";
import type { DeviceComputeProperties } from "./device_properties.ts";
import { ArgumentRangeError } from "./error.ts";

/** A size in three dimensions. */
export type Size3D = readonly [x: number, y: number, z: number];

/** What is known of a kernel's groups. */
interface GroupLimits {
  readonly kernel: string;
  readonly device: DeviceComputeProperties;
  /** All 0 if the kernel's source requires none. */
  readonly required: Size3D;
}

/**
 * A group size that the device can have, and the kernel.
 *
 * @throws {ArgumentTypeError | ArgumentRangeError} If it is none.
 */
export function checkGroupSize(
  functionName: string,
  x: unknown,
  y: unknown,
  z: unknown,
  { kernel, device, required }: GroupLimits,
): Size3D {
  const size = [
    checkInteger(functionName, "x", x, 1, device.maxGroupSizeX),
    checkInteger(functionName, "y", y, 1, device.maxGroupSizeY),
    checkInteger(functionName, "z", z, 1, device.maxGroupSizeZ),
  ] as const;
  const total = size[0] * size[1] * size[2];
  const problem = { functionName, argument: "x, y, z", given: size };
  if (required[0] > 0 && size.some((side, i) => side !== required[i])) {
    throw new ArgumentRangeError({
      ...problem,
      accepted: `${required.join(", ")}, which kernel ${JSON.stringify(kernel)} requires`,
    }, size.join(", "));
  }
  if (total > device.maxTotalGroupSize) {
    throw new ArgumentRangeError({
      ...problem,
      accepted: `no more than ${device.maxTotalGroupSize} work items in all`,
    }, `${size.join(", ")}, which are ${total} work items`);
  }
  return size;
}
