import { assertEquals, assertThrows } from "@std/assert";
import { ArgumentRangeError, ArgumentTypeError, UseAfterDisposeError } from "../mod.ts";
import { noDevice, noExecution } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

test("Bytes are copied from the program to the device and on to the host", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const onDevice = context.alloc.device(Float32Array, 4, { device });
  const result = context.alloc.host(Float32Array, 4);
  const source = Float32Array.of(1, 2, 3, 4);
  const list = context.createImmediateCommandList(device).appendMemoryCopy(onDevice, source);
  // The bytes were taken at the append.
  source.fill(0);
  await list.appendMemoryCopy(result, onDevice).synchronize();
  assertEquals([...result.view], [1, 2, 3, 4]);
});

test("A part of memory is copied to a part of other memory", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const from = context.alloc.host(Uint16Array.of(1, 2, 3, 4));
  const to = context.alloc.host(Uint16Array, 4);
  const list = context.createImmediateCommandList(device);
  list.appendMemoryFill(to, 0).appendMemoryCopy(to.subarray(2), from.subarray(1, 3));
  await list.synchronize();
  assertEquals([...to.view], [0, 0, 2, 3]);
  list.appendMemoryCopy(to.address, from.address, { byteLength: 2 });
  await list.synchronize();
  assertEquals([...to.view], [1, 0, 2, 3]);
});

test("A recorded copy of the program's bytes can be executed again", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const to = context.alloc.host(Uint8Array, 4);
  const list = context.createCommandList(device).appendMemoryCopy(to, Uint8Array.of(1, 2, 3, 4));
  const queue = context.createCommandQueue(device);
  for (let round = 0; round < 3; round++) {
    to.view.fill(0);
    await queue.execute(list.close()).synchronize();
    assertEquals([...to.view], [1, 2, 3, 4]);
  }
});

test("Copies refuse what does not fit", { skip: noDevice }, async () => {
  await using bench = new Bench();
  await using stranger = new Bench();
  const { context, device } = bench;
  const list = context.createImmediateCommandList(device);
  const four = context.alloc.host(Uint8Array, 4);
  const eight = context.alloc.host(Uint8Array, 8);
  const foreign = stranger.context.alloc.host(4);
  const disposed = context.alloc.host(4);
  disposed.dispose();
  const copy = (to: unknown, from: unknown, options?: unknown) => (): unknown =>
    list.appendMemoryCopy(bad(to), bad(from), bad(options));
  assertThrows(copy(four, eight), ArgumentRangeError, "subarray");
  assertThrows(copy(four, eight, { byteLength: 5 }), ArgumentRangeError, "at most 4");
  assertThrows(copy(four, new Uint8Array(3)), ArgumentRangeError);
  assertThrows(copy(four, new Uint8Array(0)), ArgumentRangeError, "at least one byte");
  assertThrows(copy(new Uint8Array(4), four), ArgumentTypeError, "destination");
  assertThrows(copy(four.address, eight.address), ArgumentTypeError, "byteLength");
  assertThrows(copy(four, "bytes"), ArgumentTypeError, "source");
  assertThrows(copy(four, foreign), ArgumentTypeError, "context");
  assertThrows(copy(four, disposed), UseAfterDisposeError);
  assertThrows(copy(four, four, { bytes: 1 }), ArgumentTypeError, "options.bytes");
  assertThrows(copy(four, four, { waitFor: four }), ArgumentTypeError, "options.waitFor");
  assertThrows(copy(four, four, { signal: four }), ArgumentTypeError, "options.signal");
});

test("Memory is filled with numbers of its type, and with bytes", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const floats = context.alloc.host(Float32Array, 4);
  const integers = context.alloc.host(BigInt64Array, 2);
  const bytes = context.alloc.host(8);
  const list = context.createImmediateCommandList(device)
    .appendMemoryFill(floats, 1.5)
    .appendMemoryFill(floats.subarray(3), 0)
    .appendMemoryFill(integers, -5n)
    .appendMemoryFill(bytes, Uint8Array.of(1, 2));
  await list.synchronize();
  assertEquals([...floats.view], [1.5, 1.5, 1.5, 0]);
  assertEquals([...integers.view], [-5n, -5n]);
  assertEquals([...bytes.view], [1, 2, 1, 2, 1, 2, 1, 2]);
});

