import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  CommandListStateError,
  HandleBusyError,
  UseAfterDisposeError,
} from "../mod.ts";
import { noDevice, noExecution } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

test("A queue executes a closed list, as often as it is told", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const data = context.alloc.shared(Float32Array, 64, { device });
  const kernel = (await bench.kernel("scale")).args(data, 3, 0, 0n).setGroupSize(64);
  const list = context.createCommandList(device).appendLaunchKernel(kernel, 1).close();
  const queue = context.createCommandQueue(device);
  data.view.fill(1);
  queue.execute(list).execute([list, list]);
  assertEquals(await queue.synchronize(), true);
  assertEquals(data.view[63], 27);
});

test("A list is reset and recorded anew", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.host(Uint32Array, 4);
  const queue = context.createCommandQueue(device);
  const list = context.createCommandList(device).appendMemoryFill(out, 1).close();
  await queue.execute(list).synchronize();
  assertEquals(out.view[3], 1);
  list.reset().appendMemoryFill(out, 2).close();
  await queue.execute(list).synchronize();
  assertEquals(out.view[3], 2);
});

test("A list can't be reset while the queue executes it", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const event = context.createEvent();
  const list = context.createCommandList(device).appendWaitOnEvents([event]).close();
  const queue = context.createCommandQueue(device).execute(list);
  assertThrows(() => list.reset(), HandleBusyError, "is being executed");
  event.signal();
  await queue.synchronize();
  list.reset();
});

test("A list that is not closed, or closed, refuses what it can't do", {
  skip: noDevice,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const list = context.createCommandList(device);
  const queue = context.createCommandQueue(device);
  assertEquals(list.closed, false);
  assertThrows(() => queue.execute(list), CommandListStateError, "not closed");
  list.close().close();
  assertEquals(list.closed, true);
  assertThrows(() => list.appendBarrier(), CommandListStateError, "is closed");
});

test("A list that uses what was disposed is not executed", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.host(64);
  const list = context.createCommandList(device).appendMemoryFill(memory, 1).close();
  const queue = context.createCommandQueue(device);
  memory.dispose();
  assertThrows(() => queue.execute(list), UseAfterDisposeError, "Memory that the command list");
  list.dispose();
  assertThrows(() => queue.execute(list), UseAfterDisposeError);
});

test("A list is freed by its context though a queue executes it", {
  skip: noExecution,
}, async () => {
  const bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.shared(Uint32Array, 1, { device });
  const kernel = (await bench.kernel("spin")).args(out, 20_000_000n).setGroupSize(1);
  const list = context.createCommandList(device).appendLaunchKernel(kernel, 1).close();
  context.createCommandQueue(device).execute(list);
  await bench[Symbol.asyncDispose]();
  assertEquals([list.resource.held, out.resource.held], [false, false]);
});

test("A synchronous queue executes on another thread", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const event = context.createEvent();
  const list = context.createCommandList(device).appendWaitOnEvents([event]).close();
  const queue = context.createCommandQueue(device, { mode: "synchronous" });
  queue.execute(list);
  assertEquals(await queue.synchronize({ timeout: 20 }), false);
  assertEquals(queue.synchronizeSync(1), false);
  event.signal();
  assertEquals(await queue.synchronize(), true);
});

test("A fence tells when an execution is over", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const event = context.createEvent();
  const list = context.createCommandList(device).appendWaitOnEvents([event]).close();
  const queue = context.createCommandQueue(device);
  const fence = queue.createFence();
  queue.execute(list, { fence });
  assertEquals(fence.signalled, false);
  assertEquals(await fence.wait({ timeout: 20 }), false);
  assertEquals(fence.waitSync(1), false);
  assertThrows(() => fence.reset(), HandleBusyError);
  await assertRejects(() => fence.wait({ signal: AbortSignal.timeout(20) }), DOMException);
  event.signal();
  assertEquals(await fence.wait(), true);
  assertEquals([fence.signalled, fence.waitSync(0)], [true, true]);
  list.reset();
  fence.reset();
  assertEquals(fence.signalled, false);
});

test("A fence is signalled from the start if asked for", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const queue = bench.context.createCommandQueue(bench.device);
  using fence = queue.createFence({ signalled: true });
  assertEquals(fence.signalled, true);
  fence.dispose();
  assertThrows(() => fence.signalled, UseAfterDisposeError);
  await assertRejects(() => fence.wait(), UseAfterDisposeError);
});

test("Queues and fences refuse what is not theirs", { skip: noDevice }, async () => {
  await using bench = new Bench();
  await using stranger = new Bench();
  const { context, device } = bench;
  const queue = context.createCommandQueue(device);
  const list = context.createCommandList(device).close();
  const foreign = stranger.context.createCommandList(stranger.device).close();
  const fence = context.createCommandQueue(device).createFence();
  assertThrows(() => queue.execute(foreign), ArgumentTypeError, "of another context");
  assertThrows(() => queue.execute([]), ArgumentTypeError, "lists");
  assertThrows(() => queue.execute(bad(1n)), ArgumentTypeError, "lists[0]");
  assertThrows(() => queue.execute(list, { fence }), ArgumentTypeError, "options.fence");
  assertThrows(() => queue.createFence(bad({ signaled: true })), ArgumentTypeError, "signaled");
  const create = (options: unknown) => (): unknown =>
    context.createCommandQueue(device, bad(options));
  assertThrows(create({ ordinal: -1 }), ArgumentRangeError, "options.ordinal");
  assertThrows(create({ explicitOnly: "yes" }), ArgumentTypeError, "options.explicitOnly");
  assertThrows(
    () => context.createCommandList(device, bad({ flags: ["fast"] })),
    ArgumentTypeError,
    "options.flags",
  );
});

test("A list of another queue group is not executed", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const copying = device.commandQueueGroupProperties.find(({ flags }) =>
    !flags.includes("compute")
  );
  if (!copying) return;
  const { ordinal } = copying;
  const list = context.createCommandList(device, { ordinal }).close();
  const queue = context.createCommandQueue(device);
  assertThrows(() => queue.execute(list), ArgumentTypeError, "queue group");
});
