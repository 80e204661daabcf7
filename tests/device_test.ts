import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Device } from "../mod.ts";
import { noDevice, noIntelCompiler, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

/** The groups, and what each of their members is. */
const GROUPS = {
  properties: {
    type: "string",
    vendorId: "number",
    deviceId: "number",
    flags: "object",
    subdeviceId: "number",
    coreClockRate: "number",
    maxMemAllocSize: "bigint",
    maxHardwareContexts: "number",
    maxCommandQueuePriority: "number",
    numThreadsPerEU: "number",
    physicalEUSimdWidth: "number",
    numEUsPerSubslice: "number",
    numSubslicesPerSlice: "number",
    numSlices: "number",
    timerResolution: "bigint",
    timestampValidBits: "number",
    kernelTimestampValidBits: "number",
    uuid: "string",
    name: "string",
  },
  computeProperties: {
    maxTotalGroupSize: "number",
    maxGroupSizeX: "number",
    maxGroupSizeY: "number",
    maxGroupSizeZ: "number",
    maxGroupCountX: "number",
    maxGroupCountY: "number",
    maxGroupCountZ: "number",
    maxSharedLocalMemory: "number",
    subGroupSizes: "object",
  },
  moduleProperties: {
    spirvVersionSupported: "object",
    flags: "object",
    fp16flags: "object",
    fp32flags: "object",
    fp64flags: "object",
    maxArgumentsSize: "number",
    printfBufferSize: "number",
    nativeKernelSupported: "string",
  },
  memoryAccessProperties: {
    hostAllocCapabilities: "object",
    deviceAllocCapabilities: "object",
    sharedSingleDeviceAllocCapabilities: "object",
    sharedCrossDeviceAllocCapabilities: "object",
    sharedSystemAllocCapabilities: "object",
  },
  imageProperties: {
    maxImageDims1D: "number",
    maxImageDims2D: "number",
    maxImageDims3D: "number",
    maxImageBufferSize: "bigint",
    maxImageArraySlices: "number",
    maxSamplers: "number",
    maxReadImageArgs: "number",
    maxWriteImageArgs: "number",
  },
  externalMemoryProperties: {
    memoryAllocationImportTypes: "object",
    memoryAllocationExportTypes: "object",
    imageImportTypes: "object",
    imageExportTypes: "object",
  },
} as const;

/** The groups that are lists, and what their elements' members are. */
const LISTS = {
  commandQueueGroupProperties: {
    ordinal: "number",
    flags: "object",
    maxMemoryFillPatternSize: "bigint",
    numQueues: "number",
  },
  memoryProperties: {
    flags: "object",
    maxClockRate: "number",
    maxBusWidth: "number",
    totalSize: "bigint",
    name: "string",
  },
  cacheProperties: { flags: "object", cacheSize: "bigint" },
} as const;

function typesOf(value: object): Record<string, string> {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, typeof member]));
}

for (const [group, types] of Object.entries(GROUPS)) {
  test(`Device.${group} is a plain object`, { skip: noDevice }, () => {
    const value = testDevice()[group as keyof typeof GROUPS & keyof Device];
    assertEquals(typesOf(value), types);
  });
}

for (const [group, types] of Object.entries(LISTS)) {
  test(`Device.${group} is a list of plain objects`, { skip: noDevice }, () => {
    const list = testDevice()[group as keyof typeof LISTS & keyof Device];
    for (const value of list) assertEquals(typesOf(value), types);
  });
}

test("Device.name, type and uuid are those of its properties", { skip: noDevice }, () => {
  const device = testDevice();
  const { name, type, uuid } = device.properties;
  assertEquals([device.name, device.type, device.uuid], [name, type, uuid]);
  assert(name.length > 0);
  assertMatch(uuid, /^[0-9a-f-]{36}$/);
});

test("Device.commandQueueGroupProperties has a group for compute", { skip: noDevice }, () => {
  const groups = testDevice().commandQueueGroupProperties;
  assertEquals(groups.map(({ ordinal }) => ordinal), groups.map((_, i) => i));
  assert(groups.some(({ flags, numQueues }) => flags.includes("compute") && numQueues > 0));
});

test("Device values are those of the hardware described to Intel's driver", {
  skip: noIntelCompiler,
}, () => {
  const device = testDevice();
  // ProductFamilyOverride=pvc, HardwareInfoOverride=8x8x8
  const { type, vendorId, numSlices, numSubslicesPerSlice, numEUsPerSubslice } = device.properties;
  assertEquals(type, "gpu");
  assertEquals(vendorId, 0x8086);
  assertEquals([numSlices, numSubslicesPerSlice, numEUsPerSubslice], [8, 8, 8]);
  assertEquals(device.computeProperties.maxTotalGroupSize, 1024);
  assertEquals(device.computeProperties.subGroupSizes, [16, 32]);
  assert(device.moduleProperties.flags.includes("fp64"));
  assert(device.moduleProperties.fp32flags.includes("rounded_divide_sqrt"));
});

test("Device.checkStatus() returns for a device that is well", { skip: noDevice }, () => {
  testDevice().checkStatus();
});

test("Device.globalTimestamps are two clocks", { skip: noDevice }, () => {
  const { host, device } = testDevice().globalTimestamps;
  assertEquals([typeof host, typeof device], ["bigint", "bigint"]);
});

test(
  "Device.subDevices have the device as root, which is a part of none",
  { skip: noDevice },
  () => {
    const device = testDevice();
    assertEquals(device.rootDevice, undefined);
    for (const part of device.subDevices) assert(part.rootDevice === device);
    assert(device.subDevices === device.subDevices);
  },
);

test("Device.canAccessPeer() and p2pProperties() take another device", { skip: noDevice }, () => {
  const device = testDevice();
  assertEquals(device.canAccessPeer(device), true);
  for (const flag of device.p2pProperties(device).flags) assertMatch(flag, /^[a-z_]+$/);
});
