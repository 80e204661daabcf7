/**
 * Values of kernel arguments, where their type is to be said and not told by
 * the kernel.
 *
 * @module
 */

import type { Context } from "./context.ts";
import { ArgumentRangeError, ArgumentTypeError } from "./error.ts";
import type { Memory } from "./memory.ts";
import type { MemoryRange } from "./memory_range.ts";
import type { Resource } from "./resource.ts";
import { checkInteger } from "./checks.ts";
import { holds, type Scalar, scalarProblem, scalars, writeScalar } from "./scalar.ts";

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
  // deno-lint-ignore no-explicit-any
  | Memory<any>
  // deno-lint-ignore no-explicit-any
  | MemoryRange<any>
  | HandleArgument
  | TypedArgument
  | ArgumentBytes
  | number
  | bigint
  | boolean
  | null;

/** Memory of a larger kernel argument does not exist on any device. */
const LARGEST_LOCAL = 2 ** 31;

function scalar(name: keyof typeof scalars, value: unknown): TypedArgument {
  const type = scalars[name];
  if (!holds(type, value)) {
    throw scalarProblem(type, {
      functionName: `argument.${name}`,
      argument: "value",
      given: value,
    });
  }
  const bytes = new Uint8Array(type.byteLength);
  writeScalar(type, new DataView(bytes.buffer), value);
  return new TypedArgument(name, bytes.length, bytes, type);
}

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

const LARGEST_ADDRESS = 2n ** 64n - 1n;

/**
 * Kernel arguments that say their type themselves. They are needed for local
 * memory, and for every number given to a kernel of a native binary, which does
 * not tell the types of its parameters; elsewhere they make sure that kernel
 * and program mean the same.
 *
 * ```ts
 * kernel.args(memory, argument.f32(0.5), argument.local(256 * 4));
 * ```
 */
export const argument = {
  /** An unsigned 8-bit integer: `uchar`. */
  u8: (value: number | bigint | boolean): TypedArgument => scalar("u8", value),
  /** An unsigned 16-bit integer: `ushort`. */
  u16: (value: number | bigint | boolean): TypedArgument => scalar("u16", value),
  /** An unsigned 32-bit integer: `uint`. */
  u32: (value: number | bigint | boolean): TypedArgument => scalar("u32", value),
  /** An unsigned 64-bit integer: `ulong`, `size_t`. Beyond 2 ** 53 it has to be a bigint. */
  u64: (value: number | bigint | boolean): TypedArgument => scalar("u64", value),
  /** A signed 8-bit integer: `char`. */
  i8: (value: number | bigint | boolean): TypedArgument => scalar("i8", value),
  /** A signed 16-bit integer: `short`. */
  i16: (value: number | bigint | boolean): TypedArgument => scalar("i16", value),
  /** A signed 32-bit integer: `int`. */
  i32: (value: number | bigint | boolean): TypedArgument => scalar("i32", value),
  /** A signed 64-bit integer: `long`. Beyond 2 ** 53 it has to be a bigint. */
  i64: (value: number | bigint | boolean): TypedArgument => scalar("i64", value),
  /** A 16-bit float: `half`. The value is rounded to it. */
  f16: (value: number): TypedArgument => scalar("f16", value),
  /** A 32-bit float: `float`. The value is rounded to it. */
  f32: (value: number): TypedArgument => scalar("f32", value),
  /** A 64-bit float: `double`. */
  f64: (value: number): TypedArgument => scalar("f64", value),

  /**
   * A pointer, by its address. Unsafe: nothing checks what is there, and
   * nothing keeps it.
   */
  pointer(address: bigint): TypedArgument {
    const problem = {
      functionName: "argument.pointer",
      argument: "address",
      given: address,
      accepted: "a bigint from 0n to 2n ** 64n - 1n",
    };
    if (typeof address !== "bigint") throw new ArgumentTypeError(problem);
    if (address < 0n || address > LARGEST_ADDRESS) throw new ArgumentRangeError(problem);
    return new TypedArgument("pointer", 8, new Uint8Array(new BigUint64Array([address]).buffer));
  },

  /** A structure or vector by its bytes, which are copied. */
  bytes(view: ArgumentBytes): TypedArgument {
    const bytes = copyOf(view);
    if (bytes) return new TypedArgument("bytes", bytes.length, bytes);
    throw new ArgumentTypeError({
      functionName: "argument.bytes",
      argument: "view",
      given: view,
      accepted: "a view or an ArrayBuffer that is not empty",
    });
  },

  /** Local memory of so many bytes, which each work group has for itself: `local int *`. */
  local(byteLength: number): TypedArgument {
    const bytes = checkInteger("argument.local", "byteLength", byteLength, 1, LARGEST_LOCAL);
    return new TypedArgument("local", bytes, undefined);
  },
} as const;
