/**
 * Immediate command lists.
 *
 * @module
 */

import { type AppendOptions, type Command, commandEvents, handlesOf } from "./append/command.ts";
import { checkBoolean, checkOptions, checkOwned } from "./checks.ts";
import { CommandList } from "./command_list.ts";
import { Commands } from "./commands.ts";
import type { Context } from "./context.ts";
import { checkDevice, type Device } from "./device.ts";
import type { CommandQueueGroupProperties } from "./device_properties.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "./error.ts";
import { refuseDeadlock } from "./host_functions.ts";
import { has, nonblocking, sync } from "./library.ts";
import { ze_command_queue_flag_t } from "./libze/enums_ze.ts";
import { zeCommandListCreateImmediate, zeCommandListDestroy } from "./libze/functions_ze.ts";
import { ze_command_queue_desc_t } from "./libze/structs_ze.ts";
import {
  type CommandQueueMode,
  QUEUE_OPTIONS,
  queueDescription,
  queueGroup,
  type QueueOptions,
} from "./queue_group.ts";
import { Resource } from "./resource.ts";
import { Submitter, type SynchronizeFunction } from "./submitter.ts";
import { checkWaitOptions, type WaitOptions } from "./wait.ts";

/** What {@linkcode ImmediateCommandList.create} takes. */
export interface ImmediateCommandListOptions extends QueueOptions {
  /**
   * Whether each command begins after the one before it is over; true by default.
   * Otherwise commands may overlap, and barriers and events order them.
   */
  readonly inOrder?: boolean;
}

const SYNCHRONIZE: SynchronizeFunction = {
  name: "zeCommandListHostSynchronize",
  sync: (list, timeout) => sync.zeCommandListHostSynchronize(list, timeout),
  nonblocking: (list, timeout) => nonblocking.zeCommandListHostSynchronize(list, timeout),
};

/**
 * A list whose commands begin as they are appended. {@linkcode
 * ImmediateCommandList.synchronize} waits for them. It is freed by `dispose`,
 * `using` or `await using`, or with its context, when its commands are over.
 *
 * An asynchronous list (the default) appends without waiting. In a synchronous
 * one the driver's append returns when the command is over, so it runs on
 * another thread, one after the other; what goes wrong is thrown by
 * `synchronize`.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandListCreateImmediate | zeCommandListCreateImmediate}.
 */
export class ImmediateCommandList extends Commands {
  /** When appends return in the driver. */
  readonly mode: CommandQueueMode;
  readonly #submitter: Submitter;

  private constructor(
    handle: bigint,
    context: Context,
    device: Device,
    group: CommandQueueGroupProperties,
    inOrder: boolean,
    mode: CommandQueueMode,
  ) {
    const resource = new Resource(
      "ImmediateCommandList",
      handle,
      (list) => void zeCommandListDestroy(list),
      context.resource,
      { onRelease: () => submitter.release() },
    );
    const submitter = new Submitter(resource, SYNCHRONIZE);
    super(resource, context, device, group, inOrder);
    this.mode = mode;
    this.#submitter = submitter;
  }

  /**
   * Makes a list. The caller disposes it, or the context does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   * @throws {ZeError} If the driver refuses.
   */
  static create(
    context: Context,
    device: Device,
    options: ImmediateCommandListOptions = {},
  ): ImmediateCommandList {
    const functionName = "ImmediateCommandList.create";
    const { handle: contextHandle } = context;
    checkDevice(functionName, "device", device, context);
    checkOptions(functionName, options, [...QUEUE_OPTIONS, "inOrder"]);
    const group = queueGroup(functionName, device, options.ordinal);
    const description = queueDescription(functionName, group, options);
    const inOrder = checkBoolean(functionName, "options.inOrder", options.inOrder, true);
    const flags = inOrder ? ze_command_queue_flag_t.ZE_COMMAND_QUEUE_FLAG_IN_ORDER : 0;
    if (!has("zeCommandListHostSynchronize")) {
      throw new UnsupportedFeatureError(
        functionName,
        "zeCommandListHostSynchronize",
        "Update the loader, or use a command queue.",
      );
    }
    const handle = new BigUint64Array(1);
    const struct = ze_command_queue_desc_t.create({ ...description, flags });
    zeCommandListCreateImmediate(contextHandle, device.handle, struct, handle);
    const { mode = "asynchronous" } = options;
    return new ImmediateCommandList(handle[0]!, context, device, group, inOrder, mode);
  }

  /** Whether appends happen on another thread, later. Not part of the public interface. */
  override get appendsLater(): boolean {
    return this.mode === "synchronous";
  }

