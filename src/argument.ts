/**
 * Kernel arguments that say their type themselves. They are needed for local
 * memory, and for every number given to a kernel of a native binary, which does
 * not tell the types of its parameters; elsewhere they make sure that kernel
 * and program mean the same.
 *
 * ```ts
 * kernel.args(memory, argument.f32(0.5), argument.local(256 * 4));
 * ```
 *
 * @module
 */

import { checkInteger } from "./checks.ts";
import { ArgumentRangeError, ArgumentTypeError } from "./error.ts";
import { holds, scalarProblem, scalars, writeScalar } from "./scalar.ts";
import { type ArgumentBytes, copyOf, TypedArgument } from "./typed_argument.ts";

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

const LARGEST_ADDRESS = 2n ** 64n - 1n;

/** An unsigned 8-bit integer: `uchar`. */
export function u8(value: number | bigint | boolean): TypedArgument {
  return scalar("u8", value);
}

/** An unsigned 16-bit integer: `ushort`. */
export function u16(value: number | bigint | boolean): TypedArgument {
  return scalar("u16", value);
}

/** An unsigned 32-bit integer: `uint`. */
export function u32(value: number | bigint | boolean): TypedArgument {
  return scalar("u32", value);
}

/** An unsigned 64-bit integer: `ulong`, `size_t`. Beyond 2 ** 53 it has to be a bigint. */
export function u64(value: number | bigint | boolean): TypedArgument {
  return scalar("u64", value);
}

/** A signed 8-bit integer: `char`. */
export function i8(value: number | bigint | boolean): TypedArgument {
  return scalar("i8", value);
}

/** A signed 16-bit integer: `short`. */
export function i16(value: number | bigint | boolean): TypedArgument {
  return scalar("i16", value);
}

/** A signed 32-bit integer: `int`. */
export function i32(value: number | bigint | boolean): TypedArgument {
  return scalar("i32", value);
}

/** A signed 64-bit integer: `long`. Beyond 2 ** 53 it has to be a bigint. */
export function i64(value: number | bigint | boolean): TypedArgument {
  return scalar("i64", value);
}

/** A 16-bit float: `half`. The value is rounded to it. */
export function f16(value: number): TypedArgument {
  return scalar("f16", value);
}

/** A 32-bit float: `float`. The value is rounded to it. */
export function f32(value: number): TypedArgument {
  return scalar("f32", value);
}

/** A 64-bit float: `double`. */
export function f64(value: number): TypedArgument {
  return scalar("f64", value);
}

/**
 * A pointer, by its address. Unsafe: nothing checks what is there, and
 * nothing keeps it.
 */
export function pointer(address: bigint): TypedArgument {
  const problem = {
    functionName: "argument.pointer",
    argument: "address",
    given: address,
    accepted: "a bigint from 0n to 2n ** 64n - 1n",
  };
  if (typeof address !== "bigint") throw new ArgumentTypeError(problem);
  if (address < 0n || address > LARGEST_ADDRESS) throw new ArgumentRangeError(problem);
  return new TypedArgument("pointer", 8, new Uint8Array(new BigUint64Array([address]).buffer));
}

/** A structure or vector by its bytes, which are copied. */
export function bytes(view: ArgumentBytes): TypedArgument {
  const bytes = copyOf(view);
  if (bytes) return new TypedArgument("bytes", bytes.length, bytes);
  throw new ArgumentTypeError({
    functionName: "argument.bytes",
    argument: "view",
    given: view,
    accepted: "a view or an ArrayBuffer that is not empty",
  });
}

/** Local memory of so many bytes, which each work group has for itself: `local int *`. */
export function local(byteLength: number): TypedArgument {
  const bytes = checkInteger("argument.local", "byteLength", byteLength, 1, LARGEST_LOCAL);
  return new TypedArgument("local", bytes, undefined);
}
