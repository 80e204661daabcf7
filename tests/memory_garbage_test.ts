/**
 * Memory that nobody disposes, and who keeps it.
 */
import { assert, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { type Context, ZeError } from "../mod.ts";
import { onLeak } from "../src/leaks.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { sleep } from "./support/fixture.ts";
import { collectGarbage, untilCollected } from "./support/garbage.ts";
import { test } from "./support/testing.ts";

const skip = noDevice;
const COUNT = 40;

/** What is kept of a memory in place of it. */
const KEPT: Readonly<Record<string, (view: Float32Array<ArrayBuffer>) => () => number>> = {
  "its view": (view) => () => view[99]!,
  "its view's buffer": ({ buffer }) => () => new Float32Array(buffer)[99]!,
  "a part of its view": (view) => {
    const part = view.subarray(99);
    return () => part[0]!;
  },
  "another view of its buffer": ({ buffer }) => {
    const data = new DataView(buffer, 396);
    return () => data.getFloat32(0, true);
  },
};

function abandon(context: Context, keep: (typeof KEPT)[string]): {
  read: () => number;
  address: bigint;
  memory: WeakRef<object>;
} {
  const memory = context.alloc.host(Float32Array, 100);
  memory.view[99] = 7;
  return { read: keep(memory.view), address: memory.address, memory: new WeakRef(memory) };
}

for (const [what, keep] of Object.entries(KEPT)) {
  test(`Memory is not freed as long as ${what} is there`, { skip }, async () => {
    using context = testDevice().driver.createContext();
    onLeak(() => {});
    try {
      const held = Array.from({ length: COUNT }, () => abandon(context, keep));
      const dropped = Array.from({ length: COUNT }, () => abandon(context, keep).memory);
      await untilCollected(dropped);
      for (let round = 0; round < 5; round++) {
        collectGarbage();
        await sleep(1);
      }
      for (const { read, address } of held) {
        assertEquals(read(), 7);
        assertEquals(context.addressRange(address).address, address);
      }
    } finally {
      onLeak(undefined);
    }
  });
}

test("Memory that nobody can reach any more is freed, and told as a leak", { skip }, async () => {
  using context = testDevice().driver.createContext();
  let leaks = 0;
  onLeak(({ what }) => leaks += what === "Memory" ? 1 : 0);
  try {
    const keepNothing = (): () => number => () => 0;
    const addresses: bigint[] = [];
    const dropped = Array.from({ length: COUNT }, () => {
      const { address, memory } = abandon(context, keepNothing);
      addresses.push(address);
      return memory;
    });
    await untilCollected(dropped);
    for (let round = 0; round < 50 && leaks < COUNT / 2; round++) {
      collectGarbage();
      await sleep(2);
    }
    assertGreater(leaks, COUNT / 2 - 1);
    const isFreed = (address: bigint): boolean => {
      try {
        return context.addressRange(address).address !== address;
      } catch (error) {
        return error instanceof ZeError;
      }
    };
    assertGreater(addresses.filter(isFreed).length, COUNT / 2 - 1);
  } finally {
    onLeak(undefined);
  }
});

test("A context is kept by its memory", { skip }, async () => {
  const memory = testDevice().driver.createContext().alloc.host(Int32Array.of(5));
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    await sleep(1);
  }
  assertEquals(memory.view[0], 5);
  memory.context.dispose();
  assert(memory.disposed);
});

test("Memory whose buffer was transferred is not freed, as it can still be seen", { skip }, () => {
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (text: string) => void warnings.push(text);
  try {
    using context = testDevice().driver.createContext();
    const memory = context.alloc.host(Int32Array.of(5));
    const { address } = memory;
    const moved = structuredClone(memory.view, { transfer: [memory.view.buffer] });
    memory.dispose();
    assertEquals(moved[0], 5);
    assertEquals(context.addressRange(address).address, address);
    assertThrows(() => memory.view);
    assertEquals(warnings.filter((text) => text.includes("transferred")).length, 1);
  } finally {
    console.warn = warn;
  }
});
