/**
 * Command queues.
 *
 * @module
 */

import { handlesOf } from "./append/command.ts";
import { checkBoolean, checkOptions, checkOwned } from "./checks.ts";
import type { CommandList } from "./command_list.ts";
import type { Context } from "./context.ts";
import { checkDevice, type Device } from "./device.ts";
import type { CommandQueueGroupProperties } from "./device_properties.ts";
import { ArgumentTypeError } from "./error.ts";
import { Fence, type FenceOptions } from "./fence.ts";
import { refuseDeadlock } from "./host_functions.ts";
import { executionResources, noteSignals } from "./immediate_command_list.ts";
import { nonblocking, sync } from "./library.ts";
import { ze_command_queue_flag_t } from "./libze/enums_ze.ts";
import { zeCommandQueueCreate, zeCommandQueueDestroy } from "./libze/functions_ze.ts";
import { ze_command_queue_desc_t } from "./libze/structs_ze.ts";
import {
  type CommandQueueMode,
  QUEUE_OPTIONS,
  queueDescription,
  queueGroup,
  type QueueOptions,
} from "./queue_group.ts";
import { OwnedObject, Resource } from "./resource.ts";
import { Submitter, type SynchronizeFunction } from "./submitter.ts";
import { checkWaitOptions, type WaitOptions } from "./wait.ts";

/** What {@linkcode CommandQueue.create} takes. */
export interface CommandQueueOptions extends QueueOptions {
  /** Whether the driver keeps the queue to one engine of the device; false by default. */
  readonly explicitOnly?: boolean;
}

/** What {@linkcode CommandQueue.execute} takes. */
export interface ExecuteOptions {
  /** Signalled when the lists are over. */
  readonly fence?: Fence;
}

const SYNCHRONIZE: SynchronizeFunction = {
  name: "zeCommandQueueSynchronize",
  sync: (queue, timeout) => sync.zeCommandQueueSynchronize(queue, timeout),
  nonblocking: (queue, timeout) => nonblocking.zeCommandQueueSynchronize(queue, timeout),
};

/**
 * What executes closed command lists, in the order in which they are given to
 * it. It is freed by `dispose`, `using` or `await using`, or with its context,
 * when its lists are over; its fences before it.
 *
 * The driver's call of a synchronous queue returns when the lists are over, so it
 * runs on another thread, one after the other; what goes wrong is thrown by
 * `synchronize`.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandQueueCreate | zeCommandQueueCreate}.
 */
export class CommandQueue extends OwnedObject {
  /** The context that it was made in. */
  readonly context: Context;
  /** The device that executes its lists. */
  readonly device: Device;
  /** The group that it is of. */
  readonly queueGroup: CommandQueueGroupProperties;
  /** Which queue of the group it is. */
  readonly index: number;
  /** When `execute` returns in the driver. */
  readonly mode: CommandQueueMode;
  readonly #submitter: Submitter;

  private constructor(
    handle: bigint,
    context: Context,
    device: Device,
    group: CommandQueueGroupProperties,
    { index = 0, mode = "asynchronous" }: CommandQueueOptions,
  ) {
    const resource = new Resource(
      "CommandQueue",
      handle,
      (queue) => void zeCommandQueueDestroy(queue),
      context.resource,
      { onRelease: () => submitter.release() },
    );
    const submitter = new Submitter(resource, SYNCHRONIZE);
    super(resource);
    this.context = context;
    this.device = device;
    this.queueGroup = group;
    this.index = index;
    this.mode = mode;
    this.#submitter = submitter;
  }

  /**
   * Makes a queue. The caller disposes it, or the context does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   * @throws {ZeError} If the driver refuses.
   */
  static create(
    context: Context,
    device: Device,
    options: CommandQueueOptions = {},
  ): CommandQueue {
    const functionName = "CommandQueue.create";
    const { handle: contextHandle } = context;
    checkDevice(functionName, "device", device, context);
    checkOptions(functionName, options, [...QUEUE_OPTIONS, "explicitOnly"]);
    const group = queueGroup(functionName, device, options.ordinal);
    const description = queueDescription(functionName, group, options);
    const explicit = checkBoolean(
      functionName,
      "options.explicitOnly",
      options.explicitOnly,
      false,
    );
    const flags = explicit ? ze_command_queue_flag_t.ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY : 0;
    const handle = new BigUint64Array(1);
    const struct = ze_command_queue_desc_t.create({ ...description, flags });
    zeCommandQueueCreate(contextHandle, device.handle, struct, handle);
    return new CommandQueue(handle[0]!, context, device, group, options);
  }

