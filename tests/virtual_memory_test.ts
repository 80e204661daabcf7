import { assert, assertEquals, assertThrows } from "@std/assert";
import process from "node:process";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type Context,
  UnsupportedFeatureError,
  UseAfterDisposeError,
  ZeError,
} from "../mod.ts";
import type { PhysicalMemory } from "../src/physical_memory.ts";
import { viewAt } from "../src/ffi/mod.ts";
import { ze_result_t } from "../src/libze/enums_ze.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { bad, sleep } from "./support/fixture.ts";
import { collectGarbage } from "./support/garbage.ts";
import { test } from "./support/testing.ts";

const UNSUPPORTED_FEATURE = ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;

const skip = noDevice;
/** Where the host sees what is mapped. */
const notSeen = process.env["ZE_TEST_DEVICE"] === "cpu"
  ? false
  : "needs ZE_TEST_DEVICE=cpu, whose virtual memory is the host's";

function makeContext(): Context {
  return testDevice().driver.createContext();
}

/** A page that the device can be told of without hardware. */
function mappable(context: Context): PhysicalMemory {
  using virtual = context.reserveVirtualMemory(1);
  return context.createPhysicalMemory(virtual.pageSize, { kind: "host" });
}

test("Context.reserveVirtualMemory() and createPhysicalMemory() fill whole pages", {
  skip,
}, () => {
  using context = makeContext();
  using virtual = context.reserveVirtualMemory(1);
  assertEquals(virtual.byteLength, virtual.pageSize);
  assertEquals(virtual.address % BigInt(virtual.pageSize), 0n);
  using physical = context.createPhysicalMemory(virtual.pageSize + 1);
  assertEquals(physical.byteLength, 2 * virtual.pageSize);
  assertEquals([physical.kind, physical.device === testDevice()], ["device", true]);
  assertEquals(virtual.mappings, []);
});

test("VirtualMemory.map() gives memory that is used as other memory", { skip }, () => {
  using context = makeContext();
  using physical = mappable(context);
  const page = physical.byteLength;
  using virtual = context.reserveVirtualMemory(4 * page);
  using memory = virtual.map(physical, { type: Float32Array, offset: 2 * page });
  assertEquals(memory.address, virtual.address + BigInt(2 * page));
  assertEquals([memory.byteLength, memory.length], [page, page / 4]);
  assertEquals(memory.subarray(1).address, memory.address + 4n);
  assert(virtual.mappings[0] === memory && memory.physicalMemory === physical);
  assertThrows(() => memory.view, ArgumentTypeError);
  memory.dispose();
  assertEquals(virtual.mappings, []);
  virtual.map(physical, { offset: 2 * page }).dispose();
});

test("Physical memory that is mapped twice is the same at both addresses", {
  skip: skip || notSeen,
}, () => {
  using context = makeContext();
  using physical = context.createPhysicalMemory(3 * 4096, { kind: "host" });
  using virtual = context.reserveVirtualMemory(8 * 4096);
  const whole = virtual.map(physical);
  const last = virtual.map(physical, { offset: 7 * 4096, physicalOffset: 2 * 4096 });
  assertEquals([whole.byteLength, last.byteLength], [3 * 4096, 4096]);
  viewAt(whole.address, whole.byteLength)[2 * 4096 + 5] = 42;
  assertEquals(viewAt(last.address, last.byteLength)[5], 42);
  whole.dispose();
  const again = virtual.map(physical, { byteLength: 4096, physicalOffset: 2 * 4096 });
  assertEquals(viewAt(again.address, 4096)[5], 42);
});

test("MappedMemory.access is set and told", { skip }, () => {
  using context = makeContext();
  using physical = mappable(context);
  using virtual = context.reserveVirtualMemory(1);
  using memory = virtual.map(physical, { access: "readonly" });
  assertEquals(memory.access, "readonly");
  memory.access = "none";
  assertEquals(memory.access, "none");
  assertThrows(() => context.memoryProperties(memory), ArgumentTypeError, '"none"');
  memory.access = "readwrite";
  context.memoryProperties(memory);
  assertThrows(() => memory.access = bad("write"), ArgumentTypeError, '"readonly"');
});

