/**
 * Commands on linear memory.
 *
 * @module
 */

import { checkInteger } from "../checks.ts";
import type { Commands } from "../commands.ts";
import type { Context } from "../context.ts";
import type { Device } from "../device.ts";
import { ArgumentRangeError, ArgumentTypeError } from "../error.ts";
import { ze_memory_advice_t } from "../libze/enums_ze.ts";
import type { Memory } from "../memory.ts";
import { type AddressRange, MemoryRange } from "../memory_range.ts";
import { enumValue, type NameOf } from "../names.ts";
import {
  type AppendOptions,
  type Command,
  commandEvents,
  commandRange,
  type Destination,
  destinationRange,
  type DeviceData,
  resourcesOf,
  sameDriver,
  type Source,
} from "./command.ts";
import { checkKind } from "../checks.ts";

/** What a copy or a fill takes. */
export interface CopyOptions extends AppendOptions {
  /** In bytes, from the beginning. All by default; needed where only addresses are given. */
  readonly byteLength?: number;
}

/** What memory is filled with. */
export type FillPattern = number | bigint | ArrayBufferView;

/** What the driver may be told about memory, such as `"set_read_mostly"`. */
export type MemoryAdvice = NameOf<typeof ze_memory_advice_t, "ZE_MEMORY_ADVICE">;

/**
 * The length that an operation on these has.
 *
 * @throws {ArgumentRangeError} If they differ in length or are shorter than asked for.
 */
function lengthOf(
  functionName: string,
  options: CopyOptions | undefined,
  ranges: Readonly<Record<string, AddressRange>>,
): number {
  const lengths = Object.entries(ranges).map(([argument, { byteLength }]) =>
    [argument, byteLength] as const
  );
  const asked = options?.byteLength;
  const [shortest, least] = lengths.reduce((a, b) => b[1] < a[1] ? b : a);
  if (asked !== undefined) {
    const byteLength = checkInteger(functionName, "options.byteLength", asked, 1);
    if (byteLength <= least) return byteLength;
    throw new ArgumentRangeError({
      functionName,
      argument: "options.byteLength",
      given: asked,
      accepted: `at most ${least}, the bytes of \`${shortest}\``,
    });
  }
  if (least === Infinity) {
    throw new ArgumentTypeError({
      functionName,
      argument: "options.byteLength",
      given: undefined,
      accepted: "given where there are only addresses: a length in bytes",
    });
  }
  for (const [argument, byteLength] of lengths) {
    if (byteLength === least || byteLength === Infinity) continue;
    throw new ArgumentRangeError({
      functionName,
      argument,
      given: byteLength,
      accepted:
        `of ${least} bytes, as \`${shortest}\` is: take subarray(), or give options.byteLength`,
    }, `of ${byteLength} bytes`);
  }
  return least;
}

/** The source of a copy: bytes of the program are copied to memory that the command owns. */
export function sourceRange(
  functionName: string,
  argument: string,
  source: Source,
  context: Context,
): AddressRange & { readonly owned?: readonly Disposable[] } {
  if (!ArrayBuffer.isView(source)) return commandRange(functionName, argument, source, context);
  const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (bytes.length === 0) {
    throw new ArgumentRangeError({
      functionName,
      argument,
      given: source,
      accepted: "a view with at least one byte",
    });
  }
  const staging = context.alloc.host(bytes.length);
  staging.view.set(bytes);
  const { address, byteLength, resource } = staging;
  return { address, byteLength, resource, owned: [staging] };
}

/** Disposes what a command would have owned if its arguments turn out to be wrong. */
export function orFree<T>(source: { readonly owned?: readonly Disposable[] }, work: () => T): T {
  try {
    return work();
  } catch (error) {
    for (const object of source.owned ?? []) object[Symbol.dispose]();
    throw error;
  }
}

