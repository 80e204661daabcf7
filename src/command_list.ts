/**
 * Regular command lists.
 *
 * @module
 */

import type { Command } from "./append/command.ts";
import { checkBoolean, checkOptions } from "./checks.ts";
import { Commands } from "./commands.ts";
import type { Context } from "./context.ts";
import { checkDevice, type Device } from "./device.ts";
import type { CommandQueueGroupProperties } from "./device_properties.ts";
import { CommandListStateError, HandleBusyError, UseAfterDisposeError } from "./error.ts";
import type { Event } from "./event.ts";
import { sync } from "./library.ts";
import { ze_command_list_flag_t } from "./libze/enums_ze.ts";
import {
  zeCommandListClose,
  zeCommandListCreate,
  zeCommandListDestroy,
  zeCommandListReset,
} from "./libze/functions_ze.ts";
import { ze_command_list_desc_t } from "./libze/structs_ze.ts";
import { flagBits, type NameOf } from "./names.ts";
import { queueGroup } from "./queue_group.ts";
import { Resource } from "./resource.ts";

/** A flag of {@linkcode CommandListOptions}. */
export type CommandListFlag = Exclude<
  NameOf<typeof ze_command_list_flag_t, "ZE_COMMAND_LIST_FLAG">,
  "in_order"
>;

/** What {@linkcode CommandList.create} takes. */
export interface CommandListOptions {
  /** The queue group that executes the list; the first that computes by default. */
  readonly ordinal?: number;
  /**
   * Whether each command begins after the one before it is over; true by default.
   * Otherwise commands may overlap, and barriers and events order them.
   */
  readonly inOrder?: boolean;
  /** Hints for the driver; none by default. */
  readonly flags?: readonly CommandListFlag[];
}

/**
 * Commands that are recorded, closed, and then executed by a queue, any number
 * of times. It is freed by `dispose`, `using` or `await using`, or with its
 * context; while a queue executes it, when that is over.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandListCreate | zeCommandListCreate}.
 */
export class CommandList extends Commands {
  /** The events that its commands signal. Not part of the public interface. */
  readonly signals: Set<Event> = new Set();
  #closed = false;
  /** What the commands use. */
  readonly #used = new Set<Resource>();
  /** What belongs to the commands alone. */
  readonly #owned: Disposable[];

  private constructor(
    handle: bigint,
    context: Context,
    device: Device,
    group: CommandQueueGroupProperties,
    inOrder: boolean,
  ) {
    const owned: Disposable[] = [];
    const destroy = (list: bigint): void => {
      try {
        zeCommandListDestroy(list);
      } finally {
        free(owned);
      }
    };
    const resource = new Resource("CommandList", handle, destroy, context.resource);
    super(resource, context, device, group, inOrder);
    this.#owned = owned;
  }

  /**
   * Makes an empty list, open for commands. The caller disposes it, or the context does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   * @throws {ZeError} If the driver refuses.
   */
  static create(context: Context, device: Device, options: CommandListOptions = {}): CommandList {
    const functionName = "CommandList.create";
    const { handle: contextHandle } = context;
    checkDevice(functionName, "device", device, context);
    checkOptions(functionName, options, ["ordinal", "inOrder", "flags"]);
    const group = queueGroup(functionName, device, options.ordinal);
    const inOrder = checkBoolean(functionName, "options.inOrder", options.inOrder, true);
    const argument = { functionName, argument: "options.flags" };
    const flags = flagBits(
      ze_command_list_flag_t,
      "ZE_COMMAND_LIST_FLAG",
      options.flags ?? [],
      argument,
    );
    const description = ze_command_list_desc_t.create({
      commandQueueGroupOrdinal: group.ordinal,
      flags: flags | (inOrder ? ze_command_list_flag_t.ZE_COMMAND_LIST_FLAG_IN_ORDER : 0),
    });
    const handle = new BigUint64Array(1);
    zeCommandListCreate(contextHandle, device.handle, description, handle);
    return new CommandList(handle[0]!, context, device, group, inOrder);
  }

  /** Whether it was closed, so that it can be executed and no longer appended to. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Appends a command that was checked. Not part of the public interface. */
  override append(command: Command): this {
    const { functionName, resources, owned = [], events } = command;
    try {
      const { handle } = this;
      if (this.#closed) {
        throw new CommandListStateError(
          functionName,
          "closed",
          "Append before close(), or after reset().",
        );
      }
      command.call(sync, handle);
    } catch (error) {
      free(owned);
      throw error;
    }
    for (const resource of resources) this.#used.add(resource);
    if (events.signal) {
      this.#used.add(events.signal.resource);
      this.signals.add(events.signal);
    }
    for (const { resource } of events.waitFor) this.#used.add(resource);
    this.#owned.push(...owned);
    return this;
  }

  /**
   * Ends the recording: the list can then be executed. Twice is the same as once.
   *
   * @throws {ZeError} If the driver refuses.
   */
  close(): this {
    const { handle } = this;
    if (!this.#closed) zeCommandListClose(handle);
    this.#closed = true;
    return this;
  }

  /**
   * Empties the list, to record anew.
   *
   * @throws {HandleBusyError} If a queue executes it, as far as is known: wait for the queue first.
   * @throws {ZeError} If the driver refuses.
   */
  reset(): this {
    const { handle } = this;
    if (this.resource.pollHeld()) {
      throw new HandleBusyError(
        "zeCommandListReset",
        "the command list is being executed",
        "Await the queue's synchronize(), or the fence's wait(), first.",
      );
    }
    zeCommandListReset(handle);
    this.#closed = false;
    this.#used.clear();
    this.signals.clear();
    free(this.#owned);
    return this;
  }

  /**
   * What its execution uses. Not part of the public interface.
   *
   * @throws {CommandListStateError} If it was not closed.
   * @throws {UseAfterDisposeError} If it, or something that its commands use, was disposed.
   */
  executionResources(functionName: string): Resource[] {
    if (this.resource.released) throw new UseAfterDisposeError("CommandList");
    if (!this.#closed) {
      throw new CommandListStateError(functionName, "not closed", "Call close() first.");
    }
    const resources = [this.resource];
    for (const resource of this.#used) {
      if (resource.released) {
        throw new UseAfterDisposeError(`${resource.what} that the command list uses`);
      }
      resources.push(resource);
    }
    return resources;
  }
}

function free(owned: Disposable[] | readonly Disposable[]): void {
  const objects = [...owned];
  if (Array.isArray(owned)) owned.length = 0;
  for (const object of objects) object[Symbol.dispose]();
}
