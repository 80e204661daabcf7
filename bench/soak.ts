/**
 * Whether memory grows: a million launches, a hundred thousand allocations, and modules, events
 * and lists made and disposed all along. Run by `deno task soak`, or under either runtime by
 * itself; arguments are the numbers of launches and allocations.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { type Context, type Device, drivers, type Kernel } from "../mod.ts";
import { sleep } from "../tests/support/fixture.ts";
import { collectGarbage } from "../tests/support/garbage.ts";

/** How much of everything. */
export interface SoakOptions {
  /** The device to do it on. */
  readonly device: Device;
  /** Kernels to launch, after the warm-up. */
  readonly launches: number;
  /** Memory to allocate and free, after the warm-up. */
  readonly allocations: number;
  /** What to tell now and then. */
  readonly onProgress?: (line: string) => void;
}

/** Resident memory, in bytes. */
export interface SoakResult {
  /** After the warm-up. */
  readonly before: number;
  /** At the end. */
  readonly after: number;
  /** What it grew by, as a part of `before`; negative if it shrank. */
  readonly growth: number;
}

/** How often something else is done, in launches. */
const SYNCHRONIZE_EVERY = 100;
const CHURN_EVERY = 1000;
const MODULE_EVERY = 20_000;
/** What is done before memory is measured for the first time, as a part of the whole. */
const WARM_UP = 0.2;
/** The collector's pace: the smallest of so many measurements counts. */
const SAMPLES = 10;

const spirv = readFileSync(new URL("../tests/kernels/basic.spv", import.meta.url));

async function resident(): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < SAMPLES; i++) {
    collectGarbage();
    await sleep(20);
    least = Math.min(least, process.memoryUsage().rss);
  }
  return least;
}

/** Makes and frees one of everything that is made often. */
async function churn(context: Context, device: Device, kernel: Kernel): Promise<void> {
  using pool = context.createEventPool({ count: 4 });
  using pooled = pool.createEvent();
  using event = context.createEvent();
  using queue = context.createCommandQueue(device);
  using fence = queue.createFence();
  using list = context.createCommandList(device)
    .appendSignalEvent(pooled)
    .appendLaunchKernel(kernel, 1, { signal: event, waitFor: [pooled] })
    .close();
  queue.execute(list, { fence });
  await event.wait();
  await fence.wait();
  await queue.synchronize();
}

async function recompile(context: Context, device: Device): Promise<void> {
  await using module = await context.createModule(device, { spirv });
  using _kernel = await module.kernel("fill");
}

/** Does so much work; gives how much of it was done. */
async function work(options: SoakOptions, launches: number, allocations: number): Promise<void> {
  const { device } = options;
  await using context = device.driver.createContext();
  const module = await context.createModule(device, { spirv });
  const empty = (await module.kernel("empty")).setGroupSize(1);
  const fill = (await module.kernel("fill")).setGroupSize(1);
  const list = context.createImmediateCommandList(device);
  const perLaunch = allocations / launches;
  let due = 0;
  for (let i = 1; i <= launches; i++) {
    list.appendLaunchKernel(empty, 1);
    for (due += perLaunch; due >= 1; due--) {
      using memory = i % 3 === 0
        ? context.alloc.device(Uint32Array, 256, { device })
        : context.alloc.shared(Uint32Array, 256, { device });
      // It is disposed while the kernel may still write to it.
      list.appendLaunchKernel(fill.args(memory, i), 1);
      if (memory.kind === "shared") void memory.view;
    }
    if (i % SYNCHRONIZE_EVERY === 0) await list.synchronize();
    if (i % CHURN_EVERY === 0) await churn(context, device, empty);
    if (i % MODULE_EVERY === 0) await recompile(context, device);
    if (i % (launches / 10) === 0) {
      const megabytes = process.memoryUsage().rss / 2 ** 20;
      options.onProgress?.(`${i} of ${launches} launches, ${megabytes.toFixed(1)} MiB resident`);
    }
  }
  await list.synchronize();
}

/** Works, and tells how resident memory grew after a warm-up of a fifth of the whole. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { launches, allocations } = options;
  await work(options, Math.ceil(launches * WARM_UP), Math.ceil(allocations * WARM_UP));
  const before = await resident();
  await work(options, launches, allocations);
  const after = await resident();
  return { before, after, growth: after / before - 1 };
}

if (import.meta.main) {
  const [launches = 1_000_000, allocations = 100_000] = process.argv.slice(2).map(Number);
  const device = drivers().flatMap((driver) => driver.devices)[0]!;
  const start = performance.now();
  const { before, after, growth } = await soak({
    device,
    launches,
    allocations,
    onProgress: console.log,
  });
  const [first, last] = [before, after].map((bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`);
  console.log(
    `${launches} launches and ${allocations} allocations in ${
      ((performance.now() - start) / 1000).toFixed(0)
    } s: ${first} resident after the warm-up, ${last} at the end, ${
      (100 * growth).toFixed(1)
    }% more (limit 5%)`,
  );
  if (growth > 0.05) process.exitCode = 1;
}
