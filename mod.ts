/**
 * oneAPI Level Zero for Deno and Bun: Intel GPUs and NPUs from TypeScript.
 *
 * Driver calls that block, such as a kernel compile, run on another thread, and
 * the event loop goes on.
 *
 * ```ts
 * import { drivers } from "@ze/level-zero";
 *
 * const device = drivers()[0].devices[0];
 * await using context = device.driver.createContext();
 * const spirv = await Deno.readFile("kernel.spv");
 * const module = await context.createModule(device, { spirv });
 * console.log(device.name, await module.kernelNames());
 * ```
 *
 * @module
 */

export { Context, type ContextOptions } from "./src/context.ts";
export { Device } from "./src/device.ts";
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
  type ApiVersion,
  Driver,
  type DriverExtension,
  type DriverIpcProperties,
  type DriverProperties,
} from "./src/driver.ts";
export {
  ArgumentRangeError,
  ArgumentTypeError,
  HandleBusyError,
  InvalidSpirvError,
  KernelNotFoundError,
  LibraryClosedError,
  LibraryNotFoundError,
  LoaderNotFoundError,
  MissingSymbolError,
  ModuleBuildError,
  OutOfMemoryError,
  UnsupportedFeatureError,
  UseAfterDisposeError,
  ZeError,
  type ZeErrorOptions,
} from "./src/error.ts";
export { drivers, init, type InitOptions, isAvailable } from "./src/init.ts";
export { Kernel, type KernelProperties } from "./src/kernel.ts";
export {
  Module,
  type ModuleOptions,
  type ModuleProperties,
  type NativeModuleOptions,
  type SpecializationValue,
  type SpirvModuleOptions,
} from "./src/module.ts";
