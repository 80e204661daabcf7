/**
 * Multiplies two matrices that stay on the device, with local memory, and
 * compares with TypeScript.
 *
 *     deno run -A examples/matrix_multiply.ts
 *     bun examples/matrix_multiply.ts
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { Session } from "../mod.ts";

const TILE = 16;

/** The same on this thread, one row at a time. */
function multiplyHere(a: Float32Array, b: Float32Array, size: number): Float32Array {
  const c = new Float32Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < size; k++) {
      const factor = a[row * size + k]!;
      for (let column = 0; column < size; column++) {
        c[row * size + column]! += factor * b[k * size + column]!;
      }
    }
  }
  return c;
}

/** The milliseconds that each took, and the largest difference between the results. */
export interface Comparison {
  readonly device: number;
  readonly here: number;
  readonly difference: number;
}

/** Multiplies two matrices of random numbers; `size` is a multiple of 16. */
export async function matrixMultiply(size: number): Promise<Comparison> {
  const spirv = await readFile(new URL("kernels/matrix_multiply.spv", import.meta.url));
  await using session = await Session.open({ spirv });
  const [a, b, c] = [1, 2, 3].map(() => session.alloc.shared(Float32Array, size * size));
  for (const { view } of [a!, b!]) for (let i = 0; i < view.length; i++) view[i] = Math.random();
  const run = (): Promise<void> =>
    session.run(
      "matrix_multiply",
      { globalSize: [size, size], groupSize: [TILE, TILE] },
      a!,
      b!,
      c!,
      size,
    );
  // Drivers prepare a kernel at its first launch.
  await run();
  const start = performance.now();
  await run();
  const device = performance.now() - start;
  const expected = multiplyHere(a!.view, b!.view, size);
  const here = performance.now() - start - device;
  let difference = 0;
  for (const [i, value] of expected.entries()) {
    difference = Math.max(difference, Math.abs(value - c!.view[i]!));
  }
  return { device, here, difference };
}

if (import.meta.main) {
  const size = 512;
  const { device, here, difference } = await matrixMultiply(size);
  console.log(
    `${size} x ${size}: ${device.toFixed(1)} ms on the device, ${here.toFixed(1)} ms in TypeScript`,
  );
  console.log(`largest difference ${difference}`);
}
