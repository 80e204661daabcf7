/**
 * Commands that run kernels.
 *
 * @module
 */

import { checkInteger, checkOwned } from "../checks.ts";
import type { Commands } from "../commands.ts";
import type { Device } from "../device.ts";
import { ArgumentRangeError, ArgumentTypeError, UseAfterDisposeError } from "../error.ts";
import { Kernel } from "../kernel.ts";
import { ze_group_count_t } from "../libze/structs_ze.ts";
import type { Resource } from "../resource.ts";
import {
  type AppendOptions,
  type Command,
  commandEvents,
  commandRange,
  type DeviceData,
  handlesOf,
  needCompute,
  resourcesOf,
} from "./command.ts";

/** How many work groups: along x, or along x, y and z. */
export type GroupCount = number | readonly [x: number, y?: number, z?: number];

const AXES = ["X", "Y", "Z"] as const;

interface Limits {
  readonly maxGroupCountX: number;
  readonly maxGroupCountY: number;
  readonly maxGroupCountZ: number;
}

/** They don't change, and asking the driver costs more than a launch. */
const limits = new WeakMap<Device, Limits>();

function limitsOf(device: Device): Limits {
  let known = limits.get(device);
  if (!known) limits.set(device, known = device.computeProperties);
  return known;
}

/**
 * A `ze_group_count_t`.
 *
 * @throws {ArgumentTypeError | ArgumentRangeError} If it is more than the device can count to.
 */
export function groupCountStruct(
  functionName: string,
  device: Device,
  count: GroupCount,
): ReturnType<typeof ze_group_count_t.create> {
  const counts: readonly unknown[] = typeof count === "number" ? [count] : count;
  if (!Array.isArray(counts) || counts.length < 1 || counts.length > 3) {
    throw new ArgumentTypeError({
      functionName,
      argument: "groupCount",
      given: count,
      accepted: "a number of groups, or a list of up to three: [x, y, z]",
    });
  }
  const maximum = limitsOf(device);
  const [groupCountX, groupCountY, groupCountZ] = AXES.map((axis, index) =>
    checkInteger(
      functionName,
      typeof count === "number" ? "groupCount" : `groupCount[${index}]`,
      counts[index] ?? 1,
      1,
      maximum[`maxGroupCount${axis}`],
    )
  );
  return ze_group_count_t.create({
    groupCountX: groupCountX!,
    groupCountY: groupCountY!,
    groupCountZ: groupCountZ!,
  });
}

/**
 * A kernel that can be launched on the list's device now; gives what it uses.
 *
 * @throws {ArgumentTypeError} If an argument is not set, or it is of another device or context.
 * @throws {UseAfterDisposeError} If it, or something that is set as an argument, was disposed.
 */
export function kernelResources(
  list: Commands,
  functionName: string,
  argument: string,
  kernel: Kernel,
  withArguments = true,
): Resource[] {
  checkOwned(functionName, argument, kernel, Kernel, list.context);
  needCompute(list, functionName);
  if (kernel.module.device !== list.device) {
    throw new ArgumentTypeError({
      functionName,
      argument,
      given: kernel,
      accepted: "a kernel of a module that was made for the list's device",
    }, "a kernel for another device");
  }
  const resources = [kernel.resource];
  if (!withArguments) return resources;
  const problem = kernel.launchProblem();
  if (problem !== undefined) {
    throw new ArgumentTypeError({
      functionName,
      argument,
      given: kernel,
      accepted: "one that can be launched",
    }, `a kernel that can't be launched: ${problem}`);
  }
  for (const resource of kernel.argumentResources) {
    if (resource.released) throw new UseAfterDisposeError(resource.what);
    resources.push(resource);
  }
  return resources;
}

