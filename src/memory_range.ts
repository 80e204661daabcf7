/**
 * Addresses of memory: whole allocations, parts of them, and bare numbers.
 *
 * @module
 */

import { checkInteger, checkSameContext } from "./checks.ts";
import type { Context } from "./context.ts";
import { ArgumentRangeError, ArgumentTypeError, UseAfterDisposeError } from "./error.ts";
import type { Memory } from "./memory.ts";
import { OwnedObject, Resource } from "./resource.ts";
import type { TypedArray } from "./typed_array.ts";

/** Bytes that the device can be given the address of. */
export interface AddressRange {
  /** Of the first byte. */
  readonly address: bigint;
  /** `Infinity` where only the address is known. */
  readonly byteLength: number;
  /** What must not be freed while they are used; undefined where only the address is known. */
  readonly resource: Resource | undefined;
}

/** What has an address of its own and is of a context. */
export abstract class AddressableObject extends OwnedObject implements AddressRange {
  /** The context that it is of. */
  readonly context: Context;
  /** Its size, in bytes. */
  readonly byteLength: number;

  /** Takes the resource over, whose handle is the address. */
  protected constructor(resource: Resource, context: Context, byteLength: number) {
    super(resource);
    this.context = context;
    this.byteLength = byteLength;
  }

  /**
   * The address of the first byte, for this process and for the device.
   *
   * @throws {UseAfterDisposeError} After dispose.
   */
  get address(): bigint {
    return this.resource.handle;
  }

  /** Why it can't be read or written, if so. */
  get obstacle(): string | undefined {
    return undefined;
  }
}

/**
 * Some of the elements of a {@linkcode Memory}, without a copy. It is as good
 * as its memory: it owns nothing, and can't be used after that was disposed.
 */
export class MemoryRange<T extends TypedArray = TypedArray> implements AddressRange {
  /** The memory that it is a part of. */
  readonly memory: Memory<T>;
  /** The index of its first element in the memory. */
  readonly begin: number;
  /** The number of elements. */
  readonly length: number;

  /** Use {@linkcode Memory.subarray}, which checks the numbers. */
  constructor(memory: Memory<T>, begin: number, length: number) {
    this.memory = memory;
    this.begin = begin;
    this.length = length;
  }

  /** The context of its memory. */
  get context(): Context {
    return this.memory.context;
  }

  /** The address of its first element. */
  get address(): bigint {
    return this.memory.address + BigInt(this.begin * this.memory.type.BYTES_PER_ELEMENT);
  }

  /** Its size, in bytes. */
  get byteLength(): number {
    return this.length * this.memory.type.BYTES_PER_ELEMENT;
  }

  /** Its memory's. */
  get resource(): Resource {
    return this.memory.resource;
  }

  /**
   * The elements themselves, as {@linkcode Memory.view} has them.
   *
   * @throws {ArgumentTypeError} If it is device memory.
   */
  get view(): T {
    const { type, view } = this.memory;
    return new type(view.buffer, this.begin * type.BYTES_PER_ELEMENT, this.length);
  }

  /** Copies its elements to an array of the program, as {@linkcode Memory.read} does. */
  read(into?: T): Promise<T> {
    return this.memory.readRange(this, into);
  }

  /** Copies the elements of an array to it, as {@linkcode Memory.write} does. */
  write(elements: T): Promise<void> {
    return this.memory.writeRange(this, elements);
  }

  /**
   * Some of its elements: from `begin` up to `end`, both counted from its own first one.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If they are no integers from 0 to its length.
   */
  subarray(begin = 0, end: number = this.length): MemoryRange<T> {
    return rangeOf("MemoryRange.subarray", this.memory, this.begin, this.length, begin, end);
  }
}

/** A part of a part of a memory. */
export function rangeOf<T extends TypedArray>(
  functionName: string,
  memory: Memory<T>,
  offset: number,
  length: number,
  begin: number,
  end: number,
): MemoryRange<T> {
  if (memory.disposed) throw new UseAfterDisposeError("Memory");
  const first = checkInteger(functionName, "begin", begin, 0, length);
  const last = checkInteger(functionName, "end", end, first, length);
  return new MemoryRange(memory, offset + first, last - first);
}

const ADDRESS_LIMIT = 2n ** 64n;

/**
 * The addresses that are meant by a memory, a part of one, or a bare address of
 * which nothing else is known.
 *
 * @throws {ArgumentTypeError} If it is something else, or of another context.
 * @throws {ArgumentRangeError} If a bare address can't be one.
 * @throws {UseAfterDisposeError} If the memory was disposed.
 */
export function toAddressRange(
  functionName: string,
  argument: string,
  value: unknown,
  context: Context,
): AddressRange {
  const accepted = "memory, a part of memory, or an address, from 1n to 2n ** 64n - 1n";
  const problem = { functionName, argument, given: value, accepted };
  if (typeof value === "bigint") {
    if (value <= 0n || value >= ADDRESS_LIMIT) throw new ArgumentRangeError(problem);
    return { address: value, byteLength: Infinity, resource: undefined };
  }
  const isRange = value instanceof MemoryRange;
  const object = isRange ? value.memory : value;
  if (!(object instanceof AddressableObject) || !(object.resource instanceof Resource)) {
    throw new ArgumentTypeError(problem);
  }
  checkSameContext(functionName, argument, object, context);
  if (object.disposed) throw new UseAfterDisposeError(object.resource.what);
  const { obstacle } = object;
  if (obstacle !== undefined) throw new ArgumentTypeError(problem, obstacle);
  return isRange ? value : object;
}
