import { assertEquals, assertThrows } from "@std/assert";
import { UnsupportedFeatureError } from "../mod.ts";
import { evaluate, projectFile } from "./support/child.ts";
import { noIntelCompiler, testDevice } from "./support/device.ts";
import { noImages, PICTURE, withContext } from "./support/images.ts";
import { test } from "./support/testing.ts";

test("Image.createView() of a driver without views says so", {
  skip: noImages || (testDevice().supports("image_views") && "the driver has views"),
}, async () => {
  await withContext((context) => {
    using image = context.createImage(testDevice(), PICTURE);
    const error = assertThrows(() => image.createView(), UnsupportedFeatureError);
    assertEquals(error.functionName, "Image.createView");
  });
});

test("Image.createView() shows an image as another, within its bounds", {
  skip: noIntelCompiler,
}, async () => {
  const found = await evaluate<Record<string, unknown>>(
    `
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    const device = drivers()[0].devices[0];
    await using context = device.driver.createContext();
    const caught = (work) => {
      try {
        return work();
      } catch ({ name, argument, message }) {
        return { name, argument };
      }
    };
    const image = context.createImage(device, ${JSON.stringify(PICTURE)});
    const view = image.createView({ format: { layout: "8_8_8_8", type: "uint" } });
    const out = {
      type: view.format.type,
      size: [view.width, view.height],
      isView: view.viewOf === image,
      wide: caught(() => image.createView({ width: 5 })),
      deep: caught(() => image.createView({ type: "3d", depth: 2 })),
      plane: caught(() => image.createView({ plane: 9 })),
    };
    image.dispose();
    console.log(JSON.stringify({ ...out, disposed: view.disposed }));`,
    { env: { ProductFamilyOverride: "tgllp", HardwareInfoOverride: "1x6x16" } },
  );
  const outside = { name: "ArgumentRangeError", argument: "options" };
  assertEquals(found, {
    type: "uint",
    size: [4, 3],
    isView: true,
    wide: outside,
    deep: outside,
    plane: { name: "ArgumentRangeError", argument: "options.plane" },
    disposed: true,
  });
});
