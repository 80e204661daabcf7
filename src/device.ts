/**
 * Devices.
 *
 * @module
 */

import { apiVersion } from "./api_version.ts";
import { checkInstance } from "./checks.ts";
import type {
  CommandQueueGroupProperties,
  DeviceCacheProperties,
  DeviceComputeProperties,
  DeviceExternalMemoryProperties,
  DeviceImageProperties,
  DeviceMemoryAccessProperties,
  DeviceMemoryProperties,
  DeviceModuleProperties,
  DeviceP2PProperties,
  DeviceProperties,
  DeviceType,
  GlobalTimestamps,
} from "./device_properties.ts";
import * as extensions from "./device_extensions.ts";
import type { Driver } from "./driver.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "./error.ts";
import { type FabricVertex, fabricVertexOf } from "./fabric.ts";
import { type DeviceFeature, deviceSupports } from "./features.ts";
import { nonblocking } from "./library.ts";
import * as enums from "./libze/enums_ze.ts";
import * as ze from "./libze/functions_ze.ts";
import * as structs from "./libze/structs_ze.ts";
import { handleList, structList } from "./lists.ts";
import type { Module } from "./module.ts";
import { enumName, flagNames } from "./names.ts";
import { waitForCall, type WaitOptions } from "./wait.ts";

/** A generated struct that a function fills in. */
interface Codec<T> {
  create(): Uint8Array<ArrayBuffer>;
  read(view: ArrayBufferView): T;
}

/**
 * A device of a driver. It belongs to the loader and lives as long as the
 * process: nothing has to be freed. Each property group is asked for anew.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=device | Device}.
 */
export class Device {
  /** The native handle, for the functions of `@ze/level-zero/libze`. */
  readonly handle: bigint;
  /** The driver that it is a device of. */
  readonly driver: Driver;
  #subDevices: readonly Device[] | undefined;

  /** Wraps a handle that a driver gave; use {@linkcode Driver.devices} to get devices. */
  constructor(handle: bigint, driver: Driver) {
    this.handle = handle;
    this.driver = driver;
  }

