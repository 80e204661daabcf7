/**
 * How calls leave the JavaScript thread on Bun: on compiled threads, or in
 * Workers where nothing can be compiled.
 *
 * @module
 */

import type { Native } from "./bun_api.ts";
import { Pool, POOL_THREADS } from "./bun_pool.ts";
import { callInWorker, type WorkerCall, WORKERS } from "./bun_workers.ts";
import type { NonblockingLimit } from "./types.ts";

/** `ZE_BUN_WORKERS=1` turns the compiled threads off, to test or to work around them. */
const WORKERS_VARIABLE = "ZE_BUN_WORKERS";

/** A function to be called on another thread. */
export interface Target {
  readonly address: bigint;
  /** The parameters' types in the adapter's terms. */
  readonly types: readonly string[];
  readonly result: string;
  /** The same in Bun's terms. */
  readonly inWorker: Pick<WorkerCall, "parameters" | "result">;
}

let pool: Pool | undefined;
let poolFailure: unknown;

/** The compiled threads, or undefined where they can't be had. */
function compiledPool(): Pool | undefined {
  if (pool || poolFailure) return pool;
  if (process.env[WORKERS_VARIABLE] === "1") {
    poolFailure = new Error(`${WORKERS_VARIABLE} is set`);
    return undefined;
  }
  try {
    pool = new Pool();
  } catch (error) {
    poolFailure = error;
  }
  return pool;
}

/** A function that starts a call and returns its Promise. */
export function nonblocking({ address, types, result, inWorker }: Target): Native {
  const starter = compiledPool()?.starter(types, result);
  if (starter) return (...args) => starter(address, ...args);
  return (...args) => callInWorker({ ...inWorker, address, args });
}

/** How many calls run at once. */
export function limit(): NonblockingLimit {
  return compiledPool()
    ? { backend: "threads", calls: POOL_THREADS, runtimeThreads: POOL_THREADS }
    : { backend: "workers", calls: WORKERS, runtimeThreads: WORKERS };
}
