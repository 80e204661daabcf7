/**
 * When commands began and ended.
 *
 * @module
 */

import { checkDevice, type Device } from "./device.ts";
import type { GlobalTimestamps } from "./device_properties.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "./error.ts";
import { needHost } from "./event_options.ts";
import type { EventTimestamps } from "./event_slots.ts";
import { supportsFunction } from "./features.ts";
import { anchor } from "./ffi/mod.ts";
import {
  ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME,
  ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME,
} from "./libze/constants.ts";
import { ze_result_t } from "./libze/enums_ze.ts";
import {
  zeEventQueryKernelTimestamp,
  zeEventQueryKernelTimestampsExt,
  zeEventQueryTimestampsExp,
} from "./libze/functions_ze.ts";
import {
  ze_event_query_kernel_timestamps_results_ext_properties_t,
  ze_kernel_timestamp_result_t,
  ze_synchronized_timestamp_result_ext_t,
} from "./libze/structs_ze.ts";

/** When something began and ended, in nanoseconds. */
export interface TimeSpan {
  /** By the clock's own zero: for a device, some time before it was last full. */
  readonly start: bigint;
  /** Not before `start`, also where the clock began again in between. */
  readonly end: bigint;
  /** From start to end. */
  readonly duration: number;
}

/** When a command ran. */
export interface KernelTimestamp {
  /** By a clock that goes on always: also while something else ran in between. */
  readonly global: TimeSpan;
  /** By a clock that only goes on while the command's own context runs. */
  readonly context: TimeSpan;
}

/** How a device counts time. */
export interface DeviceClock {
  /** Ticks in a second. */
  readonly frequency: bigint;
  /** How many bits are counted with: after the largest number comes 0. */
  readonly validBits: number;
}

/** Times in ticks, as the driver gives them. */
interface Ticks {
  readonly kernelStart: bigint;
  readonly kernelEnd: bigint;
}

interface TicksResult {
  readonly global: Ticks;
  readonly context: Ticks;
}

const NANOSECONDS = 1_000_000_000n;

/** A time span from ticks. If the clock began again in between, the end is after that. */
export function timeSpan(start: bigint, end: bigint, clock: DeviceClock): TimeSpan {
  const first = BigInt.asUintN(clock.validBits, start);
  let last = BigInt.asUintN(clock.validBits, end);
  if (last < first) last += 1n << BigInt(clock.validBits);
  return {
    start: first * NANOSECONDS / clock.frequency,
    end: last * NANOSECONDS / clock.frequency,
    duration: Number((last - first) * NANOSECONDS) / Number(clock.frequency),
  };
}

/**
 * The host's time of a time in ticks, given what both clocks said at another
 * time: less than half of the device clock's range before or after it.
 */
export function hostTime(ticks: bigint, both: GlobalTimestamps, clock: DeviceClock): bigint {
  const difference = BigInt.asIntN(clock.validBits, ticks - both.device);
  return both.host + difference * NANOSECONDS / clock.frequency;
}

const clocks = new WeakMap<Device, DeviceClock>();

/** The clock that a device's kernel timestamps are of. */
function kernelClock(device: Device): DeviceClock {
  let clock = clocks.get(device);
  if (!clock) {
    const { timerResolution, kernelTimestampValidBits } = device.properties;
    if (timerResolution === 0n) {
      throw new UnsupportedFeatureError(
        "zeEventQueryKernelTimestamp",
        "a device with a timerResolution",
        "Its driver says 0.",
      );
    }
    // A driver that says 0 tells nothing: its numbers have 64 bits.
    clock = { frequency: timerResolution, validBits: kernelTimestampValidBits || 64 };
    clocks.set(device, clock);
  }
  return clock;
}

/** What tells whether an event records times. */
interface Recorded {
  readonly hostVisible: boolean;
  readonly timestamps: EventTimestamps;
  readonly devices: readonly Device[];
}

/**
 * The device whose clock an event's times are of: the one that is given, or the only one.
 *
 * @throws {ArgumentTypeError} If there are others, or the one given is none of the event's.
 * @throws {UnsupportedFeatureError} If the event records no times.
 */
export function recorder(
  functionName: string,
  event: Recorded,
  device: Device | undefined,
): Device {
  needHost(functionName, event);
  if (event.timestamps === false) {
    throw new UnsupportedFeatureError(
      functionName,
      "an event that records times",
      "Make it with `timestamps: true`.",
    );
  }
  if (device !== undefined) return checkDevice(functionName, "device", device, event);
  const [only, ...others] = event.devices;
  if (only && others.length === 0) return only;
  throw new ArgumentTypeError({
    functionName,
    argument: "device",
    given: device,
    accepted: `one of the event's ${event.devices.length} devices`,
  });
}

const { ZE_RESULT_SUCCESS } = ze_result_t;

