/**
 * Waiting for work of this program, in the way that the device is waited for.
 *
 * @module
 */

import { checkWaitOptions, type WaitOptions } from "./wait.ts";

/** Longer timers fire at once, in both runtimes. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Resolves to true when the Promise resolves, or to false when the timeout has passed.
 *
 * @throws {unknown} The signal's reason when it is aborted; what the Promise rejects with.
 */
export async function settled(
  functionName: string,
  work: Promise<unknown>,
  options: WaitOptions = {},
): Promise<boolean> {
  const timeout = checkWaitOptions(functionName, options);
  const { signal } = options;
  signal?.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort: (() => void) | undefined;
  const contenders: Promise<boolean>[] = [work.then(() => true)];
  if (timeout <= LONGEST_TIMER) {
    contenders.push(new Promise((resolve) => timer = setTimeout(() => resolve(false), timeout)));
  }
  if (signal) {
    contenders.push(
      new Promise((_, reject) => {
        abort = () => reject(signal.reason);
        signal.addEventListener("abort", abort, { once: true });
      }),
    );
  }
  try {
    return await Promise.race(contenders);
  } finally {
    clearTimeout(timer);
    if (abort) signal!.removeEventListener("abort", abort);
  }
}
