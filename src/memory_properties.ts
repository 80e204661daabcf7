/**
 * What the driver knows of the memory at an address.
 *
 * @module
 */

import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { sync } from "./library.ts";
import { ze_memory_type_t } from "./libze/enums_ze.ts";
import { ze_memory_allocation_properties_t } from "./libze/structs_ze.ts";
import { enumName, type NameOf } from "./names.ts";

/** What the driver tells of memory. */
export interface MemoryProperties {
  /** `unknown` for memory that the driver did not allocate. */
  readonly type: NameOf<typeof ze_memory_type_t, "ZE_MEMORY_TYPE"> | `unknown_${string}`;
  /** Tells allocations apart. */
  readonly id: bigint;
  /** In bytes. */
  readonly pageSize: bigint;
  /** The device that it was allocated for; undefined if it was for none. */
  readonly device: Device | undefined;
}

/** What the driver of a context tells of the memory at an address. */
export function memoryProperties(context: Context, address: bigint): MemoryProperties {
  const view = ze_memory_allocation_properties_t.create();
  const device = new BigUint64Array(1);
  sync.zeMemGetAllocProperties(context.handle, address, view, device);
  const { type, id, pageSize } = ze_memory_allocation_properties_t.read(view);
  return {
    type: enumName(ze_memory_type_t, "ZE_MEMORY_TYPE", type),
    id,
    pageSize,
    device: device[0] ? deviceOf(context.driver.devices, device[0]) : undefined,
  };
}

function deviceOf(
  devices: readonly Device[],
  handle: bigint,
): Device | undefined {
  for (const device of devices) {
    if (device.handle === handle) return device;
    const part = deviceOf(device.subDevices, handle);
    if (part) return part;
  }
  return undefined;
}

/** The allocation that an address lies in. */
export function addressRange(
  context: Context,
  { address }: { readonly address: bigint },
): { address: bigint; byteLength: number } {
  const base = new BigUint64Array(1);
  const size = new BigUint64Array(1);
  sync.zeMemGetAddressRange(context.handle, address, base, size);
  return { address: base[0]!, byteLength: Number(size[0]) };
}
