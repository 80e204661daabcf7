/**
 * What else can be asked of a kernel and set on it: most of it belongs to
 * extensions, which are asked for first.
 *
 * @module
 */

import { checkInteger } from "./checks.ts";
import { UnsupportedFeatureError } from "./error.ts";
import { addressOf } from "./ffi/mod.ts";
import { requireFunction } from "./features.ts";
import type { Kernel } from "./kernel.ts";
import {
  ze_cache_config_flag_t,
  ze_kernel_indirect_access_flag_t,
  ze_memory_type_t,
  ze_scheduling_hint_exp_flag_t,
} from "./libze/enums_ze.ts";
import * as ze from "./libze/functions_ze.ts";
import * as structs from "./libze/structs_ze.ts";
import { byteList, structList, textOf } from "./lists.ts";
import { enumName, enumValue, flagBits, flagNames, type NameOf } from "./names.ts";

/** What a compiled kernel needs of the device. */
export interface KernelProperties {
  readonly numKernelArgs: number;
  /** In work items; 0 where the kernel's source requires none. */
  readonly requiredGroupSizeX: number;
  readonly requiredGroupSizeY: number;
  readonly requiredGroupSizeZ: number;
  readonly requiredNumSubGroups: number;
  readonly requiredSubgroupSize: number;
  readonly maxSubgroupSize: number;
  readonly maxNumSubgroups: number;
  /** In bytes, for each work group. */
  readonly localMemSize: number;
  /** In bytes, for each work item. */
  readonly privateMemSize: number;
  /** In bytes, for each work item: registers that did not suffice. */
  readonly spillMemSize: number;
  /** The kernel's and its module's UUIDs. */
  readonly uuid: { readonly kid: string; readonly mid: string };
}

/** Memory that a kernel reaches through pointers in memory, by the kind of its allocation. */
export type IndirectAccess = NameOf<
  typeof ze_kernel_indirect_access_flag_t,
  "ZE_KERNEL_INDIRECT_ACCESS_FLAG"
>;

/** What a kernel would have the device's caches divided for. */
export type CacheConfig = NameOf<typeof ze_cache_config_flag_t, "ZE_CACHE_CONFIG_FLAG">;

/** In which order the device's threads take turns. */
export type SchedulingHint = NameOf<
  typeof ze_scheduling_hint_exp_flag_t,
  "ZE_SCHEDULING_HINT_EXP_FLAG"
>;

/** Memory that a kernel uses when it is launched. */
export interface KernelAllocation {
  readonly address: bigint;
  readonly byteLength: number;
  readonly type: NameOf<typeof ze_memory_type_t, "ZE_MEMORY_TYPE"> | `unknown_${string}`;
  /** The argument that it was set as; undefined for memory of the driver's own. */
  readonly argumentIndex: number | undefined;
}

const NO_ARGUMENT = 2 ** 32 - 1;
const LARGEST_UINT32 = 2 ** 32 - 1;

/** Asks for the properties. */
export function properties(kernel: Kernel): KernelProperties {
  const view = structs.ze_kernel_properties_t.create();
  ze.zeKernelGetProperties(kernel.handle, view);
  const { stype: _stype, pNext: _pNext, ...properties } = structs.ze_kernel_properties_t.read(view);
  return properties;
}

/** Reads the flags back from the driver. */
export function indirectAccess(kernel: Kernel): readonly (IndirectAccess | `unknown_${string}`)[] {
  const flags = new Uint32Array(1);
  ze.zeKernelGetIndirectAccess(kernel.handle, flags);
  return flagNames(ze_kernel_indirect_access_flag_t, "ZE_KERNEL_INDIRECT_ACCESS_FLAG", flags[0]!);
}

/** Sets all the flags at once. */
export function setIndirectAccess(kernel: Kernel, names: readonly IndirectAccess[]): void {
  const flags = flagBits(
    ze_kernel_indirect_access_flag_t,
    "ZE_KERNEL_INDIRECT_ACCESS_FLAG",
    names,
    { functionName: "Kernel.setIndirectAccess", argument: "kinds" },
  );
  ze.zeKernelSetIndirectAccess(kernel.handle, flags);
}

/** Sets all the flags at once. */
export function setCacheConfig(kernel: Kernel, names: readonly CacheConfig[]): void {
  const flags = flagBits(ze_cache_config_flag_t, "ZE_CACHE_CONFIG_FLAG", names, {
    functionName: "Kernel.setCacheConfig",
    argument: "wishes",
  });
  ze.zeKernelSetCacheConfig(kernel.handle, flags);
}

/** The attributes in the source, as the compiler kept them. */
export function sourceAttributes(kernel: Kernel): readonly string[] {
  const size = new Uint32Array(1);
  ze.zeKernelGetSourceAttributes(kernel.handle, size, null);
  if (size[0] === 0) return [];
  const text = new Uint8Array(size[0]!);
  ze.zeKernelGetSourceAttributes(kernel.handle, size, new BigUint64Array([addressOf(text)]));
  return textOf(text).split(" ").filter((attribute) => attribute !== "");
}