test("Disposing either side of a mapping unmaps it", { skip }, async () => {
  await using context = makeContext();
  const physical = mappable(context);
  const virtual = context.reserveVirtualMemory(1);
  const first = virtual.map(physical);
  physical.dispose();
  assertEquals([first.disposed, virtual.disposed], [true, false]);
  const other = mappable(context);
  const second = virtual.map(other);
  virtual.dispose();
  assertEquals([second.disposed, other.disposed], [true, false]);
  assertThrows(() => second.access, UseAfterDisposeError);
  assertThrows(() => virtual.address, UseAfterDisposeError, "VirtualMemory");
  assertThrows(() => virtual.map(other), UseAfterDisposeError, "VirtualMemory");
  const last = context.reserveVirtualMemory(1);
  last.map(other);
  await other[Symbol.asyncDispose]();
  assertThrows(() => last.map(other), UseAfterDisposeError, "PhysicalMemory");
});

test("Context.dispose() gives back what is mapped", { skip }, () => {
  const context = makeContext();
  const virtual = context.reserveVirtualMemory(1);
  const mapped = virtual.map(mappable(context));
  context.dispose();
  assertEquals([virtual.disposed, mapped.disposed, mapped.physicalMemory.disposed], [
    true,
    true,
    true,
  ]);
});

test("Mapped memory is not unmapped when its object is collected", { skip }, async () => {
  using context = makeContext();
  using virtual = context.reserveVirtualMemory(1);
  (() => void virtual.map(mappable(context)))();
  for (let round = 0; round < 10; round++) {
    collectGarbage();
    await sleep(1);
  }
  const [mapped] = virtual.mappings;
  assertEquals([mapped?.disposed, mapped?.physicalMemory.disposed], [false, false]);
});

test("VirtualMemory.map() refuses what does not fit", { skip }, () => {
  using context = makeContext();
  using other = makeContext();
  using physical = mappable(context);
  using foreign = mappable(other);
  const page = physical.byteLength;
  using virtual = context.reserveVirtualMemory(2 * page);
  using _taken = virtual.map(physical, { offset: page });
  for (
    const [options, type, text] of [
      [{ offset: 1 }, ArgumentRangeError, "page size"],
      [{ offset: 2 * page }, ArgumentRangeError, "options.offset"],
      [{ offset: page }, ArgumentRangeError, "nothing is mapped"],
      [{ physicalOffset: page }, ArgumentRangeError, "options.physicalOffset"],
      [{ byteLength: 2 * page }, ArgumentRangeError, "options.byteLength"],
      [{ byteLength: 0 }, ArgumentRangeError, "options.byteLength"],
      [{ access: "write" }, ArgumentTypeError, "options.access"],
      [{ type: DataView }, ArgumentTypeError, "options.type"],
      [{ size: 1 }, ArgumentTypeError, "options.size"],
    ] as [object, new (...args: never[]) => Error, string][]
  ) assertThrows(() => virtual.map(physical, options), type, text);
  assertThrows(() => virtual.map(foreign), ArgumentTypeError, "another context");
  assertThrows(() => virtual.map(bad(virtual)), ArgumentTypeError, "PhysicalMemory");
});

test("Context.createPhysicalMemory() and reserveVirtualMemory() refuse nonsense", { skip }, () => {
  using context = makeContext();
  for (const size of [0, -1, 1.5, NaN]) {
    assertThrows(() => context.createPhysicalMemory(size), ArgumentRangeError, "byteLength");
    assertThrows(() => context.reserveVirtualMemory(size), ArgumentRangeError, "byteLength");
  }
  assertThrows(
    () => context.createPhysicalMemory(1, { kind: bad("shared") }),
    ArgumentTypeError,
    "options.kind",
  );
  assertThrows(() => context.reserveVirtualMemory(1, { start: 1n }), ArgumentRangeError, "page");
  assertThrows(() => context.reserveVirtualMemory(1, { device: bad({}) }), ArgumentTypeError);
});

test("PhysicalMemory.properties are told, or refused", { skip }, () => {
  using context = makeContext();
  using physical = mappable(context);
  try {
    assertEquals(physical.properties.size, BigInt(physical.byteLength));
  } catch (error) {
    // An older loader or driver has no such function; a driver may have it, and refuse.
    assert(
      error instanceof UnsupportedFeatureError ||
        error instanceof ZeError && error.code === UNSUPPORTED_FEATURE,
    );
  }
});

test("VirtualMemory.map() that fails leaves nothing behind", { skip }, () => {
  // Intel's driver without hardware maps a device's memory, and fails then.
  for (let round = 0; round < 5; round++) {
    using context = makeContext();
    const physical = context.createPhysicalMemory(1);
    const virtual = context.reserveVirtualMemory(1);
    try {
      virtual.map(physical);
    } catch (error) {
      assert(error instanceof ZeError);
      assertEquals(virtual.mappings, []);
    }
    virtual.dispose();
    physical.dispose();
  }
});
