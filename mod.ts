/**
 * oneAPI Level Zero for Deno and Bun: Intel GPUs and NPUs from TypeScript.
 *
 * Driver calls that block, such as a kernel compile, run on another thread, and
 * the event loop goes on.
 *
 * ```ts
 * import { Session } from "@ze/level-zero";
 * import { readFile } from "node:fs/promises";
 *
 * await using session = await Session.open({ spirv: await readFile("vector_add.spv") });
 * const sum = new Float32Array(3);
 * await session.run("vector_add", 3, Float32Array.of(1, 2, 3), Float32Array.of(10, 20, 30), sum);
 * console.log(sum); // 11, 22, 33
 * ```
 *
 * {@linkcode drivers} is where programs begin that need more than one kernel
 * on one device.
 *
 * @module
 */

export {
  Allocator,
  type DeviceMemoryOptions,
  type HostMemoryOptions,
  type SharedMemoryOptions,
} from "./src/allocation.ts";
export type { AppendOptions, Destination, DeviceData, Source } from "./src/append/command.ts";
export type { ImageCopyOptions, ImageMemoryOptions, ImageRegion } from "./src/append/image.ts";
export type { GroupCount } from "./src/append/launch.ts";
export type { LaunchOptions } from "./src/append/launch_arguments.ts";
export type { CopyOptions, FillPattern, MemoryAdvice } from "./src/append/memory.ts";
export type { CopySize, MemoryRegion } from "./src/append/memory_region.ts";
export type { KernelTimestampOptions } from "./src/append/synchronization.ts";
export type { ApiVersion } from "./src/api_version.ts";
export * as argument from "./src/argument.ts";
export { CommandList, type CommandListFlag, type CommandListOptions } from "./src/command_list.ts";
export {
  CommandQueue,
  type CommandQueueOptions,
  type ExecuteOptions,
} from "./src/command_queue.ts";
export { Commands } from "./src/commands.ts";
export { Context, type ContextOptions } from "./src/context.ts";
export { Device } from "./src/device.ts";
export type {
  DevicePciProperties,
  DeviceVectorWidthProperties,
  RuntimeRequirementsResult,
  VectorWidths,
} from "./src/device_extensions.ts";
export type {
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
} from "./src/device_properties.ts";
export {
  Driver,
  type DriverExtension,
  type DriverIpcProperties,
  type DriverProperties,
} from "./src/driver.ts";
export {
  ArgumentRangeError,
  ArgumentTypeError,
  CommandListStateError,
  DeadlockError,
  HandleBusyError,
  InvalidSpirvError,
  KernelNotFoundError,
  LibraryClosedError,
  LibraryNotFoundError,
  LoaderNotFoundError,
  MissingSymbolError,
  ModuleBuildError,
  ModuleLinkError,
  OutOfMemoryError,
  UnsupportedFeatureError,
  UseAfterDisposeError,
  ZeError,
  type ZeErrorOptions,
} from "./src/error.ts";
export { Event } from "./src/event.ts";
export type { EventCounter } from "./src/event_counter.ts";
export type { IpcEventPoolHandle } from "./src/event_ipc.ts";
export type { EventOptions, EventScope, EventScopeOptions } from "./src/event_options.ts";
export {
  EventPool,
  type EventPoolFlag,
  type EventPoolOptions,
  type PooledEventOptions,
} from "./src/event_pool.ts";
export type { EventProperties } from "./src/event_properties.ts";
export type {
  CounterBasedLists,
  EventPoolTraitOptions,
  EventTimestamps,
} from "./src/event_slots.ts";
export type { DeviceClock, KernelTimestamp, TimeSpan } from "./src/event_timestamp.ts";
export type {
  ExternalMemoryOptions,
  FileDescriptorType,
  ImportedMemory,
} from "./src/external_memory.ts";
export {
  ExternalSemaphore,
  type ExternalSemaphoreOptions,
  type ExternalSemaphoreType,
} from "./src/external_semaphore.ts";
export {
  FabricEdge,
  type FabricEdgeProperties,
  FabricVertex,
  type FabricVertexProperties,
} from "./src/fabric.ts";
export type { DeviceFeature } from "./src/features.ts";
export { Fence, type FenceOptions } from "./src/fence.ts";
export { ExecutableGraph, Graph, type GraphDumpMode, type GraphOptions } from "./src/graph.ts";
export type { Size3D } from "./src/group_size.ts";
export {
  Image,
  type ImageAllocationProperties,
  type ImageMemoryProperties,
  type ImageProperties,
} from "./src/image.ts";
export type { ImageFormat, ImageFormatLayout, ImageFormatType } from "./src/image_format.ts";
export type { ImageFlag, ImageOptions, ImageType } from "./src/image_options.ts";
export type { PitchOptions } from "./src/image_pitch.ts";
export type { ImageViewOptions } from "./src/image_view.ts";
export {
  ImmediateCommandList,
  type ImmediateCommandListOptions,
} from "./src/immediate_command_list.ts";
export { drivers, init, type InitOptions, isAvailable } from "./src/init.ts";
export type {
  IpcHandleOptions,
  IpcHandleType,
  IpcMemoryHandle,
  OpenIpcMemoryOptions,
  OpenTypedIpcMemoryOptions,
} from "./src/ipc_memory.ts";
export { Kernel } from "./src/kernel.ts";
export type {
  CacheConfig,
  IndirectAccess,
  KernelAllocation,
  KernelProperties,
  SchedulingHint,
} from "./src/kernel_attributes.ts";
export type { KernelParameter } from "./src/kernel_signature.ts";
export { type Leak, onLeak } from "./src/leaks.ts";
export type { MappedMemory, Mapping, MemoryAccess } from "./src/mapped_memory.ts";
export { type AtomicAccess, Memory, type MemoryKind } from "./src/memory.ts";
export type { MemoryProperties } from "./src/memory_properties.ts";
export { type AddressRange, MemoryRange } from "./src/memory_range.ts";
export { Module, type ModuleProperties } from "./src/module.ts";
export type {
  ModuleOptions,
  NativeModuleOptions,
  SpirvModuleOptions,
} from "./src/module_description.ts";
export type { GlobalVariable, LinkageKind } from "./src/module_link.ts";
export { type MemoryShortage, onOutOfMemory } from "./src/out_of_memory.ts";
export {
  PhysicalMemory,
  type PhysicalMemoryOptions,
  type PhysicalMemoryProperties,
} from "./src/physical_memory.ts";
export type { CommandQueueMode, CommandQueuePriority, QueueOptions } from "./src/queue_group.ts";
export type { ResidencyTarget } from "./src/residency.ts";
export type { OwnedObject } from "./src/resource.ts";
export {
  Sampler,
  type SamplerAddressMode,
  type SamplerFilterMode,
  type SamplerOptions,
} from "./src/sampler.ts";
export {
  type GlobalSize,
  type RunArgument,
  type RunOptions,
  Session,
  type SessionOptions,
} from "./src/session.ts";
export type { SpecializationValue } from "./src/spirv.ts";
export {
  SysmanDevice,
  sysmanDevice,
  type SysmanDeviceProperties,
  type SysmanDeviceState,
  type SysmanEventType,
  type SysmanProcess,
} from "./src/sysman.ts";
export type {
  ArgumentBytes,
  HandleArgument,
  KernelArgument,
  TypedArgument,
} from "./src/typed_argument.ts";
export type { TypedArray, TypedArrayConstructor } from "./src/typed_array.ts";
export {
  type MapOptions,
  type TypedMapOptions,
  VirtualMemory,
  type VirtualMemoryOptions,
} from "./src/virtual_memory.ts";
export type { WaitOptions } from "./src/wait.ts";
