/**
 * Ways to use the object API wrongly: a right call, and for each of its arguments values that it
 * must refuse.
 *
 * @module
 */
import {
  type CommandList,
  Context,
  Device,
  Event,
  type Fence,
  type ImmediateCommandList,
  Kernel,
  Memory,
  type Module,
} from "../../mod.ts";
import { testDevice } from "./device.ts";
import { testSpirv } from "./kernels.ts";

/** An argument: the value that is right, and some that are wrong. */
export interface Parameter {
  readonly right: unknown;
  readonly wrong: readonly unknown[];
}

/** A call, of which one argument at a time is made wrong. */
export interface Use {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  // deno-lint-ignore no-explicit-any
  call(...args: any[]): unknown;
  /** The right call in place of `call` with right arguments, where that would take too long. */
  readonly instead?: () => unknown;
}

/** A call that is wrong whatever the arguments: of an object that was disposed, or is busy. */
export interface Refused {
  readonly name: string;
  call(): unknown;
}

const NO_NUMBERS: readonly unknown[] = [
  "1",
  "",
  null,
  {},
  [],
  [1],
  true,
  false,
  Symbol("1"),
  () => 1,
  new Date(0),
  { valueOf: (): number => 1 },
  new Uint32Array(1),
];
const NO_INTEGERS: readonly unknown[] = [
  ...NO_NUMBERS,
  -1,
  -0.5,
  0.5,
  NaN,
  Infinity,
  -Infinity,
  2 ** 53,
  1e300,
  -1n,
  10n ** 30n,
];
/** Not `undefined`, which stands for the default, nor functions that could be called. */
const NO_OPTIONS: readonly unknown[] = [1, "x", true, null, [], Symbol("x"), { nothing: 1 }];
const NO_OBJECTS: readonly unknown[] = [
  undefined,
  null,
  0,
  1,
  1n,
  "x",
  true,
  {},
  [],
  Symbol("x"),
  () => {},
  new Uint8Array(8),
  { handle: 1n },
];

function right(value: unknown): Parameter {
  return { right: value, wrong: [] };
}

/** Without some values, which happen to be accepted here. */
function without(values: readonly unknown[], ...accepted: readonly unknown[]): readonly unknown[] {
  return values.filter((value) => !accepted.includes(value));
}

/** What only looks like an object of a class. */
function imitations(type: { readonly prototype: object }): readonly unknown[] {
  return [type, type.prototype, Object.create(type.prototype)];
}

/** The objects that are used, rightly and wrongly. */
interface World {
  readonly device: Device;
  readonly context: Context;
  readonly other: Context;
  readonly module: Module;
  readonly kernel: Kernel;
  readonly memory: Memory<Uint32Array<ArrayBuffer>>;
  readonly source: Memory<Uint32Array<ArrayBuffer>>;
  readonly list: ImmediateCommandList;
  readonly event: Event;
}

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
    async end() {
      await busy.end();
      await other[Symbol.asyncDispose]();
      await context[Symbol.asyncDispose]();
    },
  };
}

/** Wrong values for each kind of argument. */
interface Wrong {
  readonly memories: readonly unknown[];
  readonly events: readonly unknown[];
  readonly kernels: readonly unknown[];
  readonly devices: readonly unknown[];
  readonly appendOptions: readonly unknown[];
  readonly lists: readonly unknown[];
  readonly fences: readonly unknown[];
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
    async end() {
      waited.signal();
      go.signal();
      await wait;
      await queue.synchronize();
      await synchronous.synchronize();
    },
  };
}

