/**
 * What both kinds of command list take.
 *
 * @module
 */

import {
  appendMemAdvise,
  appendMemoryCopy,
  appendMemoryCopyFromContext,
  appendMemoryFill,
  appendMemoryPrefetch,
  type CopyOptions,
  type FillPattern,
  type MemoryAdvice,
} from "./append/memory.ts";
import {
  appendMemoryCopyRegion,
  type CopySize,
  type MemoryRegion,
} from "./append/memory_region.ts";
import {
  appendImageCopy,
  appendImageCopyFromMemory,
  appendImageCopyToMemory,
  type ImageCopyOptions,
  type ImageMemoryOptions,
} from "./append/image.ts";
import {
  appendLaunchCooperativeKernel,
  appendLaunchKernel,
  appendLaunchKernelIndirect,
  appendLaunchMultipleKernelsIndirect,
  type GroupCount,
} from "./append/launch.ts";
import { appendLaunchKernelWithArguments, type LaunchOptions } from "./append/launch_arguments.ts";
import {
  appendBarrier,
  appendEventReset,
  appendMemoryRangesBarrier,
  appendQueryKernelTimestamps,
  appendSignalEvent,
  appendWaitOnEvents,
  appendWriteGlobalTimestamp,
  type KernelTimestampOptions,
} from "./append/synchronization.ts";
import { appendHostFunction } from "./append/host_function.ts";
import type { AppendOptions, Command } from "./append/command.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import type { CommandQueueGroupProperties } from "./device_properties.ts";
import type { Event } from "./event.ts";
import type { Image } from "./image.ts";
import type { KernelArgument } from "./typed_argument.ts";
import type { Kernel } from "./kernel.ts";
import type { Destination, DeviceData, Source } from "./append/command.ts";
import { OwnedObject, type Resource } from "./resource.ts";

/**
 * A list that commands are appended to, either kind: {@linkcode CommandList} or
 * {@linkcode ImmediateCommandList}. Each append returns the list, so that
 * appends can be chained. All take the options `waitFor`, events that the
 * command waits for on the device, and `signal`, an event that it signals when
 * it is over; memory, kernels and events that a command uses may be disposed at
 * once, and are freed when it is over.
 */
export abstract class Commands extends OwnedObject {
  /** The context that it was made in. */
  readonly context: Context;
  /** The device whose commands it takes. */
  readonly device: Device;
  /** The queue group that its commands run in. */
  readonly queueGroup: CommandQueueGroupProperties;
  /** Whether each command begins after the one before it is over. */
  readonly inOrder: boolean;

  /** Takes the resource over; only for the two kinds of list. */
  protected constructor(
    resource: Resource,
    context: Context,
    device: Device,
    queueGroup: CommandQueueGroupProperties,
    inOrder: boolean,
  ) {
    super(resource);
    this.context = context;
    this.device = device;
    this.queueGroup = queueGroup;
    this.inOrder = inOrder;
  }

  /** Whether appends happen on another thread, later. Not part of the public interface. */
  get appendsLater(): boolean {
    return false;
  }

  /** Whether what is appended is executed once, and at once. Not part of the public interface. */
  get executesOnce(): boolean {
    return false;
  }

  /** Appends a command that was checked. Not part of the public interface. */
  abstract append(command: Command): this;

  /**
   * Has the device run a kernel with the arguments that are set now.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandListAppendLaunchKernel | zeCommandListAppendLaunchKernel}.
   *
   * @param groupCount The work groups: along x, or along x, y and z.
   * @throws {ArgumentTypeError} If an argument or the group size is not set.
   */
  appendLaunchKernel(kernel: Kernel, groupCount: GroupCount, options?: AppendOptions): this {
    return this.append(appendLaunchKernel(this, kernel, groupCount, options));
  }

  /** The same for a kernel whose groups wait for each other: all have to fit on the device. */
  appendLaunchCooperativeKernel(
    kernel: Kernel,
    groupCount: GroupCount,
    options?: AppendOptions,
  ): this {
    return this.append(appendLaunchCooperativeKernel(this, kernel, groupCount, options));
  }

  /**
   * Runs a kernel over as many groups as memory says when its turn comes: three
   * 32-bit integers, for x, y and z.
   */
  appendLaunchKernelIndirect(
    kernel: Kernel,
    groupCount: DeviceData,
    options?: AppendOptions,
  ): this {
    return this.append(appendLaunchKernelIndirect(this, kernel, groupCount, options));
  }

  /**
   * Runs the first of some kernels, as many as memory says when their turn comes.
   *
   * @param count Memory with a 32-bit integer: how many of the kernels.
   * @param groupCounts Memory with three 32-bit integers for each kernel.
   */
  appendLaunchMultipleKernelsIndirect(
    kernels: readonly Kernel[],
    count: DeviceData,
    groupCounts: DeviceData,
    options?: AppendOptions,
  ): this {
    return this.append(
      appendLaunchMultipleKernelsIndirect(this, kernels, count, groupCounts, options),
    );
  }

