import { assertEquals, assertRejects } from "@std/assert";
import { ArgumentTypeError, type Device, UseAfterDisposeError } from "../mod.ts";
import type { ResidencyTarget } from "../src/residency.ts";
import { noDevice, noResidency, testDevice } from "./support/device.ts";
import { noImages, PICTURE, withContext } from "./support/images.ts";
import { test } from "./support/testing.ts";

test("Context.makeResident() keeps memory, evict() lets it go", { skip: noResidency }, async () => {
  await withContext(async (context) => {
    using memory = context.alloc.device(Float32Array, 1024, { device: testDevice() });
    await context.makeResident(testDevice(), memory);
    await context.evict(testDevice(), memory);
    await context.makeResident(testDevice(), memory.subarray(0, 512));
    await context.evict(testDevice(), memory.subarray(0, 512));
  });
});

test("Context.makeResident() keeps images", { skip: noImages }, async () => {
  await withContext(async (context) => {
    using image = context.createImage(testDevice(), PICTURE);
    await context.makeResident(testDevice(), image);
    await context.evict(testDevice(), image);
  });
});

test("Memory that is disposed meanwhile is freed afterwards", { skip: noResidency }, async () => {
  await withContext(async (context) => {
    const memory = context.alloc.device(Uint8Array, 4096, { device: testDevice() });
    const resident = context.makeResident(testDevice(), memory);
    memory.dispose();
    assertEquals(memory.disposed, true);
    await resident;
    await assertRejects(() => context.makeResident(testDevice(), memory), UseAfterDisposeError);
  });
});

for (const target of [undefined, 4096n, { address: 4096n, byteLength: 1 }, new Float32Array(4)]) {
  test(`Context.makeResident() refuses ${Object.prototype.toString.call(target)}`, {
    skip: noDevice,
  }, async () => {
    await withContext(async (context) => {
      await assertRejects(
        () => context.makeResident(testDevice(), target as ResidencyTarget),
        ArgumentTypeError,
        "argument `target`",
      );
    });
  });
}

test("Context.evict() refuses what is of another context", { skip: noDevice }, async () => {
  await withContext(async (context) => {
    await using other = testDevice().driver.createContext();
    using memory = other.alloc.device(Uint8Array, 64, { device: testDevice() });
    await assertRejects(
      () => context.evict(testDevice(), memory),
      ArgumentTypeError,
      "another context",
    );
    await assertRejects(
      () => context.evict({ handle: 1n } as Device, memory),
      ArgumentTypeError,
      "argument `device`",
    );
  });
});
