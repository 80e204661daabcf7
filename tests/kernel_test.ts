/**
 * Kernels: group sizes, what the driver tells of them, and what it can be told.
 */
import { assert, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { readFileSync } from "node:fs";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type Context,
  type Kernel,
  UnsupportedFeatureError,
  UseAfterDisposeError,
} from "../mod.ts";
import * as argument from "../src/argument.ts";
import { noDevice, noExecution, testDevice } from "./support/device.ts";
import { runKernel } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

async function withKernel(
  name: string,
  body: (kernel: Kernel, context: Context) => unknown,
  file = "basic",
): Promise<void> {
  const spirv = readFileSync(new URL(`./kernels/${file}.spv`, import.meta.url));
  const device = testDevice();
  await using context = device.driver.createContext();
  await using module = await context.createModule(device, { spirv });
  using kernel = await module.kernel(name);
  await body(kernel, context);
}

/** What it gives, or the feature that is missing for it. */
function orUnsupported<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof UnsupportedFeatureError) return undefined;
    throw error;
  }
}

test("Kernel.setGroupSize() is for launches from then on", { skip: noExecution }, async () => {
  await withKernel("identify", async (kernel, context) => {
    using out = context.alloc.shared(Uint32Array, 8);
    assertEquals(kernel.groupSize, [0, 0, 0]);
    kernel.args(out).setGroupSize(2, 2);
    assertEquals(kernel.groupSize, [2, 2, 1]);
    await runKernel(kernel, 2, 1, 1);
    assertEquals([...out.view], [0, 0, 1, 1, 0, 0, 1, 1]);
    await runKernel(kernel.setGroupSize(1), 2, 2, 2);
    assertEquals([...out.view], [0, 1, 100, 101, 10000, 10001, 10100, 10101]);
  });
});

test("Kernel.setGroupSize() refuses what the device can't have", { skip: noDevice }, async () => {
  await withKernel("empty", (kernel) => {
    const { maxGroupSizeX, maxGroupSizeY, maxTotalGroupSize } = testDevice().computeProperties;
    const set = kernel.setGroupSize.bind(kernel) as (...size: unknown[]) => unknown;
    assertThrows(() => set(0), ArgumentRangeError, "argument `x` is 0");
    assertThrows(() => set(maxGroupSizeX + 1), ArgumentRangeError, `from 1 to ${maxGroupSizeX}`);
    assertThrows(() => set(1, 1.5), ArgumentRangeError, "argument `y`");
    assertThrows(() => set(1, 1, "1"), ArgumentTypeError, "argument `z`");
    assertThrows(
      () => set(maxGroupSizeX, maxGroupSizeY),
      ArgumentRangeError,
      `no more than ${maxTotalGroupSize} work items`,
    );
    assertEquals(kernel.groupSize, [0, 0, 0]);
  });
});

test("A kernel that requires a group size has it, and no other", { skip: noDevice }, async () => {
  await withKernel("fixed_group", async (kernel, context) => {
    using out = context.alloc.shared(Uint32Array, 8);
    assertEquals(kernel.groupSize, [4, 2, 1]);
    assertThrows(() => kernel.setGroupSize(8), ArgumentRangeError, "4, 2, 1, which kernel");
    await runKernel(kernel.args(out).setGroupSize(4, 2, 1));
    if (!noExecution) assertEquals([...out.view], Array(8).fill(42));
  });
});

test("Kernel.suggestGroupSize() suits the number of work items", { skip: noDevice }, async () => {
  await withKernel("fill", (kernel) => {
    const [x, y, z] = kernel.suggestGroupSize(1 << 20);
    assertEquals([(1 << 20) % x, y, z], [0, 1, 1]);
    kernel.setGroupSize(x, y, z);
    assertThrows(() => kernel.suggestGroupSize(0), ArgumentRangeError, "globalX");
    assertThrows(() => kernel.suggestGroupSize(1, 2 ** 32), ArgumentRangeError, "globalY");
  });
});

test("Kernel.maxCooperativeGroupCount needs a group size", { skip: noDevice }, async () => {
  await withKernel("fill", (kernel) => {
    assertThrows(() => kernel.maxCooperativeGroupCount, ArgumentRangeError, "setGroupSize()");
    assertGreater(kernel.setGroupSize(8).maxCooperativeGroupCount, 0);
  });
});

test("Kernel.launchProblem() tells what is missing", { skip: noDevice }, async () => {
  await withKernel("group_sum", (kernel) => {
    assertEquals(
      kernel.setArgument(1, null).launchProblem(),
      'kernel "group_sum" lacks arguments 0, 2: set all by args(), or each by setArgument()',
    );
    kernel.args(null, null, argument.local(16));
    assertEquals(
      kernel.launchProblem(),
      'kernel "group_sum" has no group size: set it by setGroupSize()',
    );
    assertEquals(kernel.setGroupSize(4).launchProblem(), undefined);
  });
});

