/**
 * Arguments of kernels: what each may be set to, and that the kernel gets it.
 */
import { assertEquals, assertThrows } from "@std/assert";
import { readFileSync } from "node:fs";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type Context,
  type Kernel,
  UseAfterDisposeError,
} from "../mod.ts";
import * as argument from "../src/argument.ts";
import type { KernelArgument } from "../src/typed_argument.ts";
import { noDevice, noExecution, testDevice } from "./support/device.ts";
import { runKernel } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

const spirv = readFileSync(new URL("./kernels/basic.spv", import.meta.url));

async function withKernel(
  name: string,
  body: (kernel: Kernel, context: Context) => unknown,
): Promise<void> {
  const device = testDevice();
  await using context = device.driver.createContext();
  await using module = await context.createModule(device, { spirv });
  using kernel = await module.kernel(name);
  await body(kernel, context);
}

test("Kernel.args() takes memory and the numbers that the kernel declares", {
  skip: noExecution,
}, async () => {
  await withKernel("scale", async (kernel, context) => {
    using data = context.alloc.shared(Float32Array.of(1, 2, 3, 4));
    kernel.args(data, 0.5, 3, 10n).setGroupSize(4);
    await runKernel(kernel);
    assertEquals([...data.view], [13.5, 14, 14.5, 15]);
  });
});

test("Kernel.setArgument() changes one argument", { skip: noExecution }, async () => {
  await withKernel("scale", async (kernel, context) => {
    using data = context.alloc.shared(Float32Array.of(1, 2));
    kernel.args(data, 1, 0, 0).setArgument(1, 8).setGroupSize(2);
    await runKernel(kernel);
    assertEquals([...data.view], [8, 16]);
  });
});

test("Kernel.args() takes a part of memory, and an address", { skip: noExecution }, async () => {
  await withKernel("fill", async (kernel, context) => {
    using out = context.alloc.shared(Uint32Array.of(0, 0, 0, 0));
    kernel.args(out.subarray(1), 7).setGroupSize(1);
    await runKernel(kernel);
    kernel.args(out.address + 12n, 9);
    await runKernel(kernel);
    assertEquals([...out.view], [0, 7, 0, 9]);
  });
});

test("Kernel.args() takes null for a pointer", { skip: noExecution }, async () => {
  await withKernel("is_null", async (kernel, context) => {
    using out = context.alloc.shared(Int32Array, 1);
    kernel.args(out, null).setGroupSize(1);
    await runKernel(kernel);
    assertEquals(out.view[0], 1);
    kernel.setArgument(1, out);
    await runKernel(kernel);
    assertEquals(out.view[0], 0);
  });
});

test("Kernel.args() takes a structure by its bytes", { skip: noExecution }, async () => {
  await withKernel("add_quad", async (kernel, context) => {
    using out = context.alloc.shared(Float64Array.of(0.25));
    const quad = new DataView(new ArrayBuffer(24));
    quad.setInt32(0, 1, true);
    quad.setFloat64(8, 2.5, true);
    quad.setInt8(16, -3);
    quad.setInt16(18, 400, true);
    kernel.args(out, quad).setGroupSize(1);
    await runKernel(kernel);
    assertEquals(out.view[0], 400.75);
    kernel.args(out, argument.bytes(quad.buffer));
    await runKernel(kernel);
    assertEquals(out.view[0], 801.25);
  });
});

test("argument.local() gives each group memory of its own", { skip: noExecution }, async () => {
  await withKernel("group_sum", async (kernel, context) => {
    using input = context.alloc.shared(Int32Array.of(1, 2, 3, 4, 50, 60, 70, 80));
    using sums = context.alloc.shared(Int32Array, 2);
    kernel.args(input, sums, argument.local(4 * 4)).setGroupSize(4);
    await runKernel(kernel, 2);
    assertEquals([...sums.view], [10, 260]);
  });
});

test("Kernel.args() of a kernel without arguments takes none", { skip: noDevice }, async () => {
  await withKernel("empty", (kernel) => {
    assertEquals(kernel.args().setGroupSize(1).launchProblem(), undefined);
    assertEquals(kernel.argumentResources, []);
    assertThrows(() => kernel.args(1), ArgumentRangeError, "has 0 arguments");
    assertThrows(() => kernel.setArgument(0, 1), ArgumentRangeError, "has no arguments");
  });
});

test("Kernel.args() sets all or none", { skip: noExecution }, async () => {
  await withKernel("fill", async (kernel, context) => {
    using first = context.alloc.shared(Uint32Array.of(0));
    using second = context.alloc.shared(Uint32Array.of(0));
    kernel.args(first, 5).setGroupSize(1);
    assertThrows(() => kernel.args(second, -2.5), ArgumentRangeError);
    await runKernel(kernel);
    assertEquals([first.view[0], second.view[0]], [5, 0]);
    assertEquals(kernel.argumentResources, [first.resource]);
  });
});

