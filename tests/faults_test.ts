/**
 * What a real driver can't be made to do: a fake loader does it.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildLibrary, noCompiler } from "./support/c_compiler.ts";
import { evaluate, projectFile } from "./support/child.ts";
import { test } from "./support/testing.ts";

const mod = JSON.stringify(projectFile("mod.ts"));
const libze = JSON.stringify(projectFile("src/libze/mod.ts"));
const spirvModule = JSON.stringify(projectFile("examples/spirv_module.ts"));

/** What a script found: what it put in `out`, and the calls that reached the loader. */
interface Outcome {
  readonly out: Record<string, unknown>;
  readonly calls: readonly string[];
}

/** Runs statements on the fake loader. `device`, `spirv`, `out` and `caught` are there for them. */
async function onFake(
  statements: string,
  env: Record<string, string> = {},
  ...flags: string[]
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "level-zero-fake-"));
  const file = join(folder, "calls");
  try {
    const out = await evaluate<Record<string, unknown>>(
      `
      import * as ze from ${mod};
      import * as libze from ${libze};
      import { spirvModule } from ${spirvModule};
      const out = {};
      const caught = async (work) => {
        try {
          await work();
          return { name: "nothing was thrown" };
        } catch (error) {
          return { ...error, message: error.message, name: error.name };
        }
      };
      const device = ze.drivers()[0].devices[0];
      const spirv = spirvModule({ kernels: ["first"] });
      ${statements}
      console.log(JSON.stringify(out));`,
      {
        env: {
          ZE_LOADER_PATH: buildLibrary("fake_loader.c", ...flags),
          FAKE_CALLS: file,
          ...env,
        },
      },
    );
    const calls = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    return { out, calls };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const skip = noCompiler;
const createModule = `
  const context = device.driver.createContext();
  out.error = await caught(() => context.createModule(device, { spirv }));`;

function count(calls: readonly string[], name: string): number {
  return calls.filter((call) => call === name).length;
}

test(
  "A build that succeeds with a fatal error in its log is a ModuleBuildError",
  { skip },
  async () => {
    const log = "error: backend compiler failed build.\n";
    const { out, calls } = await onFake(createModule, { FAKE_BUILD_LOG: log });
    const error = out["error"] as Record<string, string>;
    assertEquals(error["name"], "ModuleBuildError");
    assertEquals(error["buildLog"], log.trim());
    assertEquals(count(calls, "zeModuleGetKernelNames"), 0);
    assertEquals(count(calls, "zeModuleDestroy"), 1);
    assertEquals(count(calls, "zeModuleBuildLogDestroy"), 1);
  },
);

test("A failed build has the whole log, which is destroyed once", { skip }, async () => {
  const log = "line of the log\n".repeat(2000);
  const { out, calls } = await onFake(createModule, {
    FAKE_BUILD_LOG: log,
    FAKE_MODULE_RESULT: "0x70000004",
  });
  const error = out["error"] as Record<string, unknown>;
  assertEquals(error["name"], "ModuleBuildError");
  assertEquals(error["code"], 0x70000004);
  assertEquals(error["buildLog"], log.trim());
  assertEquals(count(calls, "zeModuleBuildLogDestroy"), 1);
  assertEquals(count(calls, "zeModuleDestroy"), 0);
});

test("A build that succeeds keeps its warnings, and destroys the log once", { skip }, async () => {
  const { out, calls } = await onFake(
    `
    const context = device.driver.createContext();
    out.log = (await context.createModule(device, { spirv })).buildLog;`,
    { FAKE_BUILD_LOG: "warning: slow path" },
  );
  assertEquals(out["log"], "warning: slow path");
  assertEquals(count(calls, "zeModuleBuildLogDestroy"), 1);
});

for (const code of ["0x78000011", "0x78000004"]) {
  test(
    `An unknown kernel is a KernelNotFoundError when the driver says ${code}`,
    { skip },
    async () => {
      const { out } = await onFake(
        `
      const context = device.driver.createContext();
      const module = await context.createModule(device, { spirv });
      out.error = await caught(() => module.kernel("frist"));`,
        { FAKE_KERNEL_RESULT: code, FAKE_KERNELS: "first second" },
      );
      const error = out["error"] as Record<string, unknown>;
      assertEquals(error["name"], "KernelNotFoundError");
      assertEquals(error["code"], Number(code));
      assertEquals(error["available"], ["first", "second"]);
      assertStringIncludes(String(error["hint"]), 'Did you mean "first"?');
    },
  );
}

test(
  "A kernel that is there and fails otherwise is not reported as missing",
  { skip },
  async () => {
    const { out } = await onFake(
      `
    const context = device.driver.createContext();
    const module = await context.createModule(device, { spirv });
    out.error = await caught(() => module.kernel("first"));`,
      { FAKE_KERNEL_RESULT: "0x78000004", FAKE_KERNELS: "first" },
    );
    assertEquals((out["error"] as { name: string }).name, "ZE_RESULT_ERROR_INVALID_ARGUMENT");
  },
);

test("Context.dispose() destroys what was made in it, the newest first, once", {
  skip,
}, async () => {
  const { calls } = await onFake(
    `
    const context = device.driver.createContext();
    const module = await context.createModule(device, { spirv });
    const kernel = await module.kernel("first");
    const pool = context.createEventPool({ count: 1 });
    const event = pool.createEvent();
    const queue = context.createCommandQueue(device);
    const list = context.createCommandList(device);
    const fence = queue.createFence();
    context.dispose();
    for (const object of [fence, list, queue, event, pool, kernel, module, context]) {
      object.dispose();
      await object[Symbol.asyncDispose]();
    }`,
    { FAKE_KERNELS: "first" },
  );
  assertEquals(calls.filter((call) => call.endsWith("Destroy") && !call.includes("Log")), [
    "zeCommandListDestroy",
    "zeFenceDestroy",
    "zeCommandQueueDestroy",
    "zeEventDestroy",
    "zeEventPoolDestroy",
    "zeKernelDestroy",
    "zeModuleDestroy",
    "zeContextDestroy",
  ]);
});

test("A context that is disposed during a compile is destroyed after it", { skip }, async () => {
  const { out, calls } = await onFake(
    `
    const context = device.driver.createContext();
    const compile = caught(() => context.createModule(device, { spirv }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    context.dispose();
    out.error = await compile;`,
    { FAKE_SLEEP_MS: "300" },
  );
  assertEquals((out["error"] as { name: string }).name, "UseAfterDisposeError");
  const order = ["zeModuleCreate", "zeModuleDestroy", "zeContextDestroy"];
  assertEquals(calls.filter((call) => order.includes(call)), order);
});

test("The driver's words are in the error of a call on this thread", { skip }, async () => {
  const { out } = await onFake(
    `
    const context = device.driver.createContext();
    out.error = await caught(() => context.checkStatus());`,
    { FAKE_DESCRIPTION: "the GPU fell off the bus" },
  );
  const error = out["error"] as Record<string, string>;
  assertEquals(error["name"], "ZE_RESULT_ERROR_DEVICE_LOST");
  assertEquals(error["description"], "the GPU fell off the bus");
});

test("A nonblocking call's error never has another call's words", { skip }, async () => {
  const { out } = await onFake(
    `
    const context = device.driver.createContext();
    await caught(() => context.checkStatus());
    out.error = await caught(() => context.createModule(device, { spirv }));`,
    { FAKE_DESCRIPTION: "the GPU fell off the bus", FAKE_MODULE_RESULT: "0x70000001" },
  );
  const error = out["error"] as Record<string, string>;
  assertEquals(error["name"], "ZE_RESULT_ERROR_DEVICE_LOST");
  assertEquals(error["description"], undefined);
});

test(
  "A loader without zeInitDrivers is initialized by zeInit and zeDriverGet",
  { skip },
  async () => {
    const { calls } = await onFake("out.available = ze.isAvailable();", {}, "-DOLD");
    assertEquals(calls.slice(0, 3), ["zeInit", "zeDriverGet", "zeDriverGet"]);
    assert(!calls.includes("zeInitDrivers"));
  },
);

test(
  "A function that the loader lacks is a MissingSymbolError when it is called",
  { skip },
  async () => {
    const { out } = await onFake(`
    out.has = libze.has("zeImageCreate");
    out.there = libze.has("zeModuleCreate");
    out.error = await caught(() => libze.zeCommandListClose(1n));
    out.sysman = await caught(() => libze.sync.zesInit(0));`);
    assertEquals([out["has"], out["there"]], [false, true]);
    const error = out["error"] as Record<string, string>;
    assertEquals(error["name"], "MissingSymbolError");
    assertEquals(error["symbol"], "zeCommandListClose");
    assertStringIncludes(String(error["hint"]), "Update the loader");
    assertStringIncludes((out["sysman"] as { hint: string }).hint, "ZES_ENABLE_SYSMAN=1");
  },
);