  /**
   * Has the device execute closed lists, one after the other. They, and what
   * they use, may be disposed at once, and are freed when the device is done.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandQueueExecuteCommandLists | zeCommandQueueExecuteCommandLists}.
   *
   * @throws {ArgumentTypeError} If a list is of another context, device or queue group.
   * @throws {CommandListStateError} If a list is not closed.
   * @throws {UseAfterDisposeError} If a list, or something that it uses, was disposed.
   * @throws {ZeError} If the driver refuses; of a synchronous queue from `synchronize`.
   */
  execute(lists: CommandList | readonly CommandList[], options: ExecuteOptions = {}): this {
    const functionName = "zeCommandQueueExecuteCommandLists";
    const { handle } = this;
    const all = Array.isArray(lists) ? lists as readonly CommandList[] : [lists as CommandList];
    const resources = executionResources(functionName, all, this);
    for (const [index, list] of all.entries()) {
      if (list.queueGroup.ordinal === this.queueGroup.ordinal) continue;
      throw new ArgumentTypeError({
        functionName,
        argument: `lists[${index}]`,
        given: list,
        accepted: `a command list for queue group ${this.queueGroup.ordinal}`,
      }, `a command list for queue group ${list.queueGroup.ordinal}`);
    }
    checkOptions(functionName, options, ["fence"]);
    const fence = this.#checkFence(functionName, options.fence);
    const handles = handlesOf(all);
    const fenceHandle = fence?.handle ?? 0n;
    const { submissions } = this.#submitter;
    const submit = (): number => {
      const number = submissions.add(fence ? [...resources, fence.resource] : resources);
      fence?.noteSubmission(submissions, number);
      noteSignals(all);
      return number;
    };
    if (this.mode === "synchronous") {
      this.#submitter.callNonblocking(
        functionName,
        submit(),
        [],
        (queue) =>
          nonblocking.zeCommandQueueExecuteCommandLists(
            queue,
            handles.length,
            handles,
            fenceHandle,
          ),
      );
      return this;
    }
    sync.zeCommandQueueExecuteCommandLists(handle, handles.length, handles, fenceHandle);
    submit();
    return this;
  }

  #checkFence(functionName: string, fence: Fence | undefined): Fence | undefined {
    if (fence === undefined) return undefined;
    const checked = checkOwned(functionName, "options.fence", fence, Fence, this.context);
    if (checked.queue === this) return checked;
    throw new ArgumentTypeError({
      functionName,
      argument: "options.fence",
      given: fence,
      accepted: "a fence that this queue made",
    }, "a fence of another queue");
  }

  /**
   * Waits until the lists given to it so far are over, without holding up the
   * event loop: true then, and false if the timeout has passed before.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandQueueSynchronize | zeCommandQueueSynchronize}.
   *
   * @throws {ZeError} If the device was lost; of a synchronous queue what an execution failed with.
   * @throws {unknown} The signal's reason when it is aborted; the lists go on.
   */
  synchronize(options?: WaitOptions): Promise<boolean> {
    return this.#submitter.synchronize(options);
  }

  /**
   * The same on this thread: timers, input and garbage collection wait as well.
   * A synchronous queue's lists are not waited for: it gives false.
   *
   * @param timeout In milliseconds; for ever by default.
   * @throws {DeadlockError} If a host function of the context has yet to run, on this thread.
   */
  synchronizeSync(timeout: number = Infinity): boolean {
    checkWaitOptions("CommandQueue.synchronizeSync", { timeout });
    refuseDeadlock("CommandQueue.synchronizeSync", this.context, timeout);
    return this.#submitter.synchronizeSync(timeout);
  }

  /** Makes a fence, which tells when an execution is over. The caller disposes it. */
  createFence(options?: FenceOptions): Fence {
    return Fence.create(this, options);
  }
}