export function appendLaunchKernel(
  list: Commands,
  kernel: Kernel,
  groupCount: GroupCount,
  options: AppendOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendLaunchKernel";
  const events = commandEvents(list, functionName, options);
  const resources = kernelResources(list, functionName, "kernel", kernel);
  const count = groupCountStruct(functionName, list.device, groupCount);
  const { handle: kernelHandle } = kernel;
  return {
    functionName,
    events,
    resources,
    kernels: [kernel.resource],
    call: (calls, handle) =>
      calls.zeCommandListAppendLaunchKernel(
        handle,
        kernelHandle,
        count,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}

export function appendLaunchCooperativeKernel(
  list: Commands,
  kernel: Kernel,
  groupCount: GroupCount,
  options: AppendOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendLaunchCooperativeKernel";
  const events = commandEvents(list, functionName, options);
  const resources = kernelResources(list, functionName, "kernel", kernel);
  const count = groupCountStruct(functionName, list.device, groupCount);
  const { groupCountX, groupCountY, groupCountZ } = ze_group_count_t.read(count);
  const groups = groupCountX * groupCountY * groupCountZ;
  const { maxCooperativeGroupCount } = kernel;
  if (groups > maxCooperativeGroupCount) {
    throw new ArgumentRangeError({
      functionName,
      argument: "groupCount",
      given: groupCount,
      accepted:
        `at most ${maxCooperativeGroupCount} groups in all, as kernel.maxCooperativeGroupCount tells`,
    }, `${groups} groups`);
  }
  const { handle: kernelHandle } = kernel;
  return {
    functionName,
    events,
    resources,
    kernels: [kernel.resource],
    call: (calls, handle) =>
      calls.zeCommandListAppendLaunchCooperativeKernel(
        handle,
        kernelHandle,
        count,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}

/** Memory that holds at least so many bytes, at an address that suits 32-bit integers. */
function integers(
  list: Commands,
  functionName: string,
  argument: string,
  memory: DeviceData,
  count: number,
): { address: bigint; resources: Resource[] } {
  const range = commandRange(functionName, argument, memory, list.context);
  if (range.byteLength < 4 * count || range.address % 4n !== 0n) {
    throw new ArgumentRangeError({
      functionName,
      argument,
      given: memory,
      accepted: `memory of at least ${4 * count} bytes, at a multiple of 4`,
    }, `${range.byteLength} bytes at ${range.address}n`);
  }
  return { address: range.address, resources: resourcesOf(range) };
}

export function appendLaunchKernelIndirect(
  list: Commands,
  kernel: Kernel,
  groupCount: DeviceData,
  options: AppendOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendLaunchKernelIndirect";
  const events = commandEvents(list, functionName, options);
  const resources = kernelResources(list, functionName, "kernel", kernel);
  const counts = integers(list, functionName, "groupCount", groupCount, 3);
  const { handle: kernelHandle } = kernel;
  return {
    functionName,
    events,
    resources: [...resources, ...counts.resources],
    kernels: [kernel.resource],
    call: (calls, handle) =>
      calls.zeCommandListAppendLaunchKernelIndirect(
        handle,
        kernelHandle,
        counts.address,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}

export function appendLaunchMultipleKernelsIndirect(
  list: Commands,
  kernels: readonly Kernel[],
  count: DeviceData,
  groupCounts: DeviceData,
  options: AppendOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendLaunchMultipleKernelsIndirect";
  const events = commandEvents(list, functionName, options);
  if (!Array.isArray(kernels) || kernels.length === 0) {
    throw new ArgumentTypeError({
      functionName,
      argument: "kernels",
      given: kernels,
      accepted: "a list with at least one kernel",
    });
  }
  const resources = kernels.flatMap((kernel, index) =>
    kernelResources(list, functionName, `kernels[${index}]`, kernel)
  );
  const number = integers(list, functionName, "count", count, 1);
  const counts = integers(list, functionName, "groupCounts", groupCounts, 3 * kernels.length);
  const handles = handlesOf(kernels);
  return {
    functionName,
    events,
    resources: [...resources, ...number.resources, ...counts.resources],
    kernels: kernels.map(({ resource }) => resource),
    call: (calls, handle) =>
      calls.zeCommandListAppendLaunchMultipleKernelsIndirect(
        handle,
        handles.length,
        handles,
        number.address,
        counts.address,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}
