/**
 * What is known of the device's work when an event is signalled.
 *
 * @module
 */

import type { Submissions } from "./submissions.ts";

interface Note {
  readonly source: Submissions;
  readonly number: number;
}

/**
 * Which work signals an event. When the event is signalled, that work is over,
 * if nothing else can have signalled it since it was not signalled; else its
 * list or queue is asked.
 */
export class EventSignals {
  /** Whether each append that signals the event makes it begin anew. */
  readonly #restarts: boolean;
  /** Whether another process may signal it. */
  readonly #shared: boolean;
  #notes: Note[] = [];
  /** Whether more than the one note, or something else, can have signalled it. */
  #unclear: boolean;
  #epoch = 0;

  /** For an event that is counter-based, or that another process may signal. */
  constructor(counterBased: boolean, shared: boolean) {
    this.#restarts = counterBased;
    this.#shared = shared;
    this.#unclear = shared;
  }

  /** Changes whenever earlier signals no longer tell anything of what is noted. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Work was submitted that signals the event. */
  note(source: Submissions, number: number): void {
    if (this.#restarts) {
      this.#notes = [{ source, number }];
      this.#unclear = this.#shared;
      this.#epoch++;
      return;
    }
    if (this.#notes.length > 0) this.#unclear = true;
    this.#notes.push({ source, number });
  }

  /** Something else signals the event, or signals it at a time that is not known. */
  blur(): void {
    this.#unclear = true;
  }

  /** It was reset, when nothing was left that would signal it. */
  reset(): void {
    this.#notes = [];
    this.#unclear = this.#shared;
    this.#epoch++;
  }

  /** The event was seen to be signalled; it was asked for in `epoch`. */
  seen(epoch: number): void {
    const notes = this.#notes;
    const current = epoch === this.#epoch;
    const clear = current && !this.#unclear;
    // An ordinary event stays signalled until it is reset: the next signal changes nothing.
    if (current && !this.#restarts) this.#unclear = true;
    if (notes.length === 0) return;
    if (current) this.#notes = [];
    for (const { source, number } of notes) {
      if (clear) source.completed(number);
      else source.poll();
    }
  }
}
