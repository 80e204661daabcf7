/**
 * The threads that Bun's nonblocking calls run on: made when needed, up to a
 * cap, and let go again; and what needs to be on a machine for them.
 */
import { assertEquals, assertGreater, assertGreaterOrEqual, assertLessOrEqual } from "@std/assert";
import process from "node:process";
import { evaluate, projectFile } from "./support/child.ts";
import { runtime, test } from "./support/testing.ts";

const skip = runtime === "deno" && "Deno has threads of its own";

const prologue = `
import { readdirSync } from "node:fs";
import { nonblockingLimit, open } from ${JSON.stringify(projectFile("src/ffi/mod.ts"))};
const { functions } = open(["libc.so.6", "/usr/lib/libSystem.B.dylib"], {
  usleep: { parameters: ["u32"], result: "i32", nonblocking: true },
});
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const threads = () => readdirSync("/proc/self/task").length;
const calls = (count, milliseconds) =>
  Promise.all(Array.from({ length: count }, () => functions.usleep(milliseconds * 1000)));
`;

test("200 calls of 300 ms take less than 1 s", { skip }, async () => {
  const { duration, limit } = await evaluate<{ duration: number; limit: { backend: string } }>(
    `
    ${prologue}
    const start = performance.now();
    await calls(200, 300);
    console.log(JSON.stringify({ duration: performance.now() - start, limit: nonblockingLimit() }));
  `,
    { env: { ZE_BUN_WORKERS: undefined } },
  );
  assertEquals(limit.backend, "threads", "The threads could not be compiled");
  assertGreaterOrEqual(duration, 300);
  assertLessOrEqual(duration, 1000);
});

test("threads are made when calls need them, kept while in use, and let go after 5 s", {
  skip: skip || process.platform !== "linux" && "Threads are counted in /proc",
}, async () => {
  const counts = await evaluate<Record<string, number>>(
    `
    ${prologue}
    await sleep(200);
    const before = threads();
    await functions.usleep(1000);
    const one = threads();
    for (let i = 0; i < 100; i++) await functions.usleep(10);
    const inTurn = threads();
    const pending = calls(40, 200);
    await sleep(100);
    const during = threads();
    await pending;
    await sleep(1000);
    const resting = threads();
    await sleep(5500);
    const after = threads();
    await calls(3, 20);
    console.log(JSON.stringify({ before, one, inTurn, during, resting, after }));
  `,
    { env: { ZE_BUN_WORKERS: undefined } },
  );
  // Bun may make or end a thread or two of its own meanwhile.
  const { before, one, inTurn, during, resting, after } = counts as Record<string, number>;
  assertLessOrEqual(one! - before!, 4);
  assertLessOrEqual(inTurn! - one!, 2, "Calls in turn need one thread");
  assertGreaterOrEqual(during! - before!, 40);
  assertGreaterOrEqual(resting!, before! + 36, "Threads were let go too early");
  assertLessOrEqual(after!, before! + 4, "Threads were not let go");
});

test("no more threads than the cap are made, and every call is made all the same", {
  skip: skip || process.platform !== "linux" && "Threads are counted in /proc",
}, async () => {
  const { before, most, results, limit } = await evaluate<
    { before: number; most: number; results: number; limit: { calls: number } }
  >(
    `
    ${prologue}
    const before = threads();
    let most = 0;
    const timer = setInterval(() => most = Math.max(most, threads()), 20);
    const results = (await calls(700, 100)).filter((result) => result === 0).length;
    clearInterval(timer);
    console.log(JSON.stringify({ before, most, results, limit: nonblockingLimit() }));
  `,
    { env: { ZE_BUN_WORKERS: undefined } },
  );
  assertEquals(results, 700);
  assertGreater(most - before, 100);
  assertLessOrEqual(most - before, limit.calls + 8);
});

test("Workers make the calls where a folder for the C source can't be had", { skip }, async () => {
  const { result, limit } = await evaluate<{ result: number[]; limit: { backend: string } }>(
    `
    ${prologue}
    const result = await calls(20, 5);
    console.log(JSON.stringify({ result, limit: nonblockingLimit() }));
  `,
    { env: { TMPDIR: "/no/such/folder", BUN_TMPDIR: "/no/such/folder" } },
  );
  assertEquals(limit.backend, "workers");
  assertEquals(result, Array(20).fill(0));
});

test("nothing is left in the folder for temporary files", { skip }, async () => {
  const left = await evaluate<string[]>(
    `
    ${prologue}
    import { mkdtempSync, rmSync } from "node:fs";
    import { tmpdir } from "node:os";
    const folder = mkdtempSync(tmpdir() + "/level-zero-test-");
    process.env.TMPDIR = folder;
    await calls(3, 1);
    const left = readdirSync(folder);
    rmSync(folder, { recursive: true });
    console.log(JSON.stringify(left.filter((name) => name.startsWith("level-zero"))));
  `,
    { env: { ZE_BUN_WORKERS: undefined } },
  );
  assertEquals(left, []);
});
