/**
 * Objects that were collected without having been disposed. They are freed all
 * the same, at some time; a program that relies on it runs out of memory that
 * the garbage collector does not see.
 *
 * @module
 */

import { ArgumentTypeError } from "./error.ts";
import { environment } from "./ffi/system.ts";

/** An object that was collected without having been disposed. */
export interface Leak {
  /** The object's class, such as `Context`. */
  readonly what: string;
  /** The stack where it was made; undefined unless `ZE_TRACK_LEAKS=1` is set. */
  readonly created: string | undefined;
}

const TRACKING_VARIABLE = "ZE_TRACK_LEAKS";

let tracking: boolean | undefined;

/** The stack, if leaks are tracked: it costs microseconds for each object. */
export function whereCreated(): string | undefined {
  tracking ??= environment(TRACKING_VARIABLE) === "1";
  // The first lines are this file's and the resource's own.
  return tracking ? new Error().stack?.split("\n").slice(4).join("\n") : undefined;
}

/** Small, and freed with what they were made from: programs may well leave them to that. */
const SMALL: ReadonlySet<string> = new Set(["Event", "Fence", "Kernel", "Sampler"]);
const warned = new Set<string>();

function warn({ what, created }: Leak): void {
  if (created === undefined && (warned.has(what) || SMALL.has(what))) return;
  warned.add(what);
  const article = /^[AEIOU]/.test(what) ? "An" : "A";
  console.warn(
    `${article} ${what} was collected without dispose(); it is freed now. ${
      created === undefined
        ? `Set ${TRACKING_VARIABLE}=1 to be told of each one and where it was made.`
        : `It was made:\n${created}`
    }`,
  );
}

let report: (leak: Leak) => void = warn;

/** Tells the handler, or warns. */
export function reportLeak(leak: Leak): void {
  report({ what: leak.what, created: leak.created });
}

/**
 * Has leaks told to a handler, in place of a warning on the console for the
 * first of each kind, but for events, fences, kernels and samplers, which are
 * small. With `ZE_TRACK_LEAKS=1` in the environment a leak names
 * the place where the object was made. `undefined` restores the warnings.
 *
 * @throws {ArgumentTypeError} If the handler is no function.
 */
export function onLeak(handler: ((leak: Leak) => void) | undefined): void {
  if (handler !== undefined && typeof handler !== "function") {
    throw new ArgumentTypeError({
      functionName: "onLeak",
      argument: "handler",
      given: handler,
      accepted: "a function or undefined",
    });
  }
  report = handler ?? warn;
}
