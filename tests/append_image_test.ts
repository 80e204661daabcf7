import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type Context,
  type Event,
  type Image,
  UnsupportedFeatureError,
  UseAfterDisposeError,
} from "../mod.ts";
import type { ImageOptions } from "../src/image_options.ts";
import { has } from "../src/library.ts";
import { noExecution, testDevice } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { noImages, PICTURE, withContext } from "./support/images.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

const skip = noExecution || noImages;

/** 4 × 3 pixels of one byte. */
const GREY = {
  type: "2d",
  format: { layout: "8", type: "uint" },
  width: 4,
  height: 3,
} as const satisfies ImageOptions;

/** 1, 2, 3 and so on. */
function count(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => index + 1);
}

/** All pixels of an image. */
async function pixelsOf(context: Context, image: Image): Promise<number[]> {
  using memory = context.alloc.host(image.byteLength);
  using list = context.createImmediateCommandList(testDevice());
  await list.appendImageCopyToMemory(memory, image).synchronize();
  return [...memory.view];
}

/** An image and its pixels. */
async function filled(context: Context, options: ImageOptions, value = 0): Promise<Image> {
  const image = context.createImage(testDevice(), options);
  using list = context.createImmediateCommandList(testDevice());
  await list.appendImageCopyFromMemory(image, new Uint8Array(image.byteLength).fill(value))
    .synchronize();
  return image;
}

test("Pixels go from the program to an image, to another, and on to the host", {
  skip,
}, async () => {
  await withContext(async (context) => {
    const first = context.createImage(testDevice(), PICTURE);
    const second = context.createImage(testDevice(), PICTURE);
    const result = context.alloc.host(first.byteLength);
    const pixels = count(first.byteLength);
    const list = context.createImmediateCommandList(testDevice())
      .appendImageCopyFromMemory(first, pixels);
    // The bytes were taken at the append.
    pixels.fill(0);
    list.appendImageCopy(second, first).appendImageCopyToMemory(result, second);
    await list.synchronize();
    assertEquals([...result.view], [...count(48)]);
  });
});

test("A box of pixels goes to another place of another image", { skip }, async () => {
  await withContext(async (context) => {
    const from = context.createImage(testDevice(), GREY);
    const to = await filled(context, GREY);
    await context.createImmediateCommandList(testDevice())
      .appendImageCopyFromMemory(from, count(12))
      .appendImageCopy(to, from, {
        sourceRegion: { originX: 1, originY: 1, width: 2, height: 2 },
        destinationRegion: { originX: 2, width: 2, height: 2 },
      })
      .synchronize();
    // deno-fmt-ignore
    assertEquals(await pixelsOf(context, to), [
      0, 0, 6, 7,
      0, 0, 10, 11,
      0, 0, 0, 0,
    ]);
  });
});

test("A box of pixels comes from memory, and goes there", { skip }, async () => {
  await withContext(async (context) => {
    const image = await filled(context, GREY, 9);
    const box = context.alloc.host(Uint8Array.of(1, 2, 3, 4));
    const corner = context.alloc.host(2);
    await context.createImmediateCommandList(testDevice())
      .appendImageCopyFromMemory(image, box, { region: { originX: 2, originY: 1 } })
      .appendImageCopyToMemory(corner, image, { region: { originX: 3, originY: 1 } })
      .synchronize();
    // deno-fmt-ignore
    assertEquals(await pixelsOf(context, image), [
      9, 9, 9, 9,
      9, 9, 1, 2,
      9, 9, 3, 4,
    ]);
    assertEquals([...corner.view], [2, 4]);
  });
});

test("Rows in memory may lie apart", {
  skip: skip ||
    (!has("zeCommandListAppendImageCopyToMemoryExt") &&
      "the loader can't copy rows that lie apart"),
}, async () => {
  await withContext(async (context) => {
    const image = context.createImage(testDevice(), GREY);
    const memory = context.alloc.host(15);
    await context.createImmediateCommandList(testDevice())
      .appendImageCopyFromMemory(image, count(14), { rowPitch: 5 })
      .appendMemoryFill(memory, 0)
      .appendImageCopyToMemory(memory, image, { rowPitch: 5 })
      .synchronize();
    // deno-fmt-ignore
    assertEquals([...memory.view], [
      1, 2, 3, 4, 0,
      6, 7, 8, 9, 0,
      11, 12, 13, 14, 0,
    ]);
  });
});

test("Slices in memory may lie apart", {
  skip: skip ||
    (!has("zeCommandListAppendImageCopyToMemoryExt") &&
      "the loader can't copy slices that lie apart"),
}, async () => {
  await withContext(async (context) => {
    const format = { layout: "8", type: "uint" } as const;
    const size = { width: 2, height: 2, depth: 2 };
    const image = context.createImage(testDevice(), { type: "3d", format, ...size });
    const memory = context.alloc.host(10);
    await context.createImmediateCommandList(testDevice())
      .appendImageCopyFromMemory(image, count(10), { slicePitch: 6 })
      .appendMemoryFill(memory, 0)
      .appendImageCopyToMemory(memory, image, { slicePitch: 6 })
      .synchronize();
    assertEquals([...memory.view], [1, 2, 3, 4, 0, 0, 7, 8, 9, 10]);
  });
});

