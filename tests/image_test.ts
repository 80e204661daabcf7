import { assert, assertEquals, assertInstanceOf, assertThrows } from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type Device,
  UnsupportedFeatureError,
  UseAfterDisposeError,
} from "../mod.ts";
import { Image } from "../src/image.ts";
import type { ImageOptions } from "../src/image_options.ts";
import { evaluate, projectFile } from "./support/child.ts";
import { noDevice, noIntelCompiler, testDevice } from "./support/device.ts";
import { images, noImages, PICTURE, withContext } from "./support/images.ts";
import { test } from "./support/testing.ts";

test(
  "Context.createImage() makes an image of the size and format",
  { skip: noImages },
  async () => {
    await withContext((context) => {
      using image = context.createImage(testDevice(), { ...PICTURE, flags: ["kernel_write"] });
      assertEquals([image.width, image.height, image.depth, image.arrayLevels], [4, 3, 1, 1]);
      assertEquals(image.format, { layout: "8_8_8_8", type: "unorm", swizzle: "rgba" });
      assertEquals([image.bytesPerPixel, image.byteLength, image.writable], [4, 48, true]);
      assert(image.context === context && image.device === testDevice());
      assert(image.handle !== 0n);
    });
  },
);

for (
  const [type, size, byteLength] of [
    ["1d", { width: 8 }, 64],
    ["1darray", { width: 8, arrayLevels: 2 }, 128],
    ["2darray", { width: 8, height: 4, arrayLevels: 2 }, 512],
    ["3d", { width: 8, height: 4, depth: 3 }, 768],
  ] as const
) {
  test(`Context.createImage() makes images of the type "${type}"`, { skip: noImages }, async () => {
    await withContext((context) => {
      const format = { layout: "16_16_16_16", type: "float" } as const;
      using image = context.createImage(testDevice(), { type, format, ...size });
      assertEquals([image.type, image.byteLength], [type, byteLength]);
    });
  });
}

test(
  "Image.format fills in what the layout's channels leave open",
  { skip: noImages },
  async () => {
    await withContext((context) => {
      const swizzleOf = (layout: "8" | "16_16" | "8_8_8_8"): string => {
        const format = { layout, type: "uint" } as const;
        using image = context.createImage(testDevice(), { ...PICTURE, format });
        return image.format.swizzle;
      };
      assertEquals(["8", "16_16", "8_8_8_8"].map((it) => swizzleOf(it as "8")), [
        "r001",
        "rg01",
        "rgba",
      ]);
    });
  },
);

test("Image.properties tell how samplers may read it", { skip: noImages }, async () => {
  await withContext((context) => {
    using image = context.createImage(testDevice(), PICTURE);
    assert(image.properties.samplerFilterFlags.includes("point"));
    assertEquals(image.properties, Image.propertiesOf(testDevice(), PICTURE));
  });
});

test("Image's memory is told by drivers with the extensions", { skip: noImages }, async () => {
  await withContext((context) => {
    using image = context.createImage(testDevice(), PICTURE);
    for (const group of ["memoryProperties", "allocationProperties", "deviceOffset"] as const) {
      const error = assertThrows(() => image[group], UnsupportedFeatureError);
      assertEquals(error.functionName, `Image.${group}`);
    }
  });
});

test("Context.dispose() disposes its images", { skip: noImages }, () => {
  const context = testDevice().driver.createContext();
  const image = context.createImage(testDevice(), PICTURE);
  context.dispose();
  image.dispose();
  assertEquals(image.disposed, true);
  assertThrows(() => image.handle, UseAfterDisposeError, "Image was disposed");
  assertThrows(() => context.createImage(testDevice(), PICTURE), UseAfterDisposeError);
});

for (
  const [what, change, type, text] of [
    ["an unknown type", { type: "4d" }, ArgumentTypeError, '"1darray"'],
    ["no format", { format: undefined }, ArgumentTypeError, "options.format"],
    ["an unknown layout", { format: { layout: "7", type: "uint" } }, ArgumentTypeError, "layout"],
    ["an unknown kind", { format: { layout: "8", type: "i8" } }, ArgumentTypeError, '"unorm"'],
    [
      "a swizzle of other letters",
      { format: { layout: "8", type: "uint", swizzle: "rgbz" } },
      ArgumentTypeError,
      "swizzle",
    ],
    ["no width", { width: undefined }, ArgumentTypeError, "options.width"],
    ["a width of 0", { width: 0 }, ArgumentRangeError, "from 1 to"],
    ["half a pixel", { height: 1.5 }, ArgumentRangeError, "options.height"],
    ["more than the limit", { width: 1 << 24 }, ArgumentRangeError, "options.width"],
    ["a depth in two dimensions", { depth: 2 }, ArgumentTypeError, "left out"],
    ["layers of what has none", { arrayLevels: 2 }, ArgumentTypeError, "left out"],
    ["mipmaps", { mipLevels: 1 }, ArgumentRangeError, "options.mipLevels"],
    ["an unknown flag", { flags: ["write"] }, ArgumentTypeError, '"kernel_write"'],
    ["a misspelled option", { hight: 3 }, ArgumentTypeError, "options.hight"],
  ] as const
) {
  test(`Context.createImage() refuses ${what}`, { skip: noImages }, async () => {
    await withContext((context) => {
      const options = { ...PICTURE, ...change } as unknown as ImageOptions;
      const error = assertThrows(() => context.createImage(testDevice(), options), Error, text);
      assertInstanceOf(error, type as new (...args: never[]) => Error);
    });
  });
}

test("Context.createImage() refuses what is no device of the context", {
  skip: noDevice,
}, async () => {
  await withContext((context) => {
    for (const wrong of [undefined, { handle: 1n, driver: context.driver }]) {
      assertThrows(
        () => context.createImage(wrong as unknown as Device, PICTURE),
        ArgumentTypeError,
        "argument `device`",
      );
    }
  });
});

test("Context.createImage() on a device without images says so", { skip: images }, async () => {
  await withContext((context) => {
    const error = assertThrows(
      () => context.createImage(testDevice(), PICTURE),
      UnsupportedFeatureError,
    );
    assertEquals(error.feature, 'images of the type "2d"');
  });
});

test("Image tells where it is on a device that has images", { skip: noIntelCompiler }, async () => {
  const found = await evaluate<Record<string, unknown>>(
    `
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    const device = drivers()[0].devices[0];
    await using context = device.driver.createContext();
    const options = ${JSON.stringify(PICTURE)};
    using image = context.createImage(device, options);
    const { size, rowPitch, slicePitch } = image.memoryProperties;
    const { id } = image.allocationProperties;
    console.log(JSON.stringify({
      fits: Number(size) >= image.byteLength && Number(rowPitch) >= 16 && slicePitch >= rowPitch,
      id: typeof id,
    }));`,
    { env: { ProductFamilyOverride: "tgllp", HardwareInfoOverride: "1x6x16" } },
  );
  assertEquals(found, { fits: true, id: "bigint" });
});
