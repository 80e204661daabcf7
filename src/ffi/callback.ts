/**
 * TypeScript functions that native code calls.
 *
 * @module
 */

import type { BackendCallback } from "./backend.ts";
import { compile } from "./compile.ts";
import { ArgumentTypeError } from "./errors.ts";
import { backend } from "./runtime.ts";
import type { FunctionDescription, ResultType, SyncFunction } from "./types.ts";

/** Callbacks that are running on this thread, one inside another. */
let depth = 0;
const afterCallbacks: (() => void)[] = [];

/**
 * Runs the action now, or when the outermost callback has returned: a library
 * must not be unloaded under a native function that is still on the stack.
 */
export function whenNoCallbackRuns(action: () => void): void {
  if (depth === 0) action();
  else afterCallbacks.push(action);
}

/** What a callback is to be. */
export interface CallbackOptions {
  /**
   * Whether native code calls it from threads of its own. The function still
   * runs on this thread, later. Whether the calling thread waits for it differs
   * between runtimes, so its result must be `void`, and it gets numbers only:
   * what an address points to may be gone. An address that is merely passed on,
   * such as one that says which of several objects is meant, is a `usize`.
   */
  readonly anyThread?: boolean;
  /**
   * Receives what the function throws, and an {@linkcode ArgumentTypeError} for
   * a result of the wrong type: native code can't, and gets 0. Reported as an
   * uncaught error by default.
   */
  readonly onError?: (error: unknown) => void;
}

/**
 * A function pointer that calls TypeScript. The native side must not call it
 * after {@linkcode Callback.close}; until then it is kept alive, however
 * unreachable it is from TypeScript.
 */
export class Callback<F extends FunctionDescription> implements Disposable {
  readonly #callback: BackendCallback;
  #closed = false;

  /**
   * Makes the function pointer.
   *
   * @throws {ArgumentTypeError} If it is to be called from any thread, and has a result, or a
   * parameter that is a pointer.
   */
  constructor(description: F, target: SyncFunction<F>, options: CallbackOptions = {}) {
    const { anyThread = false, onError = reportError } = options;
    if (anyThread) checkForAnyThread(description);
    const checked = resultCheck(description.result);
    const guarded = (...args: unknown[]): unknown => {
      depth++;
      try {
        return checked((target as (...args: unknown[]) => unknown)(...args));
      } catch (error) {
        onError(error);
        return neutral(description.result);
      } finally {
        if (--depth === 0) {
          for (const action of afterCallbacks.splice(0)) queueMicrotask(action);
        }
      }
    };
    this.#callback = backend().callback(description, anyThread, guarded);
  }

  /**
   * The address to hand to native code.
   *
   * @throws {Error} If the callback was closed.
   */
  get address(): bigint {
    if (this.#closed) throw new Error("The callback was closed, so it has no address any more");
    return this.#callback.address;
  }

  /** Frees the function pointer. Twice is the same as once. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    whenNoCallbackRuns(() => this.#callback.close());
  }

  /** The same as {@linkcode Callback.close}. */
  [Symbol.dispose](): void {
    this.close();
  }
}

/** Refuses what only a caller that waits could give or take. */
function checkForAnyThread({ parameters, result }: FunctionDescription): void {
  const refuse = (argument: string, given: unknown, accepted: string): never => {
    throw new ArgumentTypeError({
      functionName: "Callback",
      argument: `description.${argument}`,
      given,
      accepted: `${accepted} for a callback that is called from any thread`,
    });
  };
  if (result !== "void") refuse("result", result, '"void"');
  for (const [index, parameter] of parameters.entries()) {
    const type = typeof parameter === "string" ? parameter : parameter.type;
    if (type === "pointer" || type === "buffer") {
      refuse(`parameters[${index}]`, type, 'a number, or "usize" for an address that is not read,');
    }
  }
}

/** Gives the result back if native code can have it; Deno would end the process if it can't. */
function resultCheck(type: ResultType): (result: unknown) => unknown {
  if (type === "void") return () => undefined;
  const { call } = compile({
    name: "Callback",
    description: { parameters: [{ type, name: "result" }], result: type },
    native: (result) => result,
    bigints: backend().bigints,
    nonblocking: false,
  });
  return call;
}

/** What native code gets from a callback that threw. */
function neutral(result: string): unknown {
  switch (result) {
    case "void":
      return undefined;
    case "bool":
      return false;
    case "i64":
    case "u64":
    case "isize":
    case "usize":
    case "pointer":
      return 0n;
    default:
      return 0;
  }
}
