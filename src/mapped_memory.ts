/**
 * Physical memory at an address.
 *
 * @module
 */

import { HandleBusyError } from "./error.ts";
import { sync } from "./library.ts";
import { ze_memory_access_attribute_t } from "./libze/enums_ze.ts";
import { Memory } from "./memory.ts";
import { enumName, enumValue, type NameOf } from "./names.ts";
import type { PhysicalMemory } from "./physical_memory.ts";
import type { Holder, Resource } from "./resource.ts";
import type { TypedArray, TypedArrayConstructor } from "./typed_array.ts";
import type { VirtualMemory } from "./virtual_memory.ts";

/** What may be done with mapped pages. */
export type MemoryAccess = NameOf<
  typeof ze_memory_access_attribute_t,
  "ZE_MEMORY_ACCESS_ATTRIBUTE"
>;

/** The bits of an access, by its name. */
export function accessValue(functionName: string, argument: string, access: MemoryAccess): number {
  return enumValue(ze_memory_access_attribute_t, "ZE_MEMORY_ACCESS_ATTRIBUTE", access, {
    functionName,
    argument,
  });
}

/** Keeps physical memory for as long as it is mapped: disposing it unmaps it first. */
export class Mapping implements Holder {
  resource: Resource | undefined;

  poll(): void {}

  drain(): void {
    this.resource?.release();
  }
}

/** A place in virtual memory, from its first byte on. */
export interface Place {
  readonly offset: number;
  readonly byteLength: number;
}

/** What {@linkcode VirtualMemory.map} did. */
export interface NativeMapping<T extends TypedArray> {
  readonly virtualMemory: VirtualMemory;
  readonly physicalMemory: PhysicalMemory;
  readonly place: Place;
  readonly type: TypedArrayConstructor<T>;
  readonly access: MemoryAccess;
  /** Called when it is unmapped; it must not refer to the MappedMemory. */
  readonly onUnmap: () => void;
}

/**
 * Physical memory that was mapped to addresses of virtual memory. It is used as
 * other memory, though it has no view. `dispose` unmaps it, once the device has
 * ended the work that uses it; so does disposing either of what it connects.
 */
export class MappedMemory<T extends TypedArray = TypedArray> extends Memory<T> {
  /** What it has its addresses of. */
  readonly virtualMemory: VirtualMemory;
  /** What is there. */
  readonly physicalMemory: PhysicalMemory;
  #access: MemoryAccess;

  /** Use {@linkcode VirtualMemory.map}. */
  constructor(native: NativeMapping<T>) {
    const { virtualMemory, physicalMemory, place, type, access, onUnmap } = native;
    const mapping = new Mapping();
    const physical = physicalMemory.resource;
    const size = BigInt(place.byteLength);
    super({
      context: virtualMemory.context,
      kind: "device",
      device: physicalMemory.device,
      address: virtualMemory.address + BigInt(place.offset),
      type,
      length: place.byteLength / type.BYTES_PER_ELEMENT,
      parent: virtualMemory.resource,
      free: (context, address): void => {
        try {
          sync.zeVirtualMemUnmap(context, address, size);
          onUnmap();
        } finally {
          physical.unhold(mapping);
        }
      },
    });
    mapping.resource = this.resource;
    physical.hold(mapping);
    this.virtualMemory = virtualMemory;
    this.physicalMemory = physicalMemory;
    this.#access = access;
  }

  /**
   * What may be done with it. It can be changed while the device does not work
   * with it.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeVirtualMemSetAccessAttribute | zeVirtualMemSetAccessAttribute}.
   *
   * @throws {ArgumentTypeError} If it is no access.
   * @throws {HandleBusyError} If the device still works with it.
   */
  get access(): MemoryAccess | `unknown_${string}` {
    const access = new Uint32Array(1);
    const size = BigInt(this.byteLength);
    const { context, address } = this;
    sync.zeVirtualMemGetAccessAttribute(
      context.handle,
      address,
      size,
      access,
      new BigUint64Array(1),
    );
    return enumName(ze_memory_access_attribute_t, "ZE_MEMORY_ACCESS_ATTRIBUTE", access[0]!);
  }

  set access(access: MemoryAccess) {
    const functionName = "MappedMemory.access";
    const value = accessValue(functionName, "access", access);
    const { context, address } = this;
    if (this.resource.pollHeld()) {
      throw new HandleBusyError(functionName, "the device still works with it", "Wait for that.");
    }
    sync.zeVirtualMemSetAccessAttribute(context.handle, address, BigInt(this.byteLength), value);
    this.#access = access;
  }

  override get obstacle(): string | undefined {
    return this.#access === "none" ? 'mapped memory whose access is "none"' : undefined;
  }
}