function memoryUses({ context, device, memory, source }: World, wrong: Wrong): Use[] {
  const { alloc } = context;
  const noAllocation = [
    ...NO_OPTIONS,
    ...[3, -1, 0.5, "x", 2 ** 60, null].map((alignment) => ({ alignment })),
    ...["x", [1], ["nope"], {}, 1].map((hostFlags) => ({ hostFlags })),
  ];
  const noDevice = [
    ...without(wrong.devices, undefined).map((device) => ({ device })),
    ...NO_INTEGERS.map((ordinal) => ({ device, ordinal })),
    ...["x", [1], ["nope"], {}, 1].map((deviceFlags) => ({ device, deviceFlags })),
  ];
  const noClass = [
    ...without(NO_OBJECTS, 1, 1n),
    Array,
    Object,
    DataView,
    ArrayBuffer,
    "Uint8Array",
  ];
  const noElements = [
    ...NO_OBJECTS,
    new Float32Array(64),
    new Uint32Array(63),
    new Uint32Array(65),
    new Uint32Array(64).buffer,
    new DataView(new ArrayBuffer(256)),
  ];
  const dispose = (object: Disposable): void => object[Symbol.dispose]();
  return [
    {
      name: "alloc.host(type, length, options)",
      parameters: [
        { right: Uint32Array, wrong: noClass },
        { right: 16, wrong: [...NO_INTEGERS, 0, undefined] },
        { right: { alignment: 64 }, wrong: noAllocation },
      ],
      call: (type, length, options) => dispose(alloc.host(type, length, options)),
    },
    {
      name: "alloc.host(byteLength)",
      parameters: [{
        right: 64,
        wrong: without([...NO_INTEGERS, 0, undefined], ...NO_INTEGERS.filter(ArrayBuffer.isView)),
      }],
      call: (byteLength) => dispose(alloc.host(byteLength)),
    },
    {
      name: "alloc.device(type, length, options)",
      parameters: [
        { right: Float32Array, wrong: [...noClass, new Float32Array(4)] },
        { right: 16, wrong: [...NO_INTEGERS, 0, undefined] },
        { right: { device }, wrong: noDevice },
      ],
      call: (type, length, options) => dispose(alloc.device(type, length, options)),
    },
    {
      name: "alloc.shared(type, length, options)",
      parameters: [
        { right: Uint8Array, wrong: noClass },
        { right: 16, wrong: [...NO_INTEGERS, 0, undefined] },
        {
          right: { device },
          wrong: noDevice.filter((options) => (options as { device?: unknown }).device !== null),
        },
      ],
      call: (type, length, options) => dispose(alloc.shared(type, length, options)),
    },
    {
      name: "memory.subarray(begin, end)",
      parameters: [
        { right: 4, wrong: [...NO_INTEGERS, 65, 9] },
        { right: 8, wrong: [...NO_INTEGERS, 65, 3] },
      ],
      call: (begin, end) => memory.subarray(begin, end),
    },
    {
      name: "memory.read(into)",
      parameters: [{ right: new Uint32Array(64), wrong: without(noElements, undefined) }],
      call: (into) => memory.read(into),
    },
    {
      name: "memory.write(elements)",
      parameters: [{ right: new Uint32Array(64), wrong: noElements }],
      call: (elements) => source.write(elements),
    },
    {
      name: "context.addressRange(address)",
      parameters: [{ right: memory, wrong: without(wrong.memories, 1n) }],
      call: (address) => context.addressRange(address),
    },
    {
      name: "context.memoryProperties(address)",
      parameters: [{ right: memory, wrong: wrong.memories }],
      call: (address) => context.memoryProperties(address),
    },
    {
      name: "context.makeResident(device, memory)",
      parameters: [
        { right: device, wrong: wrong.devices },
        { right: memory, wrong: [...wrong.memories, 4096n] },
      ],
      call: (...args: [Device, Memory]) => context.makeResident(...args),
    },
    {
      name: "context.createEvent(options)",
      parameters: [{
        right: {},
        wrong: [
          ...NO_OPTIONS,
          ...["x", 1, null, {}].map((signalScope) => ({ signalScope })),
          ...["x", 1, null].map((hostVisible) => ({ hostVisible })),
          ...["x", 1, null].map((timestamps) => ({ timestamps })),
          ...["x", 1, null, [1], [null]].map((devices) => ({ devices })),
        ],
      }],
      call: (options) => dispose(context.createEvent(options)),
    },
    {
      name: "context.createEventPool(options)",
      parameters: [{
        right: { count: 2 },
        wrong: [undefined, ...NO_OPTIONS, ...[...NO_INTEGERS, 0].map((count) => ({ count }))],
      }],
      call: (options) => dispose(context.createEventPool(options)),
    },
  ];
}

