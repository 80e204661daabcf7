import { assert, assertEquals, assertThrows } from "@std/assert";
import { ArgumentRangeError, ArgumentTypeError } from "../mod.ts";
import { noDevice, noExecution } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

test("Commands that may overlap are ordered by events and barriers", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.host(Uint32Array, 1);
  const [first, second] = [context.createEvent(), context.createEvent()];
  const list = context.createImmediateCommandList(device, { inOrder: false })
    .appendMemoryFill(memory, 1, { signal: first })
    .appendMemoryFill(memory, 2, { waitFor: [first], signal: second })
    .appendBarrier({ waitFor: [second] })
    .appendMemoryFill(memory, 3);
  assertEquals(await list.synchronize(), true);
  assertEquals([memory.view[0], first.signalled, second.signalled], [3, true, true]);
});

test("The device signals, waits for and resets events", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const [go, done] = [context.createEvent(), context.createEvent()];
  context.createImmediateCommandList(device)
    .appendWaitOnEvents([go]).appendEventReset(go).appendSignalEvent(done);
  assertEquals(await done.wait({ timeout: 20 }), false);
  go.signal();
  assertEquals(await done.wait(), true);
  assertEquals(go.signalled, false);
});

test("An event of a list that is in order tells that what came before is over", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const done = context.createEvent();
  const memory = context.alloc.host(64);
  context.createImmediateCommandList(device)
    .appendMemoryFill(memory, 1).appendBarrier({ signal: done });
  await done.wait();
  assertEquals(memory.resource.held, false);
});

test("What was written to ranges of memory is seen after a barrier for them", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.host(Uint32Array, 4);
  const list = context.createImmediateCommandList(device, { inOrder: false })
    .appendMemoryFill(memory, 1)
    .appendMemoryRangesBarrier([memory])
    .appendMemoryFill(memory.subarray(0, 1), 2);
  await list.synchronize();
  assertEquals([...memory.view], [2, 1, 1, 1]);
});

test("The device writes its time", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const times = context.alloc.host(BigUint64Array, 2);
  await context.createImmediateCommandList(device)
    .appendWriteGlobalTimestamp(times.subarray(0, 1))
    .appendWriteGlobalTimestamp(times.subarray(1))
    .synchronize();
  assert(times.view[0]! > 0n && times.view[1]! >= times.view[0]!, String(times.view));
});

test("Kernel timestamps are written to memory", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const event = context.createEvent({ timestamps: true });
  const out = context.alloc.shared(Uint32Array, 1, { device });
  const kernel = (await bench.kernel("spin")).args(out, 1_000_000n).setGroupSize(1);
  const results = context.alloc.host(BigUint64Array, 8);
  await context.createImmediateCommandList(device)
    .appendLaunchKernel(kernel, 1, { signal: event })
    .appendQueryKernelTimestamps([event, event], results)
    .synchronize();
  const [start, end] = results.view;
  assert(end! > start!, `${start} to ${end}`);
  assertEquals(results.view[4], start);
});

test("Synchronization refuses what it can't work with", { skip: noDevice }, async () => {
  await using bench = new Bench();
  await using stranger = new Bench();
  const { context, device } = bench;
  const list = context.createImmediateCommandList(device);
  const event = context.createEvent();
  const memory = context.alloc.host(16);
  const foreign = stranger.context.createEvent();
  assertThrows(() => list.appendWaitOnEvents([]), ArgumentTypeError, "events");
  assertThrows(() => list.appendWaitOnEvents([bad(1n)]), ArgumentTypeError, "events[0]");
  assertThrows(() => list.appendSignalEvent(foreign), ArgumentTypeError, "another context");
  assertThrows(() => list.appendEventReset(bad(null)), ArgumentTypeError, "event");
  assertThrows(() => list.appendBarrier({ signal: foreign }), ArgumentTypeError, "options.signal");
  assertThrows(() => list.appendBarrier(bad([event])), ArgumentTypeError, "options");
  assertThrows(() => list.appendMemoryRangesBarrier([]), ArgumentTypeError, "ranges");
  assertThrows(
    () => list.appendMemoryRangesBarrier([memory.address]),
    ArgumentTypeError,
    "which has a length",
  );
  assertThrows(
    () => list.appendWriteGlobalTimestamp(memory.subarray(1)),
    ArgumentRangeError,
    "multiple of 8",
  );
  assertThrows(
    () => list.appendQueryKernelTimestamps([event], memory),
    ArgumentRangeError,
    "destination",
  );
  assertThrows(
    () => list.appendQueryKernelTimestamps([event], memory, { offsets: [] }),
    ArgumentTypeError,
    "offsets",
  );
});
