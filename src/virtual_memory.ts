/**
 * Virtual memory: addresses without anything behind them.
 *
 * @module
 */

import { chooseDevice } from "./allocation.ts";
import { checkInteger, checkOptions, checkOwned } from "./checks.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { ArgumentRangeError, UseAfterDisposeError } from "./error.ts";
import { sync } from "./library.ts";
import { accessValue, MappedMemory, type MemoryAccess, type Place } from "./mapped_memory.ts";
import { withReclaim } from "./out_of_memory.ts";
import { checkPages, pageSize, wholePages } from "./pages.ts";
import { PhysicalMemory } from "./physical_memory.ts";
import { OwnedObject, Resource } from "./resource.ts";
import {
  checkTypedArrayClass,
  type TypedArray,
  type TypedArrayConstructor,
} from "./typed_array.ts";

/** What {@linkcode Context.reserveVirtualMemory} takes. */
export interface VirtualMemoryOptions {
  /** Whose pages it has; needed where the context has several devices. */
  readonly device?: Device;
  /** Where it should begin, if that can be had: a multiple of the page size. */
  readonly start?: bigint;
}

/** What {@linkcode VirtualMemory.map} takes. All lengths are in bytes, and of whole pages. */
export interface MapOptions {
  /** Where in the virtual memory; 0 by default. */
  readonly offset?: number;
  /** From where on in the physical memory; 0 by default. */
  readonly physicalOffset?: number;
  /** How much; by default as much as both have. */
  readonly byteLength?: number;
  /** What may be done with it; `readwrite` by default. */
  readonly access?: MemoryAccess;
}

/** What {@linkcode VirtualMemory.map} takes for elements other than bytes. */
export interface TypedMapOptions<T extends TypedArray> extends MapOptions {
  /** The class of the elements. */
  readonly type: TypedArrayConstructor<T>;
}

/**
 * Addresses that are reserved for physical memory to be mapped to. They are
 * given back by `dispose`, `using` or `await using`, which unmaps what was
 * mapped first, or with the context.
 *
 * ```ts
 * using virtual = context.reserveVirtualMemory(1 << 30);
 * using physical = context.createPhysicalMemory(1 << 21);
 * const memory = virtual.map(physical, { type: Float32Array });
 * ```
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeVirtualMemReserve | zeVirtualMemReserve}.
 */
export class VirtualMemory extends OwnedObject {
  /** The context that it was made in. */
  readonly context: Context;
  /** Its size in bytes, a number of whole pages. */
  readonly byteLength: number;
  /** What offsets and lengths are multiples of, in bytes. Large ones may have to be of larger pages. */
  readonly pageSize: number;
  /** What is mapped now; disposed memory may be so for a while. */
  readonly #places = new Set<Place>();
  /** Kept as long as this: they are unmapped when they are collected. */
  readonly #mappings = new Set<MappedMemory>();

  private constructor(address: bigint, context: Context, byteLength: number, page: number) {
    const contextHandle = context.handle;
    const free = (reserved: bigint): void => {
      sync.zeVirtualMemFree(contextHandle, reserved, BigInt(byteLength));
    };
    super(new Resource("VirtualMemory", address, free, context.resource));
    this.context = context;
    this.byteLength = byteLength;
    this.pageSize = page;
  }

  /** Makes it; see {@linkcode Context.reserveVirtualMemory}. */
  static reserve(
    context: Context,
    byteLength: number,
    options: VirtualMemoryOptions = {},
  ): VirtualMemory {
    const functionName = "Context.reserveVirtualMemory";
    checkOptions(functionName, options, ["device", "start"]);
    const least = checkInteger(functionName, "byteLength", byteLength, 1);
    const device = chooseDevice(functionName, context, options.device)!;
    const size = wholePages(least, pageSize(context, device, least));
    const page = pageSize(context, device, 1);
    const { start = 0n } = options;
    const first = BigInt(
      checkPages(functionName, "options.start", start, page, 0, Number.MAX_SAFE_INTEGER),
    );
    const address = new BigUint64Array(1);
    withReclaim(
      { bytes: size, device: undefined },
      () => sync.zeVirtualMemReserve(context.handle, first, BigInt(size), address),
    );
    return new VirtualMemory(address[0]!, context, size, page);
  }

