/**
 * Fences.
 *
 * @module
 */

import { checkBoolean, checkOptions } from "./checks.ts";
import type { CommandQueue } from "./command_queue.ts";
import type { Context } from "./context.ts";
import { HandleBusyError } from "./error.ts";
import { refuseDeadlock } from "./host_functions.ts";
import { nonblocking, sync } from "./library.ts";
import { ze_fence_flag_t, ze_result_t } from "./libze/enums_ze.ts";
import {
  zeFenceCreate,
  zeFenceDestroy,
  zeFenceQueryStatus,
  zeFenceReset,
} from "./libze/functions_ze.ts";
import { ze_fence_desc_t } from "./libze/structs_ze.ts";
import { OwnedObject, Resource } from "./resource.ts";
import type { Submissions } from "./submissions.ts";
import { checkWaitOptions, nanoseconds, waitFor, type WaitOptions } from "./wait.ts";

/** What {@linkcode Fence.create} takes. */
export interface FenceOptions {
  /** Whether it is signalled from the start; false by default. */
  readonly signalled?: boolean;
}

const { ZE_RESULT_SUCCESS } = ze_result_t;

/**
 * Tells when an execution of a command queue is over: give it to {@linkcode
 * CommandQueue.execute}. It is freed by `dispose`, `using` or `await using`, or
 * with its queue; when the execution is over.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeFenceCreate | zeFenceCreate}.
 */
export class Fence extends OwnedObject {
  /** The queue that it is for. */
  readonly queue: CommandQueue;
  /** The context of the queue. */
  readonly context: Context;
  #submission: { readonly submissions: Submissions; readonly number: number } | undefined;
  #waits = 0;

  private constructor(handle: bigint, queue: CommandQueue) {
    const destroy = (fence: bigint): void => void zeFenceDestroy(fence);
    super(new Resource("Fence", handle, destroy, queue.resource));
    this.queue = queue;
    this.context = queue.context;
  }

  /**
   * Makes a fence. The caller disposes it, or the queue does.
   *
   * @throws {ZeError} If the driver refuses.
   */
  static create(queue: CommandQueue, options: FenceOptions = {}): Fence {
    const functionName = "Fence.create";
    const { handle: queueHandle } = queue;
    checkOptions(functionName, options, ["signalled"]);
    const signalled = checkBoolean(functionName, "options.signalled", options.signalled, false);
    const flags = signalled ? ze_fence_flag_t.ZE_FENCE_FLAG_SIGNALED : 0;
    const handle = new BigUint64Array(1);
    zeFenceCreate(queueHandle, ze_fence_desc_t.create({ flags }), handle);
    return new Fence(handle[0]!, queue);
  }

  /** An execution signals it. Not part of the public interface. */
  noteSubmission(submissions: Submissions, number: number): void {
    this.#submission = { submissions, number };
  }

  #over(): void {
    this.#submission?.submissions.completed(this.#submission.number);
    this.#submission = undefined;
  }

  /** Whether the execution is over. */
  get signalled(): boolean {
    const signalled = zeFenceQueryStatus(this.handle) === ZE_RESULT_SUCCESS;
    if (signalled) this.#over();
    return signalled;
  }

  /**
   * Waits until the execution is over, without holding up the event loop: true
   * then, and false if the timeout has passed before.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeFenceHostSynchronize | zeFenceHostSynchronize}.
   *
   * @throws {ZeError} If the device was lost.
   * @throws {unknown} The signal's reason when it is aborted.
   */
  async wait(options?: WaitOptions): Promise<boolean> {
    this.#waits++;
    try {
      const signalled = await this.resource.use((handle) =>
        waitFor({
          functionName: "zeFenceHostSynchronize",
          done: () => sync.zeFenceQueryStatus(handle) === ZE_RESULT_SUCCESS,
          block: async (timeout) =>
            await nonblocking.zeFenceHostSynchronize(handle, timeout) === ZE_RESULT_SUCCESS,
        }, options)
      );
      if (signalled) this.#over();
      return signalled;
    } finally {
      this.#waits--;
    }
  }

  /**
   * The same on this thread: timers, input and garbage collection wait as well.
   *
   * @param timeout In milliseconds; for ever by default.
   * @throws {DeadlockError} If a host function of the context has yet to run, on this thread.
   */
  waitSync(timeout: number = Infinity): boolean {
    checkWaitOptions("Fence.waitSync", { timeout });
    refuseDeadlock("Fence.waitSync", this.context, timeout);
    const result = sync.zeFenceHostSynchronize(this.handle, nanoseconds(timeout));
    if (result === ZE_RESULT_SUCCESS) this.#over();
    return result === ZE_RESULT_SUCCESS;
  }

  /**
   * Makes it not signalled, for another execution.
   *
   * @throws {HandleBusyError} If something waits for it, or its execution is not over.
   */
  reset(): void {
    const { handle } = this;
    if (this.#waits > 0 || this.resource.pollHeld()) {
      throw new HandleBusyError(
        "zeFenceReset",
        "the fence's execution is not over",
        "Await wait() first.",
      );
    }
    zeFenceReset(handle);
    this.#submission = undefined;
  }
}
