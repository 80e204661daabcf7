/**
 * What a call on another thread reads and writes is kept for it, however unreachable it is for the
 * program, and however often garbage is collected meanwhile.
 */
import { assertEquals } from "@std/assert";
import process from "node:process";
import {
  nonblocking,
  sync,
  ze_context_desc_t,
  ze_host_mem_alloc_desc_t,
  ze_result_t,
  zeContextDestroy,
  zeMemFree,
} from "../src/libze/mod.ts";
import { evaluate, projectFile } from "./support/child.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { amongGarbage } from "./support/garbage.ts";
import { benchTest, runKernel, testSpirv } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

test("What a call reads late is still there", {
  skip: process.env["ZE_TEST_DEVICE"] !== "cpu" &&
    "needs ZE_TEST_DEVICE=cpu, which `deno task test` provides",
  timeout: 120_000,
}, async () => {
  // The driver sleeps before it looks at the description, the SPIR-V and the text that it points to.
  const modules = await evaluate<number>(
    `
    import { readFileSync } from "node:fs";
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    import * as ze from ${JSON.stringify(projectFile("src/libze/mod.ts"))};
    import { amongGarbage } from ${JSON.stringify(projectFile("tests/support/garbage.ts"))};
    const file = new URL(${JSON.stringify(projectFile("tests/kernels/basic.spv"))});
    const device = drivers()[0].devices[0];
    const context = device.driver.createContext();
    const compile = async (build) => {
      const pInputModule = new Uint8Array(readFileSync(file));
      const module = new BigUint64Array(1);
      await ze.zeModuleCreate(context.handle, device.handle, ze.ze_module_desc_t.create({
        format: ze.ze_module_format_t.ZE_MODULE_FORMAT_IL_SPIRV,
        inputSize: BigInt(pInputModule.length),
        pInputModule,
        pBuildFlags: build,
      }), module, null);
      return module[0];
    };
    const made = await amongGarbage(Promise.all(
      Array.from({ length: 16 }, (_, i) => compile(["-cl-mad-enable", "-g"].slice(i % 2).join(" "))),
    ));
    for (const module of made) ze.zeModuleDestroy(module);
    console.log(new Set(made).size);`,
    { env: { ZE_CPU_FAULTS: "zeModuleCreate:1+:sleep=200" } },
  );
  assertEquals(modules, 16);
});

benchTest("A call of the C API keeps the object whose handle it has", async ({ context }) => {
  for (let round = 0; round < 5; round++) {
    const waits = Array.from(
      { length: 8 },
      () => nonblocking.zeEventHostSynchronize(context.createEvent().handle, 50_000_000n),
    );
    const results = await amongGarbage(Promise.all(waits));
    assertEquals(new Set(results), new Set([ze_result_t.ZE_RESULT_NOT_READY]));
  }
});

benchTest("Compiles keep their SPIR-V, flags and constants", async (bench) => {
  const { context, device } = bench;
  for (let round = 0; round < 10; round++) {
    // The copy, the text and the options are reachable from nowhere but the call.
    const modules = await amongGarbage(
      Promise.all([1, 2, 3].map((i) =>
        context.createModule(device, {
          spirv: testSpirv("basic").slice(),
          buildFlags: ["-cl-opt-disable", "-cl-mad-enable"].slice(0, i - 1).join(" "),
        })
      )),
    );
    const out = context.alloc.shared(Uint32Array, 4, { device });
    for (const module of modules) {
      const kernel = await module.kernel("fill");
      await runKernel(kernel.args(out, round).setGroupSize(4));
      assertEquals([...out.view], new Array(4).fill(round));
      module.dispose();
    }
    out.dispose();
  }
});

test("Calls keep descriptors that they read and arrays that they write", {
  skip: noDevice,
  timeout: 120_000,
}, async () => {
  const { driver } = testDevice();
  for (let round = 0; round < 20; round++) {
    const made = await amongGarbage(Promise.all(Array.from({ length: 8 }, async () => {
      const context = new BigUint64Array(1);
      await nonblocking.zeContextCreate(driver.handle, ze_context_desc_t.create({}), context);
      const memory = new BigUint64Array(1);
      await nonblocking.zeMemAllocHost(
        context[0]!,
        ze_host_mem_alloc_desc_t.create({}),
        4096n,
        64n,
        memory,
      );
      return [context[0]!, memory[0]!] as const;
    })));
    assertEquals(new Set(made.flat()).size, 16);
    for (const [context, memory] of made) {
      assertEquals(memory % 64n, 0n);
      zeMemFree(context, memory);
      zeContextDestroy(context);
    }
  }
});

benchTest("Work keeps its kernels, events, lists and the program's bytes", async (bench) => {
  const { context, device } = bench;
  const out = context.alloc.host(Uint32Array, 64);
  for (let round = 0; round < 20; round++) {
    const begin = context.createEvent();
    const work = (async () => {
      const kernel = (await bench.kernel("fill")).args(
        context.alloc.shared(Uint32Array, 64, { device }),
        round,
      ).setGroupSize(64);
      const list = context.createImmediateCommandList(device)
        .appendWaitOnEvents([begin, context.createEvent(), begin].filter((it) => it === begin))
        .appendLaunchKernel(kernel, 1)
        .appendMemoryCopy(out, Uint32Array.from({ length: 64 }, (_, i) => round * i), {
          waitFor: [begin],
        });
      kernel.dispose();
      await list.synchronize();
      list.dispose();
    })();
    setTimeout(() => begin.signal(), 10);
    await amongGarbage(work);
    assertEquals([...out.view], Array.from({ length: 64 }, (_, i) => round * i));
    begin.dispose();
  }
});

benchTest("Handle arrays of waits and executions are kept", async (bench) => {
  const { context, device } = bench;
  for (let round = 0; round < 10; round++) {
    const queue = context.createCommandQueue(device, { mode: "synchronous" });
    const counter = context.alloc.host(Uint32Array.of(0));
    const lists = Array.from(
      { length: 20 },
      (_, i) => context.createCommandList(device).appendMemoryFill(counter, i + 1).close(),
    );
    // In synchronous mode the call itself is on another thread, with the array of the lists.
    queue.execute(lists);
    await amongGarbage(queue.synchronize());
    assertEquals(counter.view[0], 20);
    for (const object of [...lists, counter, queue]) object.dispose();
  }
  assertEquals(sync.zeContextGetStatus(context.handle), 0);
});
