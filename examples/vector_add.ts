/**
 * Adds two vectors on the device: the shortest program there is.
 *
 *     deno run -A examples/vector_add.ts
 *     bun examples/vector_add.ts
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { Session } from "../mod.ts";

/** Adds two vectors of the same length; gives the sum. */
export async function vectorAdd(a: Float32Array, b: Float32Array): Promise<Float32Array> {
  const spirv = await readFile(new URL("kernels/vector_add.spv", import.meta.url));
  await using session = await Session.open({ spirv });
  const sum = new Float32Array(a.length);
  await session.run("vector_add", a.length, a, b, sum);
  return sum;
}

if (import.meta.main) {
  console.log(await vectorAdd(Float32Array.of(1, 2, 3, 4), Float32Array.of(10, 20, 30, 40)));
}
