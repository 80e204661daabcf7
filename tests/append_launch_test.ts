import { assertEquals, assertThrows } from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  UnsupportedFeatureError,
  UseAfterDisposeError,
} from "../mod.ts";
import { noDevice, noExecution } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

test("A kernel runs in three dimensions", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.shared(Uint32Array, 2 * 3 * 2, { device });
  const kernel = (await bench.kernel("identify")).args(out).setGroupSize(1);
  await context.createImmediateCommandList(device)
    .appendLaunchKernel(kernel, [2, 3, 2]).synchronize();
  assertEquals([out.view[0], out.view[1], out.view[2], out.view[11]], [0, 1, 100, 10201]);
});

test("A launch has the arguments that are set when it is appended", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const [a, b] = [1, 2].map(() => context.alloc.shared(Uint32Array, 1, { device }));
  const kernel = (await bench.kernel("fill")).args(a!, 1).setGroupSize(1);
  const list = context.createImmediateCommandList(device).appendLaunchKernel(kernel, 1);
  kernel.args(b!, 2);
  await list.appendLaunchKernel(kernel, 1).synchronize();
  assertEquals([a!.view[0], b!.view[0]], [1, 2]);
});

test("A launch with its own arguments and group size is one call", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.shared(Uint32Array, 8, { device });
  const kernel = await bench.kernel("fill");
  const recorded = context.createCommandList(device);
  const queue = context.createCommandQueue(device);
  for (const mode of ["asynchronous", "synchronous"] as const) {
    const list = context.createImmediateCommandList(device, { mode });
    out.view.fill(0);
    list.appendLaunchKernelWithArguments(kernel, { groupCount: 2, groupSize: 4 }, out, 6);
    await list.synchronize();
    assertEquals([...out.view], Array(8).fill(6));
  }
  recorded.appendLaunchKernelWithArguments(kernel, { groupCount: 8, groupSize: [1, 1] }, out, 5);
  await queue.execute(recorded.close()).synchronize();
  assertEquals([...out.view], Array(8).fill(5));
  assertEquals(kernel.groupSize, [1, 1, 1]);
});

test("The groups of a launch may be counted by the device", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.shared(Uint32Array, 4, { device });
  const count = context.alloc.host(Uint32Array.of(3, 1, 1));
  const kernel = (await bench.kernel("fill")).args(out, 8).setGroupSize(1);
  out.view.fill(0);
  await context.createImmediateCommandList(device)
    .appendLaunchKernelIndirect(kernel, count).synchronize();
  assertEquals([...out.view], [8, 8, 8, 0]);
});

test("How many of several kernels are launched may be counted by the device", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const outs = [1, 2].map(() => context.alloc.shared(Uint32Array, 1, { device }).view.fill(0));
  const kernels = await Promise.all([bench.kernel("fill"), bench.kernel("fill")]);
  const memories = [1, 2].map(() => context.alloc.shared(Uint32Array, 1, { device }));
  memories.forEach(({ view }) => view.fill(0));
  kernels.forEach((kernel, i) => kernel.args(memories[i]!, 4 + i).setGroupSize(1));
  const count = context.alloc.host(Uint32Array.of(1));
  const groups = context.alloc.host(Uint32Array.of(1, 1, 1, 1, 1, 1));
  await context.createImmediateCommandList(device)
    .appendLaunchMultipleKernelsIndirect(kernels, count, groups).synchronize();
  assertEquals(memories.map(({ view }) => view[0]), [4, 0]);
  assertEquals(outs.length, 2);
});

test("A cooperative kernel may have as many groups as fit on the device", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const out = context.alloc.shared(Uint32Array, 1, { device });
  const kernel = (await bench.kernel("fill")).args(out, 3).setGroupSize(1);
  const list = context.createImmediateCommandList(device);
  await list.appendLaunchCooperativeKernel(kernel, 1).synchronize();
  assertEquals(out.view[0], 3);
  assertThrows(
    () => list.appendLaunchCooperativeKernel(kernel, kernel.maxCooperativeGroupCount + 1),
    ArgumentRangeError,
    "maxCooperativeGroupCount",
  );
});

test("Launches refuse kernels that are not ready, and counts that make no sense", {
  skip: noDevice,
}, async () => {
  await using bench = new Bench();
  await using stranger = new Bench();
  const { context, device } = bench;
  const list = context.createImmediateCommandList(device);
  const memory = context.alloc.host(Uint32Array, 4);
  const kernel = await bench.kernel("fill");
  const launch = (given: unknown, count: unknown) => (): unknown =>
    list.appendLaunchKernel(bad(given), bad(count));
  assertThrows(launch(kernel, 1), ArgumentTypeError, "lacks arguments 0, 1");
  kernel.args(memory, 1);
  assertThrows(launch(kernel, 1), ArgumentTypeError, "no group size");
  kernel.setGroupSize(1);
  assertThrows(launch(kernel, 0), ArgumentRangeError, "groupCount");
  assertThrows(launch(kernel, 1.5), ArgumentRangeError, "groupCount");
  assertThrows(launch(kernel, [1, 2, 3, 4]), ArgumentTypeError, "groupCount");
  assertThrows(launch(kernel, [1, "2"]), ArgumentTypeError, "groupCount[1]");
  assertThrows(launch({}, 1), ArgumentTypeError, "kernel");
  assertThrows(launch(await stranger.kernel("fill"), 1), ArgumentTypeError, "another context");
  assertThrows(
    () => list.appendLaunchKernelIndirect(kernel, memory.subarray(0, 2)),
    ArgumentRangeError,
    "at least 12 bytes",
  );
  assertThrows(
    () => list.appendLaunchMultipleKernelsIndirect([], memory, memory),
    ArgumentTypeError,
    "kernels",
  );
  assertThrows(
    () => list.appendLaunchKernelWithArguments(kernel, { groupCount: 1 }, memory),
    ArgumentRangeError,
    "2 arguments",
  );
  assertThrows(
    () => list.appendLaunchKernelWithArguments(kernel, bad(1), memory, 1),
    ArgumentTypeError,
    "options",
  );
  memory.dispose();
  assertThrows(launch(kernel, 1), UseAfterDisposeError, "Memory");
  kernel.dispose();
  assertThrows(launch(kernel, 1), UseAfterDisposeError, "Kernel");
});

test("A queue group that only copies refuses kernels", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const copying = device.commandQueueGroupProperties.find(({ flags }) =>
    !flags.includes("compute")
  );
  if (!copying) return;
  const list = context.createCommandList(device, { ordinal: copying.ordinal });
  const kernel = (await bench.kernel("empty")).args().setGroupSize(1);
  assertThrows(() => list.appendLaunchKernel(kernel, 1), UnsupportedFeatureError, "only copy");
});
