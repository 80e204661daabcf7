/**
 * Commands that call back into the program, from the driver's threads.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { ArgumentTypeError, DeadlockError } from "../mod.ts";
import { has } from "../src/library.ts";
import { projectFile, runScript } from "./support/child.ts";
import { noExecution } from "./support/device.ts";
import { bad, sleep } from "./support/fixture.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

const skip = noExecution ||
  (!has("zeCommandListAppendHostFunction") && "the loader lacks host functions");

test("A host function runs after the commands before it, and before those after it", {
  skip,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.host(Uint32Array, 1);
  const result = context.alloc.host(Uint32Array, 1);
  const seen: number[] = [];
  for (const inOrder of [true, false]) {
    await context.createImmediateCommandList(device, { inOrder })
      .appendMemoryFill(memory, 1)
      .appendBarrier()
      .appendHostFunction(() => {
        seen.push(memory.view[0]!);
        memory.view[0] = 5;
      })
      .appendMemoryCopy(result, memory)
      .synchronize();
    assertEquals(result.view[0], 5);
    result.view[0] = 0;
  }
  assertEquals(seen, [1, 1]);
});

test("The device waits for what a host function awaits", { skip }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.host(Uint32Array.of(0));
  const result = context.alloc.host(Uint32Array.of(0));
  await context.createImmediateCommandList(device)
    .appendHostFunction(async () => {
      await sleep(30);
      memory.view[0] = 7;
    })
    .appendMemoryCopy(result, memory)
    .synchronize();
  assertEquals([...result.view], [7]);
});

test("A host function waits for events and signals one when it has returned", {
  skip,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const [begin, done] = [context.createEvent(), context.createEvent()];
  let ran = 0;
  context.createImmediateCommandList(device)
    .appendHostFunction(() => ran++, { waitFor: [begin], signal: done });
  assertEquals(await done.wait({ timeout: 30 }), false);
  assertEquals(ran, 0);
  begin.signal();
  await done.wait();
  assertEquals(ran, 1);
});

test("A host function of a recorded list runs at each execution", { skip }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.host(Uint32Array.of(0));
  const copy = context.alloc.host(Uint32Array.of(0));
  const done = context.createEvent();
  const list = context.createCommandList(device)
    .appendHostFunction(() => memory.view[0]!++, { signal: done })
    .appendMemoryCopy(copy, memory)
    .close();
  const queue = context.createCommandQueue(device);
  for (let round = 1; round <= 3; round++) {
    await queue.execute(list).synchronize();
    assertEquals([copy.view[0], done.signalled], [round, true]);
    done.reset();
  }
});

test("A host function may use the package: the driver is not waiting for it", {
  skip,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const event = context.createEvent();
  const memory = context.alloc.host(Uint32Array.of(0));
  const list = context.createImmediateCommandList(device);
  await list.appendHostFunction(async () => {
    event.signal();
    const other = context.createImmediateCommandList(device);
    await other.appendMemoryFill(memory, 3).synchronize();
  }).appendWaitOnEvents([event]).synchronize();
  assertEquals([...memory.view], [3]);
});

test("A wait that would stop the thread of a pending host function is refused", {
  skip,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const [begin, done, unrelated] = [1, 2, 3].map(() => context.createEvent());
  const queue = context.createCommandQueue(device);
  const fence = queue.createFence();
  const list = context.createImmediateCommandList(device);
  let ran = 0;
  const waits = {
    "Event.waitSync": () => done!.waitSync(),
    "Fence.waitSync": () => fence.waitSync(),
    "CommandQueue.synchronizeSync": () => queue.synchronizeSync(1000),
    "ImmediateCommandList.synchronizeSync": () => list.synchronizeSync(),
  };
  const refused = (): void => {
    for (const [name, wait] of Object.entries(waits)) {
      const error = assertThrows(wait, DeadlockError, "host function");
      assertEquals(error.functionName, name);
    }
  };
  list.appendHostFunction(() => {
    ran++;
    refused();
  }, { waitFor: [begin!], signal: done! });
  refused();
  // To ask does not stop the thread, and other contexts' work does not depend on this one's.
  assertEquals(done!.waitSync(0), false);
  await using other = new Bench();
  assertEquals(other.context.createEvent().waitSync(1), false);
  begin!.signal();
  assertEquals(await list.synchronize(), true);
  assertEquals([ran, done!.waitSync(), list.synchronizeSync()], [1, true, true]);

  const recorded = context.createCommandList(device)
    .appendHostFunction(() => ran++).appendWaitOnEvents([unrelated!]).close();
  // What is only recorded does not run.
  assertEquals(list.synchronizeSync(), true);
  queue.execute(recorded, { fence });
  refused();
  unrelated!.signal();
  await fence.wait();
  assertEquals([ran, fence.waitSync(), queue.synchronizeSync()], [2, true, true]);
});

test("Hundreds of host functions run in order, and the event loop goes on", {
  skip,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const list = context.createImmediateCommandList(device);
  const seen: number[] = [];
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  for (let i = 0; i < 300; i++) list.appendHostFunction(() => seen.push(i));
  await list.synchronize();
  clearInterval(timer);
  assertEquals(seen, Array.from({ length: 300 }, (_, i) => i));
  assert(ticks > 10, `${ticks} ticks`);
});

test("A context can be disposed while a host function is pending", { skip }, async () => {
  let ran = 0;
  const bench = new Bench();
  const begin = bench.context.createEvent();
  bench.context.createImmediateCommandList(bench.device)
    .appendHostFunction(() => ran++, { waitFor: [begin] });
  begin.signal();
  await bench[Symbol.asyncDispose]();
  assertEquals(ran, 1);
});

test("What a host function throws is an uncaught error", { skip }, async () => {
  const { code, stdout, stderr } = await runScript(`
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    const device = drivers()[0].devices[0];
    const context = device.driver.createContext();
    const list = context.createImmediateCommandList(device);
    list.appendHostFunction(() => { throw new Error("out of the host function"); });
    await list.synchronize();
    await new Promise((resolve) => setTimeout(resolve, 100));
  `);
  assertEquals(code, 1, stdout + stderr);
  assert(stderr.includes("out of the host function"), stderr);
});

test("appendHostFunction() refuses what is no function", { skip }, async () => {
  await using bench = new Bench();
  const list = bench.context.createImmediateCommandList(bench.device);
  assertThrows(() => list.appendHostFunction(bad("f")), ArgumentTypeError, "callback");
});
