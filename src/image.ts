/**
 * Images: memory that kernels read by coordinates.
 *
 * @module
 */

import type { Context } from "./context.ts";
import { checkDevice, type Device } from "./device.ts";
import { requireFunction } from "./features.ts";
import type { ImageFormat } from "./image_format.ts";
import {
  describeImage,
  type ImageDescription,
  type ImageOptions,
  type ImageType,
} from "./image_options.ts";
import { createImageView, type ImageViewOptions } from "./image_view.ts";
import {
  ZE_BINDLESS_IMAGE_EXP_NAME,
  ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME,
  ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME,
} from "./libze/constants.ts";
import { ze_image_sampler_filter_flag_t } from "./libze/enums_ze.ts";
import {
  zeImageCreate,
  zeImageDestroy,
  zeImageGetAllocPropertiesExt,
  zeImageGetDeviceOffsetExp,
  zeImageGetMemoryPropertiesExp,
  zeImageGetProperties,
} from "./libze/functions_ze.ts";
import {
  ze_image_allocation_ext_properties_t,
  ze_image_memory_properties_exp_t,
  ze_image_properties_t,
} from "./libze/structs_ze.ts";
import { flagNames, type NameOf } from "./names.ts";
import { withReclaim } from "./out_of_memory.ts";
import { OwnedObject, Resource } from "./resource.ts";

/** What samplers may do with an image; see `ze_image_properties_t`. */
export interface ImageProperties {
  /** `point` for the nearest pixel, `linear` for the mean of its neighbours. */
  readonly samplerFilterFlags: readonly (
    | NameOf<typeof ze_image_sampler_filter_flag_t, "ZE_IMAGE_SAMPLER_FILTER_FLAG">
    | `unknown_${string}`
  )[];
}

/** How an image lies in memory, in bytes; see `ze_image_memory_properties_exp_t`. */
export interface ImageMemoryProperties {
  readonly size: bigint;
  /** From one row to the next. */
  readonly rowPitch: bigint;
  /** From one layer to the next. */
  readonly slicePitch: bigint;
}

/** The memory of an image; see `ze_image_allocation_ext_properties_t`. */
export interface ImageAllocationProperties {
  /** Tells allocations apart. */
  readonly id: bigint;
}

function readProperties(device: Device, description: Uint8Array): ImageProperties {
  const view = ze_image_properties_t.create();
  zeImageGetProperties(device.handle, description, view);
  const { samplerFilterFlags } = ze_image_properties_t.read(view);
  return {
    samplerFilterFlags: flagNames(
      ze_image_sampler_filter_flag_t,
      "ZE_IMAGE_SAMPLER_FILTER_FLAG",
      samplerFilterFlags,
    ),
  };
}

/**
 * An image, which kernels read and write by coordinates, through a sampler if
 * they like, and command lists copy to and from memory. How it lies in memory is
 * the device's own affair. It is freed by `dispose`, `using` or `await using`,
 * or with its context.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=image | Image}.
 */
export class Image extends OwnedObject {
  /** Tells what may be a kernel's argument from each other. */
  readonly argumentKind = "image" as const;
  /** The context that it was made in. */
  readonly context: Context;
  /** The device that it is for. */
  readonly device: Device;
  /** How many dimensions it has, and whether it is a list of layers. */
  readonly type: ImageType;
  /** What its pixels are. */
  readonly format: Required<ImageFormat>;
  /** In pixels; of the type `buffer`, in bytes. */
  readonly width: number;
  /** In pixels; 1 for types without. */
  readonly height: number;
  /** In pixels; 1 for types without. */
  readonly depth: number;
  /** How many layers there are; 1 for types without. */
  readonly arrayLevels: number;
  /** Whether kernels may write it. */
  readonly writable: boolean;
  /** In bytes, without gaps between; a fraction for some layouts of video, as 1.5 for `nv12`. */
  readonly bytesPerPixel: number;
  /** All pixels without gaps between: what a copy to memory needs, in bytes. */
  readonly byteLength: number;
  /** The image that this one is a view of; undefined if it has memory of its own. */
  readonly viewOf: Image | undefined;
  readonly #description: Uint8Array<ArrayBuffer>;

