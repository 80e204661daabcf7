/**
 * The functions of `@std/assert` that the tests use, over `node:assert`, with the same signatures
 * and meaning. It stands in where JSR is out of reach; see `tests/offline/import_map.json`.
 *
 * @module
 */
import nodeAssert from "node:assert";
import { inspect, isDeepStrictEqual } from "node:util";

/** What every assertion throws. */
export const AssertionError: typeof nodeAssert.AssertionError = nodeAssert.AssertionError;

/** A class, for {@linkcode assertThrows} and {@linkcode assertInstanceOf}. */
export type Class<T> = abstract new (...args: never[]) => T;

function raise(sentence: string, message?: string): never {
  throw new AssertionError({
    message: message ? `${sentence}: ${message}` : `${sentence}.`,
  });
}

/** Fails always. */
export function fail(message?: string): never {
  return raise("Failed assertion", message);
}

/** Fails unless `condition` is truthy. */
export function assert(condition: unknown, message = ""): asserts condition {
  if (!condition) throw new AssertionError({ message });
}

/** Fails if `condition` is truthy. */
export function assertFalse(
  condition: unknown,
  message = "",
): asserts condition is false {
  if (condition) throw new AssertionError({ message });
}

/** Fails unless the two are deeply equal. */
export function assertEquals<T>(
  actual: T,
  expected: T,
  message?: string,
): void {
  if (isDeepStrictEqual(actual, expected)) return;
  raise(
    `Values are not equal: ${inspect(actual)} instead of ${inspect(expected)}`,
    message,
  );
}

/** Fails if the two are deeply equal. */
export function assertNotEquals<T>(
  actual: T,
  expected: T,
  message?: string,
): void {
  if (!isDeepStrictEqual(actual, expected)) return;
  raise(`Expected a value other than ${inspect(expected)}`, message);
}

/** Fails unless the two are the same value, as `Object.is` sees it. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  message?: string,
): asserts actual is T {
  if (Object.is(actual, expected)) return;
  raise(
    `Values are not strictly equal: ${inspect(actual)} instead of ${inspect(expected)}`,
    message,
  );
}

/** Fails if the two are the same value, as `Object.is` sees it. */
export function assertNotStrictEquals<T>(
  actual: T,
  expected: T,
  message?: string,
): void {
  if (!Object.is(actual, expected)) return;
  raise(`Expected a value other than the very ${inspect(expected)}`, message);
}

/** Fails for `null` and `undefined`. */
export function assertExists<T>(
  actual: T,
  message?: string,
): asserts actual is NonNullable<T> {
  if (actual === undefined || actual === null) {
    raise(`Expected a value instead of ${inspect(actual)}`, message);
  }
}

/** Fails unless `actual` is an instance of `expectedType`. */
export function assertInstanceOf<T>(
  actual: unknown,
  expectedType: Class<T>,
  message?: string,
): asserts actual is T {
  if (actual instanceof expectedType) return;
  raise(
    `Expected an instance of "${expectedType.name}" instead of ${inspect(actual)}`,
    message,
  );
}

/** Fails unless `actual` contains `expected`. */
export function assertStringIncludes(
  actual: string,
  expected: string,
  message?: string,
): void {
  if (actual.includes(expected)) return;
  raise(`Expected ${inspect(actual)} to contain ${inspect(expected)}`, message);
}

/** Fails unless `actual` matches `expected`. */
export function assertMatch(
  actual: string,
  expected: RegExp,
  message?: string,
): void {
  if (expected.test(actual)) return;
  raise(`Expected ${inspect(actual)} to match ${expected}`, message);
}

/** Fails if `actual` matches `expected`. */
export function assertNotMatch(
  actual: string,
  expected: RegExp,
  message?: string,
): void {
  if (!expected.test(actual)) return;
  raise(`Expected ${inspect(actual)} not to match ${expected}`, message);
}

/** Fails unless every element of `expected` is deeply equal to one of `actual`. */
export function assertArrayIncludes<T>(
  actual: ArrayLike<T>,
  expected: ArrayLike<T>,
  message?: string,
): void {
  const present = Array.from(actual);
  const missing = Array.from(expected).filter((wanted) =>
    !present.some((value) => isDeepStrictEqual(value, wanted))
  );
  if (missing.length === 0) return;
  raise(`Expected ${inspect(present)} to include ${inspect(missing)}`, message);
}

