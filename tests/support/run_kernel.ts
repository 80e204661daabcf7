/**
 * Runs a kernel through the C API, for tests of what comes before a launch.
 *
 * @module
 */

import process from "node:process";
import type { Kernel } from "../../mod.ts";
import * as ze from "../../src/libze/mod.ts";
import { noDevice } from "./device.ts";

/** Why tests of what kernels do are skipped; false if the device runs them. */
export const noExecution: string | false = noDevice ||
  (process.env["ZE_TEST_DEVICE"] === "intel" && "Intel's driver without hardware executes nothing");

const { ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS } = ze.ze_command_queue_mode_t;

/** Runs so many groups to their end. */
export async function runKernel(kernel: Kernel, x = 1, y = 1, z = 1): Promise<void> {
  const { context, module: { device } } = kernel;
  const list = new BigUint64Array(1);
  const description = ze.ze_command_queue_desc_t.create({
    mode: ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
  });
  ze.zeCommandListCreateImmediate(context.handle, device.handle, description, list);
  try {
    const count = ze.ze_group_count_t.create({ groupCountX: x, groupCountY: y, groupCountZ: z });
    ze.zeCommandListAppendLaunchKernel(list[0]!, kernel.handle, count, 0n, 0, null);
    await ze.zeCommandListHostSynchronize(list[0]!, 2n ** 64n - 1n);
  } finally {
    ze.zeCommandListDestroy(list[0]!);
  }
}
