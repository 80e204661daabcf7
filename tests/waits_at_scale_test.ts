/**
 * A thousand waits at once: nothing else may wait for them, and none of them for the others.
 */
import { assertEquals, assertLess } from "@std/assert";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Event } from "../mod.ts";
import { zeEventQueryStatus } from "../src/libze/functions_ze.ts";
import { noExecution } from "./support/device.ts";
import { sleep } from "./support/fixture.ts";
import { Bench, benchTest, testSpirv } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

const COUNT = 1000;

/** Milliseconds that the work takes. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median of some. */
function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

/** So many events, and when the wait for each ended. */
function waitForAll(
  bench: Bench,
  count = COUNT,
): { events: Event[]; ended: number[]; all: Promise<unknown> } {
  const events = Array.from({ length: count }, () => bench.context.createEvent());
  const ended: number[] = [];
  const all = Promise.all(events.map(async (event, i) => {
    assertEquals(await event.wait(), true);
    ended[i] = performance.now();
  }));
  return { events, ended, all };
}

/** How long each wait took to end after its event was signalled; they are, one by one. */
async function signalAll(events: readonly Event[], ended: readonly number[]): Promise<number[]> {
  // In no order that waits could have been begun in: 7 and 1000 have no common factor.
  const order = events.map((_, i) => (i * 7 + 3) % events.length);
  const signalled: number[] = [];
  for (const [position, index] of order.entries()) {
    // The first ones after a time in which nothing was to be heard.
    if (position < 10) await sleep(100);
    else if (position % 5 === 0) await sleep(1);
    signalled[index] = performance.now();
    events[index]!.signal();
  }
  await sleep(100);
  return ended.map((end, i) => end - signalled[i]!);
}

test("Each of 1,000 waits ends within 20 ms of its signal, in any order", {
  skip: noExecution,
  timeout: 120_000,
}, async () => {
  // What the machine's other load does to any timer is not the waits' fault.
  let slowest = Infinity;
  for (let attempt = 0; attempt < 3 && slowest >= 20; attempt++) {
    await using bench = new Bench();
    const { events, ended, all } = waitForAll(bench);
    const delays = await signalAll(events, ended);
    await all;
    assertEquals(delays.length, COUNT);
    slowest = Math.max(...delays);
  }
  assertLess(slowest, 20);
});

benchTest(
  "1,000 pending waits hold up neither file reads nor compiles",
  async (bench) => {
    const { context, device } = bench;
    const spirv = testSpirv("basic");
    const compile = async (): Promise<void> => {
      await using module = await context.createModule(device, { spirv });
      await module.kernel("fill");
    };
    const file = fileURLToPath(import.meta.url);
    await compile();
    const [alone, among, reads]: [number[], number[], number[]] = [[], [], []];
    // Taken in turn, as other programs may slow the machine down at any time.
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < 3; i++) alone.push(await time(compile));
      const { events, all } = waitForAll(bench);
      await sleep(100);
      for (let i = 0; i < 3; i++) among.push(await time(compile));
      reads.push(
        ...await Promise.all(Array.from({ length: 50 }, () => time(() => readFile(file)))),
      );
      for (const event of events) event.signal();
      await all;
    }
    assertLess(Math.max(...reads), 100);
    assertLess(median(among), 1.2 * median(alone) + 2);
  },
);

/** The share of a core that the process takes while it is idle but for what is pending. */
async function load(): Promise<number> {
  const before = process.cpuUsage();
  const duration = await time(() => sleep(2000));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / duration;
}

/** The same while a timer asks about events as often as waits must, with nothing in between. */
async function loadOfAsking(events: readonly Event[]): Promise<number> {
  const handles = events.map(({ handle }) => handle);
  const timer = setInterval(() => {
    for (const handle of handles) zeEventQueryStatus(handle);
  }, 16);
  try {
    await sleep(500);
    return await load();
  } finally {
    clearInterval(timer);
  }
}

benchTest("1,000 idle waits take less than 3% of a core", async (bench) => {
  let share = Infinity;
  let limit = 0;
  for (let attempt = 0; attempt < 3 && share >= limit; attempt++) {
    const { events, all } = waitForAll(bench);
    // Until the engine has compiled what is called often.
    await sleep(1000);
    share = await load();
    for (const event of events) event.signal();
    await all;
    // On a machine where the mere questions take nearly that much, twice as much as they do.
    limit = Math.max(0.03, 2 * await loadOfAsking(events));
  }
  assertLess(share, limit);
});

for (const others of [40, COUNT]) {
  benchTest(`A wait that is older than ${others} others ends as soon as they do`, async (bench) => {
    const { context } = bench;
    const [old, always] = [context.createEvent(), context.createEvent()];
    const waiting = old.wait();
    const { events, all } = waitForAll(bench, others);
    // New waits come and go all the time.
    let churning = true;
    const churn = (async () => {
      while (churning) await always.wait({ timeout: 1 });
    })();
    await sleep(300);
    old.signal();
    const delay = await time(() => waiting);
    churning = false;
    await churn;
    for (const event of events) event.signal();
    await all;
    assertLess(delay, 50);
  });
}
