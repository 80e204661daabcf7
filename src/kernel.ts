/**
 * Kernels.
 *
 * @module
 */

import type { KernelArgument } from "./typed_argument.ts";
import { checkInteger } from "./checks.ts";
import type { Context } from "./context.ts";
import type { DeviceComputeProperties } from "./device_properties.ts";
import { ArgumentRangeError, ArgumentTypeError, KernelNotFoundError, ZeError } from "./error.ts";
import { checkGroupSize, type Size3D } from "./group_size.ts";
import * as attributes from "./kernel_attributes.ts";
import type {
  CacheConfig,
  IndirectAccess,
  KernelAllocation,
  KernelProperties,
  SchedulingHint,
} from "./kernel_attributes.ts";
import { KernelArguments } from "./kernel_arguments.ts";
import type { KernelParameter } from "./kernel_signature.ts";
import { nonblocking } from "./library.ts";
import { ze_result_t } from "./libze/enums_ze.ts";
import {
  zeKernelDestroy,
  zeKernelSetGroupSize,
  zeKernelSuggestGroupSize,
  zeKernelSuggestMaxCooperativeGroupCount,
} from "./libze/functions_ze.ts";
import { ze_kernel_desc_t } from "./libze/structs_ze.ts";
import type { Module } from "./module.ts";
import { nearestName } from "./names.ts";
import { OwnedObject, Resource } from "./resource.ts";

export type { KernelProperties };

const NOT_SET: Size3D = [0, 0, 0];
const LARGEST_UINT32 = 2 ** 32 - 1;

/**
 * A function of a module that the device can run. It is freed by `dispose`,
 * or with its module.
 *
 * ```ts
 * using kernel = await module.kernel("scale");
 * kernel.args(memory, 0.5).setGroupSize(64);
 * ```
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=kernel | Kernel}.
 */
export class Kernel extends OwnedObject {
  /** The module that it is a function of. */
  readonly module: Module;
  /** Its name in the module. */
  readonly name: string;

  /**
   * The types of the parameters; undefined where they are not known, as in a
   * module from a native binary.
   */
  readonly parameters: readonly KernelParameter[] | undefined;
  /** The arguments as they are set. Not part of the public interface. */
  readonly arguments: KernelArguments;
  readonly #required: Size3D;
  readonly #localMemSize: number;
  readonly #limits: DeviceComputeProperties;
  #groupSize: Size3D = NOT_SET;
  /** Why it can't be launched; null after a change, until it is asked for. */
  #problem: string | undefined | null = null;

