/**
 * Sums up a million numbers in two launches: each work group sums what it has
 * in local memory, and one more sums the groups' sums.
 *
 *     deno run -A examples/reduction.ts
 *     bun examples/reduction.ts
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { argument, drivers } from "../mod.ts";

const GROUP_SIZE = 128;
const GROUPS = 64;

/** The sum of the numbers, modulo 2 ** 32. */
export async function sumOf(values: Uint32Array<ArrayBuffer>): Promise<number> {
  const spirv = await readFile(new URL("kernels/reduction.spv", import.meta.url));
  const device = drivers().flatMap(({ devices }) => devices)[0]!;
  await using context = device.driver.createContext({ devices: [device] });
  const module = await context.createModule(device, { spirv });
  const [perItem, perGroup] = await Promise.all([module.kernel("reduce"), module.kernel("reduce")]);

  const data = context.alloc.device(Uint32Array, values.length);
  const sums = context.alloc.device(Uint32Array, GROUPS);
  const sum = context.alloc.host(Uint32Array, 1);
  const scratch = argument.local(GROUP_SIZE * Uint32Array.BYTES_PER_ELEMENT);
  perItem.args(data, sums, scratch, values.length).setGroupSize(GROUP_SIZE);
  perGroup.args(sums, sum, scratch, GROUPS).setGroupSize(GROUP_SIZE);

  const list = context.createImmediateCommandList(device);
  await list
    .appendMemoryCopy(data, values)
    .appendLaunchKernel(perItem, GROUPS)
    .appendLaunchKernel(perGroup, 1)
    .synchronize();
  return sum.view[0]!;
}

if (import.meta.main) {
  const values = Uint32Array.from({ length: 1 << 20 }, (_, i) => i % 1000);
  const expected = values.reduce((sum, value) => (sum + value) >>> 0, 0);
  console.log(`${await sumOf(values)} on the device, ${expected} in TypeScript`);
}