test("Fills refuse patterns that do not fit", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const list = context.createImmediateCommandList(device);
  const memory = context.alloc.host(Uint8Array, 6);
  const fill = (pattern: unknown) => (): unknown => list.appendMemoryFill(memory, bad(pattern));
  assertThrows(fill(256), ArgumentRangeError, "Uint8Array");
  assertThrows(fill(1n), ArgumentTypeError, "a number");
  assertThrows(fill("x"), ArgumentTypeError, "pattern");
  assertThrows(fill(new Uint8Array(3)), ArgumentRangeError, "of 3 bytes");
  assertThrows(fill(new Uint8Array(4)), ArgumentRangeError, "whole number of times");
  assertThrows(() => list.appendMemoryFill(memory.address, 1), ArgumentTypeError, "no type");
});

test("A box is copied out of rows", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const from = context.alloc.host(Uint8Array.from({ length: 16 }, (_, i) => i));
  const to = context.alloc.host(4);
  await context.createImmediateCommandList(device).appendMemoryCopyRegion(
    { memory: to, pitch: 2 },
    { memory: from, pitch: 4, originX: 1, originY: 2 },
    { width: 2, height: 2 },
  ).synchronize();
  assertEquals([...to.view], [9, 10, 13, 14]);
});

test("A box of the program's own bytes is copied into slices", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const to = context.alloc.host(16);
  await context.createImmediateCommandList(device).appendMemoryFill(to, 0).appendMemoryCopyRegion(
    { memory: to, pitch: 4, slicePitch: 8, originZ: 1 },
    { memory: Uint8Array.of(1, 2, 3, 4) },
    { width: 2, height: 2 },
  ).synchronize();
  assertEquals([...to.view.subarray(8)], [1, 2, 0, 0, 3, 4, 0, 0]);
});

test("Boxes refuse what lies outside", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const list = context.createImmediateCommandList(device);
  const memory = context.alloc.host(16);
  const copy = (region: unknown, size: unknown) => (): unknown =>
    list.appendMemoryCopyRegion(bad({ memory }), bad(region), bad(size));
  assertThrows(copy({ memory, pitch: 4, originY: 3 }, { width: 4, height: 2 }), ArgumentRangeError);
  assertThrows(copy({ memory, pitch: 1 }, { width: 4 }), ArgumentRangeError, "source.pitch");
  assertThrows(copy({ memory, originX: -1 }, { width: 4 }), ArgumentRangeError, "originX");
  assertThrows(copy({ memory }, { width: 0 }), ArgumentRangeError, "size.width");
  assertThrows(copy({ memory }, 4), ArgumentTypeError, "size");
  assertThrows(copy({}, { width: 4 }), ArgumentTypeError, "source");
  assertThrows(copy({ memory, offset: 1 }, { width: 4 }), ArgumentTypeError, "offset");
});

test("Memory of another context of the driver is copied from", { skip: noExecution }, async () => {
  await using bench = new Bench();
  await using other = new Bench();
  const { context, device } = bench;
  const source = other.context.alloc.host(Uint32Array.of(11, 12));
  const to = context.alloc.host(Uint32Array, 2);
  const list = context.createImmediateCommandList(device);
  await list.appendMemoryCopyFromContext(to, other.context, source).synchronize();
  assertEquals([...to.view], [11, 12]);
  assertThrows(
    () => list.appendMemoryCopyFromContext(to, context, source),
    ArgumentTypeError,
    "context",
  );
});

test("Shared memory is prefetched and advised about", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.shared(4096, { device });
  const list = context.createImmediateCommandList(device)
    .appendMemoryPrefetch(memory)
    .appendMemAdvise(memory, "set_read_mostly");
  await list.synchronize();
  assertThrows(
    () => list.appendMemAdvise(memory, bad("often")),
    ArgumentTypeError,
    '"set_read_mostly"',
  );
  assertThrows(
    () => list.appendMemoryPrefetch(memory, { waitFor: [] }),
    ArgumentTypeError,
    "no events",
  );
  assertThrows(
    () => list.appendMemAdvise(memory, "set_read_mostly", bad({})),
    ArgumentTypeError,
    "device",
  );
});
