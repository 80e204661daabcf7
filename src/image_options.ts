/**
 * What images are made with, checked against what the device can do.
 *
 * @module
 */

import { checkInteger, checkOptions } from "./checks.ts";
import type { Device } from "./device.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "./error.ts";
import { checkImageFormat, type ImageFormat } from "./image_format.ts";
import { ze_image_flag_t, ze_image_type_t } from "./libze/enums_ze.ts";
import { ze_image_desc_t } from "./libze/structs_ze.ts";
import { enumValue, flagBits, type NameOf } from "./names.ts";

/** How many dimensions an image has, such as `"2d"`, or `"2darray"` for layers of them. */
export type ImageType = NameOf<typeof ze_image_type_t, "ZE_IMAGE_TYPE">;

/** How an image is used; see `ze_image_flag_t`. */
export type ImageFlag = NameOf<typeof ze_image_flag_t, "ZE_IMAGE_FLAG">;

/** What {@linkcode Context.createImage} takes; see `ze_image_desc_t`. */
export interface ImageOptions {
  /** How many dimensions it has, and whether it is a list of layers. */
  readonly type: ImageType;
  /** What its pixels are. */
  readonly format: ImageFormat;
  /** In pixels; of the type `buffer`, in bytes. */
  readonly width: number;
  /** In pixels; for `2d`, `2darray` and `3d`. */
  readonly height?: number;
  /** In pixels; for `3d`. */
  readonly depth?: number;
  /** How many layers there are; for `1darray` and `2darray`. */
  readonly arrayLevels?: number;
  /** The specification has none yet: 0, which is the default. */
  readonly mipLevels?: number;
  /** `kernel_write` if kernels write it; none by default, which is an image to be read. */
  readonly flags?: readonly ImageFlag[];
}

/** The members of {@linkcode ImageOptions}. */
const OPTIONS = [
  "type",
  "format",
  "width",
  "height",
  "depth",
  "arrayLevels",
  "mipLevels",
  "flags",
] as const;

/** The number of dimensions, whether there are layers, and the limit that the device has. */
const SHAPES = {
  "1d": { dimensions: 1, layers: false, limit: "maxImageDims1D" },
  "1darray": { dimensions: 1, layers: true, limit: "maxImageDims1D" },
  "2d": { dimensions: 2, layers: false, limit: "maxImageDims2D" },
  "2darray": { dimensions: 2, layers: true, limit: "maxImageDims2D" },
  "3d": { dimensions: 3, layers: false, limit: "maxImageDims3D" },
  "buffer": { dimensions: 1, layers: false, limit: "maxImageBufferSize" },
} as const satisfies Record<ImageType, unknown>;

/** Options that were checked, and the struct that they make. */
export interface ImageDescription {
  readonly type: ImageType;
  readonly format: Required<ImageFormat>;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly arrayLevels: number;
  readonly writable: boolean;
  readonly bytesPerPixel: number;
  readonly byteLength: number;
  /** A `ze_image_desc_t`. */
  readonly description: Uint8Array<ArrayBuffer>;
}

/**
 * Checks what an image is to be like.
 *
 * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
 * @throws {UnsupportedFeatureError} If the device has no images of the type.
 */
export function describeImage(
  functionName: string,
  device: Device,
  options: ImageOptions,
  pNext?: Uint8Array,
): ImageDescription {
  checkOptions(functionName, options, OPTIONS);
  const { type, format, mipLevels, flags = [] } = options ?? {};
  const named = (argument: string) => ({ functionName, argument: `options.${argument}` });
  const typeValue = enumValue(ze_image_type_t, "ZE_IMAGE_TYPE", type, named("type"));
  const checked = checkImageFormat(functionName, format);
  const flagValue = flagBits(ze_image_flag_t, "ZE_IMAGE_FLAG", flags, named("flags"));
  const size = checkSize(functionName, device, options);
  if (mipLevels !== undefined) checkInteger(functionName, "options.mipLevels", mipLevels, 0, 0);
  const { width, height, depth, arrayLevels } = size;
  const pixels = width * height * depth * arrayLevels;
  return {
    type,
    ...size,
    format: checked.format,
    writable: flags.includes("kernel_write"),
    bytesPerPixel: checked.bytesPerPixel,
    byteLength: type === "buffer" ? width : Math.ceil(pixels * checked.bytesPerPixel),
    description: ze_image_desc_t.create({
      ...(pNext === undefined ? {} : { pNext: pNext as never }),
      type: typeValue,
      flags: flagValue,
      format: checked.struct,
      width,
      height,
      depth,
      arraylevels: SHAPES[type].layers ? arrayLevels : 0,
    }),
  };
}

type Size = Pick<ImageDescription, "width" | "height" | "depth" | "arrayLevels">;

function checkSize(functionName: string, device: Device, options: ImageOptions): Size {
  const { type } = options;
  const { dimensions, layers, limit } = SHAPES[type];
  const limits = device.imageProperties;
  const longest = Number(limits[limit]);
  if (longest === 0 || layers && limits.maxImageArraySlices === 0) {
    throw new UnsupportedFeatureError(
      functionName,
      `images of the type "${type}"`,
      `Ask Device.supports("images") first; Device.imageProperties tells the limits. Buffers do what images do, but for samplers.`,
    );
  }
  const length = (name: "width" | "height" | "depth" | "arrayLevels", has: boolean, most: number) =>
    has
      ? checkInteger(functionName, `options.${name}`, options[name], 1, most)
      : checkAbsent(functionName, name, options);
  return {
    width: length("width", true, longest),
    height: length("height", dimensions >= 2, longest),
    depth: length("depth", dimensions === 3, longest),
    arrayLevels: length("arrayLevels", layers, limits.maxImageArraySlices),
  };
}

/** What is given for no effect is a mistake, but for the 1 that an {@linkcode Image} itself has. */
function checkAbsent(functionName: string, name: keyof ImageOptions, options: ImageOptions): 1 {
  const given = options[name];
  if (given === undefined || given === 1) return 1;
  throw new ArgumentTypeError({
    functionName,
    argument: `options.${name}`,
    given,
    accepted: `left out: an image of the type "${options.type}" has none`,
  });
}
