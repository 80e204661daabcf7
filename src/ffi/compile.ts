/**
 * Makes the TypeScript side of one C function: the checks its arguments need,
 * the call, and the check of its result, in one function body that an engine's
 * optimizing compiler sees whole.
 *
 * The body is put together as source text, since it is what keeps a checked
 * call within a nanosecond or two of a bare one: a loop over parameter
 * descriptions costs more than the call itself. Nothing but the library
 * description goes into the text, and names only as string literals.
 *
 * @module
 */

import { busyHandles } from "./busy.ts";
import { type ArgumentProblem, ArgumentRangeError, ArgumentTypeError } from "./errors.ts";
import type { FunctionDescription, OpenOptions, ParameterDescription } from "./types.ts";

/** Any function that calls native code. */
// deno-lint-ignore no-explicit-any
export type Native = (...args: any[]) => unknown;

/** What {@linkcode compile} makes. */
export interface Compiled {
  /** The function for callers. */
  readonly call: Native;
  /** Puts another function in the native one's place, as when the library closes. */
  retarget(native: Native): void;
}

/** What {@linkcode compile} works from. */
export interface CompileOptions {
  /** The function's name, for errors. */
  readonly name: string;
  readonly description: FunctionDescription;
  readonly native: Native;
  /**
   * How a `bigint` is tested for 64 bits: to `truncate` it is cheapest in V8, to
   * `compare` it with the bounds in JavaScriptCore.
   */
  readonly bigints: "truncate" | "compare";
  /** Whether the call outlives the caller's turn, so that its buffers need the full test each time. */
  readonly nonblocking: boolean;
  readonly onFailure?: OpenOptions["onFailure"] | undefined;
}

const INTEGERS: Record<string, { test: (a: string) => string; accepted: string }> = {
  i8: { test: (a) => `${a} << 24 >> 24 !== ${a}`, accepted: "an integer from -128 to 127" },
  u8: { test: (a) => `(${a} & 255) !== ${a}`, accepted: "an integer from 0 to 255" },
  i16: { test: (a) => `${a} << 16 >> 16 !== ${a}`, accepted: "an integer from -32768 to 32767" },
  u16: { test: (a) => `(${a} & 65535) !== ${a}`, accepted: "an integer from 0 to 65535" },
  i32: {
    test: (a) => `(${a} | 0) !== ${a}`,
    accepted: "an integer from -2147483648 to 2147483647",
  },
  u32: { test: (a) => `${a} >>> 0 !== ${a}`, accepted: "an integer from 0 to 4294967295" },
};

const SIGNED = "a bigint from -2n ** 63n to 2n ** 63n - 1n";
const UNSIGNED = "a bigint from 0n to 2n ** 64n - 1n";

/** The C types that are `bigint`s, and whether they have a sign. */
const BIGINTS: Readonly<Record<string, { signed: boolean; accepted: string }>> = {
  i64: { signed: true, accepted: SIGNED },
  isize: { signed: true, accepted: SIGNED },
  u64: { signed: false, accepted: UNSIGNED },
  usize: { signed: false, accepted: UNSIGNED },
  pointer: { signed: false, accepted: `an address, ${UNSIGNED}` },
};

/** The parameters with every short form written out. */
export function parametersOf(description: FunctionDescription): ParameterDescription[] {
  return description.parameters.map((p) => typeof p === "string" ? { type: p } : p);
}

/** A view that is vetted is remembered up to this size, so as to keep little alive. */
const REMEMBERED_BYTES = 4096;

type ResizableBuffer = ArrayBufferLike & {
  readonly resizable?: boolean;
  readonly growable?: boolean;
  readonly detached?: boolean;
};

class Arguments {
  readonly #name: string;
  readonly #parameters: readonly ParameterDescription[];

  constructor(name: string, parameters: readonly ParameterDescription[]) {
    this.#name = name;
    this.#parameters = parameters;
  }

