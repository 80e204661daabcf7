import { assertEquals, assertRejects } from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  InvalidSpirvError,
  KernelNotFoundError,
  Session,
  UseAfterDisposeError,
} from "../mod.ts";
import { noDevice, noExecution, testDevice } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { testSpirv } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

test("A session runs a kernel on the program's own arrays", { skip: noExecution }, async () => {
  await using session = await Session.open({ spirv: testSpirv("vector_add") });
  const sum = new Int32Array(3);
  await session.run("vector_add", 3, Int32Array.of(1, 2, 3), Int32Array.of(4, 5, 6), sum);
  assertEquals(sum, Int32Array.of(5, 7, 9));
});

test("A session's memory stays on the device between runs", { skip: noExecution }, async () => {
  await using session = await Session.open({ spirv: testSpirv("basic"), device: testDevice() });
  const data = session.alloc.shared(new Float32Array(128).fill(1));
  for (let round = 0; round < 3; round++) {
    await session.run("scale", { globalSize: 128, groupSize: 32 }, data, 2, 0, 0n);
  }
  assertEquals([data.view[0], data.view[127]], [8, 8]);
});

test("Runs may be started before others have ended", { skip: noExecution }, async () => {
  await using session = await Session.open({ spirv: testSpirv("basic") });
  const arrays = Array.from({ length: 8 }, () => new Uint32Array(16));
  await Promise.all(arrays.map((array, i) => session.run("fill", 16, array, i)));
  assertEquals(arrays.map((array) => array[15]), [0, 1, 2, 3, 4, 5, 6, 7]);
});

test("An array that is given twice is one memory", { skip: noExecution }, async () => {
  await using session = await Session.open({ spirv: testSpirv("vector_add") });
  const values = Int32Array.of(1, 2, 3);
  await session.run("vector_add", [3], values, values, values);
  assertEquals(values, Int32Array.of(2, 4, 6));
});

test("A session runs in three dimensions, in groups that a kernel requires", {
  skip: noExecution,
}, async () => {
  await using session = await Session.open({ spirv: testSpirv("basic") });
  const out = new Uint32Array(8 * 4);
  await session.run("fixed_group", [8, 4], out);
  assertEquals([out[0], out[31]], [42, 42]);
  await assertRejects(
    () => session.run("fixed_group", [6, 4], out),
    ArgumentRangeError,
    "multiple",
  );
});

test("A session refuses what it can't run, and goes on", { skip: noDevice }, async () => {
  await assertRejects(() => Session.open({ spirv: new Uint8Array(3) }), InvalidSpirvError);
  await assertRejects(() => Session.open(bad(undefined)), ArgumentTypeError);
  await assertRejects(
    () => Session.open(bad({ spirv: testSpirv("basic"), device: {} })),
    ArgumentTypeError,
    "options.device",
  );
  const session = await Session.open({ spirv: testSpirv("basic") });
  const out = new Uint32Array(4);
  const run = (name: unknown, size: unknown, ...args: unknown[]) => (): Promise<void> =>
    session.run(bad(name), bad(size), ...args.map(bad));
  await assertRejects(run("fil", 4, out, 1), KernelNotFoundError, "fill");
  await assertRejects(run("fill", 0, out, 1), ArgumentRangeError, "globalSize");
  await assertRejects(run("fill", "4", out, 1), ArgumentTypeError, "options");
  await assertRejects(run("fill", { size: 4 }, out, 1), ArgumentTypeError, "options.size");
  await assertRejects(run("fill", 4, out), ArgumentRangeError, "2 arguments");
  await assertRejects(run("fill", 4, out, out), ArgumentTypeError, "1 of kernel");
  await assertRejects(run("fill", 4, out, 2 ** 32), ArgumentRangeError);
  await run("fill", 4, out, 1)();
  await session[Symbol.asyncDispose]();
  await assertRejects(run("fill", 4, out, 1), UseAfterDisposeError);
});
