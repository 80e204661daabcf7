/**
 * The same library in several threads of the program.
 */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { projectFile, runScript } from "./support/child.ts";
import { noExecution } from "./support/device.ts";
import { test } from "./support/testing.ts";

const LIBRARY = JSON.stringify(projectFile("mod.ts"));

/** Starts a Worker from source text; `ask` gets its next message. */
const PRELUDE = `
  import { writeFileSync } from "node:fs";
  const sleep = (duration) => new Promise((resolve) => setTimeout(resolve, duration));
  let count = 0;
  const start = (source) => {
    const file = new URL("worker-" + count++ + ".ts", import.meta.url);
    writeFileSync(file, "import { drivers } from " + ${JSON.stringify(LIBRARY)} + ";" + source);
    const worker = new Worker(file, { type: "module" });
    worker.failed = new Promise((_, reject) => {
      worker.onerror = (event) => reject(new Error(event.message));
    });
    worker.failed.catch(() => {});
    const message = new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
    worker.next = Promise.race([message, worker.failed]);
    return worker;
  };
`;

async function run(source: string): Promise<unknown> {
  const { code, signal, stdout, stderr } = await runScript(PRELUDE + source, { timeout: 60_000 });
  assertEquals([code, signal], [0, null], stdout + stderr);
  return JSON.parse(stdout);
}

test("Four Workers and the main thread use the device at the same time", {
  skip: noExecution,
  timeout: 120_000,
}, async () => {
  const sums = await run(`
    const work = \`
      const device = drivers()[0].devices[0];
      const context = device.driver.createContext();
      const list = context.createImmediateCommandList(device);
      const memory = context.alloc.host(Uint32Array, 1000);
      let sum = 0;
      for (let i = 1; i <= 50; i++) {
        await list.appendMemoryFill(memory, i).synchronize();
        sum += memory.view[999];
      }
      await context[Symbol.asyncDispose]();
    \`;
    const workers = [1, 2, 3, 4].map(() => start(work + "postMessage(sum);"));
    const sums = await Promise.all(workers.map((worker) => worker.next));
    for (const worker of workers) worker.terminate();
    console.log(JSON.stringify(sums));
  `);
  assertEquals(sums, [1275, 1275, 1275, 1275]);
});

test("A Worker that is blocked in a synchronous call does not hold up the main thread", {
  skip: noExecution,
  timeout: 120_000,
}, async () => {
  const { idleGap, longestGap, duration, result } = await run(`
    import { Ticks } from ${JSON.stringify(projectFile("tests/support/ticks.ts"))};
    const worker = start(\`
      const context = drivers()[0].createContext();
      const event = context.createEvent();
      const begin = performance.now();
      postMessage("begin");
      const result = event.waitSync(1500);
      postMessage({ result, duration: performance.now() - begin });
    \`);
    await worker.next;
    const end = new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
    const ticks = new Ticks();
    const { result, duration } = await end;
    const longestGap = ticks.takeLongestGap();
    // What other programs' load does to the timer.
    await sleep(1500);
    const idleGap = ticks.takeLongestGap();
    ticks[Symbol.dispose]();
    worker.terminate();
    console.log(JSON.stringify({ idleGap, longestGap, duration, result }));
  `) as { idleGap: number; longestGap: number; duration: number; result: boolean };
  assertEquals(result, false);
  // The control is the Worker: its own thread stood still for all of it.
  assertGreater(duration, 1400);
  assertLess(longestGap, Math.max(50, 2 * idleGap));
});

test("A Worker that is terminated with waits in flight does not take the program with it", {
  skip: noExecution,
  timeout: 120_000,
}, async () => {
  const value = await run(`
    for (let round = 0; round < 5; round++) {
      const worker = start(\`
        const device = drivers()[0].devices[0];
        const context = device.driver.createContext();
        for (let i = 0; i < 20; i++) context.createEvent().wait();
        const list = context.createImmediateCommandList(device);
        list.appendWaitOnEvents([context.createEvent()]).synchronize();
        postMessage("begin");
      \`);
      await worker.next;
      await sleep(20);
      worker.terminate();
      await sleep(150);
    }
    const { drivers } = await import(${LIBRARY});
    const device = drivers()[0].devices[0];
    const context = device.driver.createContext();
    const memory = context.alloc.host(Uint32Array, 1);
    await context.createImmediateCommandList(device).appendMemoryFill(memory, 9).synchronize();
    console.log(memory.view[0]);
  `);
  assert(value === 9);
});
