import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { spirvModule } from "../examples/spirv_module.ts";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type Context,
  InvalidSpirvError,
  KernelNotFoundError,
  type Module,
  type ModuleOptions,
  ZeError,
} from "../mod.ts";
import { evaluate, projectFile } from "./support/child.ts";
import { noDevice, noIntelCompiler, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

const spirv = spirvModule({ kernels: ["first", "second"], specializationConstants: [3, 7] });

async function withContext(body: (context: Context) => Promise<unknown>): Promise<void> {
  await using context = testDevice().driver.createContext();
  await body(context);
}

async function withModule(
  options: ModuleOptions,
  body: (module: Module) => unknown,
): Promise<void> {
  await withContext(async (context) => {
    await using module = await context.createModule(testDevice(), options);
    await body(module);
  });
}

test("Module.create() compiles SPIR-V", { skip: noDevice }, async () => {
  await withModule({ spirv }, async (module) => {
    assertEquals(await module.kernelNames(), ["first", "second"]);
    assertEquals(module.properties.flags, []);
    assertEquals(module.buildLog, "");
    assert(module.device === testDevice());
  });
});

test("Module.create() takes an ArrayBuffer as well", { skip: noDevice }, async () => {
  await withModule({ spirv: spirv.slice().buffer }, async (module) => {
    assertEquals(await module.kernelNames(), ["first", "second"]);
  });
});

test("Module.create() has its own copy of the bytes", { skip: noDevice }, async () => {
  await withContext(async (context) => {
    const bytes = spirv.slice();
    const compile = context.createModule(testDevice(), { spirv: bytes });
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    await using module = await compile;
    assertEquals((await module.kernelNames()).length, 2);
  });
});

test(
  "Module.create() takes build flags and specialization constants",
  { skip: noDevice },
  async () => {
    const options = {
      spirv,
      buildFlags: "-ze-opt-disable",
      specializationConstants: { 3: 5, 7: 2n },
    };
    await withModule(options, async (module) => {
      assertEquals((await module.kernelNames()).length, 2);
    });
  },
);

test("Module.create() with specialization constants compiles other code", {
  skip: noIntelCompiler,
}, async () => {
  const binary = async (value: number): Promise<string> => {
    let bytes = new Uint8Array();
    await withModule({ spirv, specializationConstants: { 3: value } }, async (module) => {
      bytes = await module.nativeBinary();
    });
    return bytes.join();
  };
  assertEquals(await binary(5), await binary(5));
  assert(await binary(5) !== await binary(6000));
});

test("Module.nativeBinary() is taken back by Module.create()", { skip: noDevice }, async () => {
  await withModule({ spirv }, async (module) => {
    const native = await module.nativeBinary();
    assert(native.byteLength > 0);
    await using again = await module.context.createModule(testDevice(), { native });
    assertEquals(await again.kernelNames(), ["first", "second"]);
  });
});

test("Module.kernel() gives a kernel with its properties", { skip: noDevice }, async () => {
  await withModule({ spirv }, async (module) => {
    using kernel = await module.kernel("second");
    assertEquals(kernel.name, "second");
    assert(kernel.module === module);
    assertEquals(kernel.properties.numKernelArgs, 1);
    assertEquals(typeof kernel.properties.uuid.kid, "string");
  });
});

test("Module.kernel() of an unknown name lists the kernels and the nearest one", {
  skip: noDevice,
}, async () => {
  await withModule({ spirv }, async (module) => {
    const error = await assertRejects(() => module.kernel("frist"), KernelNotFoundError);
    assertInstanceOf(error, ZeError);
    assertEquals(error.requested, "frist");
    assertEquals(error.available, ["first", "second"]);
    assertStringIncludes(error.hint, 'Did you mean "first"?');
  });
});

test("Module.kernel() of a module without kernels says so", { skip: noDevice }, async () => {
  await withModule({ spirv: spirvModule({ kernels: [] }) }, async (module) => {
    assertEquals(await module.kernelNames(), []);
    const error = await assertRejects(() => module.kernel("first"), KernelNotFoundError);
    assertStringIncludes(error.hint, "no kernel entry points");
  });
});

test("Module.kernel() refuses what is no name", { skip: noDevice }, async () => {
  await withModule({ spirv }, async (module) => {
    await assertRejects(() => module.kernel(7 as unknown as string), ArgumentTypeError, "name");
    await assertRejects(() => module.kernel(""), ArgumentTypeError, "name");
    await assertRejects(() => module.kernel("first\0second"), TypeError);
  });
});

for (
  const [what, options, type, text] of [
    ["no code", {}, ArgumentTypeError, "either `spirv` or `native`"],
    ["both kinds", { spirv, native: spirv }, ArgumentTypeError, "both"],
    ["text for SPIR-V", { spirv: "kernel" }, ArgumentTypeError, "spirv"],
    ["no bytes", { spirv: new Uint8Array() }, ArgumentTypeError, "empty"],
    ["SPIR-V as native", { native: spirv }, ArgumentTypeError, "native"],
    ["other bytes", { spirv: new Uint8Array(64) }, InvalidSpirvError, "0x07230203"],
    ["build flags of another type", { spirv, buildFlags: 3 }, ArgumentTypeError, "buildFlags"],
    [
      "an unknown SpecId",
      { spirv, specializationConstants: { 9: 1 } },
      ArgumentRangeError,
      "3, 7",
    ],
    [
      "a fraction for an integer constant",
      { spirv, specializationConstants: { 3: 1.5 } },
      ArgumentTypeError,
      "specializationConstants[3]",
    ],
  ] as const
) {
  test(`Module.create() refuses ${what}`, { skip: noDevice }, async () => {
    await withContext(async (context) => {
      const create = (): Promise<Module> =>
        context.createModule(testDevice(), options as unknown as ModuleOptions);
      await assertRejects(create, type as new (...args: never[]) => Error, text);
    });
  });
}

test("Module.create() refuses what is no device of the context's driver", {
  skip: noDevice,
}, async () => {
  await withContext(async (context) => {
    for (const wrong of [undefined, { handle: 1n }]) {
      const device = wrong as unknown as ReturnType<typeof testDevice>;
      await assertRejects(
        () => context.createModule(device, { spirv }),
        ArgumentTypeError,
        "argument `device`",
      );
    }
  });
});

test("ModuleBuildError has the compiler's whole log", { skip: noIntelCompiler }, async () => {
  // This GPU has no double precision, and its compiler says so.
  const env = { ProductFamilyOverride: "tgllp", HardwareInfoOverride: "1x6x16" };
  const failure = await evaluate<Record<string, unknown>>(
    `
    import { drivers, ModuleBuildError, ZeError } from ${JSON.stringify(projectFile("mod.ts"))};
    import { spirvModule } from ${JSON.stringify(projectFile("examples/spirv_module.ts"))};
    const device = drivers()[0].devices[0];
    await using context = device.driver.createContext();
    const spirv = spirvModule({ kernels: ["first"], doubles: true });
    try {
      await context.createModule(device, { spirv });
    } catch (error) {
      const { name, code, message, buildLog, functionName } = error;
      const isBuild = error instanceof ModuleBuildError && error instanceof ZeError;
      console.log(JSON.stringify({ name, code, message, buildLog, functionName, isBuild }));
    }`,
    { env },
  );
  assertEquals(failure["name"], "ModuleBuildError");
  assertEquals(failure["code"], 0x70000004);
  assertEquals(failure["functionName"], "zeModuleCreate");
  assert(failure["isBuild"]);
  assertStringIncludes(
    String(failure["buildLog"]),
    "in kernel 'first': Double type is not supported on this platform.",
  );
  assertStringIncludes(String(failure["message"]), String(failure["buildLog"]));
});

test("Module.dispose() is idempotent and disposes its kernels", { skip: noDevice }, async () => {
  await withContext(async (context) => {
    const module = await context.createModule(testDevice(), { spirv });
    const kernel = await module.kernel("first");
    module.dispose();
    module.dispose();
    assertEquals([module.disposed, kernel.disposed], [true, true]);
    kernel.dispose();
  });
});
