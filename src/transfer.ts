/**
 * Copies between memory and arrays of the program, each as one call.
 *
 * @module
 */

import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { ArgumentRangeError, ArgumentTypeError } from "./error.ts";
import type { ImmediateCommandList } from "./immediate_command_list.ts";
import type { Memory, MemoryKind } from "./memory.ts";
import type { MemoryRange } from "./memory_range.ts";
import { type TypedArray, typedArrayClass, type TypedArrayConstructor } from "./typed_array.ts";

/** Memory or a part of one, as far as copies need it. */
interface Place<T extends TypedArray> {
  readonly context: Context;
  readonly kind: MemoryKind;
  readonly device: Device | undefined;
  readonly type: TypedArrayConstructor<T>;
  readonly length: number;
  readonly range: Memory<T> | MemoryRange<T>;
}

/** A list for each device of a context, which copies are appended to and nothing else. */
const lists = new WeakMap<Context, Map<Device, ImmediateCommandList>>();

function listOf(
  { context, device = context.devices[0]! }: Place<TypedArray>,
): ImmediateCommandList {
  let ofContext = lists.get(context);
  if (!ofContext) lists.set(context, ofContext = new Map());
  let list = ofContext.get(device);
  if (!list) {
    // What has nothing to do with each other need not wait for each other.
    list = context.createImmediateCommandList(device, { inOrder: false });
    ofContext.set(device, list);
  }
  return list;
}

function checkArray<T extends TypedArray>(
  functionName: string,
  argument: string,
  array: T,
  { type, length }: Place<T>,
): void {
  const problem = { functionName, argument, given: array };
  if (typedArrayClass(array)?.name !== type.name) {
    throw new ArgumentTypeError({ ...problem, accepted: `a ${type.name}` });
  }
  if (array.length === length) return;
  throw new ArgumentRangeError({
    ...problem,
    accepted: `of length ${length}: take subarray() of the longer one`,
  }, `of length ${array.length}`);
}

function bytesOf({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Copies the elements of memory to an array, a new one by default. */
export async function readMemory<T extends TypedArray>(
  functionName: string,
  place: Place<T>,
  into?: T,
): Promise<T> {
  const { type, length, kind, range, context } = place;
  if (into !== undefined) checkArray(functionName, "into", into, place);
  const { byteLength } = range;
  const result = into ?? new type(new ArrayBuffer(byteLength));
  if (length === 0) return result;
  if (kind !== "device") {
    bytesOf(result).set(bytesOf(range.view));
    return result;
  }
  using staging = context.alloc.host(byteLength);
  const { view } = staging;
  const list = listOf(place).appendMemoryCopy(staging, range);
  await list.synchronize();
  bytesOf(result).set(view);
  return result;
}

/** Copies the elements of an array to memory. */
export async function writeMemory<T extends TypedArray>(
  functionName: string,
  place: Place<T>,
  elements: T,
): Promise<void> {
  checkArray(functionName, "elements", elements, place);
  if (elements.length === 0) return;
  const { kind, range } = place;
  if (kind !== "device") {
    bytesOf(range.view).set(bytesOf(elements));
    return;
  }
  await listOf(place).appendMemoryCopy(range, elements).synchronize();
}
