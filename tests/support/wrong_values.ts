/**
 * Values that arguments of the object API must refuse, by kind.
 *
 * @module
 */
import type {
  Context,
  Device,
  Event,
  ImmediateCommandList,
  Kernel,
  Memory,
  Module,
} from "../../mod.ts";

/** An argument: the value that is right, and some that are wrong. */
export interface Parameter {
  readonly right: unknown;
  readonly wrong: readonly unknown[];
}

/** A call, of which one argument at a time is made wrong. */
export interface Use {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  // deno-lint-ignore no-explicit-any
  call(...args: any[]): unknown;
  /** The right call in place of `call` with right arguments, where that would take too long. */
  readonly instead?: () => unknown;
}

/** A call that is wrong whatever the arguments: of an object that was disposed, or is busy. */
export interface Refused {
  readonly name: string;
  call(): unknown;
}

export const NO_NUMBERS: readonly unknown[] = [
  "1",
  "",
  null,
  {},
  [],
  [1],
  true,
  false,
  Symbol("1"),
  () => 1,
  new Date(0),
  { valueOf: (): number => 1 },
  new Uint32Array(1),
];
export const NO_INTEGERS: readonly unknown[] = [
  ...NO_NUMBERS,
  -1,
  -0.5,
  0.5,
  NaN,
  Infinity,
  -Infinity,
  2 ** 53,
  1e300,
  -1n,
  10n ** 30n,
];
/** Not `undefined`, which stands for the default, nor functions that could be called. */
export const NO_OPTIONS: readonly unknown[] = [1, "x", true, null, [], Symbol("x"), { nothing: 1 }];
export const NO_OBJECTS: readonly unknown[] = [
  undefined,
  null,
  0,
  1,
  1n,
  "x",
  true,
  {},
  [],
  Symbol("x"),
  () => {},
  new Uint8Array(8),
  { handle: 1n },
];

export function right(value: unknown): Parameter {
  return { right: value, wrong: [] };
}

/** Without some values, which happen to be accepted here. */
export function without(
  values: readonly unknown[],
  ...accepted: readonly unknown[]
): readonly unknown[] {
  return values.filter((value) => !accepted.some((each) => isSame(value, each)));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || [a, b].every((value) => Array.isArray(value) && value.length === 0);
}

/** What only looks like an object of a class. */
export function imitations(type: { readonly prototype: object }): readonly unknown[] {
  return [type, type.prototype, Object.create(type.prototype)];
}

/** The objects that are used, rightly and wrongly. */
export interface World {
  readonly device: Device;
  readonly context: Context;
  readonly other: Context;
  readonly module: Module;
  readonly kernel: Kernel;
  readonly memory: Memory<Uint32Array<ArrayBuffer>>;
  readonly source: Memory<Uint32Array<ArrayBuffer>>;
  readonly list: ImmediateCommandList;
  readonly event: Event;
}

/** Wrong values for each kind of argument. */
export interface Wrong {
  readonly memories: readonly unknown[];
  readonly events: readonly unknown[];
  readonly kernels: readonly unknown[];
  readonly devices: readonly unknown[];
  readonly appendOptions: readonly unknown[];
  readonly lists: readonly unknown[];
  readonly fences: readonly unknown[];
}
