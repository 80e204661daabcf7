/**
 * The groups of device properties, as plain objects. Members have the C names;
 * enums and flags are names in lower case; 64-bit values are `bigint`.
 *
 * @module
 */

import type {
  ze_command_queue_group_property_flag_t,
  ze_device_cache_property_flag_t,
  ze_device_fp_flag_t,
  ze_device_memory_property_flag_t,
  ze_device_module_flag_t,
  ze_device_p2p_property_flag_t,
  ze_device_property_flag_t,
  ze_device_type_t,
  ze_external_memory_type_flag_t,
  ze_memory_access_cap_flag_t,
} from "./libze/enums_ze.ts";
import type { NameOf } from "./names.ts";

/** A name that is known here, or `unknown_0x…` from a newer driver. */
type Named<E extends Readonly<Record<string, number>>, Prefix extends string> =
  | NameOf<E, Prefix>
  | `unknown_${string}`;

/** The kind of a device, such as `"gpu"`. */
export type DeviceType = Named<typeof ze_device_type_t, "ZE_DEVICE_TYPE">;

/** What a device is; see `ze_device_properties_t`. */
export interface DeviceProperties {
  readonly type: DeviceType;
  /** The PCI vendor; 0x8086 is Intel. */
  readonly vendorId: number;
  readonly deviceId: number;
  readonly flags: readonly Named<typeof ze_device_property_flag_t, "ZE_DEVICE_PROPERTY_FLAG">[];
  /** Which sub-device it is, if `flags` has `subdevice`. */
  readonly subdeviceId: number;
  /** In MHz. */
  readonly coreClockRate: number;
  /** The largest allocation, in bytes. */
  readonly maxMemAllocSize: bigint;
  readonly maxHardwareContexts: number;
  readonly maxCommandQueuePriority: number;
  readonly numThreadsPerEU: number;
  readonly physicalEUSimdWidth: number;
  readonly numEUsPerSubslice: number;
  readonly numSubslicesPerSlice: number;
  readonly numSlices: number;
  /** Cycles of the device timer in a second. */
  readonly timerResolution: bigint;
  readonly timestampValidBits: number;
  readonly kernelTimestampValidBits: number;
  readonly uuid: string;
  readonly name: string;
}

/** The limits of work groups; see `ze_device_compute_properties_t`. */
export interface DeviceComputeProperties {
  /** In work items, as are the next three. */
  readonly maxTotalGroupSize: number;
  readonly maxGroupSizeX: number;
  readonly maxGroupSizeY: number;
  readonly maxGroupSizeZ: number;
  /** In work groups, as are the next two. */
  readonly maxGroupCountX: number;
  readonly maxGroupCountY: number;
  readonly maxGroupCountZ: number;
  /** In bytes, for each work group. */
  readonly maxSharedLocalMemory: number;
  readonly subGroupSizes: readonly number[];
}

type FloatingPointFlags = readonly Named<typeof ze_device_fp_flag_t, "ZE_DEVICE_FP_FLAG">[];

/** What modules may use; see `ze_device_module_properties_t`. */
export interface DeviceModuleProperties {
  /** The newest SPIR-V that the compiler takes. */
  readonly spirvVersionSupported: { readonly major: number; readonly minor: number };
  readonly flags: readonly Named<typeof ze_device_module_flag_t, "ZE_DEVICE_MODULE_FLAG">[];
  readonly fp16flags: FloatingPointFlags;
  readonly fp32flags: FloatingPointFlags;
  readonly fp64flags: FloatingPointFlags;
  /** Of all arguments of a kernel together, in bytes. */
  readonly maxArgumentsSize: number;
  /** In bytes. */
  readonly printfBufferSize: number;
  /** All zeros where native kernels are not supported. */
  readonly nativeKernelSupported: string;
}

/** A group of queues of equal abilities; see `ze_command_queue_group_properties_t`. */
export interface CommandQueueGroupProperties {
  /** Where it stands in the device's list: what command queues and lists are made with. */
  readonly ordinal: number;
  readonly flags: readonly Named<
    typeof ze_command_queue_group_property_flag_t,
    "ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG"
  >[];
  /** In bytes. */
  readonly maxMemoryFillPatternSize: bigint;
  readonly numQueues: number;
}

/** A memory of the device; see `ze_device_memory_properties_t`. */
export interface DeviceMemoryProperties {
  readonly flags: readonly Named<
    typeof ze_device_memory_property_flag_t,
    "ZE_DEVICE_MEMORY_PROPERTY_FLAG"
  >[];
  /** In MHz. */
  readonly maxClockRate: number;
  /** In bits. */
  readonly maxBusWidth: number;
  /** In bytes. */
  readonly totalSize: bigint;
  readonly name: string;
}

type AccessCapabilities = readonly Named<
  typeof ze_memory_access_cap_flag_t,
  "ZE_MEMORY_ACCESS_CAP_FLAG"
>[];

/** How the device may use each kind of allocation; see `ze_device_memory_access_properties_t`. */
export interface DeviceMemoryAccessProperties {
  readonly hostAllocCapabilities: AccessCapabilities;
  readonly deviceAllocCapabilities: AccessCapabilities;
  readonly sharedSingleDeviceAllocCapabilities: AccessCapabilities;
  readonly sharedCrossDeviceAllocCapabilities: AccessCapabilities;
  readonly sharedSystemAllocCapabilities: AccessCapabilities;
}

/** A cache; see `ze_device_cache_properties_t`. */
export interface DeviceCacheProperties {
  readonly flags: readonly Named<
    typeof ze_device_cache_property_flag_t,
    "ZE_DEVICE_CACHE_PROPERTY_FLAG"
  >[];
  /** In bytes. */
  readonly cacheSize: bigint;
}

/** The limits of images, in pixels and counts; see `ze_device_image_properties_t`. */
export interface DeviceImageProperties {
  readonly maxImageDims1D: number;
  readonly maxImageDims2D: number;
  readonly maxImageDims3D: number;
  /** In bytes. */
  readonly maxImageBufferSize: bigint;
  readonly maxImageArraySlices: number;
  readonly maxSamplers: number;
  readonly maxReadImageArgs: number;
  readonly maxWriteImageArgs: number;
}

type ExternalMemoryTypes = readonly Named<
  typeof ze_external_memory_type_flag_t,
  "ZE_EXTERNAL_MEMORY_TYPE_FLAG"
>[];

/** What memory may be exchanged with other APIs; see `ze_device_external_memory_properties_t`. */
export interface DeviceExternalMemoryProperties {
  readonly memoryAllocationImportTypes: ExternalMemoryTypes;
  readonly memoryAllocationExportTypes: ExternalMemoryTypes;
  readonly imageImportTypes: ExternalMemoryTypes;
  readonly imageExportTypes: ExternalMemoryTypes;
}

/** What a device can do with a peer's memory; see `ze_device_p2p_properties_t`. */
export interface DeviceP2PProperties {
  readonly flags: readonly Named<
    typeof ze_device_p2p_property_flag_t,
    "ZE_DEVICE_P2P_PROPERTY_FLAG"
  >[];
}

/** Two clocks read at the same time; see `zeDeviceGetGlobalTimestamps`. */
export interface GlobalTimestamps {
  /** In nanoseconds. */
  readonly host: bigint;
  /** In cycles of `timerResolution`, `timestampValidBits` wide. */
  readonly device: bigint;
}
