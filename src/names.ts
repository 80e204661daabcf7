/**
 * C constants as a person writes them: `ZE_DEVICE_TYPE_GPU` is `"gpu"`, and a
 * set of flags is a list of such names.
 *
 * @module
 */

import { ArgumentTypeError } from "./ffi/errors.ts";

type Constants = Readonly<Record<string, number>>;

/** The names of an enum's constants, without their prefix and in lower case. */
export type NameOf<E extends Constants, Prefix extends string> = {
  [K in keyof E]: K extends `${Prefix}_${infer Name}` ? Lowercase<Name> : never;
}[keyof E];

/**
 * The name of an enum's value; `unknown_` and the value in hexadecimal if the
 * driver is newer than the constants known here.
 */
export function enumName<E extends Constants, Prefix extends string>(
  constants: E,
  prefix: Prefix,
  value: number,
): NameOf<E, Prefix> | `unknown_${string}` {
  for (const [name, constant] of Object.entries(constants)) {
    if (constant === value && name.startsWith(`${prefix}_`)) {
      return name.slice(prefix.length + 1).toLowerCase() as NameOf<E, Prefix>;
    }
  }
  return `unknown_${hexadecimal(value)}`;
}

/** The names of the flags that are set in a value, lowest bit first. */
export function flagNames<E extends Constants, Prefix extends string>(
  constants: E,
  prefix: Prefix,
  value: number,
): readonly (NameOf<E, Prefix> | `unknown_${string}`)[] {
  const names: (NameOf<E, Prefix> | `unknown_${string}`)[] = [];
  for (let bit = 0; bit < 32; bit++) {
    const flag = (1 << bit) >>> 0;
    if ((value & flag) !== 0) names.push(enumName(constants, prefix, flag));
  }
  return names;
}

function hexadecimal(value: number): string {
  return `0x${(value >>> 0).toString(16)}`;
}

/** The name that differs least from the one asked for, if any is close. */
export function nearestName(asked: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  // More than half of it different is no misspelling.
  let least = Math.floor(asked.length / 2) + 1;
  for (const name of names) {
    const distance = editDistance(asked.toLowerCase(), name.toLowerCase());
    if (distance < least) {
      nearest = name;
      least = distance;
    }
  }
  return nearest;
}

/** The fewest insertions, deletions and replacements that make one text the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const current = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = previous[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[to.length]!;
}

/** What an argument that is a name, or a list of names, is called in errors. */
interface NamedArgument {
  readonly functionName: string;
  readonly argument: string;
}

function namesOf(constants: Constants, prefix: string): string[] {
  return Object.keys(constants)
    .filter((name) => name.startsWith(`${prefix}_`) && !name.endsWith("_FORCE_UINT32"))
    .map((name) => name.slice(prefix.length + 1).toLowerCase());
}

/**
 * The value of an enum's constant, by its name.
 *
 * @throws {ArgumentTypeError} If there is no constant of that name; with those that there are.
 */
export function enumValue<E extends Constants, Prefix extends string>(
  constants: E,
  prefix: Prefix,
  name: NameOf<E, Prefix>,
  { functionName, argument }: NamedArgument,
): number {
  const value = typeof name === "string" && (name as string) === (name as string).toLowerCase()
    ? constants[`${prefix}_${(name as string).toUpperCase()}`]
    : undefined;
  if (value !== undefined) return value;
  const accepted = `one of ${namesOf(constants, prefix).map((n) => `"${n}"`).join(", ")}`;
  throw new ArgumentTypeError({ functionName, argument, given: name, accepted });
}

/**
 * The bits of a list of flags, by their names.
 *
 * @throws {ArgumentTypeError} If it is no list, or a name in it is none of the flags'.
 */
export function flagBits<E extends Constants, Prefix extends string>(
  constants: E,
  prefix: Prefix,
  names: readonly NameOf<E, Prefix>[],
  { functionName, argument }: NamedArgument,
): number {
  if (!Array.isArray(names)) {
    const accepted = `a list with any of ${
      namesOf(constants, prefix).map((name) => `"${name}"`).join(", ")
    }`;
    throw new ArgumentTypeError({ functionName, argument, given: names, accepted });
  }
  return names.reduce<number>(
    (bits, name) => (bits | enumValue(constants, prefix, name, { functionName, argument })) >>> 0,
    0,
  );
}
