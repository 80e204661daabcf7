/**
 * Images in memory: how long their rows have to be.
 *
 * @module
 */

import { chooseDevice } from "./allocation.ts";
import { checkInteger, checkOptions } from "./checks.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { UnsupportedFeatureError } from "./error.ts";
import { requireFunction } from "./features.ts";
import { sync } from "./library.ts";

/** An image of two dimensions that memory is allocated for. */
export interface PitchOptions {
  /** In pixels. */
  readonly width: number;
  /** In pixels. */
  readonly height: number;
  /** From 1 to 16. */
  readonly bytesPerPixel: number;
  /** Needed where the context has several devices. */
  readonly device?: Device;
}

/** Four floats: no format has more. */
const MOST_BYTES = 16;

/** See {@linkcode Context.rowPitch}. */
export function rowPitch(context: Context, options: PitchOptions): number {
  const functionName = "Context.rowPitch";
  checkOptions(functionName, options, ["width", "height", "bytesPerPixel", "device"]);
  const { width, height, bytesPerPixel, device: given } = options ?? {};
  const device = chooseDevice(functionName, context, given)!;
  const name = "zeMemGetPitchFor2dImage";
  requireFunction(functionName, context.driver, name);
  // Intel's driver ends the process at images that are too large.
  const most = device.imageProperties.maxImageDims2D;
  if (most === 0) {
    throw new UnsupportedFeatureError(
      functionName,
      "images",
      'Ask Device.supports("images") first and do without.',
    );
  }
  const sizes = [
    BigInt(checkInteger(functionName, "options.width", width, 1, most)),
    BigInt(checkInteger(functionName, "options.height", height, 1, most)),
  ] as const;
  const bytes = checkInteger(functionName, "options.bytesPerPixel", bytesPerPixel, 1, MOST_BYTES);
  const pitch = new BigUint64Array(1);
  sync.zeMemGetPitchFor2dImage(context.handle, device.handle, ...sizes, bytes, pitch);
  return Number(pitch[0]);
}
