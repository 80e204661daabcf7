/**
 * Waiting for the device without holding up the event loop, and without taking
 * every thread that the runtime has.
 *
 * A wait first asks a few times on this thread, as work that is short is over
 * by then. It then waits in the driver, on another thread, for a short time at
 * once; when all threads that waits may take are taken, it is asked about from
 * a timer until its turn comes, and so are all in a crowd. So any number of
 * waits may be pending, each in any order, and other nonblocking calls find a
 * thread.
 *
 * @module
 */

import { checkOptions } from "./checks.ts";
import { ArgumentRangeError, ArgumentTypeError } from "./error.ts";
import { nonblockingLimit } from "./ffi/library.ts";

/** How long something is waited for. */
export interface WaitOptions {
  /** In milliseconds; `Infinity` by default. 0 only asks. */
  readonly timeout?: number;
  /** Ends the wait early: the Promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** Something that can be waited for. */
export interface Waitable {
  /** The function that the user called, for errors. */
  readonly functionName: string;
  /** Whether it has come; asked on this thread, so it must not block. */
  readonly done: () => boolean;
  /** Waits on another thread, for so many nanoseconds at most; whether it has come. */
  readonly block: (nanoseconds: bigint) => Promise<boolean>;
}

/** The time that a wait may stay in the driver at once, at first and after a while. */
const SLICE_MILLISECONDS = 50;
const LONGEST_SLICE_MILLISECONDS = 200;
/** What it costs to hand a wait to another thread and back: work of this length is asked for. */
const SPIN_MILLISECONDS = 0.05;
/** How often waits without a thread are asked about, at first and after a while. */
const POLL_MILLISECONDS = 1;
const SLOWEST_POLL_MILLISECONDS = 16;
/** When a wait has had its thread for so long, another one gets it, and hears without delay. */
const TURN_MILLISECONDS = 1000;
/** Of more waits than this, the few that have a thread don't matter, but cost as much as all. */
const CROWD = 64;
/** Longer timers fire at once, in both runtimes. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Waits in the driver at the same time: a third of what nonblocking calls may take. */
function threads(): number {
  return Math.max(2, Math.floor(Math.min(nonblockingLimit().calls, 48) / 3));
}

/**
 * The timeout in milliseconds.
 *
 * @throws {ArgumentTypeError | ArgumentRangeError} If the options are none.
 */
export function checkWaitOptions(functionName: string, options: WaitOptions | undefined): number {
  if (options === undefined) return Infinity;
  checkOptions(functionName, options, ["timeout", "signal"]);
  const { timeout = Infinity, signal } = options;
  const problem = {
    functionName,
    argument: "options.timeout",
    given: timeout,
    accepted: "milliseconds, a number from 0, or Infinity",
  };
  if (typeof timeout !== "number") throw new ArgumentTypeError(problem);
  if (!(timeout >= 0)) throw new ArgumentRangeError(problem);
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new ArgumentTypeError({
      functionName,
      argument: "options.signal",
      given: signal,
      accepted: "an AbortSignal",
    });
  }
  return timeout;
}

/** Nanoseconds for a driver, from milliseconds; 2n ** 64n - 1n is for ever. */
export function nanoseconds(milliseconds: number): bigint {
  const value = milliseconds * 1e6;
  return value < 2 ** 63 ? BigInt(Math.ceil(value)) : 2n ** 64n - 1n;
}

/** A wait that can be ended before what it waits for has come. */
export interface EndableWait {
  /** Has its Promise reject. */
  fail(reason: unknown): void;
}

/** A wait that is not over. */
class PendingWait implements EndableWait {
  readonly waitable: Waitable;
  readonly deadline: number;
  over = false;
  readonly promise: Promise<boolean>;
  readonly #owners: Set<EndableWait> | undefined;
  readonly #resolve: (done: boolean) => void;
  readonly #reject: (reason: unknown) => void;

  constructor(waitable: Waitable, deadline: number, owners: Set<EndableWait> | undefined) {
    this.waitable = waitable;
    this.deadline = deadline;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#owners = owners;
    owners?.add(this);
  }

  end(done: boolean): void {
    this.#leave();
    this.#resolve(done);
  }

  fail(reason: unknown): void {
    this.#leave();
    this.#reject(reason);
  }

  #leave(): void {
    this.over = true;
    this.#owners?.delete(this);
    queue.delete(this);
    if (queue.size === 0) setPace(0);
  }

  /** Asks; true if the wait is over. */
  ask(now: number): boolean {
    if (this.over) return true;
    try {
      if (this.waitable.done()) this.end(true);
      else if (now >= this.deadline) this.end(false);
    } catch (error) {
      this.fail(error);
    }
    return this.over;
  }
}

