/**
 * Allocating memory.
 *
 * @module
 */

import { checkInstance, checkInteger, checkOptions } from "./checks.ts";
import type { Context } from "./context.ts";
import { Device } from "./device.ts";
import { ArgumentRangeError, ArgumentTypeError } from "./error.ts";
import { type ExternalMemoryOptions, externalStructs } from "./external_memory.ts";
import { sync } from "./library.ts";
import { ze_device_mem_alloc_flag_t, ze_host_mem_alloc_flag_t } from "./libze/enums_ze.ts";
import { ze_device_mem_alloc_desc_t, ze_host_mem_alloc_desc_t } from "./libze/structs_ze.ts";
import { Memory, type MemoryKind } from "./memory.ts";
import { flagBits, type NameOf } from "./names.ts";
import { withReclaim } from "./out_of_memory.ts";
import {
  checkTypedArrayClass,
  type TypedArray,
  typedArrayClass,
  type TypedArrayConstructor,
} from "./typed_array.ts";

type DeviceFlag = NameOf<typeof ze_device_mem_alloc_flag_t, "ZE_DEVICE_MEM_ALLOC_FLAG">;
type HostFlag = NameOf<typeof ze_host_mem_alloc_flag_t, "ZE_HOST_MEM_ALLOC_FLAG">;

/** What {@linkcode Allocator.host} takes. */
export interface HostMemoryOptions extends ExternalMemoryOptions {
  /** Of the address, in bytes: a power of two. The driver's choice by default. */
  readonly alignment?: number;
  /** Wishes, such as `bias_write_combined`. */
  readonly hostFlags?: readonly HostFlag[];
}

/** What {@linkcode Allocator.device} takes. */
export interface DeviceMemoryOptions extends ExternalMemoryOptions {
  /** Needed where the context has several devices. */
  readonly device?: Device;
  /** Of the address, in bytes: a power of two. The driver's choice by default. */
  readonly alignment?: number;
  /** Which of the device's `memoryProperties`; the first by default. */
  readonly ordinal?: number;
  /** Wishes, such as `bias_uncached`. */
  readonly deviceFlags?: readonly DeviceFlag[];
}

/** What {@linkcode Allocator.shared} takes. */
export interface SharedMemoryOptions
  extends Omit<DeviceMemoryOptions, "device" | keyof ExternalMemoryOptions> {
  /** Needed where the context has several devices; null for memory that is of none of them. */
  readonly device?: Device | null;
  /** Wishes for when it is with the host, such as `bias_initial_placement`. */
  readonly hostFlags?: readonly HostFlag[];
}

type Options = SharedMemoryOptions & HostMemoryOptions;

const KNOWN: Readonly<Record<MemoryKind, readonly (keyof Options)[]>> = {
  device: ["device", "alignment", "ordinal", "deviceFlags", "exportable", "imported"],
  host: ["alignment", "hostFlags", "exportable", "imported"],
  shared: ["device", "alignment", "ordinal", "deviceFlags", "hostFlags"],
};

/** What is to be allocated, once it is known to make sense. */
interface Order {
  readonly type: TypedArrayConstructor<TypedArray>;
  readonly length: number;
  /** What to copy in. */
  readonly contents: TypedArray | undefined;
  readonly options: Options | undefined;
}

/**
 * Allocates memory in a context: {@linkcode Context.alloc}. How much is given
 * as a class and a length, as bytes, or as an array whose contents are copied.
 * Without contents, what is in it is undefined until it is written.
 *
 * ```ts
 * using input = context.alloc.host(Float32Array.of(1, 2, 3));
 * using output = context.alloc.shared(Float32Array, 3);
 * using scratch = context.alloc.device(4096);
 * output.view[0] = input.view[2];
 * ```
 */
export class Allocator {
  readonly #context: Context;

