import { assert, assertEquals, assertThrows } from "@std/assert";
import { ArgumentTypeError } from "../mod.ts";
import type { DeviceFeature } from "../src/features.ts";
import { noDevice, noIntelCompiler, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";
import process from "node:process";

const noCpu = noDevice || (process.env["ZE_TEST_DEVICE"] !== "cpu" && "needs ZE_TEST_DEVICE=cpu");

test("Device.supports() tells what the device has", { skip: noDevice }, () => {
  const device = testDevice();
  assertEquals(device.supports("fp64"), device.moduleProperties.flags.includes("fp64"));
  assertEquals(device.supports("images"), device.imageProperties.maxImageDims2D > 0);
  assertEquals(device.supports("sub_devices"), device.subDevices.length > 0);
  assert(device.supports("device_memory") && device.supports("host_memory"));
});

/** What each test device is known to have, and not to have. */
const KNOWN = {
  cpu: {
    has: ["images", "samplers", "shared_memory", "system_memory", "copy_queues", "integrated"],
    lacks: ["graphs", "fabric", "external_semaphores", "image_views", "pci_properties"],
  },
  intel: {
    has: ["graphs", "fabric", "image_views", "vector_widths", "synchronize", "pci_properties"],
    lacks: ["images", "samplers", "runtime_requirements", "cache_reservation"],
  },
} as const;

for (const [name, { has, lacks }] of Object.entries(KNOWN)) {
  const skip = name === "cpu" ? noCpu : noIntelCompiler;
  test(`Device.supports() knows the ${name} device`, { skip }, () => {
    const answers = (features: readonly DeviceFeature[]): Record<string, boolean> =>
      Object.fromEntries(features.map((feature) => [feature, testDevice().supports(feature)]));
    assertEquals(answers(has), Object.fromEntries(has.map((feature) => [feature, true])));
    assertEquals(answers(lacks), Object.fromEntries(lacks.map((feature) => [feature, false])));
  });
}

test("Device.supports() answers for every feature it names", { skip: noDevice }, () => {
  const error = assertThrows(
    () => testDevice().supports("everything" as DeviceFeature),
    ArgumentTypeError,
  );
  const features = error.accepted.match(/one of ([^;]+);/)![1]!.split(", ") as DeviceFeature[];
  assert(features.length > 30);
  for (const feature of features) assertEquals(typeof testDevice().supports(feature), "boolean");
});

for (const [given, text] of [["image", '"images"'], ["toString", "one of"], [7, "one of"]]) {
  test(`Device.supports() refuses ${JSON.stringify(given)}`, { skip: noDevice }, () => {
    assertThrows(
      () => testDevice().supports(given as DeviceFeature),
      ArgumentTypeError,
      text as string,
    );
  });
}

test("Driver.supports() tells whether the driver lists an extension", { skip: noDevice }, () => {
  const { driver } = testDevice();
  for (const { name } of driver.extensions) assert(driver.supports(name));
  assertEquals(driver.supports("ZE_extension_of_nobody"), false);
  assertThrows(() => driver.supports(1 as unknown as string), ArgumentTypeError, "extension");
});
