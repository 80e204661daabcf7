import { assertEquals, assertRejects } from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  UseAfterDisposeError,
  type ZeError,
} from "../mod.ts";
import { noDevice, noExecution } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

test("Memory of any kind is written and read from arrays", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context: { alloc }, device } = bench;
  const memories = [
    alloc.device(Float64Array, 3, { device }),
    alloc.shared(Float64Array, 3, { device }),
    alloc.host(Float64Array, 3),
  ];
  for (const memory of memories) {
    await memory.write(Float64Array.of(1, 2, 3));
    await memory.subarray(1, 2).write(Float64Array.of(7));
    assertEquals(await memory.read(), Float64Array.of(1, 7, 3));
    const into = new Float64Array(2);
    await memory.subarray(1).read(into);
    assertEquals(into, Float64Array.of(7, 3));
  }
});

test("Many transfers may be under way", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context: { alloc }, device } = bench;
  const results = await Promise.all(Array.from({ length: 40 }, async (_, i) => {
    const memory = alloc.device(Uint32Array, 100, { device });
    await memory.write(new Uint32Array(100).fill(i));
    return (await memory.read())[99];
  }));
  assertEquals(results, Array.from({ length: 40 }, (_, i) => i));
});

test("Transfers refuse arrays of another type or length", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const memory = bench.context.alloc.host(Uint32Array, 3);
  await assertRejects(() => memory.read(new Uint32Array(2)), ArgumentRangeError, "into");
  await assertRejects(() => memory.read(bad(new Int32Array(3))), ArgumentTypeError, "Uint32Array");
  await assertRejects(() => memory.write(bad([1, 2, 3])), ArgumentTypeError, "elements");
  await assertRejects(
    () => memory.subarray(1).write(new Uint32Array(3)),
    ArgumentRangeError,
    "of length 2",
  );
  memory.dispose();
  await assertRejects(() => memory.read(), UseAfterDisposeError);
  await assertRejects(() => memory.write(new Uint32Array(3)), UseAfterDisposeError);
});

test("Context.systemBarrier() is done, or refused by the driver", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  try {
    await context.systemBarrier(device);
  } catch (error) {
    assertEquals((error as ZeError).name, "ZE_RESULT_ERROR_UNSUPPORTED_FEATURE");
  }
  await assertRejects(() => context.systemBarrier(bad(1n)), ArgumentTypeError, "device");
});
