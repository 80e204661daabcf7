/**
 * What is known of the device's work when an event is signalled: what the work used is freed then,
 * with no other wait.
 */
import { assertEquals, assertThrows } from "@std/assert";
import { type Context, HandleBusyError, type Memory } from "../mod.ts";
import { noExecution, testDevice } from "./support/device.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

const skip = noExecution;

/** Disposes memory, and tells whether the driver still has it. */
function disposed(context: Context, memory: Memory): () => boolean {
  const { address } = memory;
  memory.dispose();
  return () => context.memoryProperties(address).type === "unknown";
}

test("An event of an immediate list's command frees what the command used", { skip }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const [go, done] = [context.createEvent(), context.createEvent()];
  const memory = context.alloc.host(64);
  context.createImmediateCommandList(device)
    .appendBarrier({ waitFor: [go] })
    .appendMemoryFill(memory, 1, { signal: done });
  const isFreed = disposed(context, memory);
  assertEquals(isFreed(), false);
  go.signal();
  await done.wait();
  assertEquals(isFreed(), true);
});

test("An event of a recorded list frees what the list used when it was executed", {
  skip,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const [go, done] = [context.createEvent(), context.createEvent()];
  const memory = context.alloc.host(64);
  const list = context.createCommandList(device)
    .appendMemoryFill(memory, 1, { waitFor: [go], signal: done })
    .close();
  const queue = context.createCommandQueue(device).execute(list);
  go.signal();
  await done.wait();
  await queue.synchronize();
  list.reset();
  assertEquals(disposed(context, memory)(), true);
});

test("An event that is signalled by the program tells nothing of the device", {
  skip,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const [go, done] = [context.createEvent(), context.createEvent()];
  const memory = context.alloc.host(64);
  const list = context.createImmediateCommandList(device)
    .appendBarrier({ waitFor: [go] })
    .appendMemoryFill(memory, 1, { signal: done });
  const isFreed = disposed(context, memory);
  done.signal();
  await done.wait();
  assertEquals(isFreed(), false);
  go.signal();
  await list.synchronize();
  assertEquals(isFreed(), true);
});

test("An event is not reset before the work is over that signals it", { skip }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const [go, done] = [context.createEvent(), context.createEvent()];
  const list = context.createCommandList(device)
    .appendBarrier({ waitFor: [go], signal: done })
    .close();
  const queue = context.createCommandQueue(device);
  for (let round = 0; round < 3; round++) {
    queue.execute(list);
    for (const event of [go, done]) {
      assertThrows(() => event.reset(), HandleBusyError, "zeEventHostReset");
    }
    go.signal();
    await done.wait();
    await queue.synchronize();
    go.reset();
    done.reset();
    assertEquals([go.signalled, done.signalled], [false, false]);
  }
});

test("Of two commands that signal an event, the first frees only what it used", {
  skip,
}, async () => {
  await using bench = new Bench();
  const { context } = bench;
  const device = testDevice();
  const [go, done] = [context.createEvent(), context.createEvent()];
  const [first, second] = [context.alloc.host(64), context.alloc.host(64)];
  const list = context.createImmediateCommandList(device)
    .appendMemoryFill(first, 1, { signal: done })
    .appendBarrier({ waitFor: [go] })
    .appendMemoryFill(second, 1, { signal: done });
  const isSecondFreed = disposed(context, second);
  await done.wait();
  assertEquals(isSecondFreed(), false);
  go.signal();
  await list.synchronize();
  assertEquals([isSecondFreed(), disposed(context, first)()], [true, true]);
});
