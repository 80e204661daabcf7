/**
 * What waits ends when it is told to, and holds the program up no longer than it has to.
 */
import { assert, assertEquals, assertGreater, assertLess, assertRejects } from "@std/assert";
import { projectFile, runScript } from "./support/child.ts";
import { noExecution } from "./support/device.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

const LIBRARY = JSON.stringify(projectFile("mod.ts"));

const PRELUDE = `
  import { drivers } from ${LIBRARY};
  const device = drivers()[0].devices[0];
  const context = device.driver.createContext();
  const event = context.createEvent();
`;

/** All that waits, for work that does not end before `go` is signalled. */
function waits(bench: Bench): {
  go: () => void;
  all: Record<string, (options: object) => Promise<boolean>>;
} {
  const { context, device } = bench;
  const gate = context.createEvent();
  const list = context.createImmediateCommandList(device).appendWaitOnEvents([gate]);
  const queue = context.createCommandQueue(device);
  const fence = queue.createFence();
  queue.execute(context.createCommandList(device).appendWaitOnEvents([gate]).close(), { fence });
  return {
    go: () => gate.signal(),
    all: {
      event: (options) => gate.wait(options),
      fence: (options) => fence.wait(options),
      list: (options) => list.synchronize(options),
      queue: (options) => queue.synchronize(options),
      ...(device.supports("synchronize")
        ? { device: (options: object) => device.synchronize(options) }
        : {}),
    },
  };
}

test("An AbortSignal ends whatever waits at once, and the work goes on", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { go, all } = waits(bench);
  for (const [name, wait] of Object.entries(all)) {
    const abort = new AbortController();
    const waiting = wait({ signal: abort.signal });
    setTimeout(() => abort.abort(new Error(`enough of the ${name}`)), 20);
    const start = performance.now();
    await assertRejects(() => waiting, Error, `enough of the ${name}`);
    assertLess(performance.now() - start, 200);
    // One that is aborted already does not even begin.
    await assertRejects(() => wait({ signal: abort.signal }), Error, "enough");
  }
  go();
  for (const wait of Object.values(all)) assertEquals(await wait({}), true);
});

test("A timeout ends whatever waits with false, no sooner and not much later", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { go, all } = waits(bench);
  for (const wait of Object.values(all)) {
    const start = performance.now();
    assertEquals(await wait({ timeout: 30 }), false);
    const duration = performance.now() - start;
    assertGreater(duration, 29);
    assertLess(duration, 250);
  }
  go();
  for (const wait of Object.values(all)) assertEquals(await wait({ timeout: 5000 }), true);
});

test("A program that throws while something waits ends at once, with its own error", {
  skip: noExecution,
}, async () => {
  for (const wait of ["event.wait()", "event.wait({ timeout: 20_000 })"]) {
    const start = performance.now();
    const { code, signal, stderr } = await runScript(`${PRELUDE}
      ${wait};
      context.createImmediateCommandList(device).appendWaitOnEvents([event]).synchronize();
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error("the program's own");
    `);
    assertEquals([code, signal], [1, null], stderr);
    assert(stderr.includes("the program's own"), stderr);
    assertLess(performance.now() - start, 8000);
  }
});

test("A program that asks to exit while something waits does so, with its code", {
  skip: noExecution,
}, async () => {
  const { code, signal, stderr } = await runScript(`${PRELUDE}
    import process from "node:process";
    event.wait();
    setTimeout(() => process.exit(3), 50);
  `);
  assertEquals([code, signal, stderr], [3, null, ""]);
});

test("A program ends when nothing is pending: idle threads do not keep it", {
  skip: noExecution,
}, async () => {
  const start = performance.now();
  const { code, stdout, stderr } = await runScript(`${PRELUDE}
    await Promise.all(Array.from({ length: 40 }, () => event.wait({ timeout: 30 })));
    console.log("over");
  `);
  assertEquals([code, stdout.trim()], [0, "over"], stderr);
  assertLess(performance.now() - start, 5000);
});

test("A pending wait keeps the program until it ends", { skip: noExecution }, async () => {
  const { code, stdout, stderr } = await runScript(`${PRELUDE}
    event.wait({ timeout: 300 }).then((done) => console.log("waited", done));
  `);
  assertEquals([code, stdout.trim()], [0, "waited false"], stderr);
});
