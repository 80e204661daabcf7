/**
 * How long the event loop stands still, as a timer sees it.
 *
 * @module
 */

/** Ticks every 5 ms, until it is disposed. */
export class Ticks implements Disposable {
  readonly #timer: ReturnType<typeof setInterval>;
  #last = performance.now();
  #longestGap = 0;

  /** Calls `onTick` at each tick, in a time that does not count. */
  constructor(onTick?: () => void) {
    this.#timer = setInterval(() => {
      this.#note();
      onTick?.();
      this.#last = performance.now();
    }, 5);
  }

  #note(): void {
    this.#longestGap = Math.max(this.#longestGap, performance.now() - this.#last);
  }

  /** The longest time without a tick since the last call, or since the beginning, in ms. */
  takeLongestGap(): number {
    this.#note();
    const longestGap = this.#longestGap;
    this.#longestGap = 0;
    this.#last = performance.now();
    return longestGap;
  }

  /** Ends it. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
