/**
 * How work is given to the device: at once, or on another thread where the call
 * returns only when the work is over.
 *
 * @module
 */

import { busyHandles } from "./ffi/busy.ts";
import { ze_result_t } from "./libze/enums_ze.ts";
import type { Resource } from "./resource.ts";
import { settled } from "./settled.ts";
import { Submissions } from "./submissions.ts";
import { nanoseconds, type Waitable, waitFor, type WaitOptions } from "./wait.ts";

/** The C function that waits for a list or a queue, given its handle and nanoseconds. */
export interface SynchronizeFunction {
  readonly name: string;
  /** Waits on this thread. */
  sync(handle: bigint, timeout: bigint): number;
  /** Waits on another thread. */
  nonblocking(handle: bigint, timeout: bigint): Promise<number>;
}

const { ZE_RESULT_SUCCESS } = ze_result_t;

/** The work of a list or queue, and waiting for it. */
export class Submitter {
  /** What the device works with. */
  readonly submissions: Submissions;
  readonly #resource: Resource;
  /** Valid as long as there is work: that puts off its destruction. */
  readonly #handle: bigint;
  readonly #synchronize: SynchronizeFunction;
  readonly #waitable: Waitable;
  /** Calls that return when the work is over, one after the other; never rejects. */
  #calls: Promise<void> = Promise.resolve();
  #callsPending = 0;
  #failures: unknown[] = [];

  /** For a list or queue. */
  constructor(resource: Resource, synchronize: SynchronizeFunction) {
    const { handle } = resource;
    this.#resource = resource;
    this.#handle = handle;
    this.#synchronize = synchronize;
    this.#waitable = {
      functionName: synchronize.name,
      done: () => synchronize.sync(handle, 0n) === ZE_RESULT_SUCCESS,
      block: async (timeout) =>
        await synchronize.nonblocking(handle, timeout) === ZE_RESULT_SUCCESS,
    };
    this.submissions = new Submissions({
      resource,
      finished: () => this.#callsPending === 0 && this.#waitable.done(),
      wait: async () => {
        await this.#calls;
        await waitFor(this.#waitable);
      },
    });
  }

  /** The list or queue is released: it is destroyed when its work is over. */
  release(): void {
    this.submissions.poll();
    this.submissions.drain();
  }

  /**
   * Makes a call that blocks, on another thread and after those before it, for a
   * submission that is over when it returns. What it throws is thrown by the
   * next wait.
   *
   * @param kernels Kernels whose arguments the call reads: nobody may set others meanwhile.
   */
  callNonblocking(
    functionName: string,
    submission: number,
    kernels: readonly Resource[],
    call: (handle: bigint) => Promise<unknown>,
  ): void {
    const before = this.#calls;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    // All at once, so that calls get kernels in the order in which they came here: else two
    // could wait for each other.
    const held = [...new Set(kernels)].map(({ handle }) =>
      new Promise<void>((resolve) =>
        void busyHandles.hold(functionName, handle, () => {
          resolve();
          return over;
        })
      )
    );
    const make = async (): Promise<void> => {
      await before;
      await Promise.all(held);
      try {
        await call(this.#handle);
      } catch (error) {
        this.#failures.push(error);
      } finally {
        end();
        this.#callsPending--;
        this.submissions.completed(submission);
      }
    };
    this.#callsPending++;
    this.#calls = make();
  }

  /**
   * Waits for everything submitted so far; true if it is over, false if the
   * timeout has passed.
   *
   * @throws {unknown} What the first failed call threw that blocked, and what waitFor() throws.
   */
  async synchronize(options: WaitOptions | undefined): Promise<boolean> {
    const number = this.submissions.last;
    if (this.#callsPending > 0) {
      if (!await settled(this.#synchronize.name, this.#calls, options)) return false;
    }
    this.#throwFailure();
    const over = await this.#resource.use(() => waitFor(this.#waitable, options));
    if (over) this.submissions.completed(number);
    return over;
  }

  /** The same on this thread, for so many milliseconds at most. */
  synchronizeSync(milliseconds: number): boolean {
    const { handle } = this.#resource;
    // They return on other threads, but what comes after that needs this one.
    if (this.#callsPending > 0) return false;
    this.#throwFailure();
    const number = this.submissions.last;
    const result = this.#synchronize.sync(handle, nanoseconds(milliseconds));
    if (result !== ZE_RESULT_SUCCESS) return false;
    this.submissions.completed(number);
    return true;
  }

  #throwFailure(): void {
    const [failure] = this.#failures.splice(0);
    if (failure !== undefined) throw failure;
  }
}
