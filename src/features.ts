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
function since(device: Device, name: keyof Functions & string, minor: number): boolean {
  const version = device.driver.apiVersion;
  return has(name) && (version.major > 1 || version.minor >= minor);
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

/** How each feature is asked for. */
const FEATURES = {
  images: (device: Device) => device.imageProperties.maxImageDims2D > 0,
  samplers: (device: Device) => device.imageProperties.maxSamplers > 0,
  image_views: ({ driver }: Device) =>
    supportsFunction(driver, "zeImageViewCreateExt", names.ZE_IMAGE_VIEW_EXT_NAME) ||
    supportsFunction(driver, "zeImageViewCreateExp", names.ZE_IMAGE_VIEW_EXP_NAME),
  bindless_images: ({ driver }: Device) =>
    supportsFunction(driver, "zeImageGetDeviceOffsetExp", names.ZE_BINDLESS_IMAGE_EXP_NAME),

  fp16: (device: Device) => device.moduleProperties.flags.includes("fp16"),
  fp64: (device: Device) => device.moduleProperties.flags.includes("fp64"),
  int64_atomics: (device: Device) => device.moduleProperties.flags.includes("int64_atomics"),
  dp4a: (device: Device) => device.moduleProperties.flags.includes("dp4a"),
  cooperative_kernels: (device: Device) =>
    hasGroup(device, (flags) => flags.includes("cooperative_kernels")),
  copy_queues: (device: Device) =>
    hasGroup(device, (flags) => flags.includes("copy") && !flags.includes("compute")),
  global_offset: ({ driver }: Device) =>
    supportsFunction(driver, "zeKernelSetGlobalOffsetExp", names.ZE_GLOBAL_OFFSET_EXP_NAME),
  scheduling_hints: ({ driver }: Device) =>
    supportsFunction(
      driver,
      "zeKernelSchedulingHintExp",
      names.ZE_KERNEL_SCHEDULING_HINTS_EXP_NAME,
    ),

  device_memory: (device: Device) => accesses(device, "deviceAllocCapabilities"),
  host_memory: (device: Device) => accesses(device, "hostAllocCapabilities"),
  shared_memory: (device: Device) => accesses(device, "sharedSingleDeviceAllocCapabilities"),
  cross_device_shared_memory: (device: Device) =>
    accesses(device, "sharedCrossDeviceAllocCapabilities"),
  system_memory: (device: Device) => accesses(device, "sharedSystemAllocCapabilities"),
  external_memory_import: (device: Device) =>
    device.externalMemoryProperties.memoryAllocationImportTypes.length > 0,
  external_memory_export: (device: Device) =>
    device.externalMemoryProperties.memoryAllocationExportTypes.length > 0,
  ipc_memory: ({ driver }: Device) => driver.ipcProperties.flags.includes("memory"),
  ipc_event_pools: ({ driver }: Device) => driver.ipcProperties.flags.includes("event_pool"),
  memory_free_policies: ({ driver }: Device) =>
    supportsFunction(driver, "zeMemFreeExt", names.ZE_MEMORY_FREE_POLICIES_EXT_NAME),
  relaxed_allocation_limits: ({ driver }: Device) =>
    driver.supports(names.ZE_RELAXED_ALLOCATION_LIMITS_EXT_NAME) ||
    driver.supports(names.ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME),
  cache_reservation: ({ driver }: Device) =>
    supportsFunction(driver, "zeDeviceReserveCacheExt", names.ZE_CACHE_RESERVATION_EXT_NAME),

  sub_devices: (device: Device) => device.subDevices.length > 0,
  integrated: (device: Device) => device.properties.flags.includes("integrated"),
  ecc: (device: Device) => device.properties.flags.includes("ecc"),
  on_demand_paging: (device: Device) => device.properties.flags.includes("ondemandpaging"),
  pci_properties: ({ driver }: Device) =>
    supportsFunction(driver, "zeDevicePciGetPropertiesExt", names.ZE_PCI_PROPERTIES_EXT_NAME),
  fabric: ({ driver }: Device) =>
    supportsFunction(driver, "zeDeviceGetFabricVertexExp", names.ZE_FABRIC_EXP_NAME),
  vector_widths: ({ driver }: Device) =>
    supportsFunction(
      driver,
      "zeDeviceGetVectorWidthPropertiesExt",
      names.ZE_DEVICE_VECTOR_SIZES_EXT_NAME,
    ),
  synchronize: (device: Device) => since(device, "zeDeviceSynchronize", 14),
  runtime_requirements: (device: Device) => since(device, "zeDeviceGetRuntimeRequirements", 16),

  counter_based_events: (device: Device) =>
    device.driver.supports(names.ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME) ||
    since(device, "zeEventCounterBasedCreate", 15),
  external_semaphores: ({ driver }: Device) =>
    supportsFunction(
      driver,
      "zeDeviceImportExternalSemaphoreExt",
      names.ZE_EXTERNAL_SEMAPHORES_EXTENSION_NAME,
    ),
  graphs: ({ driver }: Device) =>
    supportsFunction(driver, "zeGraphCreateExt", names.ZE_RECORD_REPLAY_GRAPH_EXT_NAME),
  mutable_command_lists: ({ driver }: Device) =>
    supportsFunction(
      driver,
      "zeCommandListUpdateMutableCommandsExp",
      names.ZE_MUTABLE_COMMAND_LIST_EXP_NAME,
    ),
  append_command_lists: (device: Device) =>
    supportsFunction(
      device.driver,
      "zeCommandListImmediateAppendCommandListsExp",
      names.ZE_IMMEDIATE_COMMAND_LIST_APPEND_EXP_NAME,
    ) || since(device, "zeCommandListImmediateAppendCommandListsWithParameters", 16),
  host_functions: (device: Device) => since(device, "zeCommandListAppendHostFunction", 17),
  launch_with_arguments: (device: Device) =>
    since(device, "zeCommandListAppendLaunchKernelWithArguments", 14),
  ray_tracing_builder: ({ driver }: Device) =>
    supportsFunction(driver, "zeRTASBuilderCreateExt", names.ZE_RTAS_EXT_NAME) ||
    supportsFunction(driver, "zeRTASBuilderCreateExp", names.ZE_RTAS_BUILDER_EXP_NAME),
} as const;

/** What {@linkcode Device.supports} can be asked for. */
export type DeviceFeature = keyof typeof FEATURES;

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
