/**
 * What the device still works with.
 *
 * @module
 */

import { ZeError } from "./error.ts";
import type { Holder, Resource } from "./resource.ts";

/** Work that is still waited for after this long is told of, as it may never end. */
const LONG_MILLISECONDS = 5000;

/** A list or queue that work is given to. */
export interface WorkSource {
  /** Its handle, kept until the work is known to have ended. */
  readonly resource: Resource;
  /** Asks whether all work has ended, without waiting. */
  finished(): boolean;
  /** Waits for all work, on another thread. */
  wait(): Promise<unknown>;
}

/**
 * The work given to one list or queue, in order, and what it uses: none of that
 * may be destroyed before the work is known to have ended. What is known comes
 * from waits, so it is later than the truth; when something that is used was
 * released, the work is waited for.
 */
export class Submissions implements Holder {
  readonly #source: WorkSource;
  #last = 0;
  /** What is used, and by which submission last. */
  readonly #users = new Map<Resource, number>();
  /** What belongs to a submission alone, and is freed after it. */
  #owned: { readonly number: number; readonly object: Disposable }[] = [];
  #draining = false;

  /** For the work of a list or queue. */
  constructor(source: WorkSource) {
    this.#source = source;
  }

  /** The number of the newest submission. */
  get last(): number {
    return this.#last;
  }

  /** Whether anything is not known to have ended. */
  get pending(): boolean {
    return this.#users.size > 0 || this.#owned.length > 0;
  }

  /**
   * Notes work that uses the resources, and owns objects that are disposed after
   * it; gives its number.
   */
  add(resources: Iterable<Resource>, owned?: readonly Disposable[]): number {
    const number = ++this.#last;
    this.use(resources);
    if (owned) { for (const object of owned) this.#owned.push({ number, object }); }
    return number;
  }

  /** Notes that the newest submission uses these as well. */
  use(resources: Iterable<Resource>): void {
    for (const resource of resources) {
      if (!this.#users.has(resource)) resource.hold(this);
      this.#users.set(resource, this.#last);
    }
  }

  /** Everything up to the submission of this number has ended, or everything. */
  completed(number: number = this.#last): void {
    if (this.#users.size > 0) {
      for (const [resource, last] of this.#users) {
        if (last > number) continue;
        this.#users.delete(resource);
        resource.unhold(this);
      }
    }
    if (this.#owned.length > 0) {
      const ended = this.#owned.filter((owned) => owned.number <= number);
      this.#owned = this.#owned.filter((owned) => owned.number > number);
      for (const { object } of ended) object[Symbol.dispose]();
    }
  }

  /** Asks whether all of it has ended. */
  poll(): void {
    if (!this.pending) return;
    try {
      if (!this.#source.finished()) return;
    } catch (error) {
      // The device is lost, or no longer answers: nothing works with the objects any more.
      if (!(error instanceof ZeError)) throw error;
    }
    this.completed();
  }

  /** Waits for what there is now, and again as long as something released is in use. */
  drain(): void {
    if (this.#draining || !this.pending) return;
    this.#draining = true;
    this.#source.resource.hold(this);
    void this.#drain();
  }

  async #drain(): Promise<void> {
    const { resource } = this.#source;
    const timer = setTimeout(() => warnOfLongWait(resource), LONG_MILLISECONDS);
    do {
      const number = this.#last;
      try {
        await this.#source.wait();
      } catch {
        // As in poll().
      }
      this.completed(number);
    } while (this.pending && (resource.released || this.#isUserReleased()));
    clearTimeout(timer);
    this.#draining = false;
    resource.unhold(this);
  }

  #isUserReleased(): boolean {
    return this.#users.keys().some((resource) => resource.released);
  }
}

/** Without this, a program whose `await using` never ends would not say why. */
function warnOfLongWait({ what, created }: Resource): void {
  console.warn(
    `${what}: its work has not ended ${LONG_MILLISECONDS / 1000} s after something that it uses ` +
      "was disposed, which is freed only then. If the work waits for an event that nobody " +
      `signals any more, it never ends: signal events before they are disposed.${
        created === undefined ? "" : ` The ${what} was made:\n${created}`
      }`,
  );
}
