/**
 * Image views: images that show another image's memory as something else.
 *
 * @module
 */

import { checkInteger } from "./checks.ts";
import { ArgumentRangeError } from "./error.ts";
import { requireFunction, supportsFunction } from "./features.ts";
import type { Image } from "./image.ts";
import { describeImage, type ImageDescription, type ImageOptions } from "./image_options.ts";
import {
  ZE_IMAGE_VIEW_EXP_NAME,
  ZE_IMAGE_VIEW_EXT_NAME,
  ZE_IMAGE_VIEW_PLANAR_EXP_NAME,
  ZE_IMAGE_VIEW_PLANAR_EXT_NAME,
} from "./libze/constants.ts";
import { zeImageViewCreateExp, zeImageViewCreateExt } from "./libze/functions_ze.ts";
import { ze_image_view_planar_ext_desc_t } from "./libze/structs_ze.ts";

/** What {@linkcode Image.createView} takes: what is left out is as it is in the image. */
export interface ImageViewOptions extends Partial<ImageOptions> {
  /** The number of the plane of a video layout: of `nv12`, 0 is brightness and 1 is colour. */
  readonly plane?: number;
}

/** A view that was made. */
export interface NativeImageView {
  readonly handle: bigint;
  readonly description: ImageDescription;
}

const MOST_PLANES = 3;

/** Makes a view; see {@linkcode Image.createView}. */
export function createImageView(image: Image, options: ImageViewOptions = {}): NativeImageView {
  const functionName = "Image.createView";
  const imageHandle = image.handle;
  const { context, device } = image;
  const isStandard = supportsFunction(
    context.driver,
    "zeImageViewCreateExt",
    ZE_IMAGE_VIEW_EXT_NAME,
  );
  if (!isStandard) {
    requireFunction(functionName, context.driver, "zeImageViewCreateExp", ZE_IMAGE_VIEW_EXP_NAME);
  }
  const { plane, ...changes } = options ?? {};
  const description = describeImage(
    functionName,
    device,
    { ...optionsOf(image), ...changes },
    plane === undefined ? undefined : describePlane(functionName, image, plane),
  );
  checkInside(functionName, image, description);
  const handle = new BigUint64Array(1);
  (isStandard ? zeImageViewCreateExt : zeImageViewCreateExp)(
    context.handle,
    device.handle,
    description.description,
    imageHandle,
    handle,
  );
  return { handle: handle[0]!, description };
}

function optionsOf(
  { type, format, width, height, depth, arrayLevels, writable }: Image,
): ImageOptions {
  const flags: ImageOptions["flags"] = writable ? ["kernel_write"] : [];
  return { type, format, width, height, depth, arrayLevels, flags };
}

function describePlane(functionName: string, { context }: Image, plane: number): Uint8Array {
  requireFunction(
    functionName,
    context.driver,
    "zeImageViewCreateExt",
    ZE_IMAGE_VIEW_PLANAR_EXT_NAME,
    ZE_IMAGE_VIEW_PLANAR_EXP_NAME,
  );
  const planeIndex = checkInteger(functionName, "options.plane", plane, 0, MOST_PLANES - 1);
  return ze_image_view_planar_ext_desc_t.create({ planeIndex });
}

/** Drivers take any size, and kernels would write beyond the image. */
function checkInside(functionName: string, image: Image, view: ImageDescription): void {
  const rowOf = ({ type, width, bytesPerPixel }: Image | ImageDescription): number =>
    type === "buffer" ? width : width * bytesPerPixel;
  const isInside = rowOf(view) <= rowOf(image) && view.height <= image.height &&
    view.depth <= image.depth && view.arrayLevels <= image.arrayLevels;
  if (isInside) return;
  const { type, width, height, depth, arrayLevels } = view;
  throw new ArgumentRangeError({
    functionName,
    argument: "options",
    given: { type, width, height, depth, arrayLevels },
    accepted: "a view in which no row, column or layer is longer than the image's",
  });
}
