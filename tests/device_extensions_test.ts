import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type Device,
  type Module,
  UnsupportedFeatureError,
  ZeError,
} from "../mod.ts";
import type { DeviceFeature } from "../src/features.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

/** Why a test needs more than the device has. */
function without(feature: DeviceFeature): string | false {
  return noDevice || (!testDevice().supports(feature) && `the device has no ${feature}`);
}

test("Device.vectorWidthProperties has vectors of some size", {
  skip: without("vector_widths"),
}, () => {
  const [widths] = testDevice().vectorWidthProperties;
  assert(widths!.vectorWidthSize > 0);
  assert(widths!.preferred.char >= widths!.preferred.float);
  assertEquals(Object.keys(widths!.native), Object.keys(widths!.preferred));
});

test("Device.pciProperties are asked of the driver", { skip: without("pci_properties") }, () => {
  try {
    assertEquals(typeof testDevice().pciProperties.maxSpeed.maxBandwidth, "bigint");
  } catch (error) {
    // Without hardware there is no bus that the driver could ask.
    assert(error instanceof ZeError && error.functionName === "zeDevicePciGetPropertiesExt");
  }
});

test("Device.synchronize() resolves when the device is done", {
  skip: without("synchronize"),
}, async () => {
  assertEquals(await testDevice().synchronize(), true);
  assertEquals(await testDevice().synchronize({ timeout: 5000 }), true);
  await assertRejects(
    () => testDevice().synchronize({ timeout: -1 }),
    ArgumentRangeError,
    "options.timeout",
  );
});

/** What is refused, before anything is called, by drivers that lack it. */
const REFUSED: readonly [DeviceFeature, string, (device: Device) => unknown][] = [
  ["pci_properties", "Device.pciProperties", (device) => device.pciProperties],
  ["vector_widths", "Device.vectorWidthProperties", (device) => device.vectorWidthProperties],
  ["fabric", "Device.fabricVertex", (device) => device.fabricVertex],
  ["fabric", "Driver.fabricVertices", (device) => device.driver.fabricVertices],
  ["cache_reservation", "Device.reserveCache", (device) => device.reserveCache(1 << 20)],
  ["synchronize", "Device.synchronize", (device) => device.synchronize()],
  [
    "runtime_requirements",
    "Device.runtimeRequirementsKey",
    (device) => device.runtimeRequirementsKey,
  ],
  [
    "runtime_requirements",
    "Device.validateRuntimeRequirements",
    (device) => device.validateRuntimeRequirements("none"),
  ],
];

for (const [feature, functionName, call] of REFUSED) {
  const skip = noDevice || (testDevice().supports(feature) && `the device has ${feature}`);
  test(`${functionName} is refused without ${feature}`, { skip }, async () => {
    const error = await assertRejects(
      async () => await call(testDevice()),
      UnsupportedFeatureError,
    );
    assertEquals(error.functionName, functionName);
  });
}

test("What is asked of a device is checked first", { skip: noDevice }, () => {
  const device = testDevice();
  assertThrows(() => device.reserveCache(-1), ArgumentRangeError, "byteLength");
  assertThrows(() => device.reserveCache(1, 1.5), ArgumentRangeError, "level");
  assertThrows(() => device.runtimeRequirements({} as Module), ArgumentTypeError, "module");
  assertThrows(() => device.validateRuntimeRequirements("a\0b"), ArgumentTypeError, "requirements");
});

test("Device.canAccessPeer() and p2pProperties() refuse what is no device of the driver", {
  skip: noDevice,
}, () => {
  const device = testDevice();
  for (const peer of [undefined, 1n, { handle: 1n, driver: device.driver }]) {
    for (const call of ["canAccessPeer", "p2pProperties"] as const) {
      assertThrows(() => device[call](peer as unknown as Device), ArgumentTypeError, "peer");
    }
  }
});
