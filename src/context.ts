/**
 * Contexts.
 *
 * @module
 */

import { Allocator } from "./allocation.ts";
import { CommandList, type CommandListOptions } from "./command_list.ts";
import { CommandQueue, type CommandQueueOptions } from "./command_queue.ts";
import { checkDevice, type Device } from "./device.ts";
import type { Driver } from "./driver.ts";
import {
  ImmediateCommandList,
  type ImmediateCommandListOptions,
} from "./immediate_command_list.ts";
import { ArgumentTypeError } from "./error.ts";
import { Event, type EventOptions } from "./event.ts";
import { EventPool, type EventPoolOptions } from "./event_pool.ts";
import { Image } from "./image.ts";
import type { ImageOptions } from "./image_options.ts";
import {
  zeContextCreate,
  zeContextCreateEx,
  zeContextDestroy,
  zeContextGetStatus,
} from "./libze/functions_ze.ts";
import { ze_context_desc_t } from "./libze/structs_ze.ts";
import { type PitchOptions, rowPitch } from "./image_pitch.ts";
import {
  ipcHandleOfFileDescriptor,
  type IpcHandleOptions,
  IpcMemoryHandle,
  openIpcMemory,
  type OpenIpcMemoryOptions,
  type OpenTypedIpcMemoryOptions,
} from "./ipc_memory.ts";
import type { Memory } from "./memory.ts";
import { addressRange, type MemoryProperties, memoryProperties } from "./memory_properties.ts";
import { type AddressRange, toAddressRange } from "./memory_range.ts";
import { Module, type ModuleOptions } from "./module.ts";
import { PhysicalMemory, type PhysicalMemoryOptions } from "./physical_memory.ts";
import { changeResidency, type ResidencyTarget } from "./residency.ts";
import { nonblocking } from "./library.ts";
import { OwnedObject, Resource } from "./resource.ts";
import { Sampler, type SamplerOptions } from "./sampler.ts";
import type { TypedArray } from "./typed_array.ts";
import { VirtualMemory, type VirtualMemoryOptions } from "./virtual_memory.ts";

/** What {@linkcode Context.create} takes. */
export interface ContextOptions {
  /** The devices, all of one driver, that use the context. All of the driver's by default. */
  readonly devices?: readonly Device[];
}

/**
 * What memory, modules, command lists and queues are made in. It is freed by
 * `dispose`, `using` or `await using`, together with all that was made in it.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=context | Context}.
 */
export class Context extends OwnedObject {
  /** The driver that it belongs to. */
  readonly driver: Driver;
  /** The devices that use it. */
  readonly devices: readonly Device[];
  #alloc: Allocator | undefined;

  private constructor(handle: bigint, driver: Driver, devices: readonly Device[]) {
    super(new Resource("Context", handle, (context) => zeContextDestroy(context)));
    this.driver = driver;
    this.devices = devices;
  }

  /**
   * Makes a context. The caller disposes it.
   *
   * @throws {ZeError} If the driver refuses.
   * @throws {ArgumentTypeError} If a device is none, or one of another driver.
   */
  static create(driver: Driver, options: ContextOptions = {}): Context {
    const description = ze_context_desc_t.create();
    const handle = new BigUint64Array(1);
    const { devices } = options;
    if (devices) {
      for (const device of devices) {
        if (device?.driver !== driver) {
          throw new ArgumentTypeError({
            functionName: "Context.create",
            argument: "options.devices",
            given: device,
            accepted: "a list of devices of the driver",
          }, "a list with something that is no device of the driver");
        }
      }
      const handles = new BigUint64Array(devices.map((device) => device.handle));
      zeContextCreateEx(driver.handle, description, handles.length, handles, handle);
    } else {
      zeContextCreate(driver.handle, description, handle);
    }
    return new Context(handle[0]!, driver, devices ?? driver.devices);
  }

  /**
   * Throws if the context can no longer be used, as after its device was lost.
   *
   * @throws {ZeError} With ZE_RESULT_ERROR_DEVICE_LOST or the cause that the driver tells.
   */
  checkStatus(): void {
    zeContextGetStatus(this.handle);
  }

