/**
 * Modules that need each other, and what the host can reach in them.
 */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { readFileSync } from "node:fs";
import {
  ArgumentTypeError,
  type Context,
  Module,
  UnsupportedFeatureError,
  UseAfterDisposeError,
  ZeError,
} from "../mod.ts";
import { ModuleLinkError } from "../src/error.ts";
import { noDevice, noIntelCompiler, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

function spirvFile(name: string): Uint8Array {
  return readFileSync(new URL(`./kernels/${name}.spv`, import.meta.url));
}

const kernelPart = spirvFile("link_kernel");
const libraryPart = spirvFile("link_library");
/** Intel's compiler exports functions only with this; others don't know it. */
const buildFlags = noIntelCompiler ? "" : "-library-compilation";

async function withContext(body: (context: Context) => Promise<unknown>): Promise<void> {
  await using context = testDevice().driver.createContext();
  await body(context);
}

/** The program that lacks a function, and the library that has it. */
function parts(context: Context): Promise<Module[]> {
  const options = [{ spirv: kernelPart }, { spirv: libraryPart, buildFlags }];
  return Promise.all(options.map((option) => context.createModule(testDevice(), option)));
}

test("Module.link() resolves what a module imports", { skip: noIntelCompiler }, async () => {
  await withContext(async (context) => {
    const [program, library] = await parts(context);
    assertEquals(program!.properties.flags, ["imports"]);
    await assertRejects(() => program!.kernel("call_twice"), ZeError, "MODULE_UNLINKED");
    await Module.link([program!, library!]);
    using kernel = await program!.kernel("call_twice");
    assertEquals(kernel.args(null, 1).argumentResources, [library!.resource]);
    library!.dispose();
    assertEquals(kernel.argumentResources.map(({ released }) => released), [true]);
  });
});

test("ModuleLinkError has the linker's log", { skip: noIntelCompiler }, async () => {
  await withContext(async (context) => {
    const [program] = await parts(context);
    const error = await assertRejects(() => Module.link([program!]), ModuleLinkError);
    assertEquals(error.name, "ModuleLinkError");
    assertEquals(error.code, 0x70000005);
    assertStringIncludes(error.linkLog, "twice");
    assertStringIncludes(error.message, error.linkLog);
  });
});

test("Module.link() refuses what is no list of modules of one context", {
  skip: noDevice,
}, async () => {
  await withContext(async (context) => {
    await using other = testDevice().driver.createContext();
    const [library, foreign] = await Promise.all(
      [context, other].map((where) =>
        where.createModule(testDevice(), { spirv: libraryPart, buildFlags })
      ),
    );
    const link = Module.link as (modules: unknown) => Promise<unknown>;
    for (const wrong of [undefined, [], library, [undefined], [{ handle: 1n }]]) {
      await assertRejects(() => link(wrong), ArgumentTypeError, "modules");
    }
    await assertRejects(() => link([library, foreign]), ArgumentTypeError, "another context");
    library!.dispose();
    await assertRejects(() => link([library]), UseAfterDisposeError, "Module was disposed");
  });
});

test("Module.inspectLinkage() lists imports and exports", { skip: noDevice }, async () => {
  await withContext(async (context) => {
    const module = await context.createModule(testDevice(), { spirv: libraryPart, buildFlags });
    if (!context.driver.supports("ZE_extension_linkage_inspection")) {
      await assertRejects(() => Module.inspectLinkage([module]), UnsupportedFeatureError);
      return;
    }
    assertStringIncludes(await Module.inspectLinkage([module]), "twice");
    assert(!(await Module.inspectLinkage([module], ["imports"])).includes("twice"));
    const wrong = ["everything"] as never[];
    await assertRejects(() => Module.inspectLinkage([module], wrong), ArgumentTypeError, "exports");
  });
});

test("Module.globalPointer() gives a variable of the device's memory", {
  skip: noIntelCompiler,
}, async () => {
  await withContext(async (context) => {
    const module = await context.createModule(testDevice(), { spirv: libraryPart, buildFlags });
    const table = module.globalPointer("table");
    assertEquals([table.name, table.byteLength], ["table", 16]);
    assert(table.address > 0n && module.globalPointer("table") === table);
    using kernel = await module.kernel("read_table");
    assertEquals(kernel.args(table).argumentResources, [table.resource]);
    module.dispose();
    assertThrows(() => table.address, UseAfterDisposeError, "GlobalVariable was disposed");
  });
});

test("Module.functionPointer() gives the address of a function", {
  skip: noIntelCompiler,
}, async () => {
  await withContext(async (context) => {
    const module = await context.createModule(testDevice(), { spirv: libraryPart, buildFlags });
    assert(module.functionPointer("twice") > 0n);
  });
});

test("Module.globalPointer() and functionPointer() refuse names that there are not", {
  skip: noDevice,
}, async () => {
  await withContext(async (context) => {
    const module = await context.createModule(testDevice(), { spirv: libraryPart, buildFlags });
    for (const method of ["globalPointer", "functionPointer"] as const) {
      const find = (name: unknown): unknown => module[method](name as string);
      assertThrows(() => find("nothing"), ZeError);
      for (const wrong of [undefined, "", 7, "a\0b"]) {
        assertThrows(() => find(wrong), ArgumentTypeError, `Module.${method}`);
      }
    }
    module.dispose();
    assertThrows(() => module.globalPointer("table"), UseAfterDisposeError);
    assertThrows(() => module.functionPointer("twice"), UseAfterDisposeError);
  });
});

test("Module.create() makes one module of several", { skip: noDevice }, async () => {
  await withContext(async (context) => {
    const device = testDevice();
    const create = (spirv: readonly Uint8Array[]): Promise<Module> =>
      context.createModule(device, { spirv });
    await assertRejects(() => create([]), ArgumentTypeError, "an empty list");
    assertEquals((await (await create([libraryPart])).kernelNames())[0], "read_table");
    if (!device.driver.supports("ZE_experimental_module_program")) {
      await assertRejects(() => create([kernelPart, libraryPart]), UnsupportedFeatureError);
      return;
    }
    const module = await create([kernelPart, libraryPart]);
    const names = await module.kernelNames();
    assertEquals(["call_twice", "read_table"].filter((name) => !names.includes(name)), []);
    using kernel = await module.kernel("call_twice");
    assertThrows(() => kernel.args(null, 1.5), RangeError, "32-bit integer");
  });
});
