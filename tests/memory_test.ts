import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type Context,
  type Device,
  UnsupportedFeatureError,
  UseAfterDisposeError,
  ZeError,
} from "../mod.ts";
import { has } from "../src/library.ts";
import { noDevice, noExecution, testDevice } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { test } from "./support/testing.ts";

const skip = noDevice;

function makeContext(): Context {
  return testDevice().driver.createContext();
}

test("alloc.host() gives an array that is the memory itself", { skip }, () => {
  using context = makeContext();
  using memory = context.alloc.host(Float32Array, 1024);
  assertEquals([memory.kind, memory.length, memory.byteLength], ["host", 1024, 4096]);
  assert(memory.type === Float32Array && memory.context === context);
  assertEquals(memory.device, undefined);
  memory.view.fill(2.5);
  assert(memory.view === memory.view);
  assertEquals([memory.view.length, memory.view[1023]], [1024, 2.5]);
});

test("alloc.shared() gives memory of the context's only device", { skip }, () => {
  using context = makeContext();
  using memory = context.alloc.shared(BigInt64Array, 3, { alignment: 64 });
  memory.view.set([1n, -2n, 2n ** 62n]);
  assertEquals([...memory.view], [1n, -2n, 2n ** 62n]);
  assert(memory.device === context.devices[0]);
  assertEquals(memory.address % 64n, 0n);
  using free = context.alloc.shared(16, { device: null });
  assertEquals(free.device, undefined);
});

test("alloc.device() gives memory that has no view", { skip }, () => {
  using context = makeContext();
  using memory = context.alloc.device(Uint32Array, 256, { device: testDevice(), ordinal: 0 });
  assertEquals([memory.kind, memory.byteLength], ["device", 1024]);
  assert(memory.address > 0n && memory.device === testDevice());
  assertThrows(() => memory.view, ArgumentTypeError, "appendMemoryCopy");
  assertThrows(() => memory.subarray(1).view, ArgumentTypeError, "device memory");
});

test("alloc.host() and alloc.shared() take the contents", { skip }, () => {
  using context = makeContext();
  using host = context.alloc.host(Float64Array.of(1.5, 2.5));
  using shared = context.alloc.shared(Uint8ClampedArray.of(7, 300));
  assertEquals([...host.view], [1.5, 2.5]);
  assertEquals([...shared.view], [7, 255]);
  using bytes = context.alloc.host(1000);
  assert(bytes.view instanceof Uint8Array && bytes.length === 1000);
  assertThrows(
    () => context.alloc.device(bad(new Int8Array(4))),
    ArgumentTypeError,
    "appendMemoryCopy",
  );
});

const { Float16Array } = globalThis as unknown as { Float16Array?: typeof Float32Array };

test("alloc.host() takes Float16Array where the runtime has it", {
  skip: skip || (!Float16Array && "no Float16Array"),
}, () => {
  using context = makeContext();
  using memory = context.alloc.host(Float16Array!, 8);
  memory.view[7] = 0.5;
  assertEquals([memory.byteLength, memory.view[7]], [16, 0.5]);
});

test("Memory.subarray() is a part of it, without a copy", { skip }, () => {
  using context = makeContext();
  using memory = context.alloc.host(Int16Array.of(0, 1, 2, 3, 4, 5, 6, 7));
  const part = memory.subarray(2, 6);
  assertEquals([part.length, part.byteLength], [4, 8]);
  assertEquals(part.address, memory.address + 4n);
  assertEquals([...part.view], [2, 3, 4, 5]);
  const inner = part.subarray(1);
  assertEquals([...inner.view], [3, 4, 5]);
  inner.view[0] = 99;
  assertEquals(memory.view[3], 99);
  assertEquals([memory.subarray(8).length, memory.subarray().length], [0, 8]);
});

test("Memory.dispose() empties all views of it", { skip }, () => {
  using context = makeContext();
  const memory = context.alloc.shared(Int32Array.of(1, 2, 3));
  const part = memory.subarray(1);
  const { view } = memory;
  const others = [part.view, new Uint8Array(view.buffer), view.subarray(1)];
  const data = new DataView(view.buffer);
  memory.dispose();
  assertEquals(memory.disposed, true);
  for (const stale of [view, ...others]) assertEquals([stale.length, stale[0]], [0, undefined]);
  view[0] = 7;
  assertEquals(view[0], undefined);
  assertThrows(() => data.getInt32(0), TypeError);
  for (
    const use of [
      () => memory.view,
      () => memory.address,
      () => memory.handle,
      () => memory.subarray(),
      () => memory.properties,
      () => part.address,
      () => part.view,
      () => part.subarray(),
    ]
  ) assertThrows(use, UseAfterDisposeError, "Memory was disposed");
  memory.dispose();
});

test("Context.dispose() empties the views of what was allocated in it", { skip }, () => {
  const context = makeContext();
  const { view } = context.alloc.host(Int32Array.of(1, 2, 3));
  context.dispose();
  assertEquals(view.length, 0);
  assertThrows(() => context.alloc.host(8), UseAfterDisposeError, "Context");
});

test("await using frees memory on another thread", { skip }, async () => {
  using context = makeContext();
  let stale: Float32Array;
  {
    await using memory = context.alloc.host(Float32Array, 1 << 20);
    stale = memory.view;
    assertEquals(stale.length, 1 << 20);
  }
  assertEquals(stale.length, 0);
});

