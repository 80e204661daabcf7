/**
 * Ways to use the object API wrongly: a right call, and for each of its arguments values that it
 * must refuse.
 *
 * @module
 */
import { Device, Event, Kernel, Memory } from "../../mod.ts";
import { testDevice } from "./device.ts";
import { testSpirv } from "./kernels.ts";
import { kernelUses } from "./wrong_kernel_uses.ts";
import { listUses } from "./wrong_list_uses.ts";
import { memoryUses } from "./wrong_memory_uses.ts";
import {
  imitations,
  NO_OBJECTS,
  NO_OPTIONS,
  type Refused,
  type Use,
  without,
  type World,
  type Wrong,
} from "./wrong_values.ts";

/** Makes the objects, the uses of them, and an end to it all. */
export async function wrongUses(): Promise<{
  readonly uses: readonly Use[];
  readonly refused: readonly Refused[];
  readonly synchronize: () => Promise<unknown>;
  readonly end: () => Promise<void>;
}> {
  const device = testDevice();
  const context = device.driver.createContext();
  const other = device.driver.createContext();
  const spirv = testSpirv("basic");
  const module = await context.createModule(device, { spirv });
  const otherModule = await other.createModule(device, { spirv });
  const world: World = {
    device,
    context,
    other,
    module,
    kernel: (await module.kernel("fill")).setGroupSize(1),
    memory: context.alloc.shared(Uint32Array, 64, { device }),
    source: context.alloc.host(Uint32Array, 64),
    list: context.createImmediateCommandList(device),
    event: context.createEvent(),
  };
  world.event.signal();
  const foreignKernel = (await otherModule.kernel("fill")).setGroupSize(1);
  foreignKernel.args(other.alloc.host(Uint32Array, 4), 1);
  const bare = await module.kernel("fill");
  const disposedKernel = await module.kernel("empty");
  const disposedMemory = context.alloc.host(Uint32Array, 64);
  const disposedRange = disposedMemory.subarray(0, 64);
  const disposedEvent = context.createEvent();
  const disposedList = context.createCommandList(device).close();
  const disposedImmediate = context.createImmediateCommandList(device);
  const disposedQueue = context.createCommandQueue(device);
  const disposedFence = disposedQueue.createFence();
  const disposedContext = device.driver.createContext();
  const disposedPool = context.createEventPool({ count: 1 });
  const broken = context.createCommandList(device);
  const lost = context.alloc.host(Uint32Array, 4);
  broken.appendMemoryFill(lost, 1).close();
  for (
    const object of [
      disposedKernel,
      disposedMemory,
      disposedEvent,
      disposedList,
      disposedImmediate,
      disposedFence,
      disposedQueue,
      disposedContext,
      disposedPool,
      lost,
    ]
  ) object.dispose();
  const busy = await busyObjects(world);

  const wrongMemories = [
    ...without(NO_OBJECTS, 0, 1, 1n),
    ...imitations(Memory),
    0,
    1,
    -1n,
    2n ** 64n,
    disposedMemory,
    disposedRange,
    other.alloc.host(Uint32Array, 64),
    other.alloc.host(Uint32Array, 64).subarray(1),
    world.kernel,
    world.event,
  ];
  const wrongEvents = [
    ...NO_OBJECTS,
    ...imitations(Event),
    disposedEvent,
    other.createEvent(),
    world.memory,
  ];
  const wrongKernels = [
    ...NO_OBJECTS,
    ...imitations(Kernel),
    disposedKernel,
    foreignKernel,
    bare,
    world.memory,
  ];
  const wrongDevices = [...NO_OBJECTS, ...imitations(Device), context, world.memory];
  const wrongAppendOptions = [
    ...NO_OPTIONS,
    ...without(wrongEvents, undefined).map((signal) => ({ signal })),
    ...without(wrongEvents, []).map((event) => ({ waitFor: [world.event, event] })),
    ...without(NO_OBJECTS, undefined, []).filter((value) => !Array.isArray(value))
      .map((waitFor) => ({ waitFor })),
  ];
  const wrong: Wrong = {
    memories: wrongMemories,
    events: wrongEvents,
    kernels: wrongKernels,
    devices: wrongDevices,
    appendOptions: wrongAppendOptions,
    lists: [
      ...NO_OBJECTS,
      disposedList,
      broken,
      context.createCommandList(device),
      other.createCommandList(device).close(),
      world.list,
    ],
    fences: [
      ...without(NO_OBJECTS, undefined),
      disposedFence,
      context.createCommandQueue(device).createFence(),
      world.event,
    ],
  };
  const disposed: Refused[] = [
    { name: "memory.view", call: () => disposedMemory.view },
    { name: "memory.address", call: () => disposedMemory.address },
    { name: "memory.properties", call: () => disposedMemory.properties },
    { name: "memory.read()", call: () => disposedMemory.read() },
    { name: "memory.write()", call: () => disposedMemory.write(new Uint32Array(64)) },
    { name: "memory.subarray()", call: () => disposedMemory.subarray(1) },
    { name: "range.address", call: () => disposedRange.address },
    { name: "range.view", call: () => disposedRange.view },
    { name: "kernel.args()", call: () => disposedKernel.args() },
    { name: "kernel.setGroupSize()", call: () => disposedKernel.setGroupSize(1) },
    { name: "kernel.suggestGroupSize()", call: () => disposedKernel.suggestGroupSize(1) },
    { name: "kernel.properties", call: () => disposedKernel.properties },
    { name: "event.wait()", call: () => disposedEvent.wait() },
    { name: "event.waitSync()", call: () => disposedEvent.waitSync(0) },
    { name: "event.signal()", call: () => disposedEvent.signal() },
    { name: "event.reset()", call: () => disposedEvent.reset() },
    { name: "event.signalled", call: () => disposedEvent.signalled },
    { name: "list.close()", call: () => disposedList.close() },
    { name: "list.reset()", call: () => disposedList.reset() },
    { name: "list.appendBarrier()", call: () => disposedList.appendBarrier() },
    { name: "immediate.appendBarrier()", call: () => disposedImmediate.appendBarrier() },
    { name: "immediate.synchronize()", call: () => disposedImmediate.synchronize() },
    { name: "immediate.synchronizeSync()", call: () => disposedImmediate.synchronizeSync() },
    { name: "queue.synchronize()", call: () => disposedQueue.synchronize() },
    { name: "queue.createFence()", call: () => disposedQueue.createFence() },
    { name: "fence.wait()", call: () => disposedFence.wait() },
    { name: "fence.signalled", call: () => disposedFence.signalled },
    { name: "fence.reset()", call: () => disposedFence.reset() },
    { name: "pool.createEvent()", call: () => disposedPool.createEvent() },
    { name: "context.alloc.host()", call: () => disposedContext.alloc.host(4) },
    { name: "context.createEvent()", call: () => disposedContext.createEvent() },
    { name: "context.createModule()", call: () => disposedContext.createModule(device, { spirv }) },
    { name: "context.createCommandList()", call: () => disposedContext.createCommandList(device) },
    { name: "context.addressRange()", call: () => disposedContext.addressRange(4096n) },
    { name: "context.checkStatus()", call: () => disposedContext.checkStatus() },
  ];
  return {
    uses: [...memoryUses(world, wrong), ...kernelUses(world, wrong), ...listUses(world, wrong)],
    refused: [...disposed, ...busy.refused],
    synchronize: () => world.list.synchronize(),
    async end(): Promise<void> {
      await busy.end();
      await other[Symbol.asyncDispose]();
      await context[Symbol.asyncDispose]();
    },
  };
}

