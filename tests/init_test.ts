import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import process from "node:process";
import { ArgumentTypeError, drivers, init, isAvailable } from "../mod.ts";
import { evaluate, projectFile } from "./support/child.ts";
import { noDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

const mod = projectFile("mod.ts");

/** What an error is, in a form that a child process can print. */
interface Failure {
  name: string;
  code?: number;
  message: string;
  hint?: string;
  tried?: string[];
  functionName?: string;
}

/** The script that prints the error of `init(options)`. */
function initFailure(options = ""): string {
  return `
    import * as ze from ${JSON.stringify(mod)};
    const available = ze.isAvailable();
    try {
      ze.init(${options});
      console.log(JSON.stringify({ name: "none", message: "init() succeeded" }));
    } catch (error) {
      const { name, code, message, hint, tried, functionName } = error;
      console.log(JSON.stringify({
        name, code, message, hint, tried, functionName, available,
        isLoaderNotFound: error instanceof ze.LoaderNotFoundError,
        isZeError: error instanceof ze.ZeError,
      }));
    }`;
}

test("init() may be called again", { skip: noDevice }, () => {
  init();
  init({ types: ["gpu"] });
  assert(isAvailable());
});

test("drivers() gives the same objects each time", { skip: noDevice }, () => {
  assert(drivers().length > 0);
  assertEquals(drivers()[0], drivers()[0]);
  assert(drivers()[0] === drivers()[0]);
});

test("init() refuses another loader than the one in use", { skip: noDevice }, () => {
  init();
  assertThrows(() => init({ loader: "/elsewhere/libze_loader.so.1" }), ArgumentTypeError, "in use");
});

test("init() without a loader names every path tried and what the system said", async () => {
  const failure = await evaluate<Failure & { available: boolean; isLoaderNotFound: boolean }>(
    initFailure(),
    { env: { ZE_LOADER_PATH: "/nowhere/libze_loader.so.1" } },
  );
  assertEquals(failure.name, "LoaderNotFoundError");
  assert(failure.isLoaderNotFound);
  assertEquals(failure.available, false);
  assertEquals(failure.tried, ["/nowhere/libze_loader.so.1"]);
  assertStringIncludes(failure.message, "No such file");
  assertStringIncludes(failure.hint!, "ZE_LOADER_PATH");
});

test("init({ loader }) that can't be opened is an error, not a fall-back", async () => {
  const failure = await evaluate<Failure>(
    initFailure(`{ loader: "/nowhere/libze_loader.so.1" }`),
    // isAvailable() in the script opens the system's loader first, where there is one.
    { env: { ZE_LOADER_PATH: "/nowhere/libze_loader.so.1" } },
  );
  assertEquals(failure.name, "LoaderNotFoundError");
  assertEquals(failure.tried, ["/nowhere/libze_loader.so.1"]);
});

test("init() without a driver tells what the machine has", {
  skip: noDevice && "there is no loader to ask for a driver",
}, async () => {
  const failure = await evaluate<Failure & { available: boolean; isZeError: boolean }>(
    initFailure(),
    {
      env: {
        // The loader then looks for drivers in this file alone.
        ZE_ENABLE_ALT_DRIVERS: "/nowhere/libze_none.so",
        ZE_ENABLE_VALIDATION_LAYER: "true",
        ZE_LOADER_PATH: process.env["ZE_LOADER_PATH"],
      },
    },
  );
  assertEquals(failure.name, "ZE_RESULT_ERROR_UNINITIALIZED");
  assertEquals(failure.code, 0x78000001);
  assert(failure.isZeError);
  assertEquals(failure.available, false);
  assertStringIncludes(failure.hint!, "libze_loader");
  assertStringIncludes(failure.hint!, "version");
  assertStringIncludes(failure.hint!, "/dev/dri");
  assertStringIncludes(failure.hint!, "ZE_ENABLE_ALT_DRIVERS=/nowhere/libze_none.so is set");
  assertStringIncludes(
    failure.hint!,
    "ZE_ENABLE_VALIDATION_LAYER=true is set, which the loader takes for off",
  );
});

test("init() refuses a kind of driver that there is not", async () => {
  const failure = await evaluate<Failure>(`
    import { init } from ${JSON.stringify(mod)};
    try {
      init({ types: ["cpu"] });
    } catch ({ name, message }) {
      console.log(JSON.stringify({ name, message }));
    }`);
  assertStringIncludes(failure.message, '"cpu"');
  assertStringIncludes(failure.message, '"gpu" or "npu"');
});