  private constructor(
    handle: bigint,
    context: Context,
    device: Device,
    described: ImageDescription,
    viewOf?: Image,
  ) {
    const parent = (viewOf ?? context).resource;
    super(new Resource("Image", handle, (image) => void zeImageDestroy(image), parent));
    this.context = context;
    this.device = device;
    this.viewOf = viewOf;
    this.type = described.type;
    this.format = described.format;
    this.width = described.width;
    this.height = described.height;
    this.depth = described.depth;
    this.arrayLevels = described.arrayLevels;
    this.writable = described.writable;
    this.bytesPerPixel = described.bytesPerPixel;
    this.byteLength = described.byteLength;
    this.#description = described.description;
  }

  /**
   * Makes an image; what is in it is undefined. The caller disposes it, or the
   * context does.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeImageCreate | zeImageCreate}.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   * @throws {UnsupportedFeatureError} If the device has no images of the type.
   * @throws {OutOfMemoryError} If there is no memory for it.
   * @throws {ZeError} If the driver refuses otherwise, such as a format that the device lacks.
   */
  static create(context: Context, device: Device, options: ImageOptions): Image {
    const functionName = "Context.createImage";
    const contextHandle = context.handle;
    checkDevice(functionName, "device", device, context);
    const described = describeImage(functionName, device, options);
    const handle = new BigUint64Array(1);
    withReclaim(
      { bytes: described.byteLength, device },
      () => zeImageCreate(contextHandle, device.handle, described.description, handle),
    );
    return new Image(handle[0]!, context, device, described);
  }

  /**
   * What a device does with images of a description, to ask before one is made.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeImageGetProperties | zeImageGetProperties}.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   * @throws {UnsupportedFeatureError} If the device has no images of the type.
   */
  static propertiesOf(device: Device, options: ImageOptions): ImageProperties {
    const functionName = "Image.propertiesOf";
    checkDevice(functionName, "device", device);
    return readProperties(device, describeImage(functionName, device, options).description);
  }

  /**
   * The image's memory as an image of another format or size, or a plane of it.
   * It is disposed by the caller, or with this image.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeImageViewCreateExt | zeImageViewCreateExt}.
   *
   * @throws {UnsupportedFeatureError} Without the extension `ZE_extension_image_view`.
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit, or the image.
   * @throws {ZeError} If the driver refuses.
   */
  createView(options?: ImageViewOptions): Image {
    const { handle, description } = createImageView(this, options);
    return new Image(handle, this.context, this.device, description, this);
  }

  /** What samplers may do with it. */
  get properties(): ImageProperties {
    return readProperties(this.device, this.#description);
  }

  /**
   * How it lies in memory.
   *
   * @throws {UnsupportedFeatureError} Without the extension `ZE_experimental_image_memory_properties`.
   */
  get memoryProperties(): ImageMemoryProperties {
    const { handle } = this;
    requireFunction(
      "Image.memoryProperties",
      this.context.driver,
      "zeImageGetMemoryPropertiesExp",
      ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME,
    );
    const view = ze_image_memory_properties_exp_t.create();
    zeImageGetMemoryPropertiesExp(handle, view);
    const { size, rowPitch, slicePitch } = ze_image_memory_properties_exp_t.read(view);
    return { size, rowPitch, slicePitch };
  }

  /**
   * The memory that it is in.
   *
   * @throws {UnsupportedFeatureError} Without the extension `ZE_extension_image_query_alloc_properties`.
   */
  get allocationProperties(): ImageAllocationProperties {
    const { handle } = this;
    requireFunction(
      "Image.allocationProperties",
      this.context.driver,
      "zeImageGetAllocPropertiesExt",
      ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME,
    );
    const view = ze_image_allocation_ext_properties_t.create();
    zeImageGetAllocPropertiesExt(this.context.handle, handle, view);
    return { id: ze_image_allocation_ext_properties_t.read(view).id };
  }

  /**
   * What kernels know a bindless image by.
   *
   * @throws {UnsupportedFeatureError} Without the extension `ZE_experimental_bindless_image`.
   */
  get deviceOffset(): bigint {
    const { handle } = this;
    requireFunction(
      "Image.deviceOffset",
      this.context.driver,
      "zeImageGetDeviceOffsetExp",
      ZE_BINDLESS_IMAGE_EXP_NAME,
    );
    const offset = new BigUint64Array(1);
    zeImageGetDeviceOffsetExp(handle, offset);
    return offset[0]!;
  }
}
