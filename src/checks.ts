/**
 * Checks of what callers of the object API give, made before anything native
 * is called.
 *
 * @module
 */

import { ArgumentRangeError, ArgumentTypeError, UseAfterDisposeError } from "./error.ts";
import { Resource } from "./resource.ts";

/** A class, whoever may call its constructor, to ask whether a value is of it. */
interface Class<T> {
  readonly prototype: T;
  readonly name: string;
  [Symbol.hasInstance](value: unknown): boolean;
}

/**
 * An integer as a safe `number`, from a `number` or a `bigint`.
 *
 * @throws {ArgumentTypeError} If it is neither.
 * @throws {ArgumentRangeError} If it is no integer from `minimum` to `maximum`.
 */
export function checkInteger(
  functionName: string,
  argument: string,
  value: unknown,
  minimum = 0,
  maximum: number = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value === "number" && Number.isSafeInteger(value) || typeof value === "bigint") {
    if (value >= minimum && value <= maximum) return Number(value);
  }
  const accepted = `an integer from ${minimum} to ${maximum}`;
  const problem = { functionName, argument, given: value, accepted };
  throw typeof value === "number" || typeof value === "bigint"
    ? new ArgumentRangeError(problem)
    : new ArgumentTypeError(problem);
}

/**
 * An object of a class of this package.
 *
 * @throws {ArgumentTypeError} If it is something else.
 */
export function checkInstance<T extends object>(
  functionName: string,
  argument: string,
  value: unknown,
  type: Class<T>,
  accepted = `a ${type.name}`,
): T {
  if (value instanceof type) {
    const object = value as T;
    const { resource } = object as { readonly resource?: unknown };
    // Devices and drivers have a handle in place of one. Without either, such as made by
    // Object.create(), it only looks like an object of ours.
    if (resource === undefined ? Object.hasOwn(object, "handle") : resource instanceof Resource) {
      return object;
    }
  }
  throw new ArgumentTypeError({ functionName, argument, given: value, accepted });
}

/**
 * An object that owns a handle of this kind, such as `Module`: for where its
 * class can't be imported without a cycle.
 *
 * @throws {ArgumentTypeError} If it is something else.
 */
export function checkKind<T extends { readonly resource: Resource }>(
  functionName: string,
  argument: string,
  value: T,
  what: string,
): T {
  const resource = (value as { readonly resource?: unknown } | null | undefined)?.resource;
  if (resource instanceof Resource && resource.what === what) return value;
  throw new ArgumentTypeError({ functionName, argument, given: value, accepted: `a ${what}` });
}

/**
 * An object of a class of this package that was not disposed and is of a context.
 *
 * @throws {ArgumentTypeError} If it is something else, or of another context.
 * @throws {UseAfterDisposeError} If it was disposed.
 */
export function checkOwned<T extends { readonly resource: Resource; readonly context: object }>(
  functionName: string,
  argument: string,
  value: unknown,
  type: Class<T>,
  context: object,
): T {
  const object = checkInstance(functionName, argument, value, type);
  checkSameContext(functionName, argument, object, context);
  if (object.resource.released) throw new UseAfterDisposeError(type.name);
  return object;
}

/**
 * Whether an object is of the context that it is to be used in.
 *
 * @throws {ArgumentTypeError} If it is of another.
 */
export function checkSameContext(
  functionName: string,
  argument: string,
  object: { readonly context: object },
  context: object,
): void {
  if (object.context === context) return;
  const name = object.constructor.name;
  throw new ArgumentTypeError(
    { functionName, argument, given: object, accepted: `a ${name} of the same context` },
    `a ${name} of another context`,
  );
}

/**
 * An object with options: `undefined` is the same as none.
 *
 * @throws {ArgumentTypeError} If it is no object, or has an option of a name that is not known.
 */
export function checkOptions(
  functionName: string,
  options: unknown,
  known: readonly string[],
): void {
  if (options === undefined) return;
  const problem = { functionName, argument: "options", given: options };
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new ArgumentTypeError({ ...problem, accepted: "an object with options" });
  }
  for (const name in options) {
    if (known.includes(name)) continue;
    throw new ArgumentTypeError({
      functionName,
      argument: `options.${name}`,
      given: (options as Record<string, unknown>)[name],
      accepted: `left out: the options are ${known.join(", ")}`,
    });
  }
}

/**
 * A boolean, or `fallback` for undefined.
 *
 * @throws {ArgumentTypeError} If it is something else.
 */
export function checkBoolean(
  functionName: string,
  argument: string,
  value: unknown,
  fallback: boolean,
): boolean {
  if (value === undefined) return fallback;
  if (typeof value === "boolean") return value;
  throw new ArgumentTypeError({ functionName, argument, given: value, accepted: "a boolean" });
}
