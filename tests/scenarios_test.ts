/**
 * Level Zero from beginning to end, one scenario after the other: what programs do with drivers,
 * devices, contexts, lists, fences, events, modules, kernels and memory.
 */
import { assert, assertEquals, assertGreater, assertRejects, assertThrows } from "@std/assert";
import { drivers, KernelNotFoundError, UseAfterDisposeError, ZeError } from "../mod.ts";
import { noDevice, noExecution, noResidency, testDevice } from "./support/device.ts";
import { Bench, testSpirv } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

test("Scenario: a driver, its version, extensions and devices", { skip: noDevice }, () => {
  const [driver] = drivers();
  assertEquals(driver!.apiVersion.major, 1);
  assert(driver!.extensions.every(({ name, version }) => name !== "" && version.major > 0));
  assertEquals(typeof driver!.properties.uuid, "string");
  assert(driver!.ipcProperties.flags.length >= 0);
  assert(driver!.devices.includes(testDevice()));
});

test("Scenario: everything that a device tells of itself", { skip: noDevice }, () => {
  const device = testDevice();
  assert(device.name.length > 0);
  assertEquals(device.uuid.length, 36);
  assertGreater(device.computeProperties.maxTotalGroupSize, 0);
  assert(device.moduleProperties.flags.length >= 0);
  assert(device.commandQueueGroupProperties.some(({ flags }) => flags.includes("compute")));
  assertGreater(device.memoryProperties.length, 0);
  assert(device.memoryAccessProperties.deviceAllocCapabilities.includes("rw"));
  assert(device.cacheProperties.every(({ cacheSize }) => cacheSize >= 0));
  assert(device.imageProperties.maxImageDims2D >= 0);
  assert(device.externalMemoryProperties !== undefined);
  assertEquals(device.canAccessPeer(device), true);
  assert(device.p2pProperties(device) !== undefined);
  assertEquals(device.subDevices.every(({ rootDevice }) => rootDevice === device), true);
  device.checkStatus();
});

test("Scenario: a context is alive until it is disposed", { skip: noDevice }, () => {
  const context = testDevice().driver.createContext();
  context.checkStatus();
  context.dispose();
  assertThrows(() => context.checkStatus(), UseAfterDisposeError, "Context");
});

test("Scenario: a list is recorded, closed, executed, and recorded anew", {
  skip: noDevice,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  using queue = context.createCommandQueue(device);
  using list = context.createCommandList(device).close();
  queue.execute(list);
  assertEquals(await queue.synchronize(), true);
  list.reset().close();
  queue.execute([list, list]);
  assertEquals(queue.synchronizeSync(), true);
});

test("Scenario: a fence tells that a queue's work is over, and is used again", {
  skip: noDevice,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const queue = context.createCommandQueue(device);
  assertEquals(queue.createFence({ signalled: true }).signalled, true);
  const fence = queue.createFence();
  const list = context.createCommandList(device).appendBarrier().close();
  for (let round = 0; round < 2; round++) {
    if (!noExecution) assertEquals(fence.signalled, false);
    queue.execute(list, { fence });
    assertEquals(await fence.wait(), true);
    fence.reset();
  }
});

test("Scenario: host and device signal, wait for and reset events", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const pool = context.createEventPool({ count: 2 });
  const [fromHost, fromDevice] = [pool.createEvent(), pool.createEvent()];
  const queue = context.createCommandQueue(device);
  const list = context.createCommandList(device)
    .appendWaitOnEvents([fromHost])
    .appendEventReset(fromHost)
    .appendSignalEvent(fromDevice)
    .close();
  queue.execute(list);
  assertEquals(await fromDevice.wait({ timeout: 20 }), false);
  fromHost.signal();
  assertEquals(await fromDevice.wait(), true);
  await queue.synchronize();
  assertEquals(fromHost.signalled, false);
  fromDevice.reset();
  assertEquals(fromDevice.signalled, false);
});

test("Scenario: barriers, for all that was written and for ranges of memory", {
  skip: noDevice,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.host(Uint32Array, 256);
  const done = context.createEvent();
  const queue = context.createCommandQueue(device);
  const list = context.createCommandList(device, { inOrder: false })
    .appendMemoryFill(memory, 1)
    .appendBarrier()
    .appendMemoryFill(memory.subarray(0, 128), 2)
    .appendMemoryRangesBarrier([memory.subarray(0, 128)], { signal: done })
    .close();
  queue.execute(list);
  await queue.synchronize();
  if (noExecution) return;
  assertEquals([memory.view[127], memory.view[128], done.signalled], [2, 1, true]);
});