const wrongValues: readonly [
  what: string,
  index: number,
  value: unknown,
  type: unknown,
  text: string,
][] = [
  ["a number for a pointer", 0, 4096, ArgumentTypeError, "a pointer"],
  ["a typed array for a pointer", 0, new Float32Array(4), ArgumentTypeError, "a pointer"],
  ["what only looks like memory", 0, { address: 1n, resource: {} }, ArgumentTypeError, "a pointer"],
  ["an address beyond 64 bits", 0, 2n ** 64n, ArgumentRangeError, "address"],
  ["undefined", 0, undefined, ArgumentTypeError, "undefined"],
  ["local memory for a pointer", 0, argument.local(4), ArgumentTypeError, "argument.local()"],
  ["a bigint for a float", 1, 1n, ArgumentTypeError, "a 32-bit float"],
  ["a number too large for a float", 1, 1e39, ArgumentRangeError, "a 32-bit float"],
  ["another float", 1, argument.f64(1), ArgumentTypeError, "argument.f64()"],
  ["text for a number", 1, "1", ArgumentTypeError, "a 32-bit float"],
  ["a number too large for a byte", 2, 256, ArgumentRangeError, "from 0 to 255"],
  ["a negative number for an unsigned one", 2, -1, ArgumentRangeError, "from 0 to 255"],
  ["a fraction for an integer", 2, 0.5, ArgumentRangeError, "from 0 to 255"],
  ["bytes of another length", 2, argument.bytes(new Uint8Array(4)), ArgumentRangeError, "4 bytes"],
  ["a number that is not exact", 3, 2 ** 53, ArgumentRangeError, "bigint beyond 2 ** 53"],
  ["a bigint beyond 64 bits", 3, 2n ** 64n, ArgumentRangeError, "64-bit integer"],
];

for (const [what, index, value, type, text] of wrongValues) {
  test(`Kernel.setArgument() refuses ${what}`, { skip: noDevice }, async () => {
    await withKernel("scale", (kernel) => {
      const error = assertThrows(
        () => kernel.setArgument(index, value as KernelArgument),
        type as typeof ArgumentTypeError,
        text,
      );
      assertEquals(error.argument, `${index} of kernel "scale"`);
      assertEquals(kernel.launchProblem()?.includes("lacks arguments 0, 1, 2, 3"), true);
    });
  });
}

test(
  "Kernel.setArgument() refuses an index that the kernel lacks",
  { skip: noDevice },
  async () => {
    await withKernel("scale", (kernel) => {
      for (const index of [-1, 4, 0.5, NaN, 2 ** 32]) {
        assertThrows(() => kernel.setArgument(index, 1), ArgumentRangeError, "from 0 to 3");
      }
      for (const index of ["0", undefined, "length"]) {
        const wrong = index as unknown as number;
        assertThrows(() => kernel.setArgument(wrong, 1), ArgumentTypeError, "from 0 to 3");
      }
    });
  },
);

test("Kernel.setArgument() refuses local memory for what is none, and the reverse", {
  skip: noDevice,
}, async () => {
  await withKernel("group_sum", (kernel) => {
    assertThrows(() => kernel.setArgument(2, 16), ArgumentTypeError, "argument.local(byteLength)");
    assertThrows(
      () => kernel.setArgument(2, argument.u32(16)),
      ArgumentTypeError,
      "argument.u32()",
    );
    assertThrows(() => kernel.setArgument(2, null), ArgumentTypeError, "local memory");
  });
});

test("Kernel.args() refuses memory that was disposed, or is of another context", {
  skip: noDevice,
}, async () => {
  await withKernel("fill", (kernel, context) => {
    const gone = context.alloc.shared(4);
    gone.dispose();
    assertThrows(() => kernel.args(gone, 1), UseAfterDisposeError);
    using other = context.driver.createContext();
    using foreign = other.alloc.host(4);
    assertThrows(() => kernel.args(foreign, 1), ArgumentTypeError, "another context");
  });
});

test("Kernel.argumentResources tells what was disposed after it was set", {
  skip: noDevice,
}, async () => {
  await withKernel("fill", (kernel, context) => {
    const out = context.alloc.shared(4);
    kernel.args(out, 1);
    assertEquals([...kernel.argumentResources].map(({ released }) => released), [false]);
    out.dispose();
    assertEquals([...kernel.argumentResources].map(({ released }) => released), [true]);
    kernel.setArgument(0, null);
    assertEquals(kernel.argumentResources, []);
  });
});

test("A kernel of a native binary takes what says its type itself", {
  skip: noDevice,
}, async () => {
  await withKernel("fill", async ({ module }, context) => {
    const native = await module.nativeBinary();
    await using loaded = await context.createModule(module.device, { native });
    using kernel = await loaded.kernel("fill");
    using out = context.alloc.shared(Uint32Array, 1);
    assertEquals(kernel.parameters, undefined);
    assertThrows(() => kernel.args(out, 7), ArgumentTypeError, "such as argument.i32(1)");
    assertThrows(
      () => kernel.args(out.address, argument.u32(7)),
      ArgumentTypeError,
      "native binary",
    );
    kernel.args(argument.pointer(out.address), argument.u32(7)).setGroupSize(1);
    kernel.args(out, argument.u32(7));
    await runKernel(kernel);
    if (!noExecution) assertEquals(out.view[0], 7);
  });
});

test("Kernel.args() after dispose throws", { skip: noDevice }, async () => {
  await withKernel("empty", (kernel) => {
    kernel.dispose();
    assertThrows(() => kernel.args(), UseAfterDisposeError);
  });
});
