/**
 * Reads functions that are written as one line of text each, and passes structs
 * by value through an adapter that knows only scalars.
 *
 * A line is `name [nonblocking] result[=accepted|…] parameter…`, where a
 * parameter is `name:type`, and a type is one of the adapter's scalars,
 * `handle`, `buffer[bytes]`, `buffer[bytes*count]` with the parameter that has or points
 * to the number of elements, `?` behind any of these if it may be null, or
 * `struct[bytes]` for a struct by value. `!` behind a
 * handle or address says that no two calls may have it at the same time.
 *
 * @module
 */

import { ArgumentRangeError, ArgumentTypeError } from "./errors.ts";
import { backend } from "./runtime.ts";
import type {
  FunctionDescription,
  ParameterDescription,
  ParameterType,
  ResultType,
} from "./types.ts";

/**
 * How structs are passed by value: `sysv` on x86-64 but for Windows, `aapcs` on
 * 64-bit ARM, `pointer` (to a copy) on Windows on x86-64.
 */
export type Convention = "sysv" | "aapcs" | "pointer";

/** The calling convention of this machine. */
function nativeConvention(): Convention {
  const { architecture, platform } = backend();
  if (architecture === "aarch64") return "aapcs";
  return platform === "windows" ? "pointer" : "sysv";
}

/** A function read from its line. */
export interface Signature {
  /** For the adapter, with structs taken apart. */
  readonly description: FunctionDescription;
  /**
   * Makes the adapter's arguments of those of the C prototype; undefined where
   * they are the same.
   */
  readonly flatten?: (args: readonly unknown[]) => unknown[];
}

/** One argument of the adapter's: of the C argument at `index`, or nothing (-1). */
interface Slot {
  readonly index: number;
  readonly parameter: ParameterDescription;
  /** For a part of a struct, which 64 bits of it. */
  readonly word?: number;
}

interface Parameter {
  readonly name: string;
  /** `struct` is passed by value. */
  readonly type: ParameterType | "handle" | "struct";
  readonly bytes: number;
  readonly count?: string;
  readonly nullable: boolean;
  readonly exclusive: boolean;
}

function parseParameter(text: string): Parameter {
  const [, name, type, bytes, count, nullable, exclusive] =
    /^(\w+):(\w+)(?:\[(\d+)(?:\*(\w+))?\])?(\?)?(!)?$/
      .exec(text)!;
  return {
    name: name!,
    type: type as Parameter["type"],
    bytes: Number(bytes ?? 0),
    nullable: nullable !== undefined,
    exclusive: exclusive !== undefined,
    ...(count ? { count } : {}),
  };
}

/** The 64-bit parts of a struct that goes in registers or on the stack. */
function words(index: number, { name, bytes }: Parameter): Slot[] {
  return Array.from({ length: Math.ceil(bytes / 8) }, (_, word) => ({
    index,
    word,
    parameter: { type: "u64", name },
  }));
}

const REGISTERS = 6;

/**
 * System V: a struct of more than 16 bytes is copied to the stack, a smaller one
 * takes registers if there are enough. The adapter's scalars fill the six
 * registers first and the stack then, so what goes in registers is listed
 * first, and the rest of the registers is filled up.
 */
function sysvSlots(parameters: readonly Parameter[]): Slot[] {
  const registers: Slot[] = [];
  const floats: Slot[] = [];
  const stack: Slot[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const free = REGISTERS - registers.length;
    if (parameter.type === "struct") {
      const parts = words(index, parameter);
      (parts.length <= 2 && parts.length <= free ? registers : stack).push(...parts);
    } else {
      const slot = { index, parameter: scalar(parameter) };
      if (parameter.type === "f32" || parameter.type === "f64") floats.push(slot);
      else (free > 0 ? registers : stack).push(slot);
    }
  }
  const unused: Slot = { index: -1, parameter: { type: "u64", name: "unused register" } };
  const filling = stack.length > 0
    ? Array.from({ length: REGISTERS - registers.length }, () => unused)
    : [];
  return [...registers, ...filling, ...floats, ...stack];
}

