import { assertEquals, assertInstanceOf, assertThrows } from "@std/assert";
import { type Device, UnsupportedFeatureError, ZeError } from "../mod.ts";
import { ExternalSemaphore, type ExternalSemaphoreOptions } from "../src/external_semaphore.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

test("ExternalSemaphore.import() of a device that has none says so", { skip: noDevice }, () => {
  const error = assertThrows(
    () => ExternalSemaphore.import(testDevice(), { type: "opaque_fd", fileDescriptor: 1 }),
  );
  // Intel's driver lists the extension, and has it where there is hardware.
  if (testDevice().supports("external_semaphores")) {
    assertInstanceOf(error, ZeError);
    assertEquals(error.functionName, "zeDeviceImportExternalSemaphoreExt");
  } else {
    assertInstanceOf(error, UnsupportedFeatureError);
    assertEquals(error.feature, "the extension ZE_extension_external_semaphores");
  }
});

for (
  const [what, options, text] of [
    ["an unknown type", { type: "mutex" }, '"vk_timeline_semaphore_fd"'],
    ["no file descriptor", { type: "opaque_fd" }, "options.fileDescriptor"],
    ["a negative file descriptor", { type: "opaque_fd", fileDescriptor: -1 }, "from 0"],
    ["a handle for a file descriptor", { type: "opaque_fd", win32Handle: 1n }, "left out"],
    ["no handle", { type: "d3d12_fence", win32Handle: 0n }, "options.win32Handle"],
    ["nothing", undefined, "options.type"],
  ] as const
) {
  test(`ExternalSemaphore.import() refuses ${what}`, { skip: noDevice }, () => {
    const given = options as unknown as ExternalSemaphoreOptions;
    assertThrows(() => ExternalSemaphore.import(testDevice(), given), Error, text);
  });
}

test("ExternalSemaphore.import() refuses what is no device", { skip: noDevice }, () => {
  assertThrows(
    () => ExternalSemaphore.import({} as Device, { type: "opaque_fd", fileDescriptor: 1 }),
    TypeError,
    "argument `device`",
  );
});