test("Memory that the device uses is freed when its work is over", {
  skip: noExecution,
}, async () => {
  await using context = makeContext();
  const go = context.createEvent();
  const list = context.createImmediateCommandList(testDevice());
  const [first, second] = [context.alloc.host(64), context.alloc.host(64)];
  const addresses = [first.address, second.address];
  const kinds = (): string[] => addresses.map((address) => context.memoryProperties(address).type);
  list.appendBarrier({ waitFor: [go] }).appendMemoryFill(first, 1).appendMemoryFill(second, 1);
  first.dispose();
  let freed = false;
  const disposed = second[Symbol.asyncDispose]().then(() => freed = true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assertEquals([...kinds(), freed], ["host", "host", false]);
  assertThrows(() => first.address, UseAfterDisposeError);
  go.signal();
  await list.synchronize();
  await disposed;
  assertEquals(kinds(), ["unknown", "unknown"]);
});

test("Memory.properties and the context's lookups tell what is at an address", { skip }, () => {
  using context = makeContext();
  using memory = context.alloc.device(Float32Array, 100);
  const { type, id, pageSize, device } = memory.properties;
  assertEquals(type, "device");
  assert(device === testDevice());
  assertEquals([typeof id, pageSize > 0n], ["bigint", true]);
  assertEquals(context.memoryProperties(memory.address + 4n).type, "device");
  const { address, byteLength } = context.addressRange(memory.subarray(50));
  assertEquals(address, memory.address);
  assert(byteLength >= 400);
  assertEquals(context.memoryProperties(4096n).type, "unknown");
  assertThrows(() => context.addressRange(4096n), ZeError);
  for (const wrong of [0n, 2n ** 64n]) {
    assertThrows(() => context.addressRange(wrong), ArgumentRangeError, "`address`");
  }
  assertThrows(() => context.memoryProperties(bad(4096)), ArgumentTypeError, "`address`");
});

test("Context.rowPitch() is told, or refused", { skip }, () => {
  using context = makeContext();
  try {
    const pitch = context.rowPitch({ width: 100, height: 50, bytesPerPixel: 4 });
    assert(pitch >= 400 && pitch % 4 === 0);
  } catch (error) {
    assert(error instanceof ZeError || error instanceof UnsupportedFeatureError);
  }
  if (!has("zeMemGetPitchFor2dImage") || !testDevice().supports("images")) return;
  const good = { width: 1, height: 1, bytesPerPixel: 4 };
  for (const wrong of [{ width: 0 }, { height: 1e9 }, { bytesPerPixel: 17 }, { width: 1.5 }]) {
    assertThrows(() => context.rowPitch({ ...good, ...wrong }), ArgumentRangeError);
  }
  assertThrows(() => context.rowPitch(bad(undefined)), ArgumentTypeError, "width");
});

test("Memory of another context is refused", { skip }, () => {
  using context = makeContext();
  using other = makeContext();
  using memory = other.alloc.host(8);
  for (const foreign of [memory, memory.subarray(1)]) {
    assertThrows(() => context.addressRange(foreign), ArgumentTypeError, "another context");
  }
  const imitation = Object.create(Object.getPrototypeOf(memory));
  assertThrows(() => other.addressRange(imitation), ArgumentTypeError);
});

for (
  const [what, allocate, type, text] of [
    ["no length", (c) => c.alloc.host(Float32Array, bad(undefined)), ArgumentTypeError, "`length`"],
    ["no elements", (c) => c.alloc.host(Float32Array, 0), ArgumentRangeError, "`length`"],
    ["a fraction", (c) => c.alloc.device(1.5), ArgumentRangeError, "`byteLength`"],
    ["an empty array", (c) => c.alloc.host(new Int8Array()), ArgumentRangeError, "not empty"],
    ["another class", (c) => c.alloc.host(bad(DataView), 8), ArgumentTypeError, "Float32Array"],
    ["a derived class", (c) => c.alloc.host(Mine, 8), ArgumentTypeError, "Float32Array"],
    ["text", (c) => c.alloc.shared(bad("8")), ArgumentTypeError, "`type`"],
    ["an odd alignment", (c) => c.alloc.host(8, { alignment: 3 }), ArgumentRangeError, "power"],
    [
      "an unknown flag",
      (c) => c.alloc.host(8, { hostFlags: [bad("bias")] }),
      ArgumentTypeError,
      '"bias_cached"',
    ],
    ["an unknown option", (c) => c.alloc.host(8, bad({ size: 1 })), ArgumentTypeError, "size"],
    [
      "no device",
      (c) => c.alloc.device(8, { device: { handle: 1n } as Device }),
      ArgumentTypeError,
      "options.device",
    ],
    ["null for a device", (c) => c.alloc.device(8, { device: bad(null) }), ArgumentTypeError, ""],
  ] as [string, (context: Context) => unknown, new (...args: never[]) => Error, string][]
) {
  test(`alloc refuses ${what}`, { skip }, () => {
    using context = makeContext();
    assertThrows(() => allocate(context), type, text);
  });
}

class Mine extends Uint8Array<ArrayBuffer> {}

test("Memory.subarray() refuses what is not in it", { skip }, () => {
  using context = makeContext();
  using memory = context.alloc.device(Float32Array, 8);
  for (const [begin, end] of [[-1, 2], [0, 9], [5, 4], [1.5, 2], [NaN, 8]]) {
    assertThrows(() => memory.subarray(begin, end), ArgumentRangeError);
    assertThrows(() => memory.subarray(0, 8).subarray(begin, end), ArgumentRangeError);
  }
  assertThrows(() => memory.subarray(bad("1")), ArgumentTypeError);
});
