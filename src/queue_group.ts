/**
 * Which of a device's queues commands go to.
 *
 * @module
 */

import { checkInteger } from "./checks.ts";
import type { Device } from "./device.ts";
import type { CommandQueueGroupProperties } from "./device_properties.ts";
import { ze_command_queue_mode_t, ze_command_queue_priority_t } from "./libze/enums_ze.ts";
import { enumValue } from "./names.ts";

/** When calls that submit work return: at once, or when the work is over. */
export type CommandQueueMode = "asynchronous" | "synchronous";

/** How urgent a queue's work is, compared with other queues'. */
export type CommandQueuePriority = "normal" | "low" | "high";

/** What command queues and immediate command lists take. */
export interface QueueOptions {
  /** The queue group; the first that computes by default. */
  readonly ordinal?: number;
  /** Which queue of the group; 0 by default. */
  readonly index?: number;
  /** `"asynchronous"` by default. */
  readonly mode?: CommandQueueMode;
  /** `"normal"` by default. */
  readonly priority?: CommandQueuePriority;
}

/** The names of {@linkcode QueueOptions}. */
export const QUEUE_OPTIONS = ["ordinal", "index", "mode", "priority"];

/** They don't change. */
const groups = new WeakMap<Device, readonly CommandQueueGroupProperties[]>();

function groupsOf(device: Device): readonly CommandQueueGroupProperties[] {
  let known = groups.get(device);
  if (!known) groups.set(device, known = device.commandQueueGroupProperties);
  return known;
}

/**
 * The queue group of an ordinal, the first that computes if none is given.
 *
 * @throws {ArgumentTypeError | ArgumentRangeError} If there is none.
 */
export function queueGroup(
  functionName: string,
  device: Device,
  ordinal: number | undefined,
): CommandQueueGroupProperties {
  const all = groupsOf(device);
  if (ordinal === undefined) {
    return all.find(({ flags }) => flags.includes("compute")) ?? all[0]!;
  }
  return all[checkInteger(functionName, "options.ordinal", ordinal, 0, all.length - 1)]!;
}

/** Options of a queue as the C structure takes them; the flags are the caller's. */
export function queueDescription(
  functionName: string,
  group: CommandQueueGroupProperties,
  { index = 0, mode = "asynchronous", priority = "normal" }: QueueOptions,
): { ordinal: number; index: number; mode: number; priority: number } {
  const modes = { functionName, argument: "options.mode" };
  const level = priority === "normal" ? priority : `priority_${priority}`;
  return {
    ordinal: group.ordinal,
    index: checkInteger(functionName, "options.index", index, 0, group.numQueues - 1),
    mode: enumValue(ze_command_queue_mode_t, "ZE_COMMAND_QUEUE_MODE", mode, modes),
    priority: enumValue(
      ze_command_queue_priority_t,
      "ZE_COMMAND_QUEUE_PRIORITY",
      level as "normal",
      { functionName, argument: "options.priority" },
    ),
  };
}
