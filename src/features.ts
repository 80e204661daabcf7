/**
 * What a loader, a driver or a device has, asked before it is used.
 *
 * @module
 */

import type { Device } from "./device.ts";
import type {
  CommandQueueGroupProperties,
  DeviceMemoryAccessProperties,
} from "./device_properties.ts";
import type { Driver } from "./driver.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "./error.ts";
import * as names from "./libze/constants.ts";
import { type Functions, has } from "./library.ts";
import { nearestName } from "./names.ts";

/**
 * Whether the loader has a C function and the driver one of the extensions that
 * it may belong to.
 */
export function supportsFunction(
  driver: Driver,
  name: keyof Functions & string,
  ...extensions: readonly string[]
): boolean {
  return has(name) &&
    (extensions.length === 0 || extensions.some((extension) => driver.supports(extension)));
}

/**
 * Throws unless {@linkcode supportsFunction}. `functionName` is the caller's.
 *
 * @throws {UnsupportedFeatureError} If the loader lacks the function, or the driver its extension.
 */
export function requireFunction(
  functionName: string,
  driver: Driver,
  name: keyof Functions & string,
  ...extensions: readonly string[]
): void {
  if (!has(name)) {
    throw new UnsupportedFeatureError(
      functionName,
      name,
      "The loader is older than the function: update it, or ask has() first and do without.",
    );
  }
  if (supportsFunction(driver, name, ...extensions)) return;
  throw new UnsupportedFeatureError(
    functionName,
    `the extension ${extensions.join(" or ")}`,
    "The driver does not list it: ask Driver.supports() first and do without.",
  );
}

/** Whether the loader has a C function and the driver the version of the specification that brought it. */
export function hasSince(driver: Driver, name: keyof Functions & string, minor: number): boolean {
  const version = driver.apiVersion;
  return has(name) && (version.major > 1 || version.minor >= minor);
}

/**
 * Throws unless {@linkcode hasSince}. `functionName` is the caller's.
 *
 * @throws {UnsupportedFeatureError} If the loader lacks the function, or the driver is older.
 */
export function requireSince(
  functionName: string,
  driver: Driver,
  name: keyof Functions & string,
  minor: number,
): void {
  if (hasSince(driver, name, minor)) return;
  throw new UnsupportedFeatureError(
    functionName,
    name,
    `It is of version 1.${minor} of the specification: update the loader or the driver.`,
  );
}

function since({ driver }: Device, name: keyof Functions & string, minor: number): boolean {
  return hasSince(driver, name, minor);
}

/** Whether the device can read and write a kind of memory. */
function accesses(device: Device, kind: keyof DeviceMemoryAccessProperties): boolean {
  return device.memoryAccessProperties[kind].includes("rw");
}

function hasGroup(
  device: Device,
  is: (flags: CommandQueueGroupProperties["flags"]) => boolean,
): boolean {
  return device.commandQueueGroupProperties.some(({ flags }) => is(flags));
}

/** What {@linkcode Device.supports} can be asked for. */
export type DeviceFeature =
  | "images"
  | "samplers"
  | "image_views"
  | "bindless_images"
  | "fp16"
  | "fp64"
  | "int64_atomics"
  | "dp4a"
  | "cooperative_kernels"
  | "copy_queues"
  | "global_offset"
  | "scheduling_hints"
  | "device_memory"
  | "host_memory"
  | "shared_memory"
  | "cross_device_shared_memory"
  | "system_memory"
  | "external_memory_import"
  | "external_memory_export"
  | "ipc_memory"
  | "ipc_event_pools"
  | "memory_free_policies"
  | "relaxed_allocation_limits"
  | "cache_reservation"
  | "sub_devices"
  | "integrated"
  | "ecc"
  | "on_demand_paging"
  | "pci_properties"
  | "fabric"
  | "vector_widths"
  | "synchronize"
  | "runtime_requirements"
  | "counter_based_events"
  | "external_semaphores"
  | "graphs"
  | "mutable_command_lists"
  | "append_command_lists"
  | "host_functions"
  | "launch_with_arguments"
  | "ray_tracing_builder";

