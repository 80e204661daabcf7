/**
 * The raw layer on a real driver: C names, checked arguments, checked results.
 */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { spirvModule } from "../examples/spirv_module.ts";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type Context,
  type Device,
  ZeError,
} from "../mod.ts";
import * as ze from "../src/libze/mod.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

const skip = noDevice;

async function withContext(body: (context: Context, device: Device) => unknown): Promise<void> {
  const device = testDevice();
  await using context = device.driver.createContext();
  await body(context, device);
}

test("has() tells what the loader has", { skip }, () => {
  assertEquals(ze.has("zeDeviceGet"), true);
});

test("sync and nonblocking forms of a function do the same", { skip }, async () => {
  const { handle } = testDevice();
  const [plain, sync, nonblocking] = [0, 0, 0].map(() => ze.ze_device_properties_t.create());
  assertEquals(ze.zeDeviceGetProperties(handle, plain!), 0);
  assertEquals(ze.sync.zeDeviceGetProperties(handle, sync!), 0);
  assertEquals(await ze.nonblocking.zeDeviceGetProperties(handle, nonblocking!), 0);
  assertEquals(sync, plain);
  assertEquals(nonblocking, plain);
});

test("zeEventHostSynchronize() returns a Promise, and zeEventQueryStatus() a result", {
  skip,
}, async () => {
  await withContext(async ({ handle }, device) => {
    const pool = new BigUint64Array(1);
    const event = new BigUint64Array(1);
    const devices = new BigUint64Array([device.handle]);
    const flags = ze.ze_event_pool_flag_t.ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
    ze.zeEventPoolCreate(
      handle,
      ze.ze_event_pool_desc_t.create({ count: 1, flags }),
      1,
      devices,
      pool,
    );
    ze.zeEventCreate(pool[0]!, ze.ze_event_desc_t.create({ index: 0 }), event);
    assertEquals(ze.zeEventQueryStatus(event[0]!), ze.ze_result_t.ZE_RESULT_NOT_READY);
    ze.zeEventHostSignal(event[0]!);
    assertEquals(ze.zeEventQueryStatus(event[0]!), ze.ze_result_t.ZE_RESULT_SUCCESS);
    const wait = ze.zeEventHostSynchronize(event[0]!, 2n ** 64n - 1n);
    assert(wait instanceof Promise);
    assertEquals(await wait, ze.ze_result_t.ZE_RESULT_SUCCESS);
    assertEquals(ze.sync.zeEventHostSynchronize(event[0]!, 0n), ze.ze_result_t.ZE_RESULT_SUCCESS);
    ze.zeEventDestroy(event[0]!);
    ze.zeEventPoolDestroy(pool[0]!);
  });
});

test("A command list is made, filled, closed, reset and destroyed", { skip }, async () => {
  await withContext(({ handle }, device) => {
    const list = new BigUint64Array(1);
    ze.zeCommandListCreate(handle, device.handle, ze.ze_command_list_desc_t.create(), list);
    ze.zeCommandListAppendBarrier(list[0]!, 0n, 0, null);
    ze.zeCommandListClose(list[0]!);
    ze.zeCommandListReset(list[0]!);
    ze.zeCommandListDestroy(list[0]!);
  });
});

test("Memory is allocated, and told of by its address", { skip }, async () => {
  await withContext(({ handle }, device) => {
    const address = new BigUint64Array(1);
    ze.zeMemAllocHost(handle, ze.ze_host_mem_alloc_desc_t.create(), 4096n, 64n, address);
    assertEquals(address[0]! % 64n, 0n);
    const properties = ze.ze_memory_allocation_properties_t.create();
    const owner = new BigUint64Array(1);
    ze.zeMemGetAllocProperties(handle, address[0]!, properties, owner);
    const { type } = ze.ze_memory_allocation_properties_t.read(properties);
    assertEquals(type, ze.ze_memory_type_t.ZE_MEMORY_TYPE_HOST);
    ze.zeMemFree(handle, address[0]!);
    assert(device.handle !== 0n);
  });
});

