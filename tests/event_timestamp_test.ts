import {
  assert,
  assertEquals,
  assertExists,
  assertGreater,
  assertGreaterOrEqual,
  assertLess,
  assertLessOrEqual,
  assertThrows,
} from "@std/assert";
import { ArgumentTypeError, type Device, UnsupportedFeatureError } from "../mod.ts";
import type { Event } from "../src/event.ts";
import { hostTime, timeSpan } from "../src/event_timestamp.ts";
import { noDevice, noExecution, testDevice } from "./support/device.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

/** 32 bits at 12 MHz, as some GPUs count: they begin again after six minutes. */
const CLOCK = { frequency: 12_000_000n, validBits: 32 };

test("timeSpan() is in nanoseconds", () => {
  assertEquals(timeSpan(12n, 36n, CLOCK), { start: 1000n, end: 3000n, duration: 2000 });
  assertEquals(timeSpan(0n, 0n, CLOCK), { start: 0n, end: 0n, duration: 0 });
  // The ticks of a duration are converted, not the difference of two times that were rounded.
  assertEquals(timeSpan(1n, 2n, CLOCK).duration, 1e9 / 12e6);
});

test("timeSpan() of a clock that began again in between", () => {
  const { start, end, duration } = timeSpan(2n ** 32n - 12n, 24n, CLOCK);
  assertEquals(duration, 3000);
  assertEquals(end - start, 3000n);
});

test("timeSpan() only looks at the bits that are valid", () => {
  const dirt = 0xabcdn << 32n;
  assertEquals(timeSpan(dirt + 12n, 36n, CLOCK), timeSpan(12n, 36n, CLOCK));
});

test("timeSpan() of a clock with 64 bits", () => {
  const clock = { frequency: 10n ** 9n, validBits: 64 };
  const start = 2n ** 63n + 1n;
  assertEquals(timeSpan(start, start + 5n, clock), { start, end: start + 5n, duration: 5 });
  assertEquals(timeSpan(2n ** 64n - 1n, 4n, clock).duration, 5);
});

test("hostTime() goes back from a time that both clocks tell", () => {
  const both = { host: 1_000_000n, device: 1200n };
  assertEquals(hostTime(1200n, both, CLOCK), 1_000_000n);
  assertEquals(hostTime(1188n, both, CLOCK), 999_000n);
  assertEquals(hostTime(1212n, both, CLOCK), 1_001_000n);
});

test("hostTime() when the device's clock began again, or has more bits by itself", () => {
  const both = { host: 1_000_000n, device: (5n << 32n) + 12n };
  assertEquals(hostTime(2n ** 32n - 12n, both, CLOCK), 998_000n);
});

/** Runs a kernel that takes some time, and gives the event that it signals. */
async function timed(bench: Bench, timestamps: true | "host"): Promise<Event> {
  const { context, device } = bench;
  const event = context.createEvent({ timestamps });
  const list = context.createImmediateCommandList(device);
  const kernel = await bench.kernel("spin");
  const memory = context.alloc.shared(Uint32Array, 1);
  kernel.args(memory, 2_000_000).setGroupSize(1);
  list.appendLaunchKernel(kernel, 1, { signal: event });
  return event;
}

test("Event.kernelTimestamp() tells how long a kernel ran", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const start = performance.now();
  const event = await timed(bench, true);
  await event.wait();
  const most = (performance.now() - start) * 1e6;
  const { global, context } = event.kernelTimestamp()!;
  assertGreater(global.duration, 0);
  assertLess(global.duration, most);
  assertEquals(global.duration, Number(global.end - global.start));
  assertGreater(context.duration, 0);
  assertEquals(event.kernelTimestamps(), [{ global, context }]);
});

test("Event.hostTimestamps() are between what the host's clock said before and after", {
  skip: noExecution,
}, async () => {
  for (const timestamps of [true, "host"] as const) {
    await using bench = new Bench();
    const before = bench.device.globalTimestamps.host;
    const event = await timed(bench, timestamps);
    await event.wait();
    const after = bench.device.globalTimestamps.host;
    const { global } = event.hostTimestamps()![0]!;
    assertLessOrEqual(before, global.start);
    assertGreaterOrEqual(global.end, global.start);
    assertLessOrEqual(global.end, after);
  }
});

test("Event.kernelTimestamp() is undefined until the event is signalled", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  using event = bench.context.createEvent({ timestamps: "host" });
  assertEquals(event.timestamps, "host");
  assertEquals(event.kernelTimestamp(), undefined);
  assertEquals(event.kernelTimestamps(), undefined);
  assertEquals(event.hostTimestamps(), undefined);
});

test("Event.kernelTimestamp() reads what the driver has", { skip: noDevice }, async () => {
  await using bench = new Bench();
  for (const timestamps of [true, "host"] as const) {
    using event = bench.context.createEvent({ timestamps });
    event.signal();
    assertExists(event.kernelTimestamp(bench.device));
    assert(Array.isArray(event.kernelTimestamps()));
    assert(Array.isArray(event.hostTimestamps()));
  }
});

test("Event.kernelTimestamp() refuses events without, and other devices", {
  skip: noDevice,
}, async () => {
  await using bench = new Bench();
  using plain = bench.context.createEvent();
  for (const call of ["kernelTimestamp", "kernelTimestamps", "hostTimestamps"] as const) {
    assertThrows(() => plain[call](), UnsupportedFeatureError, "timestamps: true");
    using event = bench.context.createEvent({ timestamps: true, devices: [testDevice()] });
    assertThrows(() => event[call]({ handle: 1n } as Device), ArgumentTypeError, "`device`");
  }
});
