/**
 * Numbers as kernels take them: what each type holds, and its bytes.
 *
 * @module
 */

import { ArgumentRangeError, ArgumentTypeError } from "./error.ts";
import type { ArgumentProblem } from "./ffi/mod.ts";

/** The type of a number in a kernel. */
export interface ScalarType {
  readonly type: "integer" | "float";
  readonly bits: number;
  /** Whether an integer may be negative; undefined where the compiled code does not tell. */
  readonly signed: boolean | undefined;
}

/** A scalar type with what checks need. */
export interface Scalar extends ScalarType {
  /** In words, such as `a 32-bit integer`. */
  readonly text: string;
  readonly byteLength: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly exactMinimum: bigint;
  readonly exactMaximum: bigint;
}

/** Sign is not told by the types of SPIR-V: then both ranges together are what fits. */
function integer(bits: number, signed: boolean | undefined): Scalar {
  const exactMinimum = signed === false ? 0n : -(2n ** BigInt(bits - 1));
  const exactMaximum = 2n ** BigInt(signed ? bits - 1 : bits) - 1n;
  const sign = signed === undefined ? "" : signed ? "signed " : "unsigned ";
  return {
    type: "integer",
    bits,
    signed,
    text: `${signed === false ? "an" : "a"}${
      signed === undefined && bits === 8 ? "n" : ""
    } ${sign}${bits}-bit integer`,
    byteLength: bits / 8,
    // A number beyond the safe integers may not be the one that was meant.
    minimum: Math.max(Number(exactMinimum), Number.MIN_SAFE_INTEGER),
    maximum: Math.min(Number(exactMaximum), Number.MAX_SAFE_INTEGER),
    exactMinimum,
    exactMaximum,
  };
}

/** The largest number that is not rounded to infinity, by bits. */
const LARGEST: Readonly<Record<number, number>> = {
  16: 65520 - 2 ** -37,
  32: 2 ** 128 - 2 ** 103 - 2 ** 75,
  64: Number.MAX_VALUE,
};

function float(bits: number): Scalar {
  return {
    type: "float",
    bits,
    signed: undefined,
    text: `a ${bits}-bit float`,
    byteLength: bits / 8,
    minimum: -LARGEST[bits]!,
    maximum: LARGEST[bits]!,
    exactMinimum: 0n,
    exactMaximum: 0n,
  };
}

/** The scalar types, by their short names. */
export const scalars = {
  u8: integer(8, false),
  u16: integer(16, false),
  u32: integer(32, false),
  u64: integer(64, false),
  i8: integer(8, true),
  i16: integer(16, true),
  i32: integer(32, true),
  i64: integer(64, true),
  f16: float(16),
  f32: float(32),
  f64: float(64),
} as const satisfies Record<string, Scalar>;

const unsure: Readonly<Record<number, Scalar>> = Object.fromEntries(
  [8, 16, 32, 64].map((bits) => [bits, integer(bits, undefined)]),
);

/** An integer type; undefined if there is none of so many bits. */
export function integerType(bits: number, signed: boolean | undefined): Scalar | undefined {
  const known = scalars[`${signed ? "i" : "u"}${bits}` as keyof typeof scalars];
  return signed === undefined ? unsure[bits] : known;
}

/** A floating-point type; undefined if there is none of so many bits. */
export function floatType(bits: number): Scalar | undefined {
  return scalars[`f${bits}` as keyof typeof scalars];
}

/** What is accepted, for errors. */
function accepted(scalar: Scalar, where: string): string {
  const { type, bits, exactMinimum, exactMaximum, text } = scalar;
  if (type === "float") return `a number that ${text} holds${where}`;
  const form = bits === 64 ? ", as a bigint beyond 2 ** 53" : "";
  return `an integer from ${exactMinimum} to ${exactMaximum}${form}${where}`;
}

/**
 * Whether the value is of the type and in its range. A boolean is 0 or 1 to an
 * integer type.
 */
export function holds(scalar: Scalar, value: unknown): value is number | bigint | boolean {
  if (typeof value === "number") {
    if (value >= scalar.minimum && value <= scalar.maximum) {
      return scalar.type === "float" || Number.isInteger(value);
    }
    return scalar.type === "float" && !Number.isFinite(value);
  }
  if (scalar.type === "float") return false;
  if (typeof value === "bigint") {
    return value >= scalar.exactMinimum && value <= scalar.exactMaximum;
  }
  return typeof value === "boolean";
}

/** The error for a value that the type does not hold; `where` ends the sentence. */
export function scalarProblem(
  scalar: Scalar,
  problem: Omit<ArgumentProblem, "accepted">,
  where = "",
): ArgumentRangeError | ArgumentTypeError {
  const whole = { ...problem, accepted: accepted(scalar, where) };
  const { given } = problem;
  const isNumber = typeof given === "number" || typeof given === "bigint" &&
      scalar.type === "integer";
  return isNumber ? new ArgumentRangeError(whole) : new ArgumentTypeError(whole);
}

/** Writes a value that the type {@linkcode holds}. */
export function writeScalar(
  { type, bits }: Scalar,
  view: DataView,
  value: number | bigint | boolean,
): void {
  if (type === "float") {
    if (bits === 32) view.setFloat32(0, value as number, true);
    else if (bits === 64) view.setFloat64(0, value as number, true);
    else view.setFloat16(0, value as number, true);
  } else if (bits === 64) {
    view.setBigUint64(0, typeof value === "bigint" ? value : BigInt(value), true);
  } else {
    const number = Number(value);
    if (bits === 32) view.setUint32(0, number, true);
    else if (bits === 16) view.setUint16(0, number, true);
    else view.setUint8(0, number);
  }
}
