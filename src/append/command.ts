/**
 * What the functions that append commands have in common.
 *
 * @module
 */

import { checkInstance, checkOptions, checkOwned } from "../checks.ts";
import type { Commands } from "../commands.ts";
import type { Context } from "../context.ts";
import { Device } from "../device.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "../error.ts";
import { Event } from "../event.ts";
import type { NonblockingFunctions, SyncFunctions } from "../library.ts";
import type { Memory } from "../memory.ts";
import { type AddressRange, type MemoryRange, toAddressRange } from "../memory_range.ts";
import type { Resource } from "../resource.ts";

/** Memory of a context: all of an allocation, a part of one, or an address, which is not checked. */
// deno-lint-ignore no-explicit-any
export type DeviceData = Memory<any> | MemoryRange<any> | bigint;

/** What commands write to. */
export type Destination = DeviceData;

/** What commands read: memory of a context, or bytes of the program, copied at the append. */
export type Source = DeviceData | ArrayBufferView;

/** What every append takes. */
export interface AppendOptions {
  /** Signalled when the command is over. */
  readonly signal?: Event;
  /** The command begins when all of them are signalled. */
  readonly waitFor?: readonly Event[];
}

/** The C functions, in either form. */
export type Calls = SyncFunctions | NonblockingFunctions;

/** A command whose arguments are checked, to be appended. */
export interface Command {
  /** The C function. */
  readonly functionName: keyof SyncFunctions & string;
  /** What the device uses until the command is over, its events besides. */
  readonly resources: readonly Resource[];
  /** What exists for the command alone, and is disposed after it. */
  readonly owned?: readonly Disposable[];
  /** A kernel whose arguments may not change before the call has returned. */
  readonly kernels?: readonly Resource[];
  readonly events: CommandEvents;
  /** Calls the C function. */
  call(calls: Calls, list: bigint): unknown;
}

/** The events of a command, as the C functions take them. */
export interface CommandEvents {
  readonly signal: Event | undefined;
  readonly waitFor: readonly Event[];
  /** The event to signal, or `0n`. */
  readonly signalHandle: bigint;
  readonly waitHandles: BigUint64Array | null;
}

const NO_EVENTS: CommandEvents = {
  signal: undefined,
  waitFor: [],
  signalHandle: 0n,
  waitHandles: null,
};

const APPEND_OPTIONS = ["signal", "waitFor"];

/**
 * Checks the events of a command.
 *
 * @throws {ArgumentTypeError} If one is no event, or of another context.
 * @throws {UseAfterDisposeError} If one was disposed.
 */
export function commandEvents(
  { context }: Commands,
  functionName: string,
  options: AppendOptions | undefined,
  otherOptions: readonly string[] = [],
): CommandEvents {
  if (options === undefined) return NO_EVENTS;
  checkOptions(functionName, options, [...APPEND_OPTIONS, ...otherOptions]);
  const { signal, waitFor } = options;
  if (signal === undefined && waitFor === undefined) return NO_EVENTS;
  if (signal !== undefined) {
    checkOwned(functionName, "options.signal", signal, Event, context);
  }
  const waits = waitFor === undefined
    ? []
    : eventList(functionName, "options.waitFor", waitFor, context);
  return {
    signal,
    waitFor: waits,
    signalHandle: signal?.handle ?? 0n,
    waitHandles: waits.length === 0 ? null : handlesOf(waits),
  };
}

/**
 * A list of events of a context.
 *
 * @throws {ArgumentTypeError} If it is something else.
 * @throws {UseAfterDisposeError} If one was disposed.
 */
export function eventList(
  functionName: string,
  argument: string,
  events: readonly Event[],
  context: object,
): readonly Event[] {
  if (!Array.isArray(events)) {
    throw new ArgumentTypeError({
      functionName,
      argument,
      given: events,
      accepted: "a list of events",
    });
  }
  return events.map((event, index) =>
    checkOwned(functionName, `${argument}[${index}]`, event, Event, context)
  );
}

/** The handles of objects, as a C function takes them. */
export function handlesOf(objects: readonly { readonly handle: bigint }[]): BigUint64Array {
  return BigUint64Array.from(objects, ({ handle }) => handle);
}

/**
 * The memory that a command uses, as it is now: the command may be appended
 * later, on another thread.
 *
 * @throws {ArgumentTypeError} If it is no memory, or of another context.
 * @throws {UseAfterDisposeError} If it was disposed.
 */
export function commandRange(
  functionName: string,
  argument: string,
  value: unknown,
  context: Context,
): AddressRange {
  const { address, byteLength, resource } = toAddressRange(
    functionName,
    argument,
    value,
    context,
  );
  return { address, byteLength, resource };
}

/** The resources that are there: an address that the program gave has none. */
export function resourcesOf(...ranges: readonly AddressRange[]): Resource[] {
  const resources: Resource[] = [];
  for (const { resource } of ranges) if (resource) resources.push(resource);
  return resources;
}

/**
 * A range of memory that a command writes to.
 *
 * @throws {ArgumentTypeError} If it is a view of the program's own memory, or no memory.
 */
export function destinationRange(
  functionName: string,
  argument: string,
  value: unknown,
  context: Context,
): AddressRange {
  if (ArrayBuffer.isView(value)) {
    throw new ArgumentTypeError({
      functionName,
      argument,
      given: value,
      accepted:
        "memory of the context: the device writes later, when a view may be gone. Memory.read() copies to a view",
    });
  }
  return commandRange(functionName, argument, value, context);
}

/**
 * Whether the list's queues can compute, as a kernel needs.
 *
 * @throws {UnsupportedFeatureError} If they only copy.
 */
export function needCompute(list: Commands, functionName: string): void {
  if (list.queueGroup.flags.includes("compute")) return;
  throw new UnsupportedFeatureError(
    functionName,
    "a queue group with `compute`",
    `This list is of group ${list.queueGroup.ordinal}, which has only ${
      list.queueGroup.flags.join(", ")
    }; device.commandQueueGroupProperties tells which groups there are.`,
  );
}

/**
 * A device of the list's driver.
 *
 * @throws {ArgumentTypeError} If it is something else.
 */
export function sameDriver(
  functionName: string,
  argument: string,
  value: unknown,
  list: Commands,
): Device {
  const device = checkInstance(functionName, argument, value, Device);
  if (device.driver === list.device.driver) return device;
  throw new ArgumentTypeError({
    functionName,
    argument,
    given: value,
    accepted: "a device of the list's driver",
  }, "a device of another driver");
}
