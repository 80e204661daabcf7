/**
 * Launches that bring their arguments with them.
 *
 * @module
 */

import type { KernelArgument } from "../typed_argument.ts";
import { checkOptions } from "../checks.ts";
import type { Commands } from "../commands.ts";
import { ArgumentTypeError, ZeError } from "../error.ts";
import { addressOf, anchor } from "../ffi/mod.ts";
import type { Kernel } from "../kernel.ts";
import { has } from "../library.ts";
import { ze_result_t } from "../libze/enums_ze.ts";
import { ze_group_size_t } from "../libze/structs_ze.ts";
import { type AppendOptions, type Command, commandEvents } from "./command.ts";
import { type GroupCount, groupCountStruct, kernelResources } from "./launch.ts";

/** What a launch with arguments takes besides them. */
export interface LaunchOptions extends AppendOptions {
  /** The work groups: along x, or along x, y and z. */
  readonly groupCount: GroupCount;
  /** The work items of a group, along x, y and z; as it was set by default. */
  readonly groupSize?: number | readonly [x: number, y?: number, z?: number];
}

/** Drivers that answered that they can't do it in one call. */
const withoutIt = new WeakSet<object>();

export function appendLaunchKernelWithArguments(
  list: Commands,
  kernel: Kernel,
  options: LaunchOptions,
  args: readonly KernelArgument[],
): Command {
  const functionName = "zeCommandListAppendLaunchKernelWithArguments";
  if (typeof options !== "object" || options === null) {
    throw new ArgumentTypeError({
      functionName,
      argument: "options",
      given: options,
      accepted: "an object with groupCount, and groupSize unless it is set",
    });
  }
  const { groupCount, groupSize, ...appendOptions } = options;
  checkOptions(functionName, options, ["groupCount", "groupSize", "signal", "waitFor"]);
  const events = commandEvents(list, functionName, appendOptions);
  kernelResources(list, functionName, "kernel", kernel, false);
  const count = groupCountStruct(functionName, list.device, groupCount);
  if (groupSize !== undefined) {
    const sizes = typeof groupSize === "number" ? [groupSize] as const : groupSize;
    if (!Array.isArray(sizes)) {
      throw new ArgumentTypeError({
        functionName,
        argument: "options.groupSize",
        given: groupSize,
        accepted: "a number of work items, or a list of up to three: [x, y, z]",
      });
    }
    kernel.setGroupSize(...sizes as [number, number?, number?]);
  }
  const inOneCall = has(functionName) && !withoutIt.has(list.device.driver) &&
    !list.appendsLater;
  const pointers = inOneCall ? setByCall(kernel, functionName, args) : undefined;
  if (!pointers) kernel.args(...args);
  const resources = kernelResources(list, functionName, "kernel", kernel);
  const [groupSizeX, groupSizeY, groupSizeZ] = kernel.groupSize;
  const size = ze_group_size_t.create({ groupSizeX, groupSizeY, groupSizeZ });
  const kernelHandle = kernel.handle;
  return {
    functionName,
    events,
    resources,
    kernels: [kernel.resource],
    call(calls, handle): unknown {
      const last = [events.signalHandle, events.waitFor.length, events.waitHandles] as const;
      if (pointers) {
        try {
          return calls.zeCommandListAppendLaunchKernelWithArguments(
            handle,
            kernelHandle,
            count,
            size,
            pointers,
            null,
            ...last,
          );
        } catch (error) {
          // The driver may not have them; the kernel says that they are set.
          kernel.args(...args);
          if (!lacksIt(error)) throw error;
          withoutIt.add(list.device.driver);
        }
      }
      return calls.zeCommandListAppendLaunchKernel(handle, kernelHandle, count, ...last);
    },
  };
}

function lacksIt(error: unknown): boolean {
  return error instanceof ZeError &&
    error.code === ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

/** Checks the arguments and notes them as set; gives them as the C function takes them. */
function setByCall(
  kernel: Kernel,
  functionName: string,
  args: readonly KernelArgument[],
): BigUint64Array | null {
  let pointers: BigUint64Array | null = null;
  kernel.arguments.setAllBy(functionName, args, (values) => {
    if (values.length === 0) return;
    const copies = values.map(({ bytes }) => bytes.slice());
    pointers = BigUint64Array.from(copies, addressOf);
    anchor(pointers, ...copies);
  });
  return pointers;
}