  /** Allocates memory: `alloc.device()`, `alloc.host()` and `alloc.shared()`. */
  get alloc(): Allocator {
    return this.#alloc ??= new Allocator(this);
  }

  /**
   * Reserves addresses for physical memory to be mapped to: so many bytes, or
   * as many more as fill the last page. The caller disposes them, or the context does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If what is asked for makes no sense.
   * @throws {OutOfMemoryError} If there are not as many addresses.
   */
  reserveVirtualMemory(byteLength: number, options?: VirtualMemoryOptions): VirtualMemory {
    return VirtualMemory.reserve(this, byteLength, options);
  }

  /**
   * Makes memory that has no address: so many bytes, or as many more as fill
   * the last page. The caller disposes it, or the context does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If what is asked for makes no sense.
   * @throws {OutOfMemoryError} If there is no memory, even after {@linkcode onOutOfMemory}.
   */
  createPhysicalMemory(byteLength: number, options?: PhysicalMemoryOptions): PhysicalMemory {
    return PhysicalMemory.create(this, byteLength, options);
  }

  /**
   * Makes a handle that another process opens memory with. It is to be disposed
   * after that; the memory disposes it too.
   *
   * @throws {ArgumentTypeError} If it is no device or host memory of the context.
   * @throws {UnsupportedFeatureError} If the driver shares no memory between processes.
   */
  createIpcHandle(memory: Memory, options?: IpcHandleOptions): IpcMemoryHandle {
    return IpcMemoryHandle.create(this, memory, options);
  }

  /**
   * Opens memory of another process, by the bytes of its {@linkcode IpcMemoryHandle}.
   * Disposing it closes it; the memory stays the other process's.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeMemOpenIpcHandle | zeMemOpenIpcHandle}.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If it is no handle, or the memory is shorter.
   * @throws {UnsupportedFeatureError} If the driver shares no memory between processes.
   * @throws {ZeError} If the driver does not know the handle.
   */
  openIpcMemory<T extends TypedArray>(
    handle: Uint8Array,
    options: OpenTypedIpcMemoryOptions<T>,
  ): Memory<T>;
  /** As bytes. */
  openIpcMemory(
    handle: Uint8Array,
    options?: OpenIpcMemoryOptions,
  ): Memory<Uint8Array<ArrayBuffer>>;
  openIpcMemory(handle: Uint8Array, options?: OpenIpcMemoryOptions): Memory {
    return openIpcMemory(this, handle, options);
  }

  /**
   * The bytes that memory is opened with, from a file descriptor that was
   * received from another process.
   *
   * @throws {UnsupportedFeatureError} If the driver shares no memory between processes.
   * @throws {ZeError} If the driver does not know the file descriptor.
   */
  ipcHandleOfFileDescriptor(fileDescriptor: number): Uint8Array<ArrayBuffer> {
    return ipcHandleOfFileDescriptor(this, fileDescriptor);
  }

  /**
   * The bytes from one row of an image to the next, where the image is to be in
   * memory that is allocated as `rowPitch * height` bytes.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeMemGetPitchFor2dImage | zeMemGetPitchFor2dImage}.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If the device has no such images.
   * @throws {UnsupportedFeatureError} If the loader is too old.
   * @throws {ZeError} With ZE_RESULT_ERROR_UNSUPPORTED_FEATURE if the driver can't tell.
   */
  rowPitch(options: PitchOptions): number {
    return rowPitch(this, options);
  }

  /**
   * The allocation that an address lies in: where it begins, and its size in bytes.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeMemGetAddressRange | zeMemGetAddressRange}.
   *
   * @throws {ZeError} If the driver knows of none there.
   */
  addressRange(address: bigint | AddressRange): { address: bigint; byteLength: number } {
    return addressRange(this, toAddressRange("Context.addressRange", "address", address, this));
  }

  /**
   * What the driver tells of the memory at an address; its type is `unknown`
   * where the driver did not allocate any.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeMemGetAllocProperties | zeMemGetAllocProperties}.
   */
  memoryProperties(address: bigint | AddressRange): MemoryProperties {
    const range = toAddressRange("Context.memoryProperties", "address", address, this);
    return memoryProperties(this, range.address);
  }