export function appendMemoryCopy(
  list: Commands,
  destination: Destination,
  source: Source,
  options: CopyOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendMemoryCopy";
  const events = commandEvents(list, functionName, options, ["byteLength"]);
  const to = destinationRange(functionName, "destination", destination, list.context);
  const from = sourceRange(functionName, "source", source, list.context);
  const byteLength = orFree(
    from,
    () => BigInt(lengthOf(functionName, options, { destination: to, source: from })),
  );
  return {
    functionName,
    events,
    resources: resourcesOf(to, from),
    ...(from.owned ? { owned: from.owned } : {}),
    call: (calls, handle) =>
      calls.zeCommandListAppendMemoryCopy(
        handle,
        to.address,
        from.address,
        byteLength,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}

export function appendMemoryCopyFromContext(
  list: Commands,
  destination: Destination,
  sourceContext: Context,
  source: DeviceData,
  options: CopyOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendMemoryCopyFromContext";
  const events = commandEvents(list, functionName, options, ["byteLength"]);
  const to = destinationRange(functionName, "destination", destination, list.context);
  checkKind(functionName, "sourceContext", sourceContext, "Context");
  if (sourceContext.driver !== list.context.driver) {
    throw new ArgumentTypeError({
      functionName,
      argument: "sourceContext",
      given: sourceContext,
      accepted: "a context of the same driver",
    }, "a context of another driver");
  }
  const sourceHandle = sourceContext.handle;
  const from = commandRange(functionName, "source", source, sourceContext);
  const byteLength = BigInt(lengthOf(functionName, options, { destination: to, source: from }));
  return {
    functionName,
    events,
    resources: [...resourcesOf(to, from), sourceContext.resource],
    call: (calls, handle) =>
      calls.zeCommandListAppendMemoryCopyFromContext(
        handle,
        to.address,
        sourceHandle,
        from.address,
        byteLength,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}

/** The bytes of a pattern; a number is an element of the memory's type. */
function patternBytes(
  functionName: string,
  destination: Destination,
  pattern: FillPattern,
): Uint8Array {
  if (ArrayBuffer.isView(pattern)) {
    return new Uint8Array(pattern.buffer, pattern.byteOffset, pattern.byteLength);
  }
  const problem = { functionName, argument: "pattern", given: pattern };
  if (typeof pattern !== "number" && typeof pattern !== "bigint") {
    throw new ArgumentTypeError({ ...problem, accepted: "a number, a bigint, or a view of bytes" });
  }
  if (typeof destination === "bigint") {
    throw new ArgumentTypeError({
      ...problem,
      accepted: "a view of bytes where the destination is an address, which has no type",
    });
  }
  const { type } = destination instanceof MemoryRange ? destination.memory : destination as Memory;
  const element = new type(new ArrayBuffer(type.BYTES_PER_ELEMENT));
  try {
    element[0] = pattern as never;
  } catch {
    throw new ArgumentTypeError({
      ...problem,
      accepted: `a ${typeof element[0]}, as an element of a ${type.name} is`,
    });
  }
  const isFloat = type.name.startsWith("Float");
  if (!isFloat && element[0] !== pattern) {
    throw new ArgumentRangeError({ ...problem, accepted: `an element of a ${type.name}` });
  }
  return new Uint8Array(element.buffer);
}

export function appendMemoryFill(
  list: Commands,
  destination: Destination,
  pattern: FillPattern,
  options: CopyOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendMemoryFill";
  const events = commandEvents(list, functionName, options, ["byteLength"]);
  const to = destinationRange(functionName, "destination", destination, list.context);
  const bytes = patternBytes(functionName, destination, pattern).slice();
  const { maxMemoryFillPatternSize } = list.queueGroup;
  const size = bytes.length;
  if (size === 0 || (size & (size - 1)) !== 0 || size > maxMemoryFillPatternSize) {
    throw new ArgumentRangeError({
      functionName,
      argument: "pattern",
      given: pattern,
      accepted: `1, 2, 4, … up to ${maxMemoryFillPatternSize} bytes for this queue group`,
    }, `of ${size} bytes`);
  }
  const byteLength = lengthOf(functionName, options, { destination: to });
  if (byteLength % size !== 0) {
    throw new ArgumentRangeError({
      functionName,
      argument: "pattern",
      given: pattern,
      accepted: `a pattern that fits a whole number of times into ${byteLength} bytes`,
    }, `of ${size} bytes`);
  }
  return {
    functionName,
    events,
    resources: resourcesOf(to),
    call: (calls, handle) =>
      calls.zeCommandListAppendMemoryFill(
        handle,
        to.address,
        bytes,
        BigInt(size),
        BigInt(byteLength),
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}

export function appendMemoryPrefetch(
  list: Commands,
  memory: DeviceData,
  options: CopyOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendMemoryPrefetch";
  const { signal, waitFor } = options ?? {};
  if (signal !== undefined || waitFor !== undefined) {
    throw new ArgumentTypeError({
      functionName,
      argument: signal === undefined ? "options.waitFor" : "options.signal",
      given: signal ?? waitFor,
      accepted: "left out: a prefetch has no events",
    });
  }
  const events = commandEvents(list, functionName, options, ["byteLength"]);
  const range = commandRange(functionName, "memory", memory, list.context);
  const byteLength = BigInt(lengthOf(functionName, options, { memory: range }));
  return {
    functionName,
    events,
    resources: resourcesOf(range),
    call: (calls, handle) =>
      calls.zeCommandListAppendMemoryPrefetch(handle, range.address, byteLength),
  };
}

export function appendMemAdvise(
  list: Commands,
  memory: DeviceData,
  advice: MemoryAdvice,
  device: Device = list.device,
): Command {
  const functionName = "zeCommandListAppendMemAdvise";
  const range = commandRange(functionName, "memory", memory, list.context);
  const value = enumValue(ze_memory_advice_t, "ZE_MEMORY_ADVICE", advice, {
    functionName,
    argument: "advice",
  });
  const { handle: deviceHandle } = sameDriver(functionName, "device", device, list);
  const byteLength = BigInt(lengthOf(functionName, undefined, { memory: range }));
  return {
    functionName,
    events: commandEvents(list, functionName, undefined),
    resources: resourcesOf(range),
    call: (calls, handle) =>
      calls.zeCommandListAppendMemAdvise(handle, deviceHandle, range.address, byteLength, value),
  };
}
