/**
 * Kernels that run for real, where the device executes them.
 */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { spin, vectorAdd, waitBlocking, waitNonblocking } from "../examples/compute.ts";
import type { ImmediateCommandList } from "../mod.ts";
import { noExecution, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

test("A vector addition has TypeScript's sums", { skip: noExecution }, async () => {
  const device = testDevice();
  await using context = device.driver.createContext();
  const length = 1 << 16;
  assertEquals(await vectorAdd(context, device, length), { wrong: 0, last: 4 * (length - 1) + 1 });
});

/** How long the wait took, and how often a 5 ms timer ticked meanwhile. */
async function wait(
  form: (list: ImmediateCommandList) => unknown,
): Promise<{ duration: number; ticks: number }> {
  const device = testDevice();
  await using context = device.driver.createContext();
  let ticks = 0;
  let duration = 0;
  await spin(context, device, 300_000_000n, async (list) => {
    const timer = setInterval(() => ticks++, 5);
    const start = performance.now();
    await form(list);
    duration = performance.now() - start;
    clearInterval(timer);
  });
  return { duration, ticks };
}

test("A nonblocking wait for a kernel leaves the event loop alone; a blocking one holds it up", {
  skip: noExecution,
}, async () => {
  const blocking = await wait(waitBlocking);
  assertGreater(blocking.duration, 200);
  assertLess(blocking.ticks, 2);
  const nonblocking = await wait(waitNonblocking);
  assertGreater(nonblocking.duration, 200);
  assertGreater(nonblocking.ticks, nonblocking.duration / 5 / 4);
});
