/**
 * Wrong uses of lists, queues and waits.
 *
 * @module
 */
import type { CommandList, Device, Fence, Kernel, Memory } from "../../mod.ts";
import {
  NO_INTEGERS,
  NO_NUMBERS,
  NO_OBJECTS,
  NO_OPTIONS,
  right,
  type Use,
  without,
  type World,
  type Wrong,
} from "./wrong_values.ts";

/** Each call with what it must refuse. */
export function listUses(
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
  // Only this: new memory's contents would be any number of groups.
  const oneGroup = context.alloc.host(Uint32Array.of(1, 1, 1));
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
      call(kernel, groupCount, options): unknown {
        launched();
        return list.appendLaunchKernel(kernel, groupCount, options);
      },
    },
    {
      name: "list.appendLaunchKernelIndirect(kernel, memory)",
      parameters: [kernelParameter, { right: oneGroup, wrong: wrongGroupCounts }],
      call(kernel, memory): unknown {
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
        { right: 5, wrong: [-(2 ** 31) - 1, 0.5, "x", {}, null, undefined, 2 ** 32] },
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
