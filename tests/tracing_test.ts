/**
 * The loader's tracing layer, which calls TypeScript from the threads of the calls that it traces.
 */
import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { ze_result_t } from "../src/libze/mod.ts";
import { evaluate, projectFile } from "./support/child.ts";
import { noExecution } from "./support/device.ts";
import { test } from "./support/testing.ts";

/** A tracer of zeEventHostSynchronize, which notes what it is called with. */
const PRELUDE = `
  import { Callback } from ${JSON.stringify(projectFile("src/ffi/mod.ts"))};
  import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
  import * as ze from ${JSON.stringify(projectFile("src/libze/mod.ts"))};
  import {
    zelTracerEventHostSynchronizeRegisterCallback,
  } from ${JSON.stringify(projectFile("src/libze/tracing.ts"))};

  const sleep = (duration) => new Promise((resolve) => setTimeout(resolve, duration));
  const context = drivers()[0].createContext();
  const event = context.createEvent();
  const handle = new BigUint64Array(1);
  ze.zelTracerCreate(ze.zel_tracer_desc_t.create({}), handle);
  const tracer = handle[0];
  const seen = [];
  // Parameters, result, the tracer's user data, and that of the call: addresses that are not read.
  const description = { parameters: ["usize", "u32", "usize", "usize"], result: "void" };
  const callbacks = ["begins", "ends"].map((word) =>
    new Callback(description, (_, result) => seen.push([word, result]), { anyThread: true })
  );
  for (const [kind, { address }] of callbacks.entries()) {
    zelTracerEventHostSynchronizeRegisterCallback(tracer, kind, address);
  }
  ze.zelTracerSetEnabled(tracer, true);

  // What is still needed: a handle alone keeps nothing from being collected.
  const end = () => {
    context.dispose();
    for (const callback of callbacks) callback.close();
  };
`;

const { ZE_RESULT_NOT_READY, ZE_RESULT_SUCCESS } = ze_result_t;
const env = { ZE_ENABLE_TRACING_LAYER: "1" };

test("Calls on this thread and on others are traced, and nothing waits for anything", {
  skip: noExecution,
}, async () => {
  const { before, during, after } = await evaluate<Record<string, [string, number][]>>(
    `${PRELUDE}
    const settled = async () => {
      await sleep(20);
      return seen.splice(0);
    };
    ze.sync.zeEventHostSynchronize(event.handle, 1_000_000n);
    const before = await settled();
    const waits = [1, 2, 3].map(() => ze.zeEventHostSynchronize(event.handle, 2n ** 64n - 1n));
    const during = await settled();
    event.signal();
    await Promise.all(waits);
    const after = await settled();
    ze.zelTracerSetEnabled(tracer, false);
    await ze.zelTracerDestroy(tracer);
    end();
    console.log(JSON.stringify({ before, during, after }));`,
    { env },
  );
  assertEquals(before, [["begins", ZE_RESULT_SUCCESS], ["ends", ZE_RESULT_NOT_READY]]);
  assertEquals(during, Array(3).fill(["begins", ZE_RESULT_SUCCESS]));
  assertEquals(after, Array(3).fill(["ends", ZE_RESULT_SUCCESS]));
});

test("A tracer that is destroyed during a call waits for it on another thread", {
  skip: noExecution,
}, async () => {
  const { ticks, seen } = await evaluate<{ ticks: number; seen: number }>(
    `${PRELUDE}
    const waiting = ze.zeEventHostSynchronize(event.handle, 300_000_000n);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await sleep(20);
    ze.zelTracerSetEnabled(tracer, false);
    await ze.zelTracerDestroy(tracer);
    clearInterval(timer);
    await waiting;
    end();
    console.log(JSON.stringify({ ticks, seen: seen.length }));`,
    { env },
  );
  assertGreater(ticks, 20);
  assertEquals(seen, 2);
});

test("The same on this thread would wait for itself, so it is refused", {
  skip: noExecution,
}, async () => {
  const { name, message, after } = await evaluate<Record<"name" | "message" | "after", string>>(
    `${PRELUDE}
    const waiting = ze.zeEventHostSynchronize(event.handle, 100_000_000n);
    // Long enough for the other thread to call back, which it can't before this one is idle.
    const begin = performance.now();
    while (performance.now() < begin + 20);
    ze.zelTracerSetEnabled(tracer, false);
    let error = {};
    try {
      ze.sync.zelTracerDestroy(tracer);
    } catch (thrown) {
      error = thrown;
    }
    await waiting;
    const after = ze.sync.zelTracerDestroy(tracer);
    end();
    const { name, message } = error;
    console.log(JSON.stringify({ name, message, after }));`,
    { env },
  );
  assertEquals([name, after], ["DeadlockError", 0]);
  assertStringIncludes(message, "Await nonblocking.zelTracerDestroy() instead.");
});