/** The waits without a thread, the one that has been so for the longest first. */
const queue = new Set<PendingWait>();
let blocked = 0;
let timer: ReturnType<typeof setInterval> | undefined;
let pace = 0;
let interval = POLL_MILLISECONDS;

/** How often the waits are asked about, in milliseconds; 0: never. */
function setPace(milliseconds: number): void {
  // A timer that goes on costs less than a new one each time.
  if (pace === milliseconds) return;
  pace = milliseconds;
  clearInterval(timer);
  timer = pace > 0 ? setInterval(poll, pace) : undefined;
}

function poll(): void {
  const now = performance.now();
  let ended = 0;
  for (const wait of queue) if (wait.ask(now)) ended++;
  interval = ended > 0 ? POLL_MILLISECONDS : Math.min(interval * 1.5, SLOWEST_POLL_MILLISECONDS);
  schedule();
}

function schedule(): void {
  while (queue.size > 0 && queue.size <= CROWD && blocked < threads()) {
    const [wait] = queue;
    queue.delete(wait!);
    void block(wait!);
  }
  setPace(queue.size > 0 ? interval : 0);
}

/** Whether others without a thread let a wait keep its own. */
function keepsThread(turn: number): boolean {
  return queue.size === 0 || (queue.size <= CROWD && performance.now() < turn);
}

/** Lets the wait have a thread for a while, or as long as nobody else wants it. */
async function block(wait: PendingWait): Promise<void> {
  blocked++;
  const turn = performance.now() + TURN_MILLISECONDS;
  let slice = SLICE_MILLISECONDS;
  try {
    do {
      const left = Math.min(wait.deadline - performance.now(), slice);
      slice = Math.min(slice * 2, LONGEST_SLICE_MILLISECONDS);
      const done = await wait.waitable.block(nanoseconds(Math.max(left, 0)));
      // It may have been ended from elsewhere meanwhile.
      if (wait.over) break;
      if (done) wait.end(true);
      else if (performance.now() >= wait.deadline) wait.end(false);
    } while (!wait.over && keepsThread(turn));
  } catch (error) {
    if (!wait.over) wait.fail(error);
  } finally {
    blocked--;
  }
  if (!wait.over) queue.add(wait);
  schedule();
}

/**
 * Waits until it has come, and resolves to true, or until the timeout has
 * passed, and resolves to false.
 *
 * @param pending Holds the wait as long as it is not over, for who wants to end it.
 * @throws {unknown} The signal's reason when it is aborted; what `done` or `block` throws.
 */
export function waitFor(
  waitable: Waitable,
  options?: WaitOptions,
  pending?: Set<EndableWait>,
): Promise<boolean> {
  const timeout = checkWaitOptions(waitable.functionName, options);
  const signal = options?.signal;
  if (signal?.aborted) return Promise.reject(signal.reason);
  if (waitable.done()) return Promise.resolve(true);
  if (timeout === 0) return Promise.resolve(false);
  const start = performance.now();
  // Only one at a time: a thousand waits that are begun in one turn must not add up.
  const spinning = blocked === 0 && queue.size === 0 ? Math.min(SPIN_MILLISECONDS, timeout) : 0;
  while (performance.now() < start + spinning) {
    if (waitable.done()) return Promise.resolve(true);
  }
  return pend(new PendingWait(waitable, start + timeout, pending), signal, timeout);
}

async function pend(
  wait: PendingWait,
  signal: AbortSignal | undefined,
  timeout: number,
): Promise<boolean> {
  const abort = (): void => wait.fail(signal!.reason);
  // A timeout that is shorter than what a thread is held for is kept all the same.
  const expiry = timeout <= LONGEST_TIMER
    ? setTimeout(() => void wait.ask(performance.now() + 1), timeout)
    : undefined;
  signal?.addEventListener("abort", abort, { once: true });
  queue.add(wait);
  // What waits longest without a thread is asked about soon, whatever the others' pace.
  interval = POLL_MILLISECONDS;
  schedule();
  try {
    return await wait.promise;
  } finally {
    clearTimeout(expiry);
    signal?.removeEventListener("abort", abort);
  }
}

/**
 * Waits for a call that nothing ends: when the timeout has passed, or the
 * signal is aborted, it goes on, and keeps its thread, but nobody waits for it
 * any more.
 *
 * @throws {unknown} The signal's reason when it is aborted; what the call throws before.
 */
export async function waitForCall(
  functionName: string,
  call: () => Promise<unknown>,
  options?: WaitOptions,
): Promise<boolean> {
  const timeout = checkWaitOptions(functionName, options);
  const signal = options?.signal;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const abort = (): void => reject(signal!.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const expiry = timeout <= LONGEST_TIMER ? setTimeout(resolve, timeout, false) : undefined;
  call().then(() => resolve(true), reject);
  try {
    return await promise;
  } finally {
    clearTimeout(expiry);
    signal?.removeEventListener("abort", abort);
  }
}