/** How each feature is asked for. */
const FEATURES: Readonly<Record<DeviceFeature, (device: Device) => boolean>> = {
  images: (device) => device.imageProperties.maxImageDims2D > 0,
  samplers: (device) => device.imageProperties.maxSamplers > 0,
  image_views: ({ driver }) =>
    supportsFunction(driver, "zeImageViewCreateExt", names.ZE_IMAGE_VIEW_EXT_NAME) ||
    supportsFunction(driver, "zeImageViewCreateExp", names.ZE_IMAGE_VIEW_EXP_NAME),
  bindless_images: ({ driver }) =>
    supportsFunction(driver, "zeImageGetDeviceOffsetExp", names.ZE_BINDLESS_IMAGE_EXP_NAME),

  fp16: (device) => device.moduleProperties.flags.includes("fp16"),
  fp64: (device) => device.moduleProperties.flags.includes("fp64"),
  int64_atomics: (device) => device.moduleProperties.flags.includes("int64_atomics"),
  dp4a: (device) => device.moduleProperties.flags.includes("dp4a"),
  cooperative_kernels: (device) =>
    hasGroup(device, (flags) => flags.includes("cooperative_kernels")),
  copy_queues: (device) =>
    hasGroup(device, (flags) => flags.includes("copy") && !flags.includes("compute")),
  global_offset: ({ driver }) =>
    supportsFunction(driver, "zeKernelSetGlobalOffsetExp", names.ZE_GLOBAL_OFFSET_EXP_NAME),
  scheduling_hints: ({ driver }) =>
    supportsFunction(
      driver,
      "zeKernelSchedulingHintExp",
      names.ZE_KERNEL_SCHEDULING_HINTS_EXP_NAME,
    ),

  device_memory: (device) => accesses(device, "deviceAllocCapabilities"),
  host_memory: (device) => accesses(device, "hostAllocCapabilities"),
  shared_memory: (device) => accesses(device, "sharedSingleDeviceAllocCapabilities"),
  cross_device_shared_memory: (device) => accesses(device, "sharedCrossDeviceAllocCapabilities"),
  system_memory: (device) => accesses(device, "sharedSystemAllocCapabilities"),
  external_memory_import: (device) =>
    device.externalMemoryProperties.memoryAllocationImportTypes.length > 0,
  external_memory_export: (device) =>
    device.externalMemoryProperties.memoryAllocationExportTypes.length > 0,
  ipc_memory: ({ driver }) => driver.ipcProperties.flags.includes("memory"),
  ipc_event_pools: ({ driver }) => driver.ipcProperties.flags.includes("event_pool"),
  memory_free_policies: ({ driver }) =>
    supportsFunction(driver, "zeMemFreeExt", names.ZE_MEMORY_FREE_POLICIES_EXT_NAME),
  relaxed_allocation_limits: ({ driver }) =>
    driver.supports(names.ZE_RELAXED_ALLOCATION_LIMITS_EXT_NAME) ||
    driver.supports(names.ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME),
  cache_reservation: ({ driver }) =>
    supportsFunction(driver, "zeDeviceReserveCacheExt", names.ZE_CACHE_RESERVATION_EXT_NAME),

  sub_devices: (device) => device.subDevices.length > 0,
  integrated: (device) => device.properties.flags.includes("integrated"),
  ecc: (device) => device.properties.flags.includes("ecc"),
  on_demand_paging: (device) => device.properties.flags.includes("ondemandpaging"),
  pci_properties: ({ driver }) =>
    supportsFunction(driver, "zeDevicePciGetPropertiesExt", names.ZE_PCI_PROPERTIES_EXT_NAME),
  fabric: ({ driver }) =>
    supportsFunction(driver, "zeDeviceGetFabricVertexExp", names.ZE_FABRIC_EXP_NAME),
  vector_widths: ({ driver }) =>
    supportsFunction(
      driver,
      "zeDeviceGetVectorWidthPropertiesExt",
      names.ZE_DEVICE_VECTOR_SIZES_EXT_NAME,
    ),
  synchronize: (device) => since(device, "zeDeviceSynchronize", 14),
  runtime_requirements: (device) => since(device, "zeDeviceGetRuntimeRequirements", 16),

  counter_based_events: (device) =>
    device.driver.supports(names.ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME) ||
    since(device, "zeEventCounterBasedCreate", 15),
  external_semaphores: ({ driver }) =>
    supportsFunction(
      driver,
      "zeDeviceImportExternalSemaphoreExt",
      names.ZE_EXTERNAL_SEMAPHORES_EXTENSION_NAME,
    ),
  graphs: ({ driver }) =>
    supportsFunction(driver, "zeGraphCreateExt", names.ZE_RECORD_REPLAY_GRAPH_EXT_NAME),
  mutable_command_lists: ({ driver }) =>
    supportsFunction(
      driver,
      "zeCommandListUpdateMutableCommandsExp",
      names.ZE_MUTABLE_COMMAND_LIST_EXP_NAME,
    ),
  append_command_lists: (device) =>
    supportsFunction(
      device.driver,
      "zeCommandListImmediateAppendCommandListsExp",
      names.ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME,
    ) || since(device, "zeCommandListImmediateAppendCommandListsWithParameters", 16),
  host_functions: (device) => since(device, "zeCommandListAppendHostFunction", 17),
  launch_with_arguments: (device) =>
    since(device, "zeCommandListAppendLaunchKernelWithArguments", 14),
  ray_tracing_builder: ({ driver }) =>
    supportsFunction(driver, "zeRTASBuilderCreateExt", names.ZE_RTAS_EXT_NAME) ||
    supportsFunction(driver, "zeRTASBuilderCreateExp", names.ZE_RTAS_BUILDER_EXP_NAME),
};

/** See {@linkcode Device.supports}. */
export function deviceSupports(device: Device, feature: DeviceFeature): boolean {
  if (typeof feature === "string" && Object.hasOwn(FEATURES, feature)) {
    return FEATURES[feature](device);
  }
  const nearest = typeof feature === "string"
    ? nearestName(feature, Object.keys(FEATURES))
    : undefined;
  throw new ArgumentTypeError({
    functionName: "Device.supports",
    argument: "feature",
    given: feature,
    accepted: `${nearest ? `"${nearest}", or another ` : ""}one of ${
      Object.keys(FEATURES).join(", ")
    }; extensions are asked for by Driver.supports()`,
  });
}