  /** Whether what is appended is executed once, and at once. Not part of the public interface. */
  override get executesOnce(): boolean {
    return true;
  }

  /** Appends a command that was checked. Not part of the public interface. */
  override append(command: Command): this {
    const { functionName, resources, owned = [], events, kernels = [] } = command;
    const { submissions } = this.#submitter;
    const submit = (): number => {
      const number = submissions.add(resources, owned);
      const { signal, waitFor } = events;
      if (waitFor.length > 0) submissions.use(waitFor.map(({ resource }) => resource));
      if (signal) {
        submissions.use([signal.resource]);
        if (this.inOrder) signal.noteSignal(submissions, number);
        else signal.noteSignal();
      }
      return number;
    };
    try {
      const { handle } = this;
      if (this.appendsLater) {
        this.#submitter.callNonblocking(
          functionName,
          submit(),
          kernels,
          async (list) => await command.call(nonblocking, list),
        );
        return this;
      }
      command.call(sync, handle);
    } catch (error) {
      for (const object of owned) object[Symbol.dispose]();
      throw error;
    }
    submit();
    return this;
  }

  /**
   * Has closed command lists executed, as if their commands were appended here.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandListImmediateAppendCommandListsExp | zeCommandListImmediateAppendCommandListsExp}.
   *
   * @throws {UnsupportedFeatureError} If the loader does not have it.
   * @throws {CommandListStateError} If one is not closed.
   * @throws {UseAfterDisposeError} If one, or something that it uses, was disposed.
   */
  appendCommandLists(lists: readonly CommandList[], options?: AppendOptions): this {
    const functionName = "zeCommandListImmediateAppendCommandListsExp";
    const events = commandEvents(this, functionName, options);
    const resources = executionResources(functionName, lists, this);
    if (!has(functionName)) {
      throw new UnsupportedFeatureError(
        functionName,
        "ZE_experimental_immediate_command_list_append",
        "Use a command queue and its execute().",
      );
    }
    const handles = handlesOf(lists);
    noteSignals(lists);
    return this.append({
      functionName,
      events,
      resources,
      call: (calls, handle) =>
        calls.zeCommandListImmediateAppendCommandListsExp(
          handle,
          handles.length,
          handles,
          events.signalHandle,
          events.waitFor.length,
          events.waitHandles,
        ),
    });
  }

  /**
   * Waits until the commands appended so far are over, without holding up the
   * event loop: true then, and false if the timeout has passed before.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandListHostSynchronize | zeCommandListHostSynchronize}.
   *
   * @throws {ZeError} If the device was lost; in a synchronous list what an append failed with.
   * @throws {unknown} The signal's reason when it is aborted; the commands go on.
   */
  synchronize(options?: WaitOptions): Promise<boolean> {
    return this.#submitter.synchronize(options);
  }

  /**
   * The same on this thread: timers, input and garbage collection wait as well.
   * A synchronous list's commands are not waited for: it gives false.
   *
   * @param timeout In milliseconds; for ever by default.
   * @throws {DeadlockError} If a host function of the context has yet to run, on this thread.
   */
  synchronizeSync(timeout: number = Infinity): boolean {
    checkWaitOptions("ImmediateCommandList.synchronizeSync", { timeout });
    refuseDeadlock("ImmediateCommandList.synchronizeSync", this.context, timeout);
    return this.#submitter.synchronizeSync(timeout);
  }
}

/** The events that lists signal: which execution they tell of can't be told. */
export function noteSignals(lists: readonly CommandList[]): void {
  for (const list of lists) for (const event of list.signals) event.noteSignal();
}

/**
 * What the execution of lists uses.
 *
 * @throws {ArgumentTypeError} If one is none, or of another context or device.
 */
export function executionResources(
  functionName: string,
  lists: readonly CommandList[],
  { context, device }: { readonly context: Context; readonly device: Device },
): Resource[] {
  if (!Array.isArray(lists) || lists.length === 0) {
    throw new ArgumentTypeError({
      functionName,
      argument: "lists",
      given: lists,
      accepted: "a list with at least one closed CommandList",
    });
  }
  return lists.flatMap((list, index) => {
    const argument = `lists[${index}]`;
    const checked = checkOwned(functionName, argument, list, CommandList, context);
    if (checked.device !== device) {
      throw new ArgumentTypeError({
        functionName,
        argument,
        given: list,
        accepted: "a command list for the same device",
      }, "a command list for another device");
    }
    return checked.executionResources(functionName);
  });
}
