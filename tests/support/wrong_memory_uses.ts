/**
 * Wrong uses of memory and of what is made in a context.
 *
 * @module
 */
import type { Device, Memory } from "../../mod.ts";
import {
  NO_INTEGERS,
  NO_OBJECTS,
  NO_OPTIONS,
  type Use,
  without,
  type World,
  type Wrong,
} from "./wrong_values.ts";

/** Each call with what it must refuse. */
export function memoryUses({ context, device, memory, source }: World, wrong: Wrong): Use[] {
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
