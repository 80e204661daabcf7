/**
 * Objects that a call on another thread has to itself: what C libraries call
 * "not from simultaneous threads with the same handle".
 *
 * @module
 */

import { HandleBusyError } from "./errors.ts";

interface Hold {
  /** The function that has it. */
  readonly functionName: string;
  /** Calls that wait for it, the first one first. */
  readonly waiting: (() => void)[];
}

/** Which handles are held. */
export class BusyHandles {
  /** How many are held; 0 nearly always, so that asking costs next to nothing. */
  count = 0;
  readonly #holds = new Map<bigint, Hold>();

  /** Whether a call on another thread has it to itself. */
  has(handle: bigint): boolean {
    return this.#holds.has(handle);
  }

  /**
   * Throws for a handle that is held.
   *
   * @throws {HandleBusyError} Always.
   */
  refuse(functionName: string, argument: string, handle: bigint): never {
    const holder = this.#holds.get(handle)?.functionName;
    throw new HandleBusyError(
      functionName,
      `the object given as \`${argument}\` is in use by ${holder} on another thread`,
      "Await that call first.",
    );
  }

  /** Calls `work` once the handle is free, and holds it until its Promise settles. */
  async hold<T>(functionName: string, handle: bigint, work: () => Promise<T>): Promise<T> {
    const held = this.#holds.get(handle);
    if (held) await new Promise<void>((resolve) => held.waiting.push(resolve));
    const waiting = held?.waiting ?? [];
    if (!held) this.count++;
    this.#holds.set(handle, { functionName, waiting });
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The next one gets it without its being free in between.
      if (next) next();
      else {
        this.#holds.delete(handle);
        this.count--;
      }
    }
  }
}

/** The handles of every library: an address names one object, whoever uses it. */
export const busyHandles: BusyHandles = new BusyHandles();