  /**
   * Compiles a module for a device, without holding up the event loop. The
   * caller disposes it, or the context does.
   *
   * @throws {InvalidSpirvError} If the bytes are no SPIR-V; nothing is compiled.
   * @throws {ModuleBuildError} If the compiler refuses it; with its log.
   */
  createModule(device: Device, options: ModuleOptions): Promise<Module> {
    return Module.create(this, device, options);
  }

  /**
   * Makes an event, which commands signal and wait for. The caller disposes it,
   * or the context does.
   *
   * @throws {ArgumentTypeError} If an option does not fit.
   */
  createEvent(options?: EventOptions): Event {
    return Event.create(this, options);
  }

  /**
   * Makes an event pool, for programs that care for where events are. The caller
   * disposes it, or the context does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   */
  createEventPool(options: EventPoolOptions): EventPool {
    return EventPool.create(this, options);
  }

  /**
   * Makes an image, which kernels read and write by coordinates. The caller
   * disposes it, or the context does.
   *
   * @throws {UnsupportedFeatureError} If the device has no images of the type.
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   */
  createImage(device: Device, options: ImageOptions): Image {
    return Image.create(this, device, options);
  }

  /**
   * Makes a sampler, which kernels read images through. The caller disposes it,
   * or the context does.
   *
   * @throws {UnsupportedFeatureError} If the device has no samplers.
   * @throws {ArgumentTypeError} If an option does not fit.
   */
  createSampler(device: Device, options?: SamplerOptions): Sampler {
    return Sampler.create(this, device, options);
  }

  /**
   * Keeps memory or an image where the device reaches it, until it is evicted
   * or freed: only needed for what kernels find through pointers, of which the
   * driver knows nothing. It runs on another thread.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeContextMakeMemoryResident | zeContextMakeMemoryResident}.
   *
   * @throws {ArgumentTypeError} If it is no memory or image of this context.
   * @throws {UseAfterDisposeError} If it was disposed.
   */
  makeResident(device: Device, target: ResidencyTarget): Promise<void> {
    return changeResidency("makeResident", this, device, target);
  }

  /**
   * Lets the driver move memory or an image that {@linkcode Context.makeResident}
   * kept.
   *
   * @throws {ArgumentTypeError} If it is no memory or image of this context.
   * @throws {HandleBusyError} If the device still works with it.
   * @throws {UseAfterDisposeError} If it was disposed.
   */
  evict(device: Device, target: ResidencyTarget): Promise<void> {
    return changeResidency("evict", this, device, target);
  }

  /**
   * Makes a command list, to be recorded, closed and executed by a queue. The
   * caller disposes it, or the context does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   */
  createCommandList(device: Device, options?: CommandListOptions): CommandList {
    return CommandList.create(this, device, options);
  }

  /**
   * Makes a command list whose commands begin as they are appended. The caller
   * disposes it, or the context does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   */
  createImmediateCommandList(
    device: Device,
    options?: ImmediateCommandListOptions,
  ): ImmediateCommandList {
    return ImmediateCommandList.create(this, device, options);
  }

  /**
   * Makes a queue, which executes closed command lists. The caller disposes it,
   * or the context does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   */
  createCommandQueue(device: Device, options?: CommandQueueOptions): CommandQueue {
    return CommandQueue.create(this, device, options);
  }

  /**
   * Makes what the device wrote to system memory, outside of any allocation,
   * visible to the host; on another thread.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeContextSystemBarrier | zeContextSystemBarrier}.
   *
   * @throws {ZeError} With ZE_RESULT_ERROR_UNSUPPORTED_FEATURE where the driver does not need it.
   */
  async systemBarrier(device: Device): Promise<void> {
    const { handle: deviceHandle } = checkDevice("Context.systemBarrier", "device", device, this);
    await this.resource.use((handle) => nonblocking.zeContextSystemBarrier(handle, deviceHandle));
  }
}
