/**
 * What may be given for a kernel's parameter, by what the kernel declares.
 *
 * @module
 */

import type { TypedArgument } from "./typed_argument.ts";
import type { KernelParameter } from "./kernel_signature.ts";
import type { Scalar } from "./scalar.ts";

const POINTER_BYTES = 8;

/** Whether what says its type itself is what the kernel declares. */
export function fits(
  parameter: KernelParameter,
  { form, byteLength, scalar }: TypedArgument,
): boolean {
  switch (parameter.kind) {
    case "unknown":
      return true;
    case "local":
      return form === "local";
    case "pointer":
      return form === "pointer" || form === "bytes" && byteLength === POINTER_BYTES;
    case "scalar": {
      const { type, bits } = parameter.scalar;
      // The sign is no part of it: SPIR-V does not always tell.
      if (scalar) return scalar.type === type && scalar.bits === bits;
      return form === "bytes" && byteLength === bits / 8;
    }
    case "vector":
    case "struct":
      return form === "bytes" && lengths(parameter).includes(byteLength);
    default:
      return false;
  }
}

/** What is given by its bytes. */
export type BytesParameter = Extract<KernelParameter, { kind: "vector" | "struct" }>;

/** How many bytes it may be given as: the first is what it takes in memory. */
export function lengths(parameter: BytesParameter): readonly number[] {
  if (parameter.kind === "struct") return [parameter.byteLength];
  const element = parameter.scalar.bits / 8;
  // A vector of three takes the place of one of four.
  return parameter.length === 3 ? [4 * element, 3 * element] : [parameter.length * element];
}

/** How many bytes the driver gets. */
export function slotLength(parameter: KernelParameter | undefined, byteLength: number): number {
  return parameter?.kind === "vector" ? lengths(parameter)[0]! : byteLength;
}

/** The arrays whose elements are of the type. */
export function arraysFor({ type, bits, signed }: Scalar): string[] {
  if (type === "float") return bits === 16 ? ["Float16Array"] : [`Float${bits}Array`];
  const name = bits === 64 ? "BigInt64Array" : `Int${bits}Array`;
  const unsigned = bits === 64 ? "BigUint64Array" : `Uint${bits}Array`;
  return signed === undefined ? [name, unsigned] : [signed ? name : unsigned];
}

/** What the kernel declares, and what is given for it. */
export function describeParameter(parameter: KernelParameter): string {
  switch (parameter.kind) {
    case "pointer":
      return "memory, a part of memory, an address (a bigint) or null, as the kernel declares a pointer";
    case "local":
      return "argument.local(byteLength), as the kernel declares local memory";
    case "scalar":
      return `a value for ${(parameter.scalar as Scalar).text}, which the kernel declares`;
    case "vector": {
      const scalar = parameter.scalar as Scalar;
      return `a ${
        arraysFor(scalar).join(" or ")
      } of ${parameter.length}, as the kernel declares a vector of ${parameter.length} times ${scalar.text}`;
    }
    case "struct":
      return `a view of ${parameter.byteLength} bytes, as the kernel declares a structure of that size`;
    case "image":
      return "an Image, which the kernel declares";
    case "sampler":
      return "a Sampler, which the kernel declares";
    case "unknown":
      return "memory, an image, a sampler, null or what the functions of `argument` make, such as argument.i32(1): the types of its parameters are not known, as those of a native binary";
  }
}