  #problem(index: number, given: unknown, accepted: string): ArgumentProblem {
    return {
      functionName: this.#name,
      argument: this.#parameters[index]?.name ?? String(index),
      given,
      accepted,
    };
  }

  /** Throws for a number, bigint or boolean that does not fit. */
  refuse(index: number, given: unknown): never {
    const { type, nullable = true } = this.#parameters[index]!;
    const bigint = BIGINTS[type];
    if (bigint) {
      const accepted = nullable ? bigint.accepted : "a handle, from 1n to 2n ** 64n - 1n";
      const problem = this.#problem(index, given, accepted);
      throw typeof given === "bigint"
        ? new ArgumentRangeError(problem)
        : new ArgumentTypeError(problem);
    }
    const accepted = INTEGERS[type]?.accepted ?? (type === "bool" ? "a boolean" : "a number");
    const problem = this.#problem(index, given, accepted);
    throw typeof given === "number" && type !== "bool"
      ? new ArgumentRangeError(problem)
      : new ArgumentTypeError(problem);
  }

  /**
   * Throws for a buffer that no native function may get; returns it if it may
   * be taken for vetted next time, else what no caller can pass.
   */
  vet(index: number, view: unknown): ArrayBufferView | null | Arguments {
    const { byteLength = 0, nullable = true } = this.#parameters[index]!;
    const accepted = `${byteLength ? `a view of at least ${byteLength} bytes` : "a view"}${
      nullable ? " or null" : ""
    }`;
    if (view === null) {
      if (nullable) return null;
      throw new ArgumentTypeError(this.#problem(index, view, accepted));
    }
    if (!ArrayBuffer.isView(view)) {
      throw new ArgumentTypeError(this.#problem(index, view, accepted));
    }
    const buffer = view.buffer as ResizableBuffer;
    if (buffer.resizable || buffer.growable) {
      throw new ArgumentTypeError(
        this.#problem(index, view, `${accepted}, of a buffer with a fixed length`),
        "a view of a resizable buffer, which may move or shrink during the call",
      );
    }
    if (buffer.detached) {
      throw new ArgumentTypeError(
        this.#problem(index, view, accepted),
        "a view of a detached buffer",
      );
    }
    // The length of a DataView can't even be asked for once its buffer is detached.
    const remembered = buffer.byteLength <= REMEMBERED_BYTES && !(view instanceof DataView);
    return remembered ? view : this;
  }

  /** Throws for a handle that a call on another thread has to itself. */
  busy(index: number, handle: bigint): never {
    busyHandles.refuse(this.#name, this.#parameters[index]?.name ?? String(index), handle);
  }

  /** What stands for an empty view: NULL, whatever address a runtime has for it. */
  empty(index: number, view: ArrayBufferView): null {
    // A view that was vetted earlier may have lost its buffer since.
    this.vet(index, view);
    return null;
  }

  /** Throws for a vetted buffer that is shorter than what the callee uses. */
  short(index: number, view: ArrayBufferView, needed: number): never {
    // A view that was vetted earlier may have lost its buffer since.
    this.vet(index, view);
    throw new ArgumentRangeError(
      this.#problem(index, view, `a view of at least ${needed} bytes`),
    );
  }

  /** Throws for null where another argument promises elements. */
  absent(index: number, needed: number): never {
    throw new ArgumentTypeError(
      this.#problem(index, null, `a view of at least ${needed} bytes, as its count is not 0`),
    );
  }

  /** The count that a `uint32_t*` or `size_t*` argument points to. */
  counted(view: ArrayBufferView | null, byteLength: number): number {
    if (view === null || view.byteLength < byteLength) return 0;
    const data = new DataView(view.buffer, view.byteOffset);
    return byteLength === 8 ? Number(data.getBigUint64(0, true)) : data.getUint32(0, true);
  }
}

/** The number of elements that a pointer tells; what it is in nearly every call is read at once. */
function countedBy(a: string, byteLength: number): string {
  const usual = byteLength === 8
    ? `${a} instanceof BigUint64Array ? Number(${a}[0])`
    : `${a} instanceof Uint32Array ? ${a}[0]`;
  return `(${usual} : checks.counted(${a}, ${byteLength}))`;
}

function bufferTest(
  index: number,
  parameters: readonly ParameterDescription[],
  nonblocking: boolean,
): string {
  const a = `a${index}`;
  const { byteLength = 0, count } = parameters[index]!;
  const vet = nonblocking
    ? `checks.vet(${index}, ${a});`
    : `if (${a} !== v${index}) v${index} = checks.vet(${index}, ${a});`;
  const empty = `if (${a} !== null && ${a}.byteLength === 0) ${a} = checks.empty(${index}, ${a});`;
  if (byteLength === 0) return `${vet}\n  ${empty}`;
  let needed = String(byteLength);
  const counter = count === undefined ? undefined : parameters[count];
  if (counter) {
    const value = counter.type === "buffer"
      ? countedBy(`a${count}`, counter.byteLength ?? 4)
      : BIGINTS[counter.type]
      ? `Number(a${count})`
      : `a${count}`;
    needed = `${byteLength} * ${value}`;
  }
  // Bytes may be asked for their size by null; of anything larger, null has to mean none.
  const absent = counter && byteLength > 1
    ? ` else if (${a} === null && ${needed} > 0) checks.absent(${index}, ${needed});`
    : "";
  return `${vet}
  if (${a} !== null && ${a}.byteLength < ${needed}) checks.short(${index}, ${a}, ${needed});${absent}${
    counter ? `\n  ${empty}` : ""
  }`;
}

/**
 * The test of a `bigint` for V8, which compares two by a call: a third of what a
 * native call costs, where the machine is busy. A handle is stored and its upper
 * half looked at instead, which finds it negative, and not larger than 2n ** 64n.
 */
function truncation(a: string, signed: boolean, nullable: boolean): string {
  const wrong = `BigInt.${signed ? "asIntN" : "asUintN"}(64, ${a}) !== ${a}`;
  return nullable ? wrong : `!${a} || (stored[0] = ${a}, halves[1] > 0x7fffffff && ${wrong})`;
}

/**
 * The test of a `bigint` for JavaScriptCore, which compares with 0n in place and
 * calls a function for any other number, at 3 ns. A handle is not compared with
 * 2n ** 64n for that: where would one come from that is larger?
 */
function bounds(a: string, signed: boolean, nullable: boolean): string {
  if (signed) return `${a} < -0x8000000000000000n || ${a} > 0x7fffffffffffffffn`;
  return nullable ? `${a} < 0n || ${a} > 0xffffffffffffffffn` : `!${a} || ${a} < 0n`;
}

function test(
  index: number,
  parameters: readonly ParameterDescription[],
  options: CompileOptions,
): string {
  const a = `a${index}`;
  const { type, nullable = true } = parameters[index]!;
  const refuse = `checks.refuse(${index}, ${a});`;
  const bigint = BIGINTS[type];
  if (bigint) {
    const wrong = options.bigints === "compare"
      ? bounds(a, bigint.signed, nullable)
      : truncation(a, bigint.signed, nullable);
    return `if (typeof ${a} !== "bigint" || ${wrong}) ${refuse}`;
  }
  if (type === "buffer") return "";
  if (type === "bool") return `if (typeof ${a} !== "boolean") ${refuse}`;
  const integer = INTEGERS[type];
  return `if (typeof ${a} !== "number"${integer ? ` || ${integer.test(a)}` : ""}) ${refuse}`;
}

/** A tested argument as the runtime is to get it: Deno takes -0 for no integer. */
function passing(type: string, a: string): string {
  if (!INTEGERS[type]) return a;
  return type === "u32" ? `${a} >>> 0` : `${a} | 0`;
}

let compiled = 0;

/** Makes the function for callers of one C function. */
export function compile(options: CompileOptions): Compiled {
  const { name, description, nonblocking } = options;
  const parameters = parametersOf(description);
  const list = parameters.map((_, i) => `a${i}`).join(", ");
  const passed = parameters.map(({ type }, i) => passing(type, `a${i}`)).join(", ");
  const buffers = parameters.flatMap((p, i) => p.type === "buffer" ? [i] : []);
  // Numbers first: a buffer's length may be tested against one of them.
  const tests = [
    ...parameters.map((_, i) => test(i, parameters, options)),
    ...buffers.map((i) => bufferTest(i, parameters, nonblocking)),
    // A nonblocking call waits for it instead.
    ...parameters.map(({ exclusive }, i) =>
      exclusive && !nonblocking
        ? `if (busyHandles.count !== 0 && busyHandles.has(a${i})) checks.busy(${i}, a${i});`
        : ""
    ),
  ].filter((line) => line !== "");
  const accepts = options.onFailure && !nonblocking ? description.accepts : undefined;
  const body = accepts
    ? `const result = native(${passed});
  if (${
      accepts.map((value) => `result !== ${Number(value)}`).join(" && ")
    }) return fail(name, result, false);
  return result;`
    : `return native(${passed});`;
  // V8 shares what it learns of a function with all of the same text; told apart by a number,
  // each knows the one native function that it calls.
  const source = `"use strict"; // ${compiled++}
const stored = new BigUint64Array(1), halves = new Uint32Array(stored.buffer);
${buffers.map((i) => `let v${i} = checks;`).join(" ")}
return { call: (${list}) => {
  ${tests.join("\n  ")}
  ${body}
}, retarget(replacement) { native = replacement; } };`;
  const factory = new Function("name", "native", "checks", "fail", "busyHandles", source);
  const checks = new Arguments(name, parameters);
  return factory(name, options.native, checks, options.onFailure, busyHandles);
}