/** Of the whole command; undefined if the event is not signalled. */
export function kernelTimestamp(event: bigint, device: Device): KernelTimestamp | undefined {
  const clock = kernelClock(device);
  const view = ze_kernel_timestamp_result_t.create();
  if (zeEventQueryKernelTimestamp(event, view) !== ZE_RESULT_SUCCESS) return undefined;
  return inNanoseconds(ze_kernel_timestamp_result_t.read(view), clock);
}

function inNanoseconds({ global, context }: TicksResult, clock: DeviceClock): KernelTimestamp {
  return {
    global: timeSpan(global.kernelStart, global.kernelEnd, clock),
    context: timeSpan(context.kernelStart, context.kernelEnd, clock),
  };
}

/** Of the parts in which the device ran it; undefined if the event is not signalled. */
export function kernelTimestamps(
  event: bigint,
  device: Device,
): readonly KernelTimestamp[] | undefined {
  const clock = kernelClock(device);
  return tickResults(event, device)?.map((result) => inNanoseconds(result, clock));
}

/** The same by the host's clock. */
export function hostTimestamps(
  event: bigint,
  device: Device,
  synchronized: boolean,
): readonly KernelTimestamp[] | undefined {
  if (synchronized && hasExtension(device)) {
    const results = synchronizedResults(event, device);
    // They are in nanoseconds already.
    return results?.map((result) => inNanoseconds(result, NANOSECOND_CLOCK));
  }
  const clock = kernelClock(device);
  const results = tickResults(event, device);
  // Read after the command: what the device's clock said then is not before it.
  const both = device.globalTimestamps;
  const span = ({ kernelStart, kernelEnd }: Ticks): TimeSpan => {
    const { duration } = timeSpan(kernelStart, kernelEnd, clock);
    const start = hostTime(kernelStart, both, clock);
    return { start, end: start + BigInt(Math.round(duration)), duration };
  };
  return results?.map(({ global, context }) => ({ global: span(global), context: span(context) }));
}

const NANOSECOND_CLOCK: DeviceClock = { frequency: NANOSECONDS, validBits: 64 };

function hasExtension({ driver }: Device): boolean {
  const name = ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME;
  return supportsFunction(driver, "zeEventQueryKernelTimestampsExt", name);
}

/** By whichever function there is; from the oldest only one result comes. */
function tickResults(event: bigint, device: Device): readonly TicksResult[] | undefined {
  const experimental = ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME;
  const count = new Uint32Array(1);
  if (supportsFunction(device.driver, "zeEventQueryTimestampsExp", experimental)) {
    const asked = zeEventQueryTimestampsExp(event, device.handle, count, null);
    if (asked !== ZE_RESULT_SUCCESS) return undefined;
    const results = ze_kernel_timestamp_result_t.array(count[0]!);
    const result = zeEventQueryTimestampsExp(event, device.handle, count, results);
    return result === ZE_RESULT_SUCCESS
      ? ze_kernel_timestamp_result_t.readAll(results, count[0]!)
      : undefined;
  }
  if (hasExtension(device)) {
    const length = packets(event, device);
    const results = ze_kernel_timestamp_result_t.array(length);
    const done = queryExtension(event, device, length, { pKernelTimestampsBuffer: results });
    return done ? ze_kernel_timestamp_result_t.readAll(results, length) : undefined;
  }
  const view = ze_kernel_timestamp_result_t.create();
  if (zeEventQueryKernelTimestamp(event, view) !== ZE_RESULT_SUCCESS) return undefined;
  return [ze_kernel_timestamp_result_t.read(view)];
}

function synchronizedResults(event: bigint, device: Device): readonly TicksResult[] | undefined {
  const length = packets(event, device);
  const results = ze_synchronized_timestamp_result_ext_t.array(length);
  // Drivers may want both.
  const done = queryExtension(event, device, length, {
    pKernelTimestampsBuffer: ze_kernel_timestamp_result_t.array(length),
    pSynchronizedTimestampsBuffer: results,
  });
  return done ? ze_synchronized_timestamp_result_ext_t.readAll(results, length) : undefined;
}

function packets(event: bigint, device: Device): number {
  const count = new Uint32Array(1);
  zeEventQueryKernelTimestampsExt(event, device.handle, count, null);
  return count[0]!;
}

function queryExtension(
  event: bigint,
  device: Device,
  length: number,
  buffers: { readonly [name in `p${string}Buffer`]?: Uint8Array },
): boolean {
  if (length === 0) return true;
  const codec = ze_event_query_kernel_timestamps_results_ext_properties_t;
  // One struct tells where all results go, but the header says that there are as many as results.
  const structs = codec.array(length);
  const described = codec.create(buffers);
  structs.set(described);
  anchor(structs, described);
  const count = new Uint32Array([length]);
  const result = zeEventQueryKernelTimestampsExt(event, device.handle, count, structs);
  return result === ZE_RESULT_SUCCESS;
}