  private constructor(handle: bigint, module: Module, name: string) {
    const destroy = (kernel: bigint): void => void zeKernelDestroy(kernel);
    super(new Resource("Kernel", handle, destroy, module.resource));
    this.module = module;
    this.name = name;
    try {
      const { numKernelArgs, localMemSize, ...properties } = this.properties;
      const declared = module.signatures?.get(name);
      // A driver that counts otherwise knows of something that the SPIR-V does not tell.
      this.parameters = declared?.length === numKernelArgs ? declared : undefined;
      this.#localMemSize = localMemSize;
      this.#limits = module.device.computeProperties;
      const { maxSharedLocalMemory } = this.#limits;
      const limits = { count: numKernelArgs, maxSharedLocalMemory };
      this.arguments = new KernelArguments(this, limits, this.parameters);
      const { requiredGroupSizeX, requiredGroupSizeY, requiredGroupSizeZ } = properties;
      this.#required = [requiredGroupSizeX, requiredGroupSizeY, requiredGroupSizeZ];
      if (requiredGroupSizeX > 0) this.setGroupSize(...this.#required);
    } catch (error) {
      this.dispose();
      throw error;
    }
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
    return attributes.properties(this);
  }

  /** The context that its module was made in. */
  get context(): Context {
    return this.module.context;
  }

  /**
   * Sets all arguments at once. What is launched later has them; what was
   * launched before is not changed. Everything is checked first: if it throws,
   * none is set. The kernel keeps what is set, so that it is not collected; it
   * does not keep it from being disposed.
   *
   * ```ts
   * kernel.args(memory, 0.5, argument.local(1024));
   * ```
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If there are more or fewer than the kernel
   * has, or a value is not what the kernel declares.
   * @throws {UseAfterDisposeError} If the kernel or a value was disposed.
   * @throws {HandleBusyError} If a call on another thread has the kernel to itself.
   */
  args(...values: readonly KernelArgument[]): this {
    void this.handle;
    this.#problem = null;
    this.arguments.setAll("Kernel.args", values);
    return this;
  }

  /**
   * Sets one argument, as {@linkcode Kernel.args} sets all.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeKernelSetArgumentValue | zeKernelSetArgumentValue}.
   *
   * @param index Counted from 0.
   * @throws {ArgumentTypeError | ArgumentRangeError} If the kernel has no such argument, or the
   * value is not what it declares.
   * @throws {UseAfterDisposeError} If the kernel or the value was disposed.
   * @throws {HandleBusyError} If a call on another thread has the kernel to itself.
   */
  setArgument(index: number, value: KernelArgument): this {
    void this.handle;
    this.#problem = null;
    this.arguments.set("Kernel.setArgument", index, value);
    return this;
  }

  /**
   * What must not be freed while the kernel runs: the memory, images and
   * samplers that are set as arguments, and modules that its own is linked with.
   */
  get argumentResources(): readonly Resource[] {
    const { resources } = this.arguments;
    const { linked } = this.module;
    // The code of other modules, too, has to be there.
    return linked.size === 0 ? resources : [...resources, ...linkedResources(linked)];
  }

  /** The work items of a group, in each dimension; all 0 until it is set. */
  get groupSize(): Size3D {
    return this.#groupSize;
  }

  /**
   * Sets how many work items are in a group. A kernel whose source requires a
   * size has it from the start.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeKernelSetGroupSize | zeKernelSetGroupSize}.
   *
   * @throws {ArgumentTypeError} If a size is no integer.
   * @throws {ArgumentRangeError} If the device can't have such groups, or the kernel requires others.
   */
  setGroupSize(x: number, y = 1, z = 1): this {
    const size = checkGroupSize("Kernel.setGroupSize", x, y, z, {
      kernel: this.name,
      device: this.#limits,
      required: this.#required,
    });
    zeKernelSetGroupSize(this.handle, ...size);
    this.#groupSize = size;
    this.#problem = null;
    return this;
  }

  /**
   * A group size that suits the device, for so many work items in all. Nothing is set.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeKernelSuggestGroupSize | zeKernelSuggestGroupSize}.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If a size is no integer from 1 to 2 ** 32 - 1.
   */
  suggestGroupSize(globalX: number, globalY = 1, globalZ = 1): Size3D {
    const functionName = "Kernel.suggestGroupSize";
    const global = [
      checkInteger(functionName, "globalX", globalX, 1, LARGEST_UINT32),
      checkInteger(functionName, "globalY", globalY, 1, LARGEST_UINT32),
      checkInteger(functionName, "globalZ", globalZ, 1, LARGEST_UINT32),
    ] as const;
    const [x, y, z] = [new Uint32Array(1), new Uint32Array(1), new Uint32Array(1)];
    zeKernelSuggestGroupSize(this.handle, ...global, x, y, z);
    return [x[0]!, y[0]!, z[0]!];
  }

  /**
   * The most groups that a cooperative launch may have, at the group size and
   * with the arguments that are set.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeKernelSuggestMaxCooperativeGroupCount | zeKernelSuggestMaxCooperativeGroupCount}.
   *
   * @throws {ArgumentRangeError} If the group size is not set.
   */
  get maxCooperativeGroupCount(): number {
    const { handle } = this;
    if (this.#groupSize[0] === 0) {
      throw new ArgumentRangeError({
        functionName: "Kernel.maxCooperativeGroupCount",
        argument: "groupSize",
        given: undefined,
        accepted: "set before, by setGroupSize()",
      });
    }
    const count = new Uint32Array(1);
    zeKernelSuggestMaxCooperativeGroupCount(handle, count);
    return count[0]!;
  }

  /** Why it can't be launched as it is, in words; undefined if it can. */
  launchProblem(): string | undefined {
    if (this.#problem === null) this.#problem = this.#findProblem();
    return this.#problem;
  }

  /** The kinds of memory that the kernel reaches through pointers in memory, not through arguments. */
  get indirectAccess(): readonly (IndirectAccess | `unknown_${string}`)[] {
    return attributes.indirectAccess(this);
  }

  /**
   * Tells the driver which kinds of memory the kernel reaches through pointers
   * that it finds in memory: it makes all of that kind available. Such memory
   * is not known to be in use: don't dispose it while the kernel runs.
   *
   * ```ts
   * kernel.setIndirectAccess(["device", "shared"]);
   * ```
   *
   * @throws {ArgumentTypeError} If it is no list of the kinds.
   */
  setIndirectAccess(kinds: readonly IndirectAccess[]): this {
    attributes.setIndirectAccess(this, kinds);
    return this;
  }

  /**
   * Wishes for how the device divides its caches; it may ignore them.
   *
   * @throws {ArgumentTypeError} If it is no list of the wishes.
   */
  setCacheConfig(wishes: readonly CacheConfig[]): this {
    attributes.setCacheConfig(this, wishes);
    return this;
  }

  /** The attributes that the source gives the kernel, where the compiler kept them. */
  get sourceAttributes(): readonly string[] {
    return attributes.sourceAttributes(this);
  }

  /** The name that the driver has for it. */
  get nativeName(): string {
    return attributes.nativeName(this);
  }

  /**
   * The compiled code of this kernel alone.
   *
   * @throws {UnsupportedFeatureError} Without `ZE_extension_kernel_binary_exp`.
   */
  nativeBinary(): Uint8Array<ArrayBuffer> {
    return attributes.nativeBinary(this);
  }

  /**
   * Has the global ids of work items begin at other numbers than 0, in later launches.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If one is no integer from 0 to 2 ** 32 - 1.
   * @throws {UnsupportedFeatureError} Without `ZE_experimental_global_offset`.
   */
  setGlobalOffset(x: number, y = 0, z = 0): this {
    attributes.setGlobalOffset(this, x, y, z);
    return this;
  }

  /**
   * Asks for an order in which the device's threads take turns.
   *
   * @throws {ArgumentTypeError} If it is none of the hints.
   * @throws {UnsupportedFeatureError} Without `ZE_experimental_scheduling_hints`, or if the device
   * does not have this one.
   */
  setSchedulingHint(hint: SchedulingHint): this {
    attributes.setSchedulingHint(this, hint);
    return this;
  }

  /**
   * The memory that a launch would use, with the arguments that are set.
   *
   * @throws {UnsupportedFeatureError} Without `ZE_experimental_kernel_allocation_properties`.
   */
  get allocations(): readonly KernelAllocation[] {
    return attributes.allocations(this);
  }

  /**
   * What group sizes are best a multiple of, in work items.
   *
   * @throws {UnsupportedFeatureError} If the driver does not tell.
   */
  get preferredGroupSizeMultiple(): number {
    return attributes.preferredGroupSizeMultiple(this);
  }

  /**
   * The most work items that a group of this kernel may have: no more than the
   * device's `maxTotalGroupSize`, and less if the kernel needs much of it.
   *
   * @throws {UnsupportedFeatureError} Without `ZE_extension_kernel_max_group_size_properties`.
   */
  get maxGroupSize(): number {
    return attributes.maxGroupSize(this);
  }

  #findProblem(): string | undefined {
    const kernel = `kernel ${JSON.stringify(this.name)}`;
    const { unset, localByteLength } = this.arguments;
    if (unset.length > 0) {
      const which = `argument${unset.length > 1 ? "s" : ""} ${unset.join(", ")}`;
      return `${kernel} lacks ${which}: set all by args(), or each by setArgument()`;
    }
    if (this.#groupSize[0] === 0) {
      return `${kernel} has no group size: set it by setGroupSize()`;
    }
    const { maxSharedLocalMemory } = this.#limits;
    const local = localByteLength + this.#localMemSize;
    return localByteLength > 0 && local > maxSharedLocalMemory
      ? `${kernel} needs ${local} bytes of local memory, and a group has no more than ${maxSharedLocalMemory}`
      : undefined;
  }
}

function* linkedResources(modules: Iterable<Module>): Generator<Resource> {
  for (const { resource } of modules) yield resource;
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