test("A layer of an array of images is copied", { skip }, async () => {
  await withContext(async (context) => {
    const image = await filled(context, { ...GREY, type: "2darray", arrayLevels: 2 });
    await context.createImmediateCommandList(testDevice())
      .appendImageCopyFromMemory(image, count(12), { region: { originZ: 1 } })
      .synchronize();
    assertEquals(await pixelsOf(context, image), [...new Array(12).fill(0), ...count(12)]);
  });
});

test("Copies of images wait for events, and signal them", { skip }, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const image = await filled(context, GREY);
  const result = context.alloc.host(12);
  const event = (): Event => context.createEvent({ signalScope: "host" });
  const [begin, written, copied, read] = [event(), event(), event(), event()];
  const other = context.createImage(device, GREY);
  // Not in order: only the events tell what comes first.
  const list = context.createImmediateCommandList(device, { inOrder: false })
    .appendImageCopyFromMemory(image, count(12), { waitFor: [begin], signal: written })
    .appendImageCopy(other, image, { waitFor: [written], signal: copied })
    .appendImageCopyToMemory(result, other, { waitFor: [copied], signal: read });
  assertEquals([written.signalled, read.signalled], [false, false]);
  begin.signal();
  await read.wait();
  assert(written.signalled && copied.signalled);
  await list.synchronize();
  assertEquals([...result.view], [...count(12)]);
});

test("A recorded copy of pixels can be executed again", { skip }, async () => {
  await withContext(async (context) => {
    const image = await filled(context, GREY, 1);
    const list = context.createCommandList(testDevice())
      .appendImageCopyFromMemory(image, count(12)).close();
    const queue = context.createCommandQueue(testDevice());
    await queue.execute(list).synchronize();
    await context.createImmediateCommandList(testDevice())
      .appendImageCopyFromMemory(image, new Uint8Array(12)).synchronize();
    assertEquals(await pixelsOf(context, image), new Array(12).fill(0));
    await queue.execute(list).synchronize();
    assertEquals(await pixelsOf(context, image), [...count(12)]);
  });
});

test("Copies of images refuse what is no image of theirs", { skip: noImages }, async () => {
  await using stranger = testDevice().driver.createContext();
  await withContext((context) => {
    const list = context.createImmediateCommandList(testDevice());
    const image = context.createImage(testDevice(), GREY);
    const memory = context.alloc.host(12);
    const foreign = stranger.createImage(testDevice(), GREY);
    const disposed = context.createImage(testDevice(), GREY);
    disposed.dispose();
    const copy = (to: unknown, from: unknown) => (): unknown =>
      list.appendImageCopy(bad(to), bad(from));
    assertThrows(copy(memory, image), ArgumentTypeError, "destination");
    assertThrows(copy(image, memory), ArgumentTypeError, "source");
    assertThrows(copy(image, foreign), ArgumentTypeError, "context");
    assertThrows(copy(disposed, image), UseAfterDisposeError);
    const wide = context.createImage(testDevice(), PICTURE);
    assertThrows(copy(image, wide), ArgumentTypeError, "pixels of 1 bytes");
    assertThrows(
      () => list.appendImageCopyToMemory(bad(new Uint8Array(12)), image),
      ArgumentTypeError,
      "Memory.read()",
    );
    assertThrows(
      () => list.appendImageCopyFromMemory(image, bad("pixels")),
      ArgumentTypeError,
      "source",
    );
    assertThrows(
      () => list.appendImageCopyToMemory(stranger.alloc.host(12), image),
      ArgumentTypeError,
      "context",
    );
  });
});

test("Copies of images refuse boxes that do not fit", { skip: noImages }, async () => {
  await withContext((context) => {
    const list = context.createImmediateCommandList(testDevice());
    const [image, other] = [1, 2].map(() => context.createImage(testDevice(), GREY));
    const memory = context.alloc.host(12);
    const copy = (options: unknown) => (): unknown =>
      list.appendImageCopy(other!, image!, bad(options));
    const read = (options: unknown) => (): unknown =>
      list.appendImageCopyToMemory(memory, image!, bad(options));
    const write = (bytes: number, options?: unknown) => (): unknown =>
      list.appendImageCopyFromMemory(image!, new Uint8Array(bytes), bad(options));
    assertThrows(
      copy({ sourceRegion: { originX: 4 } }),
      ArgumentRangeError,
      "options.sourceRegion.originX",
    );
    assertThrows(copy({ sourceRegion: { width: 2 } }), ArgumentRangeError, "4, as in the");
    assertThrows(copy({ region: {} }), ArgumentTypeError, "options.region");
    assertThrows(copy({ destinationRegion: { x: 1 } }), ArgumentTypeError, "x");
    assertThrows(read({ region: { originY: 1, height: 3 } }), ArgumentRangeError, "height");
    assertThrows(read({ region: { depth: 2 } }), ArgumentRangeError, "depth");
    assertThrows(read({ region: { width: 0 } }), ArgumentRangeError, "width");
    assertThrows(read({ rowPitch: 3 }), ArgumentRangeError, "options.rowPitch");
    assertThrows(read({ slicePitch: 11 }), ArgumentRangeError, "options.slicePitch");
    assertThrows(write(11), ArgumentRangeError, "of 11 bytes");
    assertThrows(write(12, { waitFor: [image] }), ArgumentTypeError, "options.waitFor[0]");
    if (!has("zeCommandListAppendImageCopyToMemoryExt")) {
      assertThrows(read({ rowPitch: 5 }), UnsupportedFeatureError, "rowPitch");
    } else {
      assertThrows(read({ rowPitch: 5 }), ArgumentRangeError, "at least 14 bytes");
    }
  });
});
