/**
 * Memory that can't be had, by faults on demand of the `cpu` driver.
 */
import { assertEquals, assertThrows } from "@std/assert";
import process from "node:process";
import { ArgumentTypeError } from "../mod.ts";
import { onOutOfMemory } from "../src/out_of_memory.ts";
import { evaluate, projectFile } from "./support/child.ts";
import { testDevice } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { test } from "./support/testing.ts";

const skip = process.env["ZE_TEST_DEVICE"] === "cpu"
  ? false
  : "needs ZE_TEST_DEVICE=cpu, which `deno task test` provides";

interface Outcome {
  readonly name?: string;
  readonly code?: number;
  readonly bytes?: number;
  readonly device?: string;
  readonly message?: string;
  readonly shortages: readonly { readonly bytes: number; readonly device: string | null }[];
}

/** Allocates 4096 bytes with faults; callbacks note what they are told. */
function allocate(
  faults: string,
  kind = "device",
  callback = "shortages.push({ bytes, device: device?.name ?? null })",
): Promise<Outcome> {
  return evaluate<Outcome>(
    `
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    import { onOutOfMemory } from ${JSON.stringify(projectFile("src/out_of_memory.ts"))};
    const device = drivers()[0].devices[0];
    using context = device.driver.createContext();
    const shortages = [];
    onOutOfMemory(({ bytes, device }) => { ${callback} });
    onOutOfMemory(() => { throw new Error("taken away, so never called"); })();
    let error = {};
    try {
      context.alloc.${kind}(Float32Array, 1024).dispose();
    } catch (thrown) {
      error = thrown;
    }
    const { name, code, bytes, device: of, message } = error;
    console.log(JSON.stringify({ name, code, bytes, device: of, message, shortages }));`,
    { env: { ZE_CPU_FAULTS: faults } },
  );
}

test("An allocation that fails twice succeeds after callbacks gave memory back", {
  skip,
}, async () => {
  const faults = "zeMemAllocDevice:1:code=0x70000003;zeMemAllocDevice:2:code=0x70000002";
  const { name, shortages } = await allocate(faults);
  assertEquals(name, undefined);
  const shortage = { bytes: 4096, device: testDevice().name };
  assertEquals(shortages, [shortage, shortage]);
});

test("An allocation that keeps failing is an OutOfMemoryError", { skip }, async () => {
  const failure = await allocate("zeMemAllocDevice:1+:code=0x70000003");
  assertEquals(failure.name, "OutOfMemoryError");
  assertEquals([failure.code, failure.bytes], [0x70000003, 4096]);
  assertEquals(failure.device, testDevice().name);
  assertEquals(failure.shortages.length, 2);
});

test("An allocation of host memory that keeps failing names no device", { skip }, async () => {
  const failure = await allocate("zeMemAllocHost:1+:code=0x70000002", "host");
  assertEquals([failure.name, failure.code], ["OutOfMemoryError", 0x70000002]);
  assertEquals(failure.device, undefined);
  assertEquals(failure.shortages[0], { bytes: 4096, device: null });
});

test("An allocation that fails for another reason is not tried again", { skip }, async () => {
  const failure = await allocate("zeMemAllocShared:1:code=0x78000004", "shared");
  assertEquals([failure.code, failure.shortages.length], [0x78000004, 0]);
});

test("What a callback throws comes out of the allocation", { skip }, async () => {
  const faults = "zeMemAllocDevice:1:code=0x70000003";
  const { message } = await allocate(faults, "device", 'throw new Error("no way");');
  assertEquals(message, "no way");
});

test("A callback that allocates is not called for that", { skip }, async () => {
  const { name, shortages } = await allocate(
    "zeMemAllocDevice:1+:code=0x70000003",
    "device",
    "shortages.push({ bytes, device: null }); context.alloc.device(8);",
  );
  assertEquals([name, shortages.length], ["OutOfMemoryError", 1]);
});

test("Memory that is used up is there again once a callback disposed some", { skip }, () => {
  const device = testDevice();
  using context = device.driver.createContext();
  const size = Number(device.properties.maxMemAllocSize);
  const kept = [context.alloc.device(size)];
  let reclaimed = 0;
  const stop = onOutOfMemory(() => {
    reclaimed += kept.length;
    for (const memory of kept.splice(0)) memory.dispose();
  });
  try {
    for (let round = 0; round < 20 && reclaimed === 0; round++) {
      kept.push(context.alloc.device(size));
    }
  } finally {
    stop();
  }
  assertEquals([reclaimed > 0, kept.length], [true, 1]);
});

test("onOutOfMemory() refuses what is no function", () => {
  assertThrows(() => onOutOfMemory(bad("dispose")), ArgumentTypeError, "`callback`");
});
