/**
 * Nonblocking calls on Bun where C can't be compiled: Workers of the same
 * process make the calls. They see the same memory, so addresses stay valid;
 * views are held by the caller until the call settles.
 *
 * @module
 */

import { bunFfi } from "./bun_api.ts";

/** Workers at the most; each is a JavaScript engine of its own. */
export const WORKERS = 16;
/** A Worker that has had no call for so long ends. */
const IDLE_MILLISECONDS = 5000;

/** What a Worker is asked to do. */
export interface WorkerCall {
  /** Of the C function: the library is not the Worker's to open, nor to keep open. */
  readonly address: bigint;
  readonly parameters: readonly string[];
  readonly result: string;
  readonly args: readonly unknown[];
}

/** What a Worker answers. */
export type WorkerAnswer = { value: unknown } | { error: string };

interface BunWorker extends Worker {
  ref(): void;
  unref(): void;
}

interface Job {
  readonly call: WorkerCall;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const idle: { worker: BunWorker; timer: ReturnType<typeof setTimeout> }[] = [];
const waiting: Job[] = [];
let workers = 0;

function rest(worker: BunWorker): void {
  worker.onmessage = null;
  worker.unref();
  const timer = setTimeout(() => {
    idle.splice(idle.findIndex((entry) => entry.worker === worker), 1);
    workers--;
    worker.terminate();
  }, IDLE_MILLISECONDS);
  // A resting Worker keeps no program from ending.
  (timer as unknown as { unref(): void }).unref();
  idle.push({ worker, timer });
}

function give(worker: BunWorker, job: Job): void {
  worker.ref();
  worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
    const next = waiting.shift();
    if (next) give(worker, next);
    else rest(worker);
    if ("error" in data) job.reject(new Error(data.error));
    else job.resolve(data.value);
  };
  worker.onerror = (event) => {
    workers--;
    worker.terminate();
    job.reject(new Error(`A Worker for nonblocking calls failed: ${event.message}`));
    const next = waiting.shift();
    if (next) begin(next);
  };
  worker.postMessage(job.call);
}

function begin(job: Job): void {
  const resting = idle.pop();
  if (resting) {
    clearTimeout(resting.timer);
    return give(resting.worker, job);
  }
  if (workers >= WORKERS) {
    waiting.push(job);
    return;
  }
  workers++;
  give(new Worker(new URL("./bun_worker.ts", import.meta.url)) as BunWorker, job);
}

/** Calls a symbol of a library in a Worker. */
export function callInWorker(call: WorkerCall): Promise<unknown> {
  const { ptr } = bunFfi();
  const args = call.args.map((arg) => ArrayBuffer.isView(arg) ? BigInt(ptr(arg)) : arg ?? 0n);
  return new Promise((resolve, reject) => begin({ call: { ...call, args }, resolve, reject }));
}