function slotsOf(parameters: readonly Parameter[], convention: Convention): Slot[] {
  if (convention === "sysv") return sysvSlots(parameters);
  return parameters.flatMap((parameter, index): Slot[] => {
    if (parameter.type !== "struct") return [{ index, parameter: scalar(parameter) }];
    if (convention === "aapcs" && parameter.bytes <= 16) return words(index, parameter);
    const { name, bytes } = parameter;
    return [{ index, parameter: { type: "buffer", name, byteLength: bytes, nullable: false } }];
  });
}

function scalar({ name, type, bytes, nullable, exclusive }: Parameter): ParameterDescription {
  const held = exclusive ? { exclusive } : {};
  if (type === "handle") return { name, type: "pointer", nullable, ...held };
  if (type === "pointer") return { name, type, ...held };
  if (type !== "buffer") return { name, type: type as ParameterType };
  return { name, type, nullable, byteLength: bytes };
}

function structWords(functionName: string, value: unknown, { name, bytes }: Parameter): bigint[] {
  const problem = {
    functionName,
    argument: name,
    given: value,
    accepted: `a view of at least ${bytes} bytes`,
  };
  if (!ArrayBuffer.isView(value)) throw new ArgumentTypeError(problem);
  if (value.byteLength < bytes) throw new ArgumentRangeError(problem);
  const copy = new BigUint64Array(Math.ceil(bytes / 8));
  new Uint8Array(copy.buffer).set(new Uint8Array(value.buffer, value.byteOffset, bytes));
  return [...copy];
}

/** Reads one line. */
export function readSignature(line: string, convention?: Convention): Signature {
  const [name, ...rest] = line.split(" ");
  const nonblocking = rest[0] === "nonblocking";
  const [result, ...texts] = nonblocking ? rest.slice(1) : rest;
  const [resultType, accepted] = result!.split("=");
  const parameters = texts.map(parseParameter);
  const byValue = parameters.some(({ type }) => type === "struct");
  const by = byValue ? convention ?? nativeConvention() : undefined;
  const slots = by
    ? slotsOf(parameters, by)
    : parameters.map((parameter, index): Slot => ({ index, parameter: scalar(parameter) }));
  const described = slots.map(({ index, parameter }): ParameterDescription => {
    const count = parameters[index]?.count;
    return count === undefined
      ? parameter
      : { ...parameter, count: slots.findIndex((slot) => parameters[slot.index]?.name === count) };
  });
  const description: FunctionDescription = {
    parameters: described,
    result: resultType as ResultType,
    optional: true,
    ...(nonblocking ? { nonblocking } : {}),
    ...(accepted ? { accepts: accepted.split("|").map(Number) } : {}),
  };
  if (!by) return { description };
  const flatten = (args: readonly unknown[]): unknown[] => {
    const structs = parameters.map((parameter, i) =>
      parameter.type === "struct" && by !== "pointer"
        ? structWords(name!, args[i], parameter)
        : undefined
    );
    return slots.map(({ index, word }) =>
      index < 0 ? 0n : word === undefined ? args[index] : structs[index]![word]
    );
  };
  return { description, flatten };
}

/** A text with one function a line, each read when it is asked for. */
export class Signatures {
  readonly #text: string;
  readonly #read = new Map<string, Signature>();

  /** The text has a line break before the first line and after the last. */
  constructor(text: string) {
    this.#text = text;
  }

  /** The function's signature; undefined if there is none of that name. */
  get(name: string): Signature | undefined {
    const known = this.#read.get(name);
    if (known) return known;
    const start = this.#text.indexOf(`\n${name} `) + 1;
    if (start === 0) return undefined;
    const line = this.#text.slice(start, this.#text.indexOf("\n", start));
    const signature = readSignature(line);
    this.#read.set(name, signature);
    return signature;
  }

  /** Every function's name. */
  names(): string[] {
    return this.#text.trim().split("\n").map((line) => line.slice(0, line.indexOf(" ")));
  }
}
