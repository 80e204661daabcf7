/**
 * What kernel arguments can be.
 *
 * @module
 */

import type { Context } from "./context.ts";
import type { AddressableObject, MemoryRange } from "./memory_range.ts";
import type { Resource } from "./resource.ts";
import type { Scalar } from "./scalar.ts";

/** What a kernel takes by its handle: images and samplers. */
export interface HandleArgument {
  readonly argumentKind: "image" | "sampler";
  /** The context that it was made in. */
  readonly context: Context;
  readonly handle: bigint;
  readonly resource: Resource;
}

/** What {@linkcode argument} makes: a value that says its type itself. */
export class TypedArgument {
  /** What it was made as: `f32`, `bytes`, `local` and so on. */
  readonly form: string;
  /** Its bytes; undefined for local memory. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  /** The bytes of the argument; for local memory how much there is to be. */
  readonly byteLength: number;
  /** The type, for numbers. */
  readonly scalar: Scalar | undefined;

  /** Use the functions of {@linkcode argument}. */
  constructor(
    form: string,
    byteLength: number,
    bytes: Uint8Array<ArrayBuffer> | undefined,
    scalar?: Scalar,
  ) {
    this.form = form;
    this.byteLength = byteLength;
    this.bytes = bytes;
    this.scalar = scalar;
  }
}

/** A vector or structure by its bytes. */
export type ArgumentBytes = ArrayBufferView | ArrayBuffer;

/**
 * What a kernel's argument can be set to: memory, an address or null for a
 * pointer; a number, bigint or boolean for a scalar; a typed array for a
 * vector, and bytes for a structure; an image; a sampler; and, for each of
 * these and for local memory, what {@linkcode argument} makes.
 */
export type KernelArgument =
  | AddressableObject
  // deno-lint-ignore no-explicit-any
  | MemoryRange<any>
  | HandleArgument
  | TypedArgument
  | ArgumentBytes
  | number
  | bigint
  | boolean
  | null;

/** A copy of the bytes of a view or buffer; undefined if it is neither, or empty or detached. */
export function copyOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  const view = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : value instanceof ArrayBuffer
    ? new Uint8Array(value)
    : undefined;
  if (view === undefined || view.byteLength === 0) return undefined;
  const bytes = new Uint8Array(view.byteLength);
  bytes.set(view);
  return bytes;
}
