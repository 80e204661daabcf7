/**
 * Commands that order others, and that write times.
 *
 * @module
 */

import { checkInteger, checkOwned } from "../checks.ts";
import type { Commands } from "../commands.ts";
import { ArgumentRangeError, ArgumentTypeError } from "../error.ts";
import { Event } from "../event.ts";
import { ze_kernel_timestamp_result_t } from "../libze/structs_ze.ts";
import type { AddressRange } from "../memory_range.ts";
import {
  type AppendOptions,
  type Command,
  commandEvents,
  commandRange,
  type Destination,
  destinationRange,
  type DeviceData,
  eventList,
  handlesOf,
  resourcesOf,
} from "./command.ts";

/** What {@linkcode Commands.appendQueryKernelTimestamps} takes. */
export interface KernelTimestampOptions extends AppendOptions {
  /** Where in the destination each event's result goes, in bytes; one after another by default. */
  readonly offsets?: readonly number[];
}

export function appendBarrier(list: Commands, options: AppendOptions | undefined): Command {
  const functionName = "zeCommandListAppendBarrier";
  const events = commandEvents(list, functionName, options);
  return {
    functionName,
    events,
    resources: [],
    call: (calls, handle) =>
      calls.zeCommandListAppendBarrier(
        handle,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}

export function appendMemoryRangesBarrier(
  list: Commands,
  ranges: readonly DeviceData[],
  options: AppendOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendMemoryRangesBarrier";
  const events = commandEvents(list, functionName, options);
  if (!Array.isArray(ranges) || ranges.length === 0) {
    throw new ArgumentTypeError({
      functionName,
      argument: "ranges",
      given: ranges,
      accepted: "a list with at least one range of memory",
    });
  }
  const checked = ranges.map((range, index) =>
    sizedRange(functionName, `ranges[${index}]`, range, list)
  );
  const sizes = BigUint64Array.from(checked, ({ byteLength }) => BigInt(byteLength));
  const addresses = BigUint64Array.from(checked, ({ address }) => address);
  return {
    functionName,
    events,
    resources: resourcesOf(...checked),
    call: (calls, handle) =>
      calls.zeCommandListAppendMemoryRangesBarrier(
        handle,
        sizes.length,
        sizes,
        addresses,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}

function sizedRange(
  functionName: string,
  argument: string,
  value: DeviceData,
  { context }: Commands,
): AddressRange {
  const range = commandRange(functionName, argument, value, context);
  if (range.byteLength !== Infinity) return range;
  throw new ArgumentTypeError({
    functionName,
    argument,
    given: value,
    accepted: "a Memory or a MemoryRange, which has a length",
  });
}

export function appendSignalEvent(list: Commands, event: Event): Command {
  const functionName = "zeCommandListAppendSignalEvent";
  const { handle: eventHandle } = checkOwned(functionName, "event", event, Event, list.context);
  return {
    functionName,
    events: { ...commandEvents(list, functionName, undefined), signal: event },
    resources: [],
    call: (calls, handle) => calls.zeCommandListAppendSignalEvent(handle, eventHandle),
  };
}

export function appendWaitOnEvents(list: Commands, events: readonly Event[]): Command {
  const functionName = "zeCommandListAppendWaitOnEvents";
  const waitFor = eventList(functionName, "events", events, list.context);
  if (waitFor.length === 0) {
    throw new ArgumentTypeError({
      functionName,
      argument: "events",
      given: events,
      accepted: "a list with at least one event",
    }, "an empty list");
  }
  const handles = handlesOf(waitFor);
  return {
    functionName,
    events: { ...commandEvents(list, functionName, undefined), waitFor },
    resources: [],
    call: (calls, handle) => calls.zeCommandListAppendWaitOnEvents(handle, handles.length, handles),
  };
}

export function appendEventReset(list: Commands, event: Event): Command {
  const functionName = "zeCommandListAppendEventReset";
  const { handle: eventHandle, resource } = checkOwned(
    functionName,
    "event",
    event,
    Event,
    list.context,
  );
  return {
    functionName,
    events: commandEvents(list, functionName, undefined),
    resources: [resource],
    call: (calls, handle) => calls.zeCommandListAppendEventReset(handle, eventHandle),
  };
}

export function appendQueryKernelTimestamps(
  list: Commands,
  events: readonly Event[],
  destination: Destination,
  options: KernelTimestampOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendQueryKernelTimestamps";
  const commandsEvents = commandEvents(list, functionName, options, ["offsets"]);
  const asked = eventList(functionName, "events", events, list.context);
  const to = destinationRange(functionName, "destination", destination, list.context);
  const { size } = ze_kernel_timestamp_result_t;
  const offsets = options?.offsets;
  if (asked.length === 0 || (offsets && offsets.length !== asked.length)) {
    throw new ArgumentTypeError({
      functionName,
      argument: offsets ? "options.offsets" : "events",
      given: offsets ?? events,
      accepted: "a list with at least one event, and as many offsets if there are offsets",
    }, `a list of ${(offsets ?? events).length}`);
  }
  const last = Math.max(0, to.byteLength - size);
  const places = offsets?.map((offset, index) =>
    checkInteger(
      functionName,
      `options.offsets[${index}]`,
      offset,
      0,
      Math.min(last, Number.MAX_SAFE_INTEGER),
    )
  );
  if (to.byteLength < size * (places ? 1 : asked.length)) {
    throw new ArgumentRangeError({
      functionName,
      argument: "destination",
      given: destination,
      accepted: `memory of ${size} bytes for each event`,
    }, `memory of ${to.byteLength} bytes`);
  }
  const handles = handlesOf(asked);
  const offsetValues = BigUint64Array.from(asked, (_, i) => BigInt(places?.[i] ?? i * size));
  return {
    functionName,
    events: commandsEvents,
    resources: [...resourcesOf(to), ...asked.map(({ resource }) => resource)],
    call: (calls, handle) =>
      calls.zeCommandListAppendQueryKernelTimestamps(
        handle,
        handles.length,
        handles,
        to.address,
        offsetValues,
        commandsEvents.signalHandle,
        commandsEvents.waitFor.length,
        commandsEvents.waitHandles,
      ),
  };
}

export function appendWriteGlobalTimestamp(
  list: Commands,
  destination: Destination,
  options: AppendOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendWriteGlobalTimestamp";
  const events = commandEvents(list, functionName, options);
  const to = destinationRange(functionName, "destination", destination, list.context);
  if (to.byteLength < 8 || to.address % 8n !== 0n) {
    throw new ArgumentRangeError({
      functionName,
      argument: "destination",
      given: destination,
      accepted: "memory of at least 8 bytes, at a multiple of 8",
    }, `${to.byteLength} bytes at ${to.address}n`);
  }
  return {
    functionName,
    events,
    resources: resourcesOf(to),
    call: (calls, handle) =>
      calls.zeCommandListAppendWriteGlobalTimestamp(
        handle,
        to.address,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}