/** Objects that calls on other threads, waits or the device have to themselves. */
async function busyObjects({ context, device, module }: World): Promise<{
  readonly refused: readonly Refused[];
  readonly end: () => Promise<void>;
}> {
  const go = context.createEvent();
  const waited = context.createEvent();
  const wait = waited.wait();
  const kernel = (await module.kernel("empty")).setGroupSize(1);
  const executing = context.createCommandList(device).appendBarrier({ waitFor: [go] }).close();
  const queue = context.createCommandQueue(device);
  const fence = queue.createFence();
  queue.execute(executing, { fence });
  const synchronous = context.createImmediateCommandList(device, { mode: "synchronous" })
    .appendLaunchKernel(kernel, 1, { waitFor: [go] });
  return {
    refused: [
      { name: "event.reset() during a wait", call: () => waited.reset() },
      { name: "event.reset() during work", call: () => go.reset() },
      { name: "kernel.setGroupSize() during a launch", call: () => kernel.setGroupSize(1) },
      { name: "list.reset() during its execution", call: () => executing.reset() },
      { name: "fence.reset() during the execution", call: () => fence.reset() },
    ],
    async end(): Promise<void> {
      waited.signal();
      go.signal();
      await wait;
      await queue.synchronize();
      await synchronous.synchronize();
    },
  };
}
