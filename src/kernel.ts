/**
 * Kernels.
 *
 * @module
 */

import { ArgumentTypeError, KernelNotFoundError, ZeError } from "./error.ts";
import { nonblocking } from "./library.ts";
import { ze_result_t } from "./libze/enums_ze.ts";
import { zeKernelDestroy, zeKernelGetProperties } from "./libze/functions_ze.ts";
import { ze_kernel_desc_t, ze_kernel_properties_t } from "./libze/structs_ze.ts";
import type { Module } from "./module.ts";
import { nearestName } from "./names.ts";
import { OwnedObject, Resource } from "./resource.ts";

/** What a compiled kernel needs of the device. */
export interface KernelProperties {
  readonly numKernelArgs: number;
  /** In work items; 0 where the kernel's source requires none. */
  readonly requiredGroupSizeX: number;
  readonly requiredGroupSizeY: number;
  readonly requiredGroupSizeZ: number;
  readonly requiredNumSubGroups: number;
  readonly requiredSubgroupSize: number;
  readonly maxSubgroupSize: number;
  readonly maxNumSubgroups: number;
  /** In bytes, for each work group. */
  readonly localMemSize: number;
  /** In bytes, for each work item. */
  readonly privateMemSize: number;
  /** In bytes, for each work item: registers that did not suffice. */
  readonly spillMemSize: number;
  /** The kernel's and its module's UUIDs. */
  readonly uuid: { readonly kid: string; readonly mid: string };
}

/**
 * A function of a module that the device can run. It is freed by `dispose`,
 * or with its module.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=kernel | Kernel}.
 */
export class Kernel extends OwnedObject {
  /** The module that it is a function of. */
  readonly module: Module;
  /** Its name in the module. */
  readonly name: string;

  private constructor(handle: bigint, module: Module, name: string) {
    const destroy = (kernel: bigint): void => void zeKernelDestroy(kernel);
    super(new Resource("Kernel", handle, destroy, module.resource));
    this.module = module;
    this.name = name;
  }

  /**
   * Makes a kernel of the module. Some drivers finish compiling here, so it
   * runs on another thread.
   *
   * @throws {KernelNotFoundError} If the module has none of that name; with the names it has.
   * @throws {ZeError} If the driver refuses.
   */
  static async create(module: Module, name: string): Promise<Kernel> {
    if (typeof name !== "string" || name === "") {
      throw new ArgumentTypeError({
        functionName: "Module.kernel",
        argument: "name",
        given: name,
        accepted: "the name of a kernel",
      });
    }
    const description = ze_kernel_desc_t.create({ pKernelName: name });
    const handle = new BigUint64Array(1);
    return await module.resource.use(async (moduleHandle) => {
      try {
        await nonblocking.zeKernelCreate(moduleHandle, description, handle);
      } catch (error) {
        throw await explain(error, module, name);
      }
      return new Kernel(handle[0]!, module, name);
    });
  }

  /** What the compiled kernel needs of the device. */
  get properties(): KernelProperties {
    const view = ze_kernel_properties_t.create();
    zeKernelGetProperties(this.handle, view);
    const { stype: _stype, pNext: _pNext, ...properties } = ze_kernel_properties_t.read(view);
    return properties;
  }
}

/** Drivers answer an unknown name with either of two codes. */
async function explain(error: unknown, module: Module, name: string): Promise<unknown> {
  const unknownName = error instanceof ZeError &&
    (error.code === ze_result_t.ZE_RESULT_ERROR_INVALID_KERNEL_NAME ||
      error.code === ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT);
  if (!unknownName) return error;
  const available = await module.kernelNames();
  if (available.includes(name)) return error;
  return new KernelNotFoundError(name, available, error.code, nearestName(name, available));
}