  /** Use {@linkcode Context.alloc}. */
  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Memory of a device, which the host can't read or write: copy from and to
   * it with a command list. The caller disposes it, or the context does.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeMemAllocDevice | zeMemAllocDevice}.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If what is asked for makes no sense.
   * @throws {OutOfMemoryError} If there is no memory, even after {@linkcode onOutOfMemory}.
   * @throws {ZeError} If the driver refuses otherwise.
   */
  device<T extends TypedArray>(
    type: TypedArrayConstructor<T>,
    length: number,
    options?: DeviceMemoryOptions,
  ): Memory<T>;
  /** As many bytes. */
  device(byteLength: number, options?: DeviceMemoryOptions): Memory<Uint8Array<ArrayBuffer>>;
  device(what: unknown, second?: unknown, third?: unknown): Memory {
    const order = readOrder("alloc.device", what, second, third);
    if (order.contents) {
      throw new ArgumentTypeError({
        functionName: "alloc.device",
        argument: "type",
        given: what,
        accepted:
          "the class of a typed array, or a length in bytes: the host can't write to device memory, so copy the contents with list.appendMemoryCopy()",
      });
    }
    return this.#allocate("alloc.device", "device", order);
  }

  /**
   * Memory of the host, which all devices of the context can use. The caller
   * disposes it, or the context does.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeMemAllocHost | zeMemAllocHost}.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If what is asked for makes no sense.
   * @throws {OutOfMemoryError} If there is no memory, even after {@linkcode onOutOfMemory}.
   * @throws {ZeError} If the driver refuses otherwise.
   */
  host<T extends TypedArray>(
    type: TypedArrayConstructor<T>,
    length: number,
    options?: HostMemoryOptions,
  ): Memory<T>;
  /** As many bytes. */
  host(byteLength: number, options?: HostMemoryOptions): Memory<Uint8Array<ArrayBuffer>>;
  /** As many elements as the array has, with its contents. */
  host<T extends TypedArray>(contents: T, options?: HostMemoryOptions): Memory<T>;
  host(what: unknown, second?: unknown, third?: unknown): Memory {
    const order = readOrder("alloc.host", what, second, third);
    return this.#allocate("alloc.host", "host", order);
  }

  /**
   * Memory that moves between the host and the device, to where it is used.
   * The caller disposes it, or the context does.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeMemAllocShared | zeMemAllocShared}.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If what is asked for makes no sense.
   * @throws {OutOfMemoryError} If there is no memory, even after {@linkcode onOutOfMemory}.
   * @throws {ZeError} If the driver refuses otherwise.
   */
  shared<T extends TypedArray>(
    type: TypedArrayConstructor<T>,
    length: number,
    options?: SharedMemoryOptions,
  ): Memory<T>;
  /** As many bytes. */
  shared(byteLength: number, options?: SharedMemoryOptions): Memory<Uint8Array<ArrayBuffer>>;
  /** As many elements as the array has, with its contents. */
  shared<T extends TypedArray>(contents: T, options?: SharedMemoryOptions): Memory<T>;
  shared(what: unknown, second?: unknown, third?: unknown): Memory {
    const order = readOrder("alloc.shared", what, second, third);
    return this.#allocate("alloc.shared", "shared", order);
  }

  #allocate(functionName: string, kind: MemoryKind, order: Order): Memory {
    const { type, length, contents, options = {} } = order;
    checkOptions(functionName, options, KNOWN[kind]);
    const context = this.#context;
    const device = kind === "host"
      ? undefined
      : chooseDevice(functionName, context, options.device, kind === "shared");
    const bytes = length * type.BYTES_PER_ELEMENT;
    const external = externalStructs(functionName, device ? [device] : context.devices, options);
    const call = nativeCall(functionName, kind, options, external);
    const address = new BigUint64Array(1);
    withReclaim(
      { bytes, device },
      () => call(context.handle, BigInt(bytes), device?.handle ?? 0n, address),
    );
    const memory = new Memory({
      context,
      kind,
      device,
      address: address[0]!,
      type,
      length,
      exportable: options.exportable ?? [],
    });
    try {
      if (contents) (memory.view as Uint8Array).set(contents as Uint8Array);
    } catch (error) {
      memory.dispose();
      throw error;
    }
    return memory;
  }
}

