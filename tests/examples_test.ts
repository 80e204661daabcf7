/**
 * The examples, each compared with the same in TypeScript.
 */
import { assert, assertEquals, assertLess } from "@std/assert";
import { inflateSync } from "node:zlib";
import { blur, chessboard, type Picture } from "../examples/blur.ts";
import { colour, mandelbrot } from "../examples/mandelbrot.ts";
import { matrixMultiply } from "../examples/matrix_multiply.ts";
import { encodePng } from "../examples/png.ts";
import { sumOf } from "../examples/reduction.ts";
import { vectorAdd } from "../examples/vector_add.ts";
import { noExecution } from "./support/device.ts";
import { test } from "./support/testing.ts";

const skip = noExecution;

test("Example: vector addition", { skip }, async () => {
  const length = 1000;
  const a = Float32Array.from({ length }, (_, i) => i / 7);
  const b = Float32Array.from({ length }, (_, i) => i * i);
  assertEquals(await vectorAdd(a, b), a.map((value, i) => value + b[i]!));
});

test("Example: matrix multiplication with local memory", { skip }, async () => {
  assertLess((await matrixMultiply(64)).difference, 1e-4);
});

test("Example: a sum in two launches", { skip }, async () => {
  const values = Uint32Array.from({ length: 100_003 }, (_, i) => i * 2654435761);
  assertEquals(await sumOf(values), values.reduce((sum, value) => (sum + value) >>> 0, 0));
});

/** The steps of one point, in 32-bit floats as the device has them. */
function stepsOf(real: number, imaginary: number, limit: number): number {
  const { fround } = Math;
  let [a, b, step] = [0, 0, 0];
  while (step < limit && fround(fround(a * a) + fround(b * b)) <= 4) {
    const next = fround(fround(fround(a * a) - fround(b * b)) + real);
    b = fround(fround(fround(2 * a) * b) + imaginary);
    a = next;
    step++;
  }
  return step;
}

test("Example: the Mandelbrot set as a PNG picture", { skip }, async () => {
  const picture = { width: 64, height: 48, left: -2, top: -1, pixel: 1 / 16, limit: 100 };
  const steps = await mandelbrot(picture);
  let different = 0;
  for (const [i, step] of steps.entries()) {
    const [x, y] = [i % picture.width, Math.floor(i / picture.width)];
    const [real, imaginary] = [-2 + x / 16, -1 + y / 16];
    if (step !== stepsOf(real, imaginary, picture.limit)) different++;
  }
  // A device may fuse a multiplication and an addition, which rounds once less.
  assertLess(different, steps.length / 20);
  const png = encodePng(64, 48, colour(steps, picture.limit));
  assertEquals([...png.subarray(1, 4)], [..."PNG"].map((letter) => letter.charCodeAt(0)));
  const view = new DataView(png.buffer);
  assertEquals([view.getUint32(16), view.getUint32(20)], [64, 48]);
  const data = 8 + 25;
  const rows = inflateSync(png.subarray(data + 8, data + 8 + view.getUint32(data)));
  assertEquals(rows.length, 48 * (3 * 64 + 1));
});

/** The blur as it is on this thread. */
function blurHere({ width, height, pixels }: Picture, radius: number): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 4; channel++) {
        let [sum, count] = [0, 0];
        for (let v = Math.max(y - radius, 0); v <= Math.min(y + radius, height - 1); v++) {
          for (let u = Math.max(x - radius, 0); u <= Math.min(x + radius, width - 1); u++) {
            sum += pixels[4 * (v * width + u) + channel]!;
            count++;
          }
        }
        result[4 * (y * width + x) + channel] = Math.floor(sum / count);
      }
    }
  }
  return result;
}

test("Example: a filter that is executed several times", { skip }, async () => {
  const picture = chessboard(48, 32, 8);
  const once = blurHere(picture, 2);
  const twice = blurHere({ ...picture, pixels: once }, 2);
  const { pixels } = await blur(picture, 2, 2);
  assertEquals(pixels, twice);
  assert(pixels.some((value) => value > 0 && value < 255));
});