/** The name that the driver has. */
export function nativeName(kernel: Kernel): string {
  return textOf(byteList((size, text) => ze.zeKernelGetName(kernel.handle, size, text)));
}

/** The compiled code of this kernel alone. */
export function nativeBinary(kernel: Kernel): Uint8Array<ArrayBuffer> {
  const name = "Kernel.nativeBinary";
  const { handle, context: { driver } } = kernel;
  requireFunction(name, driver, "zeKernelGetBinaryExp", "ZE_extension_kernel_binary_exp");
  return byteList((size, bytes) => ze.zeKernelGetBinaryExp(handle, size, bytes));
}

/** Adds to the global ids of all work items. */
export function setGlobalOffset(kernel: Kernel, x: number, y: number, z: number): void {
  const name = "Kernel.setGlobalOffset";
  const { handle, context: { driver } } = kernel;
  const offset = [
    checkInteger(name, "x", x, 0, LARGEST_UINT32),
    checkInteger(name, "y", y, 0, LARGEST_UINT32),
    checkInteger(name, "z", z, 0, LARGEST_UINT32),
  ] as const;
  requireFunction(name, driver, "zeKernelSetGlobalOffsetExp", "ZE_experimental_global_offset");
  ze.zeKernelSetGlobalOffsetExp(handle, ...offset);
}

/** Asks for an order, of those that the device has. */
export function setSchedulingHint(kernel: Kernel, hint: SchedulingHint): void {
  const name = "Kernel.setSchedulingHint";
  const { handle, context: { driver }, module: { device } } = kernel;
  const flags = enumValue(ze_scheduling_hint_exp_flag_t, "ZE_SCHEDULING_HINT_EXP_FLAG", hint, {
    functionName: name,
    argument: "hint",
  });
  requireFunction(name, driver, "zeKernelSchedulingHintExp", "ZE_experimental_scheduling_hints");
  const known = structs.ze_scheduling_hint_exp_properties_t.create();
  const properties = structs.ze_device_module_properties_t.create({ pNext: known });
  ze.zeDeviceGetModuleProperties(device.handle, properties);
  const { schedulingHintFlags } = structs.ze_scheduling_hint_exp_properties_t.read(known);
  if ((schedulingHintFlags & flags) === 0) {
    const names = flagNames(
      ze_scheduling_hint_exp_flag_t,
      "ZE_SCHEDULING_HINT_EXP_FLAG",
      schedulingHintFlags,
    );
    throw new UnsupportedFeatureError(
      name,
      `the scheduling hint ${hint}`,
      `The device has: ${names.join(", ") || "none"}.`,
    );
  }
  const description = structs.ze_scheduling_hint_exp_desc_t.create({ flags });
  ze.zeKernelSchedulingHintExp(handle, description);
}

/** The memory that a launch would use now. */
export function allocations(kernel: Kernel): readonly KernelAllocation[] {
  const { handle, context: { driver } } = kernel;
  requireFunction(
    "Kernel.allocations",
    driver,
    "zeKernelGetAllocationPropertiesExp",
    "ZE_experimental_kernel_allocation_properties",
  );
  return structList(
    structs.ze_kernel_allocation_exp_properties_t,
    (count, list) => ze.zeKernelGetAllocationPropertiesExp(handle, count, list),
  ).map(({ base, size, type, argIndex }) => ({
    address: base,
    byteLength: Number(size),
    type: enumName(ze_memory_type_t, "ZE_MEMORY_TYPE", type),
    argumentIndex: argIndex === NO_ARGUMENT ? undefined : argIndex,
  }));
}

/** A group size is best a multiple of this. */
export function preferredGroupSizeMultiple(kernel: Kernel): number {
  const preferred = structs.ze_kernel_preferred_group_size_properties_t.create();
  const properties = structs.ze_kernel_properties_t.create({ pNext: preferred });
  ze.zeKernelGetProperties(kernel.handle, properties);
  const { preferredMultiple } = structs.ze_kernel_preferred_group_size_properties_t.read(preferred);
  if (preferredMultiple > 0) return preferredMultiple;
  throw new UnsupportedFeatureError(
    "Kernel.preferredGroupSizeMultiple",
    "a driver that tells preferred group sizes",
    "Use suggestGroupSize(), or the device's subGroupSizes.",
  );
}

const MAX_GROUP_SIZE = "ZE_extension_kernel_max_group_size_properties";

/** The most work items that a group of this kernel may have. */
export function maxGroupSize(kernel: Kernel): number {
  const { handle, context: { driver } } = kernel;
  if (!driver.supports(MAX_GROUP_SIZE)) {
    throw new UnsupportedFeatureError(
      "Kernel.maxGroupSize",
      `the extension ${MAX_GROUP_SIZE}`,
      "Use the device's maxTotalGroupSize, which is no less.",
    );
  }
  const most = structs.ze_kernel_max_group_size_properties_ext_t.create();
  const properties = structs.ze_kernel_properties_t.create({ pNext: most });
  ze.zeKernelGetProperties(handle, properties);
  return structs.ze_kernel_max_group_size_properties_ext_t.read(most).maxGroupSize;
}
