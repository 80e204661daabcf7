/**
 * Typed arrays: what they have in common, and whether something is one.
 *
 * @module
 */

import { ArgumentTypeError } from "./error.ts";

/** What all typed arrays have, whatever their elements: `Float32Array`, `BigInt64Array`, … */
export interface TypedArray extends ArrayBufferView<ArrayBuffer> {
  /** The size of an element, in bytes. */
  readonly BYTES_PER_ELEMENT: number;
  /** The number of elements. */
  readonly length: number;
}

/** The class of a typed array, such as `Float32Array`. */
export interface TypedArrayConstructor<T extends TypedArray> {
  /** The size of an element, in bytes. */
  readonly BYTES_PER_ELEMENT: number;
  /** Such as `Float32Array`. */
  readonly name: string;
  /** Views a buffer, from a byte on, for a number of elements. */
  new (buffer: ArrayBuffer, byteOffset?: number, length?: number): T;
}

const parent = Object.getPrototypeOf(Uint8Array);
const readTag = Object.getOwnPropertyDescriptor(parent.prototype, Symbol.toStringTag)!.get!;

/**
 * The class of a typed array; undefined for everything else. Of a class that
 * was derived from one, as Node's `Buffer`, it is what it was derived from.
 */
export function typedArrayClass(value: unknown): TypedArrayConstructor<TypedArray> | undefined {
  const name: string | undefined = readTag.call(value);
  return name === undefined
    ? undefined
    : (globalThis as unknown as Record<string, TypedArrayConstructor<TypedArray>>)[name];
}

/**
 * The class of a typed array.
 *
 * @throws {ArgumentTypeError} If it is something else.
 */
export function checkTypedArrayClass<T extends TypedArray>(
  functionName: string,
  argument: string,
  type: unknown,
): TypedArrayConstructor<T> {
  // Not a class that was derived from one: what its constructor does is not known.
  if (typeof type === "function" && Object.getPrototypeOf(type) === parent) {
    return type as unknown as TypedArrayConstructor<T>;
  }
  throw new ArgumentTypeError({
    functionName,
    argument,
    given: type,
    accepted: "the class of a typed array, such as Float32Array",
  });
}
