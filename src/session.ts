/**
 * The common case in one call: a device, a module, and kernels run on arrays.
 *
 * @module
 */

import type { Allocator } from "./allocation.ts";
import type { KernelArgument } from "./typed_argument.ts";
import { checkInstance, checkInteger, checkOptions } from "./checks.ts";
import type { Context } from "./context.ts";
import { Device } from "./device.ts";
import { ArgumentRangeError, ArgumentTypeError } from "./error.ts";
import type { ImmediateCommandList } from "./immediate_command_list.ts";
import { drivers } from "./init.ts";
import type { Kernel } from "./kernel.ts";
import type { Memory } from "./memory.ts";
import type { Module, ModuleOptions } from "./module.ts";
import { type TypedArray, typedArrayClass } from "./typed_array.ts";

/** What {@linkcode Session.open} takes: a module, and where it is to run. */
export type SessionOptions = ModuleOptions & {
  /** The first GPU by default, or the first device where there is none. */
  readonly device?: Device;
};

/** How much work a run is: the work items along x, or along x, y and z. */
export type GlobalSize = number | readonly [x: number, y?: number, z?: number];

/** What {@linkcode Session.run} takes instead of a size alone. */
export interface RunOptions {
  /** The work items in all, along x, or along x, y and z. */
  readonly globalSize: GlobalSize;
  /** The work items of a group; chosen by the driver by default. */
  readonly groupSize?: GlobalSize;
}

/** Arguments of a kernel; a typed array for a pointer is copied to the device and back. */
export type RunArgument = KernelArgument | TypedArray;

type Size3D = readonly [x: number, y: number, z: number];

const LARGEST = 2 ** 32 - 1;

/**
 * A module on a device, and what it takes to run its kernels. For quick
 * scripts: `await` is all the synchronization that is needed.
 *
 * ```ts
 * import { readFile } from "node:fs/promises";
 *
 * await using session = await Session.open({ spirv: await readFile("vector_add.spv") });
 * const sum = new Int32Array(3);
 * await session.run("vector_add", 3, Int32Array.of(1, 2, 3), Int32Array.of(4, 5, 6), sum);
 * console.log(sum); // 5, 7, 9
 * ```
 *
 * Typed arrays are copied to the device and back at each run. Data that is used
 * again stays there in memory from {@linkcode Session.alloc}.
 */
export class Session implements AsyncDisposable {
  /** Where kernels run. */
  readonly device: Device;
  /** The session's own; freed with it, and all that is made in it. */
  readonly context: Context;
  /** What the kernels are of. */
  readonly module: Module;
  /** What runs are appended to, in order; for other commands as well. */
  readonly list: ImmediateCommandList;
  readonly #kernels = new Map<string, Promise<Kernel>>();

  private constructor(module: Module) {
    const { context, device } = module;
    this.device = device;
    this.context = context;
    this.module = module;
    this.list = context.createImmediateCommandList(device);
  }

  /**
   * Compiles a module for a device. The caller disposes the session, by `await using`.
   *
   * @throws {ZeError} If there is no driver; with what to look at.
   * @throws {InvalidSpirvError | ModuleBuildError} If the module can't be compiled.
   */
  static async open(options: SessionOptions): Promise<Session> {
    const { device: wanted, ...moduleOptions } = options ?? {};
    const device = wanted === undefined
      ? firstDevice()
      : checkInstance("Session.open", "options.device", wanted, Device);
    const context = device.driver.createContext({ devices: [device] });
    try {
      return new Session(await context.createModule(device, moduleOptions as ModuleOptions));
    } catch (error) {
      context.dispose();
      throw error;
    }
  }

  /** Allocates memory that stays on the device between runs; freed with the session. */
  get alloc(): Allocator {
    return this.context.alloc;
  }

