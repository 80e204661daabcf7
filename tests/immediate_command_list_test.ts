import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  HandleBusyError,
  UseAfterDisposeError,
  ZeError,
} from "../mod.ts";
import { has } from "../src/library.ts";
import { noDevice, noExecution } from "./support/device.ts";
import { bad, sleep } from "./support/fixture.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

test("A kernel is launched on an immediate list, and waited for", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.shared(Uint32Array, 256, { device });
  const kernel = (await bench.kernel("fill")).args(out, 7).setGroupSize(64);
  const list = context.createImmediateCommandList(device);
  assertEquals(await list.appendLaunchKernel(kernel, 4).synchronize(), true);
  assert(out.view.every((value) => value === 7));
});

test("Commands of a list that is in order see what those before them wrote", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.shared(Float32Array, 64, { device });
  const kernel = (await bench.kernel("scale")).args(out, 2, 1, 0n).setGroupSize(64);
  const list = context.createImmediateCommandList(device);
  list.appendMemoryFill(out, 1);
  for (let round = 0; round < 4; round++) list.appendLaunchKernel(kernel, 1);
  await list.synchronize();
  assertEquals([out.view[0], out.view[63]], [31, 31]);
});

test("synchronize() leaves the event loop alone, and ends early by timeout and by signal", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const event = context.createEvent();
  const list = context.createImmediateCommandList(device).appendWaitOnEvents([event]);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  assertEquals(await list.synchronize({ timeout: 100 }), false);
  clearInterval(timer);
  assert(ticks >= 8, `${ticks} ticks in 100 ms`);
  assertEquals(await list.synchronize({ timeout: 0 }), false);
  assertEquals(list.synchronizeSync(1), false);
  await assertRejects(
    () => list.synchronize({ signal: AbortSignal.timeout(30) }),
    DOMException,
  );
  event.signal();
  assertEquals(await list.synchronize(), true);
  assertEquals(list.synchronizeSync(), true);
});

test("What a running command uses is freed after it, however early it is disposed", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const event = context.createEvent();
  const source = context.alloc.host(Uint32Array.of(1, 2, 3, 4));
  const destination = context.alloc.host(Uint32Array, 4);
  const copy = destination.view;
  const list = context.createImmediateCommandList(device);
  list.appendMemoryCopy(destination, source, { waitFor: [event] });
  source.dispose();
  assertThrows(() => source.address, UseAfterDisposeError);
  assertEquals(source.resource.held, true);
  event.signal();
  await list.synchronize();
  assertEquals([...copy], [1, 2, 3, 4]);
  assertEquals(source.resource.held, false);
});

test("Dispose without a wait frees everything when the device is done", {
  skip: noExecution,
}, async () => {
  const bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.device(Uint32Array, 64, { device });
  const kernel = (await bench.kernel("spin")).args(out, 20_000_000n).setGroupSize(1);
  const list = context.createImmediateCommandList(device).appendLaunchKernel(kernel, 1);
  list.dispose();
  out.dispose();
  kernel.dispose();
  await bench[Symbol.asyncDispose]();
  assertEquals([out.resource.held, kernel.resource.held, list.resource.held], [
    false,
    false,
    false,
  ]);
});

test("A synchronous list appends on another thread, in order", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.shared(Uint32Array, 1, { device });
  const kernel = (await bench.kernel("spin")).args(out, 100_000_000n).setGroupSize(1);
  const list = context.createImmediateCommandList(device, { mode: "synchronous" });
  const start = performance.now();
  list.appendLaunchKernel(kernel, 1).appendMemoryFill(out, 5);
  const appended = performance.now() - start;
  assertThrows(() => kernel.args(out, 1n), HandleBusyError);
  assertEquals(await list.synchronize({ timeout: 1 }), false);
  assertEquals(await list.synchronize(), true);
  const whole = performance.now() - start;
  assert(appended < whole / 2, `${appended} ms of ${whole} ms`);
  assertEquals(out.view[0], 5);
  kernel.args(out, 1n);
});

test("What an append of a synchronous list fails with is thrown by synchronize()", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const list = context.createImmediateCommandList(device, { mode: "synchronous" });
  // The address is taken on trust, and the driver says that it is nobody's.
  const memory = context.alloc.host(16);
  list.append({
    functionName: "zeCommandListAppendMemoryCopy",
    resources: [],
    events: { signal: undefined, waitFor: [], signalHandle: 0n, waitHandles: null },
    call: (calls, handle) =>
      calls.zeCommandListAppendMemoryCopy(handle, memory.address, 0n, 16n, 0n, 0, null),
  });
  await assertRejects(() => list.synchronize(), ZeError, "zeCommandListAppendMemoryCopy");
  assertEquals(await list.synchronize(), true);
});

test("A host function is called when the commands before it are over", {
  skip: noExecution ||
    (!has("zeCommandListAppendHostFunction") && "the loader lacks host functions"),
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const seen: number[] = [];
  const out = context.alloc.host(Uint32Array, 4);
  const event = context.createEvent();
  const list = context.createImmediateCommandList(device)
    .appendMemoryFill(out, 3)
    .appendHostFunction(() => seen.push(out.view[3]!))
    .appendSignalEvent(event);
  await list.synchronize();
  for (let round = 0; seen.length === 0 && round < 100; round++) await sleep(5);
  assertEquals(seen, [3]);
});

test("Closed lists are executed by an immediate one", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.host(Uint32Array, 4);
  const recorded = context.createCommandList(device).appendMemoryFill(out, 9).close();
  const list = context.createImmediateCommandList(device);
  await list.appendCommandLists([recorded]).synchronize();
  assertEquals([...out.view], [9, 9, 9, 9]);
});

test("ImmediateCommandList.create() refuses options that make no sense", {
  skip: noDevice,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const create = (options: unknown) => (): unknown =>
    context.createImmediateCommandList(device, bad(options));
  assertThrows(create({ ordinal: 99 }), ArgumentRangeError, "options.ordinal");
  assertThrows(create({ index: 99 }), ArgumentRangeError, "options.index");
  assertThrows(create({ mode: "fast" }), ArgumentTypeError, '"synchronous"');
  assertThrows(create({ priority: "urgent" }), ArgumentTypeError, "options.priority");
  assertThrows(create({ inOrder: 1 }), ArgumentTypeError, "options.inOrder");
  assertThrows(create({ inorder: true }), ArgumentTypeError, "options.inorder");
  assertThrows(
    () => context.createImmediateCommandList(bad({})),
    ArgumentTypeError,
    "device",
  );
});

test("A disposed immediate list refuses commands and waits", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const list = context.createImmediateCommandList(device);
  list.dispose();
  list.dispose();
  assertThrows(() => list.appendBarrier(), UseAfterDisposeError, "ImmediateCommandList");
  await assertRejects(() => list.synchronize(), UseAfterDisposeError);
});
