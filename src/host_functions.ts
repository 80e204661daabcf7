/**
 * Functions of this program that the device has yet to have called. They run on
 * this thread, so a wait that stops it would never end.
 *
 * @module
 */

import { DeadlockError } from "./error.ts";
import type { Resource } from "./resource.ts";

/** By the context that their lists belong to: what the work holds until they have run. */
const pending = new WeakMap<object, Set<Resource>>();

/** A function that was appended to a list. */
export class PendingHostFunction {
  readonly #context: object;
  readonly #gate: Resource;

  /** @param gate What the work that calls the function uses. */
  constructor(context: object, gate: Resource) {
    this.#context = context;
    this.#gate = gate;
    const gates = pending.get(context);
    if (gates) gates.add(gate);
    else pending.set(context, new Set([gate]));
  }

  /** It will not be called any more. */
  end(): void {
    const gates = pending.get(this.#context);
    gates?.delete(this.#gate);
    if (gates?.size === 0) pending.delete(this.#context);
  }
}

/**
 * Before this thread stops to wait for the device.
 *
 * @throws {DeadlockError} If work of the context may yet call a function of this program.
 */
export function refuseDeadlock(functionName: string, context: object, timeout: number): void {
  const gates = pending.get(context);
  if (!gates || timeout === 0) return;
  for (const gate of gates) {
    if (gate.pollHeld()) {
      const hint = "Await wait() or synchronize() instead.";
      throw new DeadlockError(functionName, "a host function", hint);
    }
  }
}