  /**
   * Sets a kernel's arguments and group size, and runs it: in one call, where
   * loader and driver can.
   *
   * ```ts
   * list.appendLaunchKernelWithArguments(kernel, { groupCount: 16, groupSize: 64 }, memory, 0.5);
   * ```
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandListAppendLaunchKernelWithArguments | zeCommandListAppendLaunchKernelWithArguments}.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} As {@linkcode Kernel.args} and
   * {@linkcode Kernel.setGroupSize}.
   */
  appendLaunchKernelWithArguments(
    kernel: Kernel,
    options: LaunchOptions,
    ...args: readonly KernelArgument[]
  ): this {
    return this.append(appendLaunchKernelWithArguments(this, kernel, options, args));
  }

  /**
   * Copies bytes: between allocations, or from a view of the program's own
   * memory, which is copied at once and may be changed afterwards.
   *
   * @param options `byteLength`: how much, if not all; both have to be of one length otherwise.
   */
  appendMemoryCopy(destination: Destination, source: Source, options?: CopyOptions): this {
    return this.append(appendMemoryCopy(this, destination, source, options));
  }

  /** The same from memory of another context of the driver. */
  appendMemoryCopyFromContext(
    destination: Destination,
    sourceContext: Context,
    source: DeviceData,
    options?: CopyOptions,
  ): this {
    return this.append(
      appendMemoryCopyFromContext(this, destination, sourceContext, source, options),
    );
  }

  /** Copies a box of bytes out of rows and slices into others. */
  appendMemoryCopyRegion(
    destination: MemoryRegion,
    source: MemoryRegion,
    size: CopySize,
    options?: AppendOptions,
  ): this {
    return this.append(appendMemoryCopyRegion(this, destination, source, size, options));
  }

  /**
   * Fills memory by repeating a pattern: a number, as an element of the memory's
   * type, or a view with the bytes.
   */
  appendMemoryFill(destination: Destination, pattern: FillPattern, options?: CopyOptions): this {
    return this.append(appendMemoryFill(this, destination, pattern, options));
  }

  /** Has shared memory brought to the device before it is needed. */
  appendMemoryPrefetch(memory: DeviceData, options?: CopyOptions): this {
    return this.append(appendMemoryPrefetch(this, memory, options));
  }

  /** Tells the driver how shared memory is going to be used by a device, this one's by default. */
  appendMemAdvise(memory: DeviceData, advice: MemoryAdvice, device?: Device): this {
    return this.append(appendMemAdvise(this, memory, advice, device));
  }

  /** Copies an image, or a box of it, to another one of the same format. */
  appendImageCopy(destination: Image, source: Image, options?: ImageCopyOptions): this {
    return this.append(appendImageCopy(this, destination, source, options));
  }

  /** Copies pixels, row by row, to memory. */
  appendImageCopyToMemory(
    destination: Destination,
    source: Image,
    options?: ImageMemoryOptions,
  ): this {
    return this.append(appendImageCopyToMemory(this, destination, source, options));
  }

  /** Copies pixels, row by row, from memory, or from a view, which is copied at once. */
  appendImageCopyFromMemory(
    destination: Image,
    source: Source,
    options?: ImageMemoryOptions,
  ): this {
    return this.append(appendImageCopyFromMemory(this, destination, source, options));
  }

  /** Has all later commands wait for all earlier ones. */
  appendBarrier(options?: AppendOptions): this {
    return this.append(appendBarrier(this, options));
  }

  /** The same, with what earlier commands wrote to these ranges visible to all devices. */
  appendMemoryRangesBarrier(ranges: readonly DeviceData[], options?: AppendOptions): this {
    return this.append(appendMemoryRangesBarrier(this, ranges, options));
  }

  /** Has the device signal an event. */
  appendSignalEvent(event: Event): this {
    return this.append(appendSignalEvent(this, event));
  }

  /** Has the device wait for events; later commands begin after that. */
  appendWaitOnEvents(events: readonly Event[]): this {
    return this.append(appendWaitOnEvents(this, events));
  }

  /** Has the device reset an event. */
  appendEventReset(event: Event): this {
    return this.append(appendEventReset(this, event));
  }

  /** Writes the kernel timestamps of events to memory: a `ze_kernel_timestamp_result_t` for each. */
  appendQueryKernelTimestamps(
    events: readonly Event[],
    destination: Destination,
    options?: KernelTimestampOptions,
  ): this {
    return this.append(appendQueryKernelTimestamps(this, events, destination, options));
  }

  /** Writes the device's time, in cycles of its timer as 64 bits, to memory. */
  appendWriteGlobalTimestamp(destination: Destination, options?: AppendOptions): this {
    return this.append(appendWriteGlobalTimestamp(this, destination, options));
  }

  /**
   * Has a function of this program called when the commands before it are over.
   * It runs on this thread when the event loop comes to it; the commands after
   * it begin, and `signal` is signalled, when it has returned, or when the
   * Promise that it returned has settled. It may use this package, except for
   * waits that stop the thread. What it throws is reported as an uncaught error.
   *
   * As long as one may have to be called, `waitSync()` and `synchronizeSync()`
   * in the same context throw {@linkcode DeadlockError}.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandListAppendHostFunction | zeCommandListAppendHostFunction}.
   *
   * @throws {UnsupportedFeatureError} If the loader can't do it.
   * @throws {ZeError} If the driver can't.
   */
  appendHostFunction(callback: () => unknown, options?: AppendOptions): this {
    return this.append(appendHostFunction(this, callback, options));
  }
}
