/**
 * What happens when there is no memory left: the program is asked to give some
 * back, and what failed is tried again.
 *
 * @module
 */

import type { Device } from "./device.ts";
import { ArgumentTypeError, OutOfMemoryError, ZeError } from "./error.ts";
import { ze_result_t } from "./libze/enums_ze.ts";

/** What could not be had. */
export interface MemoryShortage {
  /** How many bytes were asked for. */
  readonly bytes: number;
  /** The device that they were asked of; undefined for the host's memory. */
  readonly device: Device | undefined;
}

/** How often an allocation is tried: it may take two rounds until enough was given back. */
const ATTEMPTS = 3;

const callbacks = new Set<{ readonly reclaim: (shortage: MemoryShortage) => void }>();
let reclaiming = false;

/**
 * Has a callback called when memory can't be had, so that it disposes what the
 * program can do without, such as what it keeps for later. The allocation is
 * then tried again, three times in all. Nothing but allocation is: work that
 * the device fails to do for want of memory is not given to it twice.
 *
 * Callbacks run in the order in which they were registered, during the call
 * that allocates; what they throw comes out of that call. An allocation made by
 * a callback does not call callbacks.
 *
 * @returns A function that takes the callback away again.
 * @throws {ArgumentTypeError} If it is no function.
 */
export function onOutOfMemory(callback: (shortage: MemoryShortage) => void): () => void {
  if (typeof callback !== "function") {
    throw new ArgumentTypeError({
      functionName: "onOutOfMemory",
      argument: "callback",
      given: callback,
      accepted: "a function",
    });
  }
  // The same function may be registered twice, and each is taken away by its own.
  const entry = { reclaim: callback };
  callbacks.add(entry);
  return () => void callbacks.delete(entry);
}

function reclaim(shortage: MemoryShortage): void {
  reclaiming = true;
  try {
    for (const entry of [...callbacks]) entry.reclaim(shortage);
  } finally {
    reclaiming = false;
  }
}

/** Whether memory was what a call failed for. */
export function isOutOfMemory(error: unknown): error is ZeError {
  return error instanceof ZeError &&
    (error.code === ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ||
      error.code === ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
}

/**
 * Makes something that needs memory, asking the program to give some back when
 * there is none. `make` must do nothing if it throws.
 *
 * @throws {OutOfMemoryError} If the last attempt failed too.
 */
export function withReclaim<T>(shortage: MemoryShortage, make: () => T): T {
  for (let attempt = 1;; attempt++) {
    try {
      return make();
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      if (attempt === ATTEMPTS || reclaiming) {
        const { bytes, device } = shortage;
        throw new OutOfMemoryError(error.functionName, error.code, bytes, device?.name);
      }
    }
    reclaim(shortage);
  }
}