  /** A kernel of the module, the same each time. */
  kernel(name: string): Promise<Kernel> {
    let kernel = this.#kernels.get(name);
    if (!kernel) {
      kernel = this.module.kernel(name);
      this.#kernels.set(name, kernel);
      kernel.catch(() => this.#kernels.delete(name));
    }
    return kernel;
  }

  /**
   * Runs a kernel to its end, without holding up the event loop.
   *
   * Where the kernel has a pointer, a typed array may be given: it is copied to
   * the device before the run, and back after it.
   *
   * @param size The work items in all, along x, or [x, y, z]; or an object with the group size.
   * @throws {KernelNotFoundError} If the module has no kernel of that name.
   * @throws {ArgumentTypeError | ArgumentRangeError} If arguments or sizes do not fit.
   * @throws {ZeError} If the device fails.
   */
  async run(
    name: string,
    size: GlobalSize | RunOptions,
    ...args: readonly RunArgument[]
  ): Promise<void> {
    const kernel = await this.kernel(name);
    const options = isSize(size) ? { globalSize: size } : size;
    checkOptions("Session.run", options, ["globalSize", "groupSize"]);
    const global = size3D("globalSize", options.globalSize);
    const copies = new Map<TypedArray, Memory>();
    try {
      kernel.args(...args.map((argument, index) => this.#stage(kernel, index, argument, copies)));
      const group = options.groupSize === undefined
        ? chooseGroup(kernel, global)
        : size3D("groupSize", options.groupSize);
      kernel.setGroupSize(...group);
      this.list.appendLaunchKernel(kernel, groupCount(global, group));
      await this.list.synchronize();
      for (const [array, { view }] of copies) bytesOf(array).set(bytesOf(view));
    } finally {
      for (const memory of copies.values()) memory.dispose();
    }
  }

  /** Memory in place of an array, where the kernel has a pointer. */
  #stage(
    kernel: Kernel,
    index: number,
    argument: RunArgument,
    copies: Map<TypedArray, Memory>,
  ): KernelArgument {
    const kind = kernel.parameters?.[index]?.kind;
    if (typedArrayClass(argument) === undefined || kind !== undefined && kind !== "pointer") {
      return argument;
    }
    const array = argument as TypedArray;
    // The same array twice is the same memory twice, as it is for the kernel on a host.
    let memory = copies.get(array);
    if (!memory) {
      memory = this.alloc.shared(array, { device: this.device });
      copies.set(array, memory);
    }
    return memory;
  }

  /** Frees the session, when its runs are over. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.context[Symbol.asyncDispose]();
  }
}

function firstDevice(): Device {
  const devices = drivers().flatMap((driver) => driver.devices);
  return devices.find(({ type }) => type === "gpu") ?? devices[0]!;
}

function bytesOf({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function isSize(size: GlobalSize | RunOptions): size is GlobalSize {
  return typeof size === "number" || Array.isArray(size);
}

function size3D(argument: string, size: GlobalSize): Size3D {
  const sides: readonly unknown[] = typeof size === "number" ? [size] : size;
  if (!Array.isArray(sides) || sides.length < 1 || sides.length > 3) {
    throw new ArgumentTypeError({
      functionName: "Session.run",
      argument,
      given: size,
      accepted: "a number of work items, or a list of up to three: [x, y, z]",
    });
  }
  const [x, y = 1, z = 1] = sides.map((side) =>
    checkInteger("Session.run", argument, side ?? 1, 1, LARGEST)
  );
  return [x!, y, z];
}

/** The driver's choice, cut down to what divides the global size. */
function chooseGroup(kernel: Kernel, global: Size3D): Size3D {
  const { requiredGroupSizeX: x, requiredGroupSizeY: y, requiredGroupSizeZ: z } = kernel.properties;
  if (x > 0) return [x, y, z];
  const suggested = kernel.suggestGroupSize(...global);
  const divisor = (side: number, limit: number): number => {
    for (let size = Math.min(side, limit); size > 1; size--) if (side % size === 0) return size;
    return 1;
  };
  return [
    divisor(global[0], suggested[0]),
    divisor(global[1], suggested[1]),
    divisor(global[2], suggested[2]),
  ];
}

function groupCount(global: Size3D, group: Size3D): [number, number, number] {
  return global.map((side, axis) => {
    if (side % group[axis]! === 0) return side / group[axis]!;
    throw new ArgumentRangeError({
      functionName: "Session.run",
      argument: "globalSize",
      given: global,
      accepted: `a multiple of the group size, ${group.join(" x ")}`,
    }, global.join(" x "));
  }) as [number, number, number];
}
