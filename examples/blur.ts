/**
 * Blurs a picture on the device, in a recorded command list that is executed
 * several times.
 *
 *     deno run -A examples/blur.ts
 *     bun examples/blur.ts
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { drivers } from "../mod.ts";

/** A picture of red, green, blue and opacity, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array<ArrayBuffer>;
}

/** The mean of each pixel and those up to `radius` away, done `rounds` times, an even number. */
export async function blur(picture: Picture, radius: number, rounds: number): Promise<Picture> {
  const { width, height, pixels } = picture;
  const spirv = await readFile(new URL("kernels/blur.spv", import.meta.url));
  const device = drivers().flatMap(({ devices }) => devices)[0]!;
  await using context = device.driver.createContext({ devices: [device] });
  const module = await context.createModule(device, { spirv });
  const kernel = await module.kernel("blur");
  kernel.setGroupSize(...kernel.suggestGroupSize(width, height));
  const [x, y] = kernel.groupSize;
  const groups = [width / x, height / y] as const;

  const [one, other] = [1, 2].map(() => context.alloc.device(pixels.length));
  const result = context.alloc.host(pixels.length);
  const twice = context.createCommandList(device);
  kernel.args(one!, other!, radius);
  twice.appendLaunchKernel(kernel, groups);
  kernel.args(other!, one!, radius);
  twice.appendLaunchKernel(kernel, groups).close();
  const upload = context.createCommandList(device).appendMemoryCopy(one!, pixels).close();
  const download = context.createCommandList(device).appendMemoryCopy(result, one!).close();

  const queue = context.createCommandQueue(device);
  queue.execute(upload);
  for (let round = 0; round < rounds; round += 2) queue.execute(twice);
  await queue.execute(download).synchronize();
  return { width, height, pixels: result.view.slice() };
}

/** A chessboard. */
export function chessboard(width: number, height: number, square: number): Picture {
  const pixels = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const white = (Math.floor(i % width / square) + Math.floor(i / width / square)) % 2;
    pixels.set([255 * white, 255 * white, 255 * white, 255], 4 * i);
  }
  return { width, height, pixels };
}

if (import.meta.main) {
  const { pixels } = await blur(chessboard(256, 256, 32), 3, 4);
  const row = Array.from({ length: 64 }, (_, i) => pixels[4 * (256 * 16 + i)]);
  console.log(row.join(" "));
}