test("Kernel.launchProblem() adds up local memory", { skip: noDevice }, async () => {
  const body = (kernel: Kernel): void => {
    const { maxSharedLocalMemory } = testDevice().computeProperties;
    const all = argument.local(maxSharedLocalMemory);
    assertEquals(
      kernel.args(null, all, all).setGroupSize(4).launchProblem(),
      `kernel "two_locals" needs ${
        2 * maxSharedLocalMemory
      } bytes of local memory, and a group has no more than ${maxSharedLocalMemory}`,
    );
    const more = argument.local(maxSharedLocalMemory + 1);
    assertThrows(() => kernel.setArgument(1, more), ArgumentRangeError, `${maxSharedLocalMemory}`);
    assertEquals(
      kernel.args(null, argument.local(4), argument.local(4)).launchProblem(),
      undefined,
    );
  };
  await withKernel("two_locals", body, "arguments");
});

test("Kernel.setIndirectAccess() lets a kernel follow pointers", { skip: noDevice }, async () => {
  await withKernel("follow", async (kernel, context) => {
    using target = context.alloc.shared(Int32Array, 1);
    using pointer = context.alloc.shared(BigUint64Array.of(target.address));
    assertEquals(kernel.indirectAccess, []);
    kernel.setIndirectAccess(["shared", "device"]);
    assertEquals(kernel.indirectAccess, ["device", "shared"]);
    await runKernel(kernel.args(pointer, -7).setGroupSize(1));
    if (!noExecution) assertEquals(target.view[0], -7);
    assertThrows(() => kernel.setIndirectAccess("host" as never), ArgumentTypeError, "kinds");
    assertThrows(() => kernel.setIndirectAccess(["gpu" as "host"]), ArgumentTypeError, '"shared"');
  });
});

test("Kernel.setGlobalOffset() moves the global ids", { skip: noExecution }, async () => {
  await withKernel("fill", async (kernel, context) => {
    using out = context.alloc.shared(Uint32Array.of(0, 0, 0, 0));
    await runKernel(kernel.args(out, 1).setGroupSize(2).setGlobalOffset(2));
    assertEquals([...out.view], [0, 0, 1, 1]);
    await runKernel(kernel.args(out, 2).setGlobalOffset(0));
    assertEquals([...out.view], [2, 2, 1, 1]);
    assertThrows(() => kernel.setGlobalOffset(-1), ArgumentRangeError, "argument `x`");
  });
});

test("A kernel tells its names, attributes and limits", { skip: noDevice }, async () => {
  await withKernel("fixed_group", (kernel) => {
    const { maxTotalGroupSize } = testDevice().computeProperties;
    assertEquals([kernel.name, kernel.nativeName], ["fixed_group", "fixed_group"]);
    assertEquals(Array.isArray(kernel.sourceAttributes), true);
    assertGreater(kernel.preferredGroupSizeMultiple, 0);
    assert(kernel.maxGroupSize > 0 && kernel.maxGroupSize <= maxTotalGroupSize);
    kernel.setCacheConfig(["large_slm"]).setCacheConfig([]);
    assertThrows(() => kernel.setCacheConfig(["small" as "large_slm"]), ArgumentTypeError);
  });
});

test("Kernel.nativeBinary(), allocations and scheduling hints, where the driver has them", {
  skip: noDevice,
}, async () => {
  await withKernel("fill", (kernel, context) => {
    using out = context.alloc.device(Uint32Array, 4);
    kernel.args(out, 1);
    const supports = (name: string): boolean => context.driver.supports(name);
    const binary = orUnsupported(() => kernel.nativeBinary());
    assertEquals(supports("ZE_extension_kernel_binary_exp"), binary !== undefined);
    if (binary) assertGreater(binary.length, 0);
    const allocations = orUnsupported(() => kernel.allocations);
    assertEquals(
      supports("ZE_experimental_kernel_allocation_properties"),
      allocations !== undefined,
    );
    const first = allocations?.find(({ argumentIndex }) => argumentIndex === 0);
    assertEquals(first?.address, allocations && out.address);
    const hints = ["oldest_first", "round_robin", "stall_based_round_robin"] as const;
    const taken = hints.filter((hint) => orUnsupported(() => kernel.setSchedulingHint(hint)));
    // Some drivers have the extension and devices without any hint.
    if (!supports("ZE_experimental_scheduling_hints")) assertEquals(taken, []);
    assertThrows(() => kernel.setSchedulingHint("never" as "round_robin"), ArgumentTypeError);
  });
});

test("A kernel that was disposed refuses everything", { skip: noDevice }, async () => {
  await withKernel("fill", (kernel) => {
    kernel.dispose();
    const uses: (() => unknown)[] = [
      () => kernel.setArgument(0, null),
      () => kernel.setGroupSize(1),
      () => kernel.suggestGroupSize(1),
      () => kernel.maxCooperativeGroupCount,
      () => kernel.properties,
      () => kernel.indirectAccess,
      () => kernel.setIndirectAccess([]),
      () => kernel.setCacheConfig([]),
      () => kernel.sourceAttributes,
      () => kernel.nativeName,
      () => kernel.nativeBinary(),
      () => kernel.allocations,
      () => kernel.setGlobalOffset(0),
      () => kernel.setSchedulingHint("round_robin"),
      () => kernel.preferredGroupSizeMultiple,
      () => kernel.maxGroupSize,
    ];
    for (const use of uses) assertThrows(use, UseAfterDisposeError, "Kernel was disposed");
  });
});
