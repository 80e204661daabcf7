/**
 * What the device still works with.
 *
 * @module
 */

import type { Resource } from "./resource.ts";

/**
 * The work given to one list or queue, in order, and what it uses: none of that
 * may be destroyed before the work is known to have ended. What is known comes
 * from waits, so it is later than the truth.
 */
export class Submissions {
  #last = 0;
  /** What is used, and by which submission last. */
  readonly #users = new Map<Resource, number>();

  /** The number of the newest submission. */
  get last(): number {
    return this.#last;
  }

  /** Whether anything is not known to have ended. */
  get pending(): boolean {
    return this.#users.size > 0;
  }

  /** Notes work that uses the resources; gives its number. */
  add(resources: Iterable<Resource>): number {
    const number = ++this.#last;
    for (const resource of resources) {
      if (!this.#users.has(resource)) resource.hold();
      this.#users.set(resource, number);
    }
    return number;
  }

  /** Everything up to the submission of this number has ended, or everything. */
  completed(number: number = this.#last): void {
    for (const [resource, last] of this.#users) {
      if (last > number) continue;
      this.#users.delete(resource);
      resource.unhold();
    }
  }
}
