/**
 * Formats of images: what a pixel is made of.
 *
 * @module
 */

import { ArgumentTypeError } from "./error.ts";
import {
  ze_image_format_layout_t,
  ze_image_format_swizzle_t,
  ze_image_format_type_t,
} from "./libze/enums_ze.ts";
import type { ze_image_format_t } from "./libze/struct_types_ze.ts";
import { enumValue, type NameOf } from "./names.ts";

/** The bits of a pixel's channels, such as `"8_8_8_8"`, or a video layout, such as `"nv12"`. */
export type ImageFormatLayout = NameOf<
  typeof ze_image_format_layout_t,
  "ZE_IMAGE_FORMAT_LAYOUT"
>;

/** What the bits of a channel are. */
export type ImageFormatType = NameOf<typeof ze_image_format_type_t, "ZE_IMAGE_FORMAT_TYPE">;

/** What pixels are; see `ze_image_format_t`. */
export interface ImageFormat {
  /** The bits of the channels. */
  readonly layout: ImageFormatLayout;
  /** What the bits are: `unorm` are integers that kernels read as 0 to 1. */
  readonly type: ImageFormatType;
  /**
   * What a kernel reads as its x, y, z and w, as four letters: a channel (`r`,
   * `g`, `b`, `a`, and `d` for depth), `0`, `1`, or `x` for any value. By
   * default the channels of the layout in their order, then 0, and 1 for alpha.
   */
  readonly swizzle?: string;
}

/** In bytes; for layouts whose planes have different sizes, the average. */
const BYTES_PER_PIXEL: Readonly<Record<ImageFormatLayout, number>> = {
  "8": 1,
  "16": 2,
  "32": 4,
  "8_8": 2,
  "8_8_8": 3,
  "8_8_8_8": 4,
  "16_16": 4,
  "16_16_16": 6,
  "16_16_16_16": 8,
  "32_32": 8,
  "32_32_32": 12,
  "32_32_32_32": 16,
  "10_10_10_2": 4,
  "11_11_10": 4,
  "5_6_5": 2,
  "5_5_5_1": 2,
  "4_4_4_4": 2,
  y8: 1,
  nv12: 1.5,
  yuyv: 2,
  vyuy: 2,
  yvyu: 2,
  uyvy: 2,
  ayuv: 4,
  p010: 3,
  y410: 4,
  p012: 3,
  y16: 2,
  p016: 3,
  y216: 4,
  p216: 4,
  p8: 1,
  yuy2: 2,
  a8p8: 2,
  ia44: 1,
  ai44: 1,
  y416: 8,
  y210: 4,
  i420: 1.5,
  yv12: 1.5,
  "400p": 1,
  "422h": 2,
  "422v": 2,
  "444p": 3,
  rgbp: 3,
  brgp: 3,
};

/** A format that was checked. */
export interface CheckedImageFormat {
  /** With the swizzle filled in. */
  readonly format: Required<ImageFormat>;
  readonly struct: ze_image_format_t;
  readonly bytesPerPixel: number;
}

/**
 * Checks a format and puts it into the struct's values.
 *
 * @throws {ArgumentTypeError} If a part of it is missing, or of no known name.
 */
export function checkImageFormat(functionName: string, given: ImageFormat): CheckedImageFormat {
  const argument = "options.format";
  if (typeof given !== "object" || given === null) {
    const accepted = "an object with `layout` and `type`";
    throw new ArgumentTypeError({ functionName, argument, given, accepted });
  }
  const { layout, type, swizzle = defaultSwizzle(layout) } = given;
  const named = (member: string) => ({ functionName, argument: `${argument}.${member}` });
  const layoutValue = enumValue(
    ze_image_format_layout_t,
    "ZE_IMAGE_FORMAT_LAYOUT",
    layout,
    named("layout"),
  );
  const typeValue = enumValue(ze_image_format_type_t, "ZE_IMAGE_FORMAT_TYPE", type, named("type"));
  if (typeof swizzle !== "string" || !/^[rgba01xd]{4}$/.test(swizzle)) {
    const accepted = 'four letters of "rgba01xd", such as "bgra"';
    throw new ArgumentTypeError({ ...named("swizzle"), given: swizzle, accepted });
  }
  const [x, y, z, w] = [...swizzle].map((letter) => {
    const name = `ZE_IMAGE_FORMAT_SWIZZLE_${letter.toUpperCase()}`;
    return ze_image_format_swizzle_t[name as keyof typeof ze_image_format_swizzle_t];
  }) as [number, number, number, number];
  return {
    format: { layout, type, swizzle },
    struct: { layout: layoutValue, type: typeValue, x, y, z, w },
    bytesPerPixel: BYTES_PER_PIXEL[layout],
  };
}

function defaultSwizzle(layout: unknown): string {
  const channels = /^\d+(_\d+)*$/.test(String(layout)) ? String(layout).split("_").length : 4;
  return ["r001", "rg01", "rgb1", "rgba"][channels - 1]!;
}