test("Scenario: a module with several kernels, by name", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const module = await context.createModule(device, { spirv: testSpirv("basic") });
  const names = await module.kernelNames();
  assert(["scale", "fill", "empty"].every((name) => names.includes(name)), String(names));
  for (const name of ["fill", "empty"]) assertEquals((await module.kernel(name)).name, name);
  assertEquals((await module.kernel("fill")).parameters?.length, 2);
  const error = await assertRejects(() => module.kernel("fil"), KernelNotFoundError);
  assert(error.message.includes('"fill"') || String(error).includes("fill"));
});

test("Scenario: a compiled module is kept as a native binary", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const module = await context.createModule(device, { spirv: testSpirv("basic") });
  const native = await module.nativeBinary();
  const again = await context.createModule(device, { native });
  assertEquals([...await again.kernelNames()].sort(), [...await module.kernelNames()].sort());
});

test("Scenario: a kernel waits for an event, and signals another", {
  skip: noExecution,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.shared(new Uint32Array(64), { device });
  const kernel = await bench.kernel("fill");
  const [groupSize] = kernel.suggestGroupSize(64);
  kernel.args(memory, 7).setGroupSize(groupSize);
  const [go, done] = [context.createEvent(), context.createEvent()];
  const queue = context.createCommandQueue(device);
  const list = context.createCommandList(device)
    .appendLaunchKernel(kernel, 64 / groupSize, { waitFor: [go], signal: done })
    .close();
  queue.execute(list);
  assertEquals(await done.wait({ timeout: 20 }), false);
  assertEquals(memory.view[63], 0);
  go.signal();
  assertEquals(await done.wait(), true);
  assertEquals([...memory.view], new Array(64).fill(7));
});

test("Scenario: each kind of memory, and who knows of it", { skip: noDevice }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const kinds = {
    device: context.alloc.device(Float32Array, 1024, { device }),
    host: context.alloc.host(Float32Array, 1024),
    shared: context.alloc.shared(Float32Array, 1024, { device }),
  };
  for (const [kind, memory] of Object.entries(kinds)) {
    assertEquals(memory.byteLength, 4096);
    const found = context.memoryProperties(memory.address + 100n);
    assertEquals([found.type, found.id], [kind, memory.properties.id]);
    if (kind !== "host") assert(found.device === device);
    const range = context.addressRange(memory.address + 100n);
    assertEquals(range.address, memory.address);
    assert(range.byteLength >= 4096);
    memory.dispose();
    assertThrows(() => memory.address, UseAfterDisposeError);
  }
});

test("Scenario: copy, fill, prefetch and advise", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const numbers = Uint32Array.from({ length: 1024 }, (_, i) => i * i);
  const source = context.alloc.host(numbers);
  const target = context.alloc.shared(Uint32Array, 1024, { device });
  const scratch = context.alloc.device(Uint32Array, 1024, { device });
  const list = context.createCommandList(device)
    .appendMemAdvise(target, "set_read_mostly")
    .appendMemoryPrefetch(target)
    .appendMemoryCopy(scratch, source)
    .appendMemoryCopy(target, scratch)
    .appendMemoryFill(target.subarray(0, 16), 0xabcd)
    .close();
  const queue = context.createCommandQueue(device);
  queue.execute(list);
  await queue.synchronize();
  assertEquals([...target.view.subarray(0, 16)], new Array(16).fill(0xabcd));
  assertEquals([...target.view.subarray(16)], [...numbers.subarray(16)]);
  assertEquals(await scratch.read(), numbers);
});

test("Scenario: an immediate list, and what it does in order", { skip: noExecution }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.shared(Uint32Array, 256, { device });
  const kernel = (await bench.kernel("fill")).setGroupSize(64);
  for (const mode of ["asynchronous", "synchronous"] as const) {
    using list = context.createImmediateCommandList(device, { mode });
    list.appendMemoryFill(memory, 1)
      .appendLaunchKernel(kernel.args(memory.subarray(0, 64), 2), 1);
    assertEquals(await list.synchronize(), true);
    assertEquals([memory.view[63], memory.view[64]], [2, 1]);
  }
});

test("Scenario: memory is kept with the device, and let go", { skip: noResidency }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const memory = context.alloc.shared(Uint8Array, 4096, { device });
  await context.makeResident(device, memory);
  await context.evict(device, memory);
  try {
    await context.systemBarrier(device);
  } catch (error) {
    assert(error instanceof ZeError);
    assertEquals(error.name, "ZE_RESULT_ERROR_UNSUPPORTED_FEATURE");
  }
});
