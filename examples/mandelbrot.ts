/**
 * Computes the Mandelbrot set on the device, and writes it as a PNG picture.
 *
 *     deno run -A examples/mandelbrot.ts mandelbrot.png
 *     bun examples/mandelbrot.ts mandelbrot.png
 *
 * @module
 */

import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { Session } from "../mod.ts";
import { encodePng } from "./png.ts";

/** A part of the complex plane, and how it is drawn. */
export interface Mandelbrot {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The top left corner. */
  readonly left: number;
  readonly top: number;
  /** The side of a pixel. */
  readonly pixel: number;
  /** Points that stay for so many steps are drawn black. */
  readonly limit: number;
}

/** The whole set. */
export const WHOLE: Mandelbrot = {
  width: 1024,
  height: 768,
  left: -2.25,
  top: -1.125,
  pixel: 3 / 1024,
  limit: 500,
};

/** The steps after which each point leaves, row by row. */
export async function mandelbrot(picture: Mandelbrot): Promise<Uint16Array> {
  const { width, height, left, top, pixel, limit } = picture;
  const spirv = await readFile(new URL("kernels/mandelbrot.spv", import.meta.url));
  await using session = await Session.open({ spirv });
  const steps = new Uint16Array(width * height);
  await session.run("mandelbrot", [width, height], steps, left, top, pixel, limit);
  return steps;
}

/** Colours for numbers of steps: red, green and blue for each. */
export function colour(steps: Uint16Array, limit: number): Uint8Array {
  const pixels = new Uint8Array(3 * steps.length);
  for (const [i, step] of steps.entries()) {
    if (step === limit) continue;
    const hue = Math.sqrt(step / limit);
    pixels.set([255 * hue, 255 * hue ** 3, 255 * (1 - hue) ** 2], 3 * i);
  }
  return pixels;
}

if (import.meta.main) {
  const file = process.argv[2] ?? "mandelbrot.png";
  const { width, height, limit } = WHOLE;
  const steps = await mandelbrot(WHOLE);
  await writeFile(file, encodePng(width, height, colour(steps, limit)));
  console.log(`${file}: ${width} x ${height} pixels`);
}
