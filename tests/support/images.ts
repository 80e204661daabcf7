/**
 * What tests of images share.
 *
 * @module
 */

import type { Context } from "../../src/context.ts";
import type { ImageOptions } from "../../src/image_options.ts";
import { noDevice, testDevice } from "./device.ts";

/** Why tests that make images are skipped; false if the device has images. */
export const noImages: string | false = noDevice ||
  (testDevice().imageProperties.maxImageDims2D === 0 && "the device has no images");

/** Why tests that find a device without images are skipped. */
export const images: string | false = noDevice || (!noImages && "the device has images");

/** A picture of 4 × 3 pixels of 4 bytes. */
export const PICTURE = {
  type: "2d",
  format: { layout: "8_8_8_8", type: "unorm" },
  width: 4,
  height: 3,
} as const satisfies ImageOptions;

/** Runs with a context for all devices. */
export async function withContext(body: (context: Context) => unknown): Promise<void> {
  await using context = testDevice().driver.createContext();
  await body(context);
}
