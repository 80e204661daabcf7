/**
 * Calls on other threads: the event loop goes on, many run at once, each gets
 * its own result, and what they were given lives as long as they run.
 */
import { assert, assertEquals, assertGreater, assertLess, assertRejects } from "@std/assert";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { addressOf, ArgumentTypeError, nonblockingLimit, open } from "../src/ffi/mod.ts";
import { runScript } from "./support/child.ts";
import { bad, C_LIBRARY, fixture, noFixture, sleep, usleep } from "./support/fixture.ts";
import { collectGarbage, untilCollected } from "./support/garbage.ts";
import { runtime, test } from "./support/testing.ts";

const libc = open(C_LIBRARY, {
  usleep,
  abs: { parameters: ["i32"], result: "i32", nonblocking: true },
  memcpy: { parameters: ["pointer", "buffer", "usize"], result: "pointer", nonblocking: true },
  memset: { parameters: ["buffer", "i32", "usize"], result: "pointer", nonblocking: true },
  clock_gettime: {
    parameters: ["i32", { type: "buffer", byteLength: 16 }],
    result: "i32",
    nonblocking: true,
  },
  sem_init: { parameters: ["buffer", "i32", "u32"], result: "i32" },
  sem_post: { parameters: ["buffer"], result: "i32" },
  sem_wait: { parameters: ["buffer"], result: "i32", nonblocking: true },
});
const { calls: limit, backend, runtimeThreads } = nonblockingLimit();

/** How often a 10 ms timer ticks during the work. */
async function ticksDuring(work: () => unknown): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  await work();
  clearInterval(timer);
  return ticks;
}

test("the event loop goes on during a call of 500 ms, and stands still if it is not nonblocking", async () => {
  let most = 0;
  // On a machine that is busy otherwise the process may not get to run so often; then once more.
  for (let i = 0; i < 3 && most < 30; i++) {
    most = Math.max(most, await ticksDuring(() => libc.functions.usleep(500_000)));
  }
  assertGreater(most, 29);
  assertEquals(await ticksDuring(() => libc.sync("usleep")(500_000)), 0);
});

test("200 calls of 300 ms take as long as the limit says", async () => {
  const start = performance.now();
  const results = await Promise.all(
    Array.from({ length: 200 }, () => libc.functions.usleep(300_000)),
  );
  const duration = performance.now() - start;
  const rounds = Math.ceil(200 / limit);
  assertEquals(results.every((result) => result === 0), true);
  assertGreater(duration, rounds * 300 - 20);
  assertLess(duration, backend === "threads" ? 1000 : rounds * 300 + 1500);
});

test("nonblockingLimit() tells what carries the calls out, and leaves Deno threads of its own", () => {
  const workers = process.env["ZE_BUN_WORKERS"] === "1";
  assertEquals(backend, runtime === "deno" ? "deno" : workers ? "workers" : "threads");
  if (runtime === "deno") assertLess(limit, runtimeThreads);
  assertGreater(limit, 0);
});

test("files can be read while 40 calls are parked", async () => {
  const parked = Array.from({ length: 40 }, () => libc.functions.usleep(800_000));
  await sleep(20);
  const start = performance.now();
  const file = fileURLToPath(new URL("../deno.json", import.meta.url));
  for (let i = 0; i < 8; i++) assertGreater((await readFile(file)).byteLength, 0);
  assertLess(performance.now() - start, 500);
  await Promise.all(parked);
});

test("a call that ends others still runs while those wait", async () => {
  const semaphore = new Uint8Array(64);
  libc.functions.sem_init(semaphore, 0, 0);
  const waiting = Array.from({ length: limit - 1 }, () => libc.functions.sem_wait(semaphore));
  const post = libc.nonblocking("sem_post");
  for (let i = 0; i < limit - 1; i++) assertEquals(await post(semaphore), 0);
  assertEquals((await Promise.all(waiting)).every((result) => result === 0), true);
});

test("calls that end out of order each get their own result", async () => {
  const order: number[] = [];
  const sleeps = [400, 100, 300, 200, 0].map(async (milliseconds, i) => {
    await libc.functions.usleep(milliseconds * 1000);
    order.push(i);
  });
  const values = await Promise.all(
    Array.from({ length: 500 }, (_, i) => libc.functions.abs(-i * 1_000_003)),
  );
  assertEquals(values, Array.from({ length: 500 }, (_, i) => i * 1_000_003));
  await Promise.all(sleeps);
  assertEquals(order, [4, 1, 3, 2, 0]);
});