/** Fails unless the two differ by at most `tolerance` (default: a 1e-7th of `expected`). */
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  message?: string,
): void {
  if (Object.is(actual, expected)) return;
  const permitted = tolerance ??
    (Number.isFinite(expected) ? Math.abs(expected * 1e-7) : 1e-7);
  const difference = Math.abs(expected - actual);
  if (difference <= permitted) return;
  raise(
    `Expected ${actual} to be within ${permitted} of ${expected}, off by ${difference}`,
    message,
  );
}

/** Fails unless `actual > expected`. */
export function assertGreater<T>(
  actual: T,
  expected: T,
  message?: string,
): void {
  if (actual > expected) return;
  raise(`Expected ${inspect(actual)} > ${inspect(expected)}`, message);
}

/** Fails unless `actual >= expected`. */
export function assertGreaterOrEqual<T>(
  actual: T,
  expected: T,
  message?: string,
): void {
  if (actual >= expected) return;
  raise(`Expected ${inspect(actual)} >= ${inspect(expected)}`, message);
}

/** Fails unless `actual < expected`. */
export function assertLess<T>(actual: T, expected: T, message?: string): void {
  if (actual < expected) return;
  raise(`Expected ${inspect(actual)} < ${inspect(expected)}`, message);
}

/** Fails unless `actual <= expected`. */
export function assertLessOrEqual<T>(
  actual: T,
  expected: T,
  message?: string,
): void {
  if (actual <= expected) return;
  raise(`Expected ${inspect(actual)} <= ${inspect(expected)}`, message);
}

/** Fails unless `error` is an `errorClass` whose message contains `messageIncludes`. */
export function assertIsError<E extends Error = Error>(
  error: unknown,
  errorClass?: Class<E>,
  messageIncludes?: string | RegExp,
  message?: string,
): asserts error is E {
  if (!(error instanceof Error)) {
    raise(`Expected an Error instead of ${inspect(error)}`, message);
  }
  if (errorClass && !(error instanceof errorClass)) {
    raise(
      `Expected an error of class "${errorClass.name}" instead of "${error.constructor.name}" (${error.message})`,
      message,
    );
  }
  const fits = messageIncludes === undefined ||
    (typeof messageIncludes === "string"
      ? error.message.includes(messageIncludes)
      : messageIncludes.test(error.message));
  if (!fits) {
    raise(
      `Expected the error's message to ${
        typeof messageIncludes === "string" ? "include" : "match"
      } ${inspect(messageIncludes)} instead of ${inspect(error.message)}`,
      message,
    );
  }
}

/** Fails unless `fn` throws; returns what it threw. */
export function assertThrows(fn: () => unknown, message?: string): unknown;
/** Fails unless `fn` throws an `errorClass`; returns the error. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  errorClass: Class<E>,
  messageIncludes?: string,
  message?: string,
): E;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  errorClassOrMessage?: Class<E> | string,
  messageIncludes?: string,
  message?: string,
): E | unknown {
  const text = typeof errorClassOrMessage === "string" ? errorClassOrMessage : message;
  let thrown: unknown;
  try {
    fn();
  } catch (error) {
    thrown = error;
    if (typeof errorClassOrMessage === "function") {
      assertIsError(error, errorClassOrMessage, messageIncludes, text);
    }
    return thrown;
  }
  return raise("Expected function to throw", text);
}

/** Fails unless `fn` returns a promise that rejects; resolves to the reason. */
export function assertRejects(
  fn: () => PromiseLike<unknown>,
  message?: string,
): Promise<unknown>;
/** Fails unless `fn` returns a promise that rejects with an `errorClass`; resolves to the error. */
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  errorClass: Class<E>,
  messageIncludes?: string,
  message?: string,
): Promise<E>;
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  errorClassOrMessage?: Class<E> | string,
  messageIncludes?: string,
  message?: string,
): Promise<E | unknown> {
  const text = typeof errorClassOrMessage === "string" ? errorClassOrMessage : message;
  let promise: PromiseLike<unknown>;
  try {
    promise = fn();
  } catch (error) {
    return raise(
      `Function throws when it is expected to reject (${inspect(error)})`,
      text,
    );
  }
  // `then` and not `await`, which would take a plain value for a promise.
  if (typeof promise?.then !== "function") {
    return raise(
      "Function returned no promise when it is expected to reject",
      text,
    );
  }
  try {
    await promise;
  } catch (error) {
    if (typeof errorClassOrMessage === "function") {
      assertIsError(error, errorClassOrMessage, messageIncludes, text);
    }
    return error;
  }
  return raise("Expected function to reject", text);
}
