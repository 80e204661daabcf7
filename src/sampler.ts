/**
 * Samplers: how kernels read images between and beyond their pixels.
 *
 * @module
 */

import { checkBoolean, checkOptions } from "./checks.ts";
import type { Context } from "./context.ts";
import { checkDevice, type Device } from "./device.ts";
import { UnsupportedFeatureError } from "./error.ts";
import { ze_sampler_address_mode_t, ze_sampler_filter_mode_t } from "./libze/enums_ze.ts";
import { zeSamplerCreate, zeSamplerDestroy } from "./libze/functions_ze.ts";
import { ze_sampler_desc_t } from "./libze/structs_ze.ts";
import { enumValue, type NameOf } from "./names.ts";
import { OwnedObject, Resource } from "./resource.ts";

/** What is read outside of an image; see `ze_sampler_address_mode_t`. */
export type SamplerAddressMode = NameOf<
  typeof ze_sampler_address_mode_t,
  "ZE_SAMPLER_ADDRESS_MODE"
>;

/** What is read between pixels; see `ze_sampler_filter_mode_t`. */
export type SamplerFilterMode = NameOf<typeof ze_sampler_filter_mode_t, "ZE_SAMPLER_FILTER_MODE">;

/** What {@linkcode Context.createSampler} takes; see `ze_sampler_desc_t`. */
export interface SamplerOptions {
  /**
   * What is read outside of the image: `clamp` is the nearest edge,
   * `clamp_to_border` zero, `none`, which is the default, undefined.
   */
  readonly addressMode?: SamplerAddressMode;
  /** What is read between pixels: `nearest`, which is the default, or `linear`. */
  readonly filterMode?: SamplerFilterMode;
  /** Whether coordinates go from 0 to 1, instead of from 0 to the number of pixels; false by default. */
  readonly normalized?: boolean;
}

/**
 * A sampler, which kernels read images through. It is freed by `dispose`,
 * `using` or `await using`, or with its context.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=sampler | Sampler}.
 */
export class Sampler extends OwnedObject {
  /** Tells what may be a kernel's argument from each other. */
  readonly argumentKind = "sampler" as const;
  /** The context that it was made in. */
  readonly context: Context;
  /** The device that it is for. */
  readonly device: Device;
  /** What is read outside of the image. */
  readonly addressMode: SamplerAddressMode;
  /** What is read between pixels. */
  readonly filterMode: SamplerFilterMode;
  /** Whether coordinates go from 0 to 1. */
  readonly normalized: boolean;

  private constructor(
    handle: bigint,
    context: Context,
    device: Device,
    options: Required<SamplerOptions>,
  ) {
    const destroy = (sampler: bigint): void => void zeSamplerDestroy(sampler);
    super(new Resource("Sampler", handle, destroy, context.resource));
    this.context = context;
    this.device = device;
    this.addressMode = options.addressMode;
    this.filterMode = options.filterMode;
    this.normalized = options.normalized;
  }

  /**
   * Makes a sampler. The caller disposes it, or the context does.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeSamplerCreate | zeSamplerCreate}.
   *
   * @throws {ArgumentTypeError} If an option does not fit.
   * @throws {UnsupportedFeatureError} If the device has no samplers.
   * @throws {ZeError} If the driver refuses.
   */
  static create(context: Context, device: Device, options: SamplerOptions = {}): Sampler {
    const functionName = "Context.createSampler";
    const contextHandle = context.handle;
    checkDevice(functionName, "device", device, context);
    checkOptions(functionName, options, ["addressMode", "filterMode", "normalized"]);
    const { addressMode = "none", filterMode = "nearest" } = options;
    const normalized = checkBoolean(functionName, "options.normalized", options.normalized, false);
    const named = (argument: string) => ({ functionName, argument: `options.${argument}` });
    const description = ze_sampler_desc_t.create({
      addressMode: enumValue(
        ze_sampler_address_mode_t,
        "ZE_SAMPLER_ADDRESS_MODE",
        addressMode,
        named("addressMode"),
      ),
      filterMode: enumValue(
        ze_sampler_filter_mode_t,
        "ZE_SAMPLER_FILTER_MODE",
        filterMode,
        named("filterMode"),
      ),
      isNormalized: normalized,
    });
    if (device.imageProperties.maxSamplers === 0) {
      throw new UnsupportedFeatureError(
        functionName,
        "samplers",
        'Ask Device.supports("samplers") first.',
      );
    }
    const handle = new BigUint64Array(1);
    zeSamplerCreate(contextHandle, device.handle, description, handle);
    return new Sampler(handle[0]!, context, device, { addressMode, filterMode, normalized });
  }
}
