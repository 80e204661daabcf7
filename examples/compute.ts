/**
 * What the demo runs on a device: vectors that are added, and a kernel that
 * takes seconds, to be waited for.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import type { Context, Device, ImmediateCommandList } from "../mod.ts";

function spirvFile(path: string): Promise<Uint8Array> {
  return readFile(new URL(path, import.meta.url));
}

/** Adds two vectors on the device; gives how many sums differ from TypeScript's. */
export async function vectorAdd(
  context: Context,
  device: Device,
  length: number,
): Promise<{ readonly wrong: number; readonly last: number }> {
  const spirv = await spirvFile("kernels/vector_add.spv");
  await using module = await context.createModule(device, { spirv });
  const kernel = await module.kernel("vector_add");
  using left = context.alloc.shared(Float32Array, length, { device });
  using right = context.alloc.shared(Float32Array, length, { device });
  using sums = context.alloc.shared(Float32Array, length, { device });
  // Sums below 2 ** 24 are exact in 32 bits.
  left.view.forEach((_, i, view) => view[i] = i);
  right.view.forEach((_, i, view) => view[i] = 3 * i + 1);
  const groupSize = 64;
  kernel.args(left, right, sums).setGroupSize(groupSize);
  await using list = context.createImmediateCommandList(device);
  await list.appendLaunchKernel(kernel, length / groupSize).synchronize();
  let wrong = 0;
  for (let i = 0; i < length; i++) if (sums.view[i] !== left.view[i]! + right.view[i]!) wrong++;
  return { wrong, last: sums.view[length - 1]! };
}

/** Starts a kernel that keeps one work-item busy, to be waited for in either form. */
export async function spin(
  context: Context,
  device: Device,
  rounds: bigint,
  wait: (list: ImmediateCommandList) => unknown,
): Promise<void> {
  const spirv = await spirvFile("../tests/kernels/basic.spv");
  await using module = await context.createModule(device, { spirv });
  const kernel = await module.kernel("spin");
  using out = context.alloc.shared(Uint32Array, 1, { device });
  kernel.args(out, rounds).setGroupSize(1);
  await using list = context.createImmediateCommandList(device);
  await wait(list.appendLaunchKernel(kernel, 1));
}

/** Waits on another thread; the event loop goes on. */
export function waitNonblocking(list: ImmediateCommandList): Promise<unknown> {
  return list.synchronize();
}

/** The control: waits on this thread, and holds up everything else. */
export function waitBlocking(list: ImmediateCommandList): unknown {
  return list.synchronizeSync();
}
