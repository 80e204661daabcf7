/**
 * Faults on demand, by the `cpu` driver through the real loader.
 */
import { assert, assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import process from "node:process";
import { evaluate, projectFile } from "./support/child.ts";
import { test } from "./support/testing.ts";

const skip = process.env["ZE_TEST_DEVICE"] === "cpu"
  ? false
  : "needs ZE_TEST_DEVICE=cpu, which `deno task test` provides";

interface Outcome {
  readonly name?: string;
  readonly code?: number;
  readonly buildLog?: string;
  readonly milliseconds: number;
  readonly ticks: number;
}

/** Creates a module with faults, while a 5 ms timer ticks. */
function createModule(faults: string): Promise<Outcome> {
  return evaluate<Outcome>(
    `
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    import { spirvModule } from ${JSON.stringify(projectFile("examples/spirv_module.ts"))};
    const device = drivers()[0].devices[0];
    await using context = device.driver.createContext();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const start = performance.now();
    let error = {};
    try {
      await context.createModule(device, { spirv: spirvModule({ kernels: ["first"] }) });
    } catch (thrown) {
      error = thrown;
    }
    clearInterval(timer);
    const { name, code, buildLog } = error;
    const milliseconds = performance.now() - start;
    console.log(JSON.stringify({ name, code, buildLog, milliseconds, ticks }));`,
    { env: { ZE_CPU_FAULTS: faults } },
  );
}

test("A driver call that returns a code is a ZeError with that code", { skip }, async () => {
  const { name, code } = await createModule("zeModuleCreate:1:code=0x70000002");
  assertEquals(name, "ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY");
  assertEquals(code, 0x70000002);
});

test("A driver call that takes its time leaves the event loop alone", { skip }, async () => {
  const { name, milliseconds, ticks } = await createModule("zeModuleCreate:1:sleep=600");
  assertEquals(name, undefined);
  assertGreater(milliseconds, 590);
  assertGreater(ticks, 30);
});

test("A build that succeeds with a fatal log is a ModuleBuildError", { skip }, async () => {
  const { name, buildLog } = await createModule("zeModuleCreate:1:log=fatal");
  assertEquals(name, "ModuleBuildError");
  assert(buildLog!.length > 0);
});

test("A function that is absent from the driver's table is an error, not a crash", {
  skip,
}, async () => {
  const { name } = await createModule("zeModuleCreate:absent");
  assertStringIncludes(name!, "ZE_RESULT_ERROR_");
});
