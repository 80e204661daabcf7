import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { spirvModule } from "../examples/spirv_module.ts";
import { ArgumentTypeError, type Device, UseAfterDisposeError } from "../mod.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

const spirv = spirvModule({ kernels: ["first"] });

test(
  "Driver.createContext() makes a context for all of the driver's devices",
  { skip: noDevice },
  () => {
    const { driver } = testDevice();
    using context = driver.createContext();
    context.checkStatus();
    assert(context.driver === driver);
    assertEquals(context.devices, driver.devices);
  },
);

test("Driver.createContext() takes a choice of devices", { skip: noDevice }, () => {
  const device = testDevice();
  using context = device.driver.createContext({ devices: [device] });
  assertEquals(context.devices.length, 1);
});

test("Driver.createContext() refuses what is no device of the driver", { skip: noDevice }, () => {
  const { driver } = testDevice();
  const stranger = { handle: 1n } as Device;
  assertThrows(
    () => driver.createContext({ devices: [stranger] }),
    ArgumentTypeError,
    "options.devices",
  );
});

test("Context.dispose() is idempotent, and using it afterwards throws", { skip: noDevice }, () => {
  const context = testDevice().driver.createContext();
  assertEquals(context.disposed, false);
  context.dispose();
  context.dispose();
  assertEquals(context.disposed, true);
  assertThrows(() => context.handle, UseAfterDisposeError, "Context was disposed");
  assertThrows(() => context.checkStatus(), UseAfterDisposeError);
});

test("Context.dispose() disposes what was made in it", { skip: noDevice }, async () => {
  const device = testDevice();
  const context = device.driver.createContext();
  const module = await context.createModule(device, { spirv });
  const kernel = await module.kernel("first");
  context.dispose();
  assertEquals([module.disposed, kernel.disposed], [true, true]);
  await assertRejects(() => module.kernelNames(), UseAfterDisposeError);
  module.dispose();
});

test("Context.dispose() during a compile waits for it, and the compile rejects", {
  skip: noDevice,
}, async () => {
  const device = testDevice();
  const context = device.driver.createContext();
  const compile = context.createModule(device, { spirv });
  const rejected = assertRejects(() => compile, UseAfterDisposeError);
  const disposed = context[Symbol.asyncDispose]();
  assertEquals(context.disposed, true);
  await rejected;
  await disposed;
});

test("Context.createModule() after dispose rejects", { skip: noDevice }, async () => {
  const device = testDevice();
  const context = device.driver.createContext();
  context.dispose();
  await assertRejects(() => context.createModule(device, { spirv }), UseAfterDisposeError);
});