  #get<T>(codec: Codec<T>, fill: (handle: bigint, view: Uint8Array) => unknown): T {
    const view = codec.create();
    fill(this.handle, view);
    return codec.read(view);
  }

  /** The name, such as `Intel(R) Data Center GPU Max 1550`. */
  get name(): string {
    return this.properties.name;
  }

  /** The kind, such as `"gpu"`. */
  get type(): DeviceType {
    return this.properties.type;
  }

  /** Tells devices apart, the same in the sysman API and across processes. */
  get uuid(): string {
    return this.properties.uuid;
  }

  /** What the device is. */
  get properties(): DeviceProperties {
    const { stype: _stype, pNext: _pNext, ...properties } = this.#get(
      structs.ze_device_properties_t,
      ze.zeDeviceGetProperties,
    );
    return {
      ...properties,
      type: enumName(enums.ze_device_type_t, "ZE_DEVICE_TYPE", properties.type),
      flags: flagNames(
        enums.ze_device_property_flag_t,
        "ZE_DEVICE_PROPERTY_FLAG",
        properties.flags,
      ),
    };
  }

  /** The limits of work groups. */
  get computeProperties(): DeviceComputeProperties {
    const { stype: _stype, pNext: _pNext, numSubGroupSizes, ...properties } = this.#get(
      structs.ze_device_compute_properties_t,
      ze.zeDeviceGetComputeProperties,
    );
    return { ...properties, subGroupSizes: properties.subGroupSizes.slice(0, numSubGroupSizes) };
  }

  /** What modules may use. */
  get moduleProperties(): DeviceModuleProperties {
    const { stype: _stype, pNext: _pNext, ...properties } = this.#get(
      structs.ze_device_module_properties_t,
      ze.zeDeviceGetModuleProperties,
    );
    const floatingPoint = (flags: number): DeviceModuleProperties["fp32flags"] =>
      flagNames(enums.ze_device_fp_flag_t, "ZE_DEVICE_FP_FLAG", flags);
    return {
      ...properties,
      spirvVersionSupported: apiVersion(properties.spirvVersionSupported),
      flags: flagNames(enums.ze_device_module_flag_t, "ZE_DEVICE_MODULE_FLAG", properties.flags),
      fp16flags: floatingPoint(properties.fp16flags),
      fp32flags: floatingPoint(properties.fp32flags),
      fp64flags: floatingPoint(properties.fp64flags),
    };
  }

  /** The groups of queues, in the order of their ordinals. */
  get commandQueueGroupProperties(): readonly CommandQueueGroupProperties[] {
    return structList(
      structs.ze_command_queue_group_properties_t,
      (count, list) => ze.zeDeviceGetCommandQueueGroupProperties(this.handle, count, list),
    ).map(({ flags, maxMemoryFillPatternSize, numQueues }, ordinal) => ({
      ordinal,
      flags: flagNames(
        enums.ze_command_queue_group_property_flag_t,
        "ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG",
        flags,
      ),
      maxMemoryFillPatternSize,
      numQueues,
    }));
  }

  /** The memories of the device. */
  get memoryProperties(): readonly DeviceMemoryProperties[] {
    return structList(
      structs.ze_device_memory_properties_t,
      (count, list) => ze.zeDeviceGetMemoryProperties(this.handle, count, list),
    ).map(({ stype: _stype, pNext: _pNext, ...properties }) => ({
      ...properties,
      flags: flagNames(
        enums.ze_device_memory_property_flag_t,
        "ZE_DEVICE_MEMORY_PROPERTY_FLAG",
        properties.flags,
      ),
    }));
  }

  /** How the device may use each kind of allocation. */
  get memoryAccessProperties(): DeviceMemoryAccessProperties {
    const properties = this.#get(
      structs.ze_device_memory_access_properties_t,
      ze.zeDeviceGetMemoryAccessProperties,
    );
    const names = (flags: number): DeviceMemoryAccessProperties["hostAllocCapabilities"] =>
      flagNames(enums.ze_memory_access_cap_flag_t, "ZE_MEMORY_ACCESS_CAP_FLAG", flags);
    return {
      hostAllocCapabilities: names(properties.hostAllocCapabilities),
      deviceAllocCapabilities: names(properties.deviceAllocCapabilities),
      sharedSingleDeviceAllocCapabilities: names(properties.sharedSingleDeviceAllocCapabilities),
      sharedCrossDeviceAllocCapabilities: names(properties.sharedCrossDeviceAllocCapabilities),
      sharedSystemAllocCapabilities: names(properties.sharedSystemAllocCapabilities),
    };
  }

  /** The caches of the device. */
  get cacheProperties(): readonly DeviceCacheProperties[] {
    return structList(
      structs.ze_device_cache_properties_t,
      (count, list) => ze.zeDeviceGetCacheProperties(this.handle, count, list),
    ).map(({ flags, cacheSize }) => ({
      flags: flagNames(
        enums.ze_device_cache_property_flag_t,
        "ZE_DEVICE_CACHE_PROPERTY_FLAG",
        flags,
      ),
      cacheSize,
    }));
  }

  /** The limits of images. */
  get imageProperties(): DeviceImageProperties {
    const { stype: _stype, pNext: _pNext, ...properties } = this.#get(
      structs.ze_device_image_properties_t,
      ze.zeDeviceGetImageProperties,
    );
    return properties;
  }

  /** What memory may be exchanged with other APIs. */
  get externalMemoryProperties(): DeviceExternalMemoryProperties {
    const properties = this.#get(
      structs.ze_device_external_memory_properties_t,
      ze.zeDeviceGetExternalMemoryProperties,
    );
    const names = (flags: number): DeviceExternalMemoryProperties["imageImportTypes"] =>
      flagNames(enums.ze_external_memory_type_flag_t, "ZE_EXTERNAL_MEMORY_TYPE_FLAG", flags);
    return {
      memoryAllocationImportTypes: names(properties.memoryAllocationImportTypes),
      memoryAllocationExportTypes: names(properties.memoryAllocationExportTypes),
      imageImportTypes: names(properties.imageImportTypes),
      imageExportTypes: names(properties.imageExportTypes),
    };
  }

  /**
   * Whether the device, its driver and the loader have a feature.
   *
   * @throws {ArgumentTypeError} If there is no feature of that name; with those that there are.
   */
  supports(feature: DeviceFeature): boolean {
    return deviceSupports(this, feature);
  }

  /**
   * Where it sits on the PCI bus, and how fast that is.
   *
   * @throws {UnsupportedFeatureError} Without the extension `ZE_extension_pci_properties`.
   */
  get pciProperties(): extensions.DevicePciProperties {
    return extensions.pciProperties(this);
  }

  /**
   * The vectors that kernels are best written with, for each size of registers.
   *
   * @throws {UnsupportedFeatureError} Without the extension `ZE_extension_device_vector_sizes`.
   */
  get vectorWidthProperties(): readonly extensions.DeviceVectorWidthProperties[] {
    return extensions.vectorWidthProperties(this);
  }

  /**
   * Its place in the fabric that connects devices; undefined if it has none.
   *
   * @throws {UnsupportedFeatureError} Without the extension `ZE_experimental_fabric`.
   */
  get fabricVertex(): FabricVertex | undefined {
    return fabricVertexOf(this);
  }

  /**
   * Reserves so many bytes of a cache for this process; 0 gives them back.
   *
   * @param level The cache's level; 0 for the last one.
   * @throws {UnsupportedFeatureError} Without the extension `ZE_extension_cache_reservation`.
   * @throws {ZeError} If another process has reserved it.
   */
  reserveCache(byteLength: number, level = 0): void {
    extensions.reserveCache(this, byteLength, level);
  }

  /**
   * What a module needs of a device to run, as text to be kept with its binary.
   *
   * @throws {UnsupportedFeatureError} If the driver is older than version 1.16 of the specification.
   */
  runtimeRequirements(module: Module): string {
    return extensions.runtimeRequirements(this, module);
  }

  /** Who writes the text of {@linkcode Device.runtimeRequirements}, such as `INTEL.L0.GPU`. */
  get runtimeRequirementsKey(): string {
    return extensions.runtimeRequirementsKey(this);
  }

  /** How code fits this device, by its {@linkcode Device.runtimeRequirements}. */
  validateRuntimeRequirements(requirements: string): extensions.RuntimeRequirementsResult {
    return extensions.validateRuntimeRequirements(this, requirements);
  }

  /**
   * Waits until all that was submitted to the device, by this process, has
   * ended: true then, and false if the timeout has passed before. Prefer a wait
   * for the list, queue or event that you know: the driver does not let go of
   * this one, so it holds one of the threads for blocking calls until the end,
   * even when nobody waits for it any more. That end never comes if the device
   * waits for an event that nobody signals.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeDeviceSynchronize | zeDeviceSynchronize}.
   *
   * @throws {UnsupportedFeatureError} If the driver is older than version 1.14 of the specification.
   * @throws {ZeError} If the work failed.
   * @throws {unknown} The signal's reason when it is aborted.
   */
  async synchronize(options?: WaitOptions): Promise<boolean> {
    if (!this.supports("synchronize")) {
      throw new UnsupportedFeatureError(
        "Device.synchronize",
        "zeDeviceSynchronize",
        "It came with version 1.14 of the specification. Wait for each list or queue instead.",
      );
    }
    const call = (): Promise<unknown> => nonblocking.zeDeviceSynchronize(this.handle);
    return await waitForCall("Device.synchronize", call, options);
  }

  /**
   * What the device can do with another one's memory.
   *
   * @throws {ArgumentTypeError} If that is no device of the same driver.
   */
  p2pProperties(peer: Device): DeviceP2PProperties {
    this.#checkPeer("Device.p2pProperties", peer);
    const { flags } = this.#get(
      structs.ze_device_p2p_properties_t,
      (handle, view) => ze.zeDeviceGetP2PProperties(handle, peer.handle, view),
    );
    return {
      flags: flagNames(enums.ze_device_p2p_property_flag_t, "ZE_DEVICE_P2P_PROPERTY_FLAG", flags),
    };
  }

  #checkPeer(functionName: string, peer: Device): void {
    checkDevice(functionName, "peer", peer);
    if (peer.driver === this.driver) return;
    throw new ArgumentTypeError(
      { functionName, argument: "peer", given: peer, accepted: "a device of the same driver" },
      "a device of another driver",
    );
  }

  /**
   * Whether kernels of this device can use memory of the other one.
   *
   * @throws {ArgumentTypeError} If that is no device of the same driver.
   */
  canAccessPeer(peer: Device): boolean {
    this.#checkPeer("Device.canAccessPeer", peer);
    const value = new Uint8Array(1);
    ze.zeDeviceCanAccessPeer(this.handle, peer.handle, value);
    return value[0] !== 0;
  }

  /**
   * Throws if the device can no longer be used.
   *
   * @throws {ZeError} With ZE_RESULT_ERROR_DEVICE_LOST or the cause that the driver tells.
   */
  checkStatus(): void {
    ze.zeDeviceGetStatus(this.handle);
  }

  /** The host's and the device's clock, read at the same time. */
  get globalTimestamps(): GlobalTimestamps {
    const host = new BigUint64Array(1);
    const device = new BigUint64Array(1);
    ze.zeDeviceGetGlobalTimestamps(this.handle, host, device);
    return { host: host[0]!, device: device[0]! };
  }

  /** The parts of the device that can be used as devices of their own; the same objects each time. */
  get subDevices(): readonly Device[] {
    this.#subDevices ??= handleList((count, list) =>
      ze.zeDeviceGetSubDevices(this.handle, count, list)
    ).map((handle) => new Device(handle, this.driver));
    return this.#subDevices;
  }

  /** The device that this is a part of; undefined if it is a part of none. */
  get rootDevice(): Device | undefined {
    const handle = new BigUint64Array(1);
    ze.zeDeviceGetRootDevice(this.handle, handle);
    const root = handle[0]!;
    if (root === 0n || root === this.handle) return undefined;
    return this.driver.devices.find((device) => device.handle === root) ??
      new Device(root, this.driver);
  }
}

/**
 * A device, of a context if one is given: one of its devices or a part of one.
 *
 * @throws {ArgumentTypeError} If it is something else.
 */
export function checkDevice(
  functionName: string,
  argument: string,
  value: unknown,
  context?: { readonly devices: readonly Device[] },
): Device {
  const accepted = context ? "a device of the context" : "a device";
  const device = checkInstance(functionName, argument, value, Device, accepted);
  if (!context) return device;
  for (let whole: Device | undefined = device; whole; whole = whole.rootDevice) {
    if (context.devices.includes(whole)) return device;
  }
  throw new ArgumentTypeError(
    { functionName, argument, given: value, accepted },
    "a device that the context is not for",
  );
}