test("calls over the limit wait, and start in the order in which they were made", async () => {
  const parked = Array.from({ length: limit - 1 }, () => libc.functions.usleep(400_000));
  await sleep(50);
  const times = Array.from({ length: 40 }, () => new BigInt64Array(2));
  const queued = times.map((time) => libc.functions.clock_gettime(1, time));
  assertEquals(libc.inFlight, limit - 1 + 40);
  await Promise.all(queued);
  const nanoseconds = times.map(([seconds, rest]) => seconds! * 1_000_000_000n + rest!);
  assertEquals(nanoseconds, nanoseconds.toSorted((a, b) => a < b ? -1 : 1));
  await Promise.all(parked);
  assertEquals(libc.inFlight, 0);
});

test("a refused argument leaves nothing in flight", async () => {
  await assertRejects(async () => await libc.functions.usleep(bad("1")), ArgumentTypeError);
  assertEquals(libc.inFlight, 0);
});

test("buffers live until their calls end, whoever else lets go of them, and not for longer", async () => {
  const semaphore = new Uint8Array(64);
  libc.functions.sem_init(semaphore, 0, 0);
  const references: WeakRef<object>[] = [];
  const waitOn = open(C_LIBRARY, {
    sem_wait: { parameters: ["buffer", "buffer", "buffer"], result: "i32", nonblocking: true },
  }).functions.sem_wait;
  const pending = Array.from({ length: 16 }, () => {
    const [first, second] = [new Uint8Array(64), new Float64Array(8)];
    references.push(new WeakRef(first), new WeakRef(second));
    return waitOn(semaphore, first, second);
  });
  for (let round = 0; round < 5; round++) {
    await sleep(2);
    collectGarbage();
  }
  assertEquals(references.filter((reference) => reference.deref()).length, 32);
  for (const _ of pending) libc.sync("sem_post")(semaphore);
  await Promise.all(pending);
  pending.length = 0;
  await untilCollected(references);
});

test("what a call writes arrives, under pressure on memory", async () => {
  let litter: unknown[] = [];
  const calls = Array.from({ length: 300 }, async (_, i) => {
    const target = new Uint8Array(40 + i);
    const address = await libc.functions.memset(target, i & 255, BigInt(target.length));
    assertEquals(address, addressOf(target));
    assert(target.every((byte) => byte === (i & 255)));
    litter = Array.from({ length: 500 }, () => new Uint8Array(100));
  });
  for (let i = 0; i < 5; i++) {
    collectGarbage();
    await sleep(1);
  }
  await Promise.all(calls);
  assertGreater(litter.length, 0);
});

test("a thread has the stack that a driver's compiler needs", {
  skip: noFixture || backend === "workers" && "Bun gives Workers a smaller stack",
}, async () => {
  const { functions } = open(fixture(), {
    use_stack: { parameters: ["u32"], result: "u32", nonblocking: true },
  });
  const bytes = runtime === "bun" ? 6 * 2 ** 20 : 2 ** 20;
  assertEquals(await functions.use_stack(bytes), bytes / 4096);
});

test("5,000 short calls among synchronous ones and collections leak nothing", {
  timeout: 120_000,
}, async () => {
  let seed = 1;
  const random = (limit: number): number => (seed = seed * 48271 % 2147483647) % limit;
  const round = async (calls: number): Promise<void> => {
    while (calls > 0) {
      const batch = Math.min(calls, 1 + random(200));
      calls -= batch;
      const promises = Array.from({ length: batch }, async (_, i) => {
        if (i % 3 === 0) return assertEquals(await libc.functions.abs(-i), i);
        const [target, source] = [new Uint8Array(256), new Uint8Array(256).fill(i)];
        await libc.functions.memcpy(addressOf(target), source, 256n);
        assertEquals(target[255], i & 255);
      });
      for (let i = 0; i < random(50); i++) libc.sync("abs")(-i);
      if (random(8) === 0) collectGarbage();
      await Promise.all(promises);
    }
  };
  await round(2000);
  collectGarbage();
  const before = process.memoryUsage().rss;
  await round(5000);
  collectGarbage();
  const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;
  assertLess(megabytes, 64);
});

test("this, values and libraries are the same where Workers make the calls", {
  skip: runtime === "deno"
    ? "Bun only"
    : process.env["ZE_BUN_WORKERS"] === "1" && "these are the Workers",
  timeout: 180_000,
}, async () => {
  const files = ["nonblocking", "values", "library"].map((name) => `./tests/ffi_${name}_test.ts`);
  const script = `
    const { spawnSync } = require("node:child_process");
    const { status, stderr } = spawnSync(
      process.execPath,
      ${JSON.stringify([...process.execArgv, "test", ...files])},
      { cwd: ${JSON.stringify(fileURLToPath(new URL("..", import.meta.url)))}, encoding: "utf8" },
    );
    console.log(stderr);
    process.exit(status ?? 1);`;
  const { code, stdout } = await runScript(script, {
    env: { ZE_BUN_WORKERS: "1" },
    timeout: 170_000,
  });
  assertEquals(code, 0, stdout);
  assert(/^ 0 fail/m.test(stdout) && /^ [1-9]\d+ pass/m.test(stdout), stdout);
});