/** How much is asked for, in each of the ways to say it. */
function readOrder(functionName: string, what: unknown, second: unknown, third: unknown): Order {
  if (typeof what === "function") {
    const type = checkTypedArrayClass(functionName, "type", what);
    const most = Math.floor(Number.MAX_SAFE_INTEGER / type.BYTES_PER_ELEMENT);
    const length = checkInteger(functionName, "length", second, 1, most);
    return { type, length, contents: undefined, options: third as Options | undefined };
  }
  const options = second as Options | undefined;
  if (typeof what === "number" || typeof what === "bigint") {
    const length = checkInteger(functionName, "byteLength", what, 1);
    return { type: Uint8Array, length, contents: undefined, options };
  }
  const type = typedArrayClass(what);
  const problem = {
    functionName,
    argument: "type",
    given: what,
    accepted: "the class of a typed array, a length in bytes, or a typed array",
  };
  if (!type) throw new ArgumentTypeError(problem);
  const contents = what as TypedArray;
  if (contents.length === 0) {
    throw new ArgumentRangeError({ ...problem, accepted: "an array that is not empty" });
  }
  return { type, length: contents.length, contents, options };
}

/**
 * The device to allocate for: the one given, or else the only one there is.
 *
 * @throws {ArgumentTypeError} If it is no device of the context, or there are several.
 */
export function chooseDevice(
  functionName: string,
  context: Context,
  given: Device | null | undefined,
  nullable = false,
): Device | undefined {
  const problem = { functionName, argument: "options.device", given };
  if (given === undefined) {
    const [device, ...others] = context.devices;
    if (device && others.length === 0) return device;
    throw new ArgumentTypeError({
      ...problem,
      accepted: `one of the context's ${context.devices.length} devices`,
    });
  }
  if (given === null && nullable) return undefined;
  const device = checkInstance(functionName, "options.device", given, Device);
  for (let part: Device | undefined = device; part; part = part.rootDevice) {
    if (context.devices.includes(part)) return device;
    if (part.driver !== context.driver) break;
  }
  throw new ArgumentTypeError(
    { ...problem, accepted: "a device of the context, or a part of one" },
    "a device that is not of the context",
  );
}

/** The address is aligned to 1 << 30 at most: drivers answer more with whatever comes to mind. */
const MOST_ALIGNED = 2 ** 30;

/**
 * An alignment in bytes; 0, which leaves it to the driver, for undefined.
 *
 * @throws {ArgumentTypeError | ArgumentRangeError} If it is no power of two.
 */
export function checkAlignment(functionName: string, alignment: unknown): bigint {
  if (alignment === undefined) return 0n;
  const value = checkInteger(functionName, "options.alignment", alignment, 1, MOST_ALIGNED);
  if ((value & (value - 1)) === 0) return BigInt(value);
  throw new ArgumentRangeError({
    functionName,
    argument: "options.alignment",
    given: alignment,
    accepted: `a power of two, from 1 to ${MOST_ALIGNED}`,
  });
}

type NativeCall = (
  context: bigint,
  size: bigint,
  device: bigint,
  address: BigUint64Array,
) => unknown;

/** The driver's function with everything but what differs from memory to memory. */
function nativeCall(
  functionName: string,
  kind: MemoryKind,
  options: Options,
  pNext: ReturnType<typeof externalStructs>,
): NativeCall {
  const alignment = checkAlignment(functionName, options.alignment);
  const host = ze_host_mem_alloc_desc_t.create({
    flags: hostFlags(functionName, options),
    pNext: kind === "host" ? pNext : null,
  });
  if (kind === "host") {
    return (context, size, _device, address) =>
      sync.zeMemAllocHost(context, host, size, alignment, address);
  }
  const { ordinal = 0 } = options;
  const own = ze_device_mem_alloc_desc_t.create({
    flags: deviceFlags(functionName, options),
    pNext,
    ordinal: checkInteger(functionName, "options.ordinal", ordinal, 0, 2 ** 32 - 1),
  });
  return kind === "device"
    ? (context, size, device, address) =>
      sync.zeMemAllocDevice(context, own, size, alignment, device, address)
    : (context, size, device, address) =>
      sync.zeMemAllocShared(context, own, host, size, alignment, device, address);
}

function hostFlags(functionName: string, { hostFlags = [] }: Options): number {
  const argument = "options.hostFlags";
  return flagBits(ze_host_mem_alloc_flag_t, "ZE_HOST_MEM_ALLOC_FLAG", hostFlags, {
    functionName,
    argument,
  });
}

function deviceFlags(functionName: string, { deviceFlags = [] }: Options): number {
  const argument = "options.deviceFlags";
  return flagBits(ze_device_mem_alloc_flag_t, "ZE_DEVICE_MEM_ALLOC_FLAG", deviceFlags, {
    functionName,
    argument,
  });
}