test("A kernel takes arguments by value, by address and none", { skip }, async () => {
  await withContext(async (context, device) => {
    const module = await context.createModule(device, {
      spirv: spirvModule({ kernels: ["first"] }),
    });
    const { handle } = await module.kernel("first");
    ze.zeKernelSetGroupSize(handle, 16, 1, 1);
    ze.zeKernelSetArgumentValue(handle, 0, 8n, new BigUint64Array([0n]));
    ze.zeKernelSetArgumentValue(handle, 0, 8n, null);
  });
});

test("A chain of structs comes back filled in", { skip }, () => {
  const extension = ze.ze_device_ip_version_ext_t.create();
  const properties = ze.ze_device_properties_t.create({ pNext: extension });
  ze.zeDeviceGetProperties(testDevice().handle, properties);
  const { pNext } = ze.ze_device_properties_t.read(properties);
  assert(pNext !== 0n);
  assertEquals(typeof ze.ze_device_ip_version_ext_t.read(extension).ipVersion, "number");
});

test("A failing call throws a ZeError with the function's name and code", { skip }, async () => {
  await withContext(({ handle }) => {
    const address = new BigUint64Array(1);
    const description = ze.ze_host_mem_alloc_desc_t.create();
    const error = assertThrows(
      // More than any device has.
      () => ze.zeMemAllocHost(handle, description, 2n ** 60n, 64n, address),
      ZeError,
      "zeMemAllocHost failed with ZE_RESULT_ERROR_UNSUPPORTED_SIZE (0x78000009)",
    );
    assertEquals(error.functionName, "zeMemAllocHost");
    assertEquals(error.code, ze.ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    assertEquals(error.name, "ZE_RESULT_ERROR_UNSUPPORTED_SIZE");
  });
});

test("A failing nonblocking call rejects with a ZeError", { skip }, async () => {
  await withContext(async ({ handle }) => {
    const address = new BigUint64Array(1);
    const description = ze.ze_host_mem_alloc_desc_t.create();
    const allocate = (): Promise<unknown> =>
      ze.nonblocking.zeMemAllocHost(handle, description, 2n ** 60n, 64n, address);
    const error = await assertRejects(allocate, ZeError);
    assertEquals(error.functionName, "zeMemAllocHost");
  });
});

test("A null handle is refused where the headers want one, and taken where they do not", {
  skip,
}, async () => {
  assertThrows(() => ze.zeContextGetStatus(0n), ArgumentRangeError, "`hContext` is 0n");
  await withContext(({ handle }, device) => {
    const list = new BigUint64Array(1);
    ze.zeCommandListCreate(handle, device.handle, ze.ze_command_list_desc_t.create(), list);
    const noEvent = 0n;
    assertEquals(ze.zeCommandListAppendBarrier(list[0]!, noEvent, 0, null), 0);
    ze.zeCommandListDestroy(list[0]!);
  });
});

test("Arguments are refused before the driver sees them", { skip }, () => {
  const { handle } = testDevice();
  const properties = ze.ze_device_properties_t.create();
  const number = handle as unknown as number;
  assertThrows(
    () => ze.zeDeviceGetProperties(Number(number) as unknown as bigint, properties),
    ArgumentTypeError,
    "zeDeviceGetProperties: argument `hDevice`",
  );
  assertThrows(() => ze.zeDeviceGetProperties(-1n, properties), ArgumentRangeError, "`hDevice`");
  assertThrows(
    () => ze.zeDeviceGetProperties(handle, properties.subarray(0, 100)),
    ArgumentRangeError,
    "`pDeviceProperties` is a Uint8Array of 100 bytes",
  );
  assertThrows(
    () => ze.zeDeviceGetSubDevices(handle, new Uint32Array([3]), new BigUint64Array(2)),
    ArgumentRangeError,
    "at least 24 bytes",
  );
});

test(
  "A nonblocking call refuses arguments at once, not by a rejection alone",
  { skip },
  async () => {
    const wait = async (): Promise<unknown> => await ze.zeEventHostSynchronize(1n, -1n);
    await assertRejects(wait, ArgumentRangeError, "`timeout`");
  },
);