  /**
   * The first address.
   *
   * @throws {UseAfterDisposeError} After dispose.
   */
  get address(): bigint {
    return this.handle;
  }

  /** What is mapped to it. */
  get mappings(): readonly MappedMemory[] {
    for (const mapping of this.#mappings) {
      if (mapping.disposed) this.#mappings.delete(mapping);
    }
    return [...this.#mappings];
  }

  /**
   * Maps physical memory, or a part of it, to addresses that nothing is mapped to.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeVirtualMemMap | zeVirtualMemMap}.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If it does not fit, or the addresses are taken.
   * @throws {UseAfterDisposeError} If this or the physical memory was disposed.
   * @throws {ZeError} If the driver refuses.
   */
  map<T extends TypedArray>(
    physical: PhysicalMemory,
    options: TypedMapOptions<T>,
  ): MappedMemory<T>;
  /** As bytes. */
  map(physical: PhysicalMemory, options?: MapOptions): MappedMemory<Uint8Array<ArrayBuffer>>;
  map(physical: PhysicalMemory, options: Partial<TypedMapOptions<TypedArray>> = {}): MappedMemory {
    const functionName = "VirtualMemory.map";
    const { context } = this;
    if (this.disposed) throw new UseAfterDisposeError("VirtualMemory");
    checkOwned(functionName, "physical", physical, PhysicalMemory, context);
    checkOptions(functionName, options, [
      "type",
      "offset",
      "physicalOffset",
      "byteLength",
      "access",
    ]);
    const type = checkTypedArrayClass(functionName, "options.type", options.type ?? Uint8Array);
    const { access = "readwrite" } = options;
    const attribute = accessValue(functionName, "options.access", access);
    const check = (name: keyof MapOptions, fallback: number, least: number, most: number): number =>
      checkPages(
        functionName,
        `options.${name}`,
        options[name] ?? fallback,
        this.pageSize,
        least,
        most,
      );
    const offset = check("offset", 0, 0, this.byteLength - this.pageSize);
    const from = check("physicalOffset", 0, 0, physical.byteLength - 1);
    const most = Math.min(this.byteLength - offset, physical.byteLength - from);
    const byteLength = check("byteLength", most, 1, most);
    const place = { offset, byteLength };
    this.#checkFree(functionName, place);
    this.#mapNative(place, physical.handle, from, attribute);
    const places = this.#places;
    places.add(place);
    const mapping = new MappedMemory({
      virtualMemory: this,
      physicalMemory: physical,
      place,
      type,
      access,
      onUnmap: () => void places.delete(place),
    });
    // What was unmapped meanwhile need not be kept.
    for (const other of this.#mappings) if (other.disposed) this.#mappings.delete(other);
    this.#mappings.add(mapping);
    return mapping;
  }

  #mapNative({ offset, byteLength }: Place, physical: bigint, from: number, access: number): void {
    const { handle } = this.context;
    const address = this.address + BigInt(offset);
    const size = BigInt(byteLength);
    try {
      sync.zeVirtualMemMap(handle, address, size, physical, BigInt(from), access);
    } catch (error) {
      // Intel's driver may fail after it has mapped, and crash later if that is not undone.
      try {
        sync.zeVirtualMemUnmap(handle, address, size);
      } catch {
        // There was nothing to undo.
      }
      throw error;
    }
  }

  #checkFree(functionName: string, { offset, byteLength }: Place): void {
    for (const place of this.#places) {
      if (offset >= place.offset + place.byteLength || place.offset >= offset + byteLength) {
        continue;
      }
      throw new ArgumentRangeError({
        functionName,
        argument: "options.offset",
        given: offset,
        accepted: `where nothing is mapped: ${place.byteLength} bytes from ${place.offset} on are`,
      });
    }
  }
}