function kernelUses({ context, device, module, kernel, memory }: World, wrong: Wrong): Use[] {
  const spirv = testSpirv("basic");
  const noPointers = [
    ...without(wrong.memories, null, 0, 1, -1n),
    1.5,
    true,
    new Uint32Array(4),
    kernel,
    context,
  ];
  const noUint = [...without(NO_INTEGERS, true, false), 2 ** 32, 2n ** 32n, undefined, memory];
  const noSides = [...NO_INTEGERS, 0, 2 ** 20];
  return [
    {
      name: "kernel.args(memory, value)",
      parameters: [{ right: memory, wrong: noPointers }, { right: 5, wrong: noUint }],
      call: (...values) => kernel.args(...values),
    },
    {
      name: "kernel.args() of another number",
      parameters: [{ right: [memory, 5], wrong: [[], [memory], [memory, 5, 6]] }],
      call: (values) => kernel.args(...values),
    },
    {
      name: "kernel.setArgument(index, value)",
      parameters: [{ right: 1, wrong: [...NO_INTEGERS, 2] }, { right: 7, wrong: noUint }],
      call: (index, value) => kernel.setArgument(index, value),
    },
    {
      name: "kernel.setGroupSize(x, y, z)",
      parameters: [
        { right: 1, wrong: [...noSides, undefined] },
        { right: 1, wrong: noSides },
        { right: 1, wrong: noSides },
      ],
      call: (...sides: [number]) => kernel.setGroupSize(...sides),
    },
    {
      name: "kernel.suggestGroupSize(x, y, z)",
      parameters: [
        { right: 64, wrong: [...NO_INTEGERS, 0, 2 ** 32] },
        { right: 1, wrong: [...NO_INTEGERS, 0, 2 ** 32] },
        right(1),
      ],
      call: (...sides: [number]) => kernel.suggestGroupSize(...sides),
    },
    {
      name: "kernel.setIndirectAccess(kinds)",
      parameters: [{ right: ["host"], wrong: [...without(NO_OBJECTS, []), ["nope"], [1], "host"] }],
      call: (kinds) => kernel.setIndirectAccess(kinds),
    },
    {
      name: "module.kernel(name)",
      parameters: [{ right: "fill", wrong: ["", "nope", 1, null, undefined, {}, ["fill"]] }],
      call: (name) => module.kernel(name),
      instead: () => module.kernelNames(),
    },
    {
      name: "context.createModule(device, options)",
      parameters: [
        { right: device, wrong: wrong.devices },
        {
          right: { spirv },
          wrong: [
            undefined,
            ...NO_OPTIONS,
            {},
            { spirv, native: spirv },
            ...NO_OBJECTS.map((spirv) => ({ spirv })),
            { spirv: spirv.subarray(0, 19) },
            { spirv: spirv.subarray(1) },
            { spirv: spirv.slice().reverse() },
            ...[1, null, {}].map((buildFlags) => ({ spirv, buildFlags })),
            ...[1, "x", { 1: "x" }, { x: 1 }].map((specializationConstants) => ({
              spirv,
              specializationConstants,
            })),
          ],
        },
      ],
      call: (...args: [Device, { spirv: Uint8Array }]) => context.createModule(...args),
      instead: () => module.kernelNames(),
    },
  ];
}

