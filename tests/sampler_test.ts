import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  ArgumentTypeError,
  type Device,
  UnsupportedFeatureError,
  UseAfterDisposeError,
} from "../mod.ts";
import type { SamplerOptions } from "../src/sampler.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { images, noImages, withContext } from "./support/images.ts";
import { test } from "./support/testing.ts";

test("Context.createSampler() makes a sampler", { skip: noImages }, async () => {
  await withContext((context) => {
    const options = { addressMode: "repeat", filterMode: "linear", normalized: true } as const;
    using sampler = context.createSampler(testDevice(), options);
    assertEquals(sampler.addressMode, "repeat");
    assertEquals([sampler.filterMode, sampler.normalized], ["linear", true]);
    assert(sampler.context === context && sampler.device === testDevice());
    assert(sampler.handle !== 0n);
  });
});

test("Context.createSampler() by default reads the nearest pixel by its number", {
  skip: noImages,
}, async () => {
  await withContext((context) => {
    using sampler = context.createSampler(testDevice());
    assertEquals(
      [sampler.addressMode, sampler.filterMode, sampler.normalized],
      ["none", "nearest", false],
    );
  });
});

test("Context.dispose() disposes its samplers", { skip: noImages }, () => {
  const context = testDevice().driver.createContext();
  const sampler = context.createSampler(testDevice());
  context.dispose();
  assertEquals(sampler.disposed, true);
  assertThrows(() => sampler.handle, UseAfterDisposeError, "Sampler was disposed");
});

for (
  const [options, text] of [
    [{ addressMode: "wrap" }, '"mirror"'],
    [{ filterMode: "cubic" }, '"linear"'],
    [{ normalized: 1 }, "options.normalized"],
    [{ filter: "linear" }, "options.filter"],
    [null, "options"],
  ] as const
) {
  test(`Context.createSampler() refuses ${JSON.stringify(options)}`, {
    skip: noDevice,
  }, async () => {
    await withContext((context) => {
      assertThrows(
        () => context.createSampler(testDevice(), options as unknown as SamplerOptions),
        ArgumentTypeError,
        text,
      );
    });
  });
}

test("Context.createSampler() refuses what is no device of the context", {
  skip: noDevice,
}, async () => {
  await withContext((context) => {
    assertThrows(
      () => context.createSampler({ handle: 1n } as Device),
      ArgumentTypeError,
      "argument `device`",
    );
  });
});

test("Context.createSampler() on a device without samplers says so", { skip: images }, async () => {
  await withContext((context) => {
    assertThrows(() => context.createSampler(testDevice()), UnsupportedFeatureError, "samplers");
  });
});
