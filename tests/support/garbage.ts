/**
 * Makes the engine collect garbage for certain; both runtimes hide how.
 *
 * @module
 */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sleep } from "./fixture.ts";

/** Collects what can be collected now. */
export function collectGarbage(): void {
  const { Bun } = globalThis as { Bun?: { gc(synchronous: boolean): void } };
  if (Bun) return Bun.gc(true);
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

/** Collects until at least half of the targets are gone; an engine may hold on to the last ones. */
export async function untilCollected(targets: readonly WeakRef<object>[]): Promise<void> {
  for (let round = 0; round < 50; round++) {
    // A WeakRef holds its target until the job that made or read it is over.
    await sleep(2);
    collectGarbage();
    await sleep(0);
    if (targets.filter((target) => !target.deref()).length * 2 >= targets.length) return;
  }
  throw new Error("What nothing refers to any more was not collected");
}

/** Collects again and again until the work is over, and fills what became free with other bytes. */
export async function amongGarbage<T>(work: Promise<T>): Promise<T> {
  let over = false;
  const end = (): void => void (over = true);
  work.then(end, end);
  const litter: unknown[] = [];
  do {
    for (let i = 0; i < 100; i++) litter[i] = new Uint8Array(64 << (i % 10)).fill(0xa5);
    collectGarbage();
    await sleep(0);
  } while (!over);
  return await work;
}