function listUses(
  { context, device, list, kernel, memory, source, event }: World,
  wrong: Wrong,
): Use[] {
  const options = { right: { waitFor: [event] }, wrong: wrong.appendOptions };
  const noLengths = [...NO_INTEGERS, 0, 257].map((byteLength) => ({ byteLength }));
  const copyOptions = { right: { byteLength: 256 }, wrong: [...options.wrong, ...noLengths] };
  const destination = { right: memory, wrong: [...wrong.memories, memory.view] };
  const queue = context.createCommandQueue(device);
  const fence = queue.createFence();
  const closed = context.createCommandList(device).appendBarrier().close();
  const box = { width: 16, height: 4 };
  const wrongRegions = [
    ...without(NO_OBJECTS, undefined),
    undefined,
    ...without(wrong.memories, source).map((memory) => ({ memory })),
    ...without(NO_INTEGERS, null).flatMap((value) => [
      { memory, pitch: value },
      { memory, originX: value },
      { memory, originY: value },
    ]),
    { memory, pitch: 15 },
    { memory, originY: 14 },
    { memory, patch: 16 },
  ];
  const kernelParameter = { right: kernel, wrong: wrong.kernels };
  const groups = {
    right: 1,
    wrong: [...without(NO_INTEGERS, ...NO_INTEGERS.filter(Array.isArray)), 0, 2 ** 32, [], [0], [
      1,
      1,
      1,
      1,
    ]],
  };
  const wrongGroupCounts = [...wrong.memories, memory.subarray(0, 2)];
  const settings = { groupCount: 1, groupSize: 1 };
  const launched = (): Kernel => kernel.setGroupSize(1).args(memory, 3);
  const onQueue = async (lists: CommandList, options: { fence?: Fence }): Promise<void> => {
    queue.execute(lists, options);
    await queue.synchronize();
    fence.reset();
  };
  return [
    {
      name: "list.appendLaunchKernel(kernel, groupCount, options)",
      parameters: [kernelParameter, groups, options],
      call(kernel, groupCount, options) {
        launched();
        return list.appendLaunchKernel(kernel, groupCount, options);
      },
    },
    {
      name: "list.appendLaunchKernelIndirect(kernel, memory)",
      parameters: [kernelParameter, { right: source.subarray(0, 3), wrong: wrongGroupCounts }],
      call(kernel, memory) {
        launched();
        return list.appendLaunchKernelIndirect(kernel, memory);
      },
    },
    {
      name: "list.appendLaunchKernelWithArguments(kernel, options, memory, value)",
      parameters: [
        { ...kernelParameter, wrong: without(wrong.kernels, ...wrong.kernels.slice(-2, -1)) },
        {
          right: settings,
          wrong: [
            undefined,
            ...NO_OPTIONS,
            ...groups.wrong.map((groupCount) => ({ ...settings, groupCount })),
          ],
        },
        { right: memory, wrong: without(wrong.memories, null, 0, 1, -1n) },
        { right: 5, wrong: [-1, 0.5, "x", {}, null, undefined, 2 ** 32] },
      ],
      call: (...args: [Kernel, typeof settings]) => list.appendLaunchKernelWithArguments(...args),
    },
    {
      name: "list.appendMemoryCopy(destination, source, options)",
      parameters: [
        destination,
        {
          right: source,
          wrong: [
            ...wrong.memories.filter((value) => !ArrayBuffer.isView(value)),
            new Uint8Array(0),
          ],
        },
        copyOptions,
      ],
      call: (...args: [Memory, Memory]) => list.appendMemoryCopy(...args),
    },
    {
      name: "list.appendMemoryFill(destination, pattern, options)",
      parameters: [
        destination,
        { right: 5, wrong: ["x", null, {}, [], true, 0.5, -1, 2 ** 32, NaN, new Uint8Array(0)] },
        copyOptions,
      ],
      call: (...args: [Memory, number]) => list.appendMemoryFill(...args),
    },
    {
      name: "list.appendMemoryCopyRegion(destination, source, size, options)",
      parameters: [
        { right: { memory, pitch: 16 }, wrong: wrongRegions },
        {
          right: { memory: source },
          wrong: wrongRegions.filter((region) =>
            !ArrayBuffer.isView((region as { memory?: unknown } | undefined)?.memory)
          ),
        },
        {
          right: box,
          wrong: [
            ...NO_OBJECTS,
            ...[...NO_INTEGERS, 0].map((height) => ({ ...box, height })),
            { width: 257 },
          ],
        },
        options,
      ],
      call: (...args: Parameters<typeof list.appendMemoryCopyRegion>) =>
        list.appendMemoryCopyRegion(...args),
    },
    {
      name: "list.appendMemoryPrefetch(memory, options)",
      parameters: [{ right: memory, wrong: wrong.memories }, right({})],
      call: (memory) => list.appendMemoryPrefetch(memory),
    },
    {
      name: "list.appendMemAdvise(memory, advice, device)",
      parameters: [
        { right: memory, wrong: wrong.memories },
        { right: "set_read_mostly", wrong: [...NO_OBJECTS, "nope"] },
        { right: device, wrong: without(wrong.devices, undefined) },
      ],
      call: (...args: [Memory, "set_read_mostly"]) => list.appendMemAdvise(...args),
    },
    {
      name: "list.appendBarrier(options)",
      parameters: [options],
      call: (options) => list.appendBarrier(options),
    },
    {
      name: "list.appendMemoryRangesBarrier(ranges, options)",
      parameters: [
        {
          right: [memory],
          wrong: [...NO_OBJECTS, ...wrong.memories.map((memory) => [memory])],
        },
        options,
      ],
      call: (...args: [Memory[]]) => list.appendMemoryRangesBarrier(...args),
    },
    {
      name: "list.appendSignalEvent(event)",
      parameters: [{ right: event, wrong: wrong.events }],
      call: (event) => list.appendSignalEvent(event),
    },
    {
      name: "list.appendWaitOnEvents(events)",
      parameters: [{
        right: [event],
        wrong: [...without(NO_OBJECTS, []), ...wrong.events.map((event) => [event])],
      }],
      call: (events) => list.appendWaitOnEvents(events),
    },
    {
      name: "list.synchronize(options)",
      parameters: [{
        right: { timeout: Infinity },
        wrong: [
          ...NO_OPTIONS,
          ...[-1, NaN, -Infinity, "1", null, 1n, {}].map((timeout) => ({ timeout })),
          ...[1, "x", {}, null].map((signal) => ({ signal })),
        ],
      }],
      call: (options) => list.synchronize(options),
    },
    {
      name: "event.wait(options)",
      parameters: [{
        right: { timeout: 1000 },
        wrong: [
          ...NO_OPTIONS,
          ...[-1, NaN, -Infinity, "1", null, 1n, {}].map((timeout) => ({ timeout })),
          ...[1, "x", {}, null].map((signal) => ({ signal })),
        ],
      }],
      call: (options) => event.wait(options),
    },
    {
      name: "event.waitSync(timeout)",
      parameters: [{ right: 1, wrong: [...NO_NUMBERS, -1, NaN, 1n] }],
      call: (timeout) => event.waitSync(timeout),
    },
    {
      name: "queue.execute(list, options)",
      parameters: [
        { right: closed, wrong: [...wrong.lists, ...wrong.lists.map((list) => [closed, list])] },
        {
          right: { fence },
          wrong: [...NO_OPTIONS, ...wrong.fences.map((fence) => ({ fence }))],
        },
      ],
      call: onQueue,
    },
    {
      name: "an append to a closed list",
      parameters: [{
        right: list,
        wrong: [closed],
      }],
      call: (list) => list.appendBarrier(),
    },
    ...(["createCommandList", "createCommandQueue", "createImmediateCommandList"] as const).map(
      (name) => ({
        name: `context.${name}(device, options)`,
        parameters: [
          { right: device, wrong: wrong.devices },
          {
            right: { ordinal: 0 },
            wrong: [
              ...NO_OPTIONS,
              ...[...NO_INTEGERS, 1000].map((ordinal) => ({ ordinal })),
              ...(name === "createCommandQueue" ? [] : [{ inOrder: 1 }, { inOrder: "x" }]),
              ...(name === "createCommandList"
                ? [{ flags: ["nope"] }, { flags: 1 }]
                : [{ mode: "fast" }, { priority: 1 }, ...NO_INTEGERS.map((index) => ({ index }))]),
            ],
          },
        ],
        call: (device: Device, options: { ordinal: number }) =>
          context[name](device, options).dispose(),
      }),
    ),
  ];
}
