/**
 * Modules: compiled device code.
 *
 * @module
 */

import { takeLog } from "./build_log.ts";
import { checkOwned } from "./checks.ts";
import type { Context } from "./context.ts";
import { checkDevice, type Device } from "./device.ts";
import { ArgumentTypeError, ModuleBuildError, ZeError } from "./error.ts";
import { cString } from "./ffi/mod.ts";
import { Kernel } from "./kernel.ts";
import type { KernelSignatures } from "./kernel_signature.ts";
import { nonblocking } from "./library.ts";
import { ze_module_property_flag_t, ze_result_t } from "./libze/enums_ze.ts";
import { zeModuleDestroy, zeModuleGetProperties } from "./libze/functions_ze.ts";
import { ze_module_properties_t } from "./libze/structs_ze.ts";
import {
  describeModule,
  type ModuleOptions,
  type NativeModuleOptions,
  type SpirvModuleOptions,
} from "./module_description.ts";
import {
  findFunction,
  findGlobal,
  type GlobalVariable,
  inspect,
  link,
  type LinkageKind,
} from "./module_link.ts";
import { flagNames, type NameOf } from "./names.ts";
import { OwnedObject, Resource } from "./resource.ts";
import type { SpecializationValue } from "./spirv.ts";

export type { ModuleOptions, NativeModuleOptions, SpecializationValue, SpirvModuleOptions };

/** What the driver tells of a module. */
export interface ModuleProperties {
  /** `imports` if it has symbols that another module has to provide. */
  readonly flags: readonly (
    | NameOf<typeof ze_module_property_flag_t, "ZE_MODULE_PROPERTY_FLAG">
    | `unknown_${string}`
  )[];
}

/** Words in the log of a build that failed, whatever its result says. */
const FATAL = /backend compiler failed build|\bfatal error\b/i;

/**
 * Device code, compiled for one device. It is freed by `dispose`, `using` or
 * `await using`, or with its context; its kernels are freed before it.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=module | Module}.
 */
export class Module extends OwnedObject {
  /** The context that it was made in. */
  readonly context: Context;
  /** The device that it was compiled for. */
  readonly device: Device;
  /** What the compiler had to say though it succeeded; empty if nothing. */
  readonly buildLog: string;
  /**
   * The kernels' parameters; undefined for a native binary, which does not
   * tell. Not part of the public interface.
   */
  readonly signatures: KernelSignatures | undefined;
  /** The modules that it is linked with. Not part of the public interface. */
  readonly linked: Set<Module> = new Set();
  /** Those that were asked for: they live as long as the module. */
  readonly #globals = new Map<string, GlobalVariable>();

  private constructor(
    handle: bigint,
    context: Context,
    device: Device,
    buildLog: string,
    signatures: KernelSignatures | undefined,
  ) {
    const destroy = (module: bigint): void => void zeModuleDestroy(module);
    super(new Resource("Module", handle, destroy, context.resource));
    this.context = context;
    this.device = device;
    this.buildLog = buildLog;
    this.signatures = signatures;
  }

  /**
   * Compiles SPIR-V, or loads a native binary, on another thread: the event
   * loop goes on meanwhile. The caller disposes the module, or the context does.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeModuleCreate | zeModuleCreate}.
   *
   * @throws {InvalidSpirvError} If the bytes are no SPIR-V; nothing is compiled.
   * @throws {ModuleBuildError} If the compiler refuses it; with its log.
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   * @throws {UseAfterDisposeError} If the context is disposed, even while this compiles.
   * @throws {ZeError} If the driver refuses otherwise.
   */
  static async create(context: Context, device: Device, options: ModuleOptions): Promise<Module> {
    checkDevice("Module.create", "device", device, context);
    const { description, signatures } = describeModule(options, device);
    const module = new BigUint64Array(1);
    const log = new BigUint64Array(1);
    return await context.resource.use(async (contextHandle) => {
      let failure: unknown;
      try {
        await nonblocking.zeModuleCreate(contextHandle, device.handle, description, module, log);
      } catch (error) {
        failure = error;
      }
      const buildLog = takeLog(log[0]!);
      if (failure !== undefined) throw explain(failure, buildLog);
      if (FATAL.test(buildLog)) {
        zeModuleDestroy(module[0]!);
        throw new ModuleBuildError(ze_result_t.ZE_RESULT_SUCCESS, buildLog);
      }
      return new Module(module[0]!, context, device, buildLog, signatures);
    });
  }

  /**
   * Resolves what modules import by what others of them export, on another
   * thread; gives what the linker had to say. Modules that import have to be
   * linked before kernels can be made of them, and all of them have to be there
   * as long as those kernels run. Intel's compiler exports functions only of
   * modules built with the flag `-library-compilation`.
   *
   * ```ts
   * await Module.link([program, library]);
   * const kernel = await program.kernel("main");
   * ```
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeModuleDynamicLink | zeModuleDynamicLink}.
   *
   * @throws {ModuleLinkError} If something is missing, or there twice; with the linker's log.
   * @throws {ArgumentTypeError} If it is no list of modules of one context.
   * @throws {UseAfterDisposeError} If one was disposed.
   */
  static async link(modules: readonly Module[]): Promise<string> {
    const checked = checkModules("Module.link", modules);
    const log = await link(checked);
    for (const module of checked) {
      for (const other of checked) if (other !== module) module.linked.add(other);
    }
    return log;
  }

  /**
   * What modules import and export, in the driver's words, on another thread.
   * All kinds by default.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeModuleInspectLinkageExt | zeModuleInspectLinkageExt}.
   *
   * @throws {UnsupportedFeatureError} Without `ZE_extension_linkage_inspection`.
   * @throws {ArgumentTypeError} If it is no list of modules of one context, or no list of kinds.
   * @throws {UseAfterDisposeError} If one was disposed.
   */
  static async inspectLinkage(
    modules: readonly Module[],
    kinds: readonly LinkageKind[] = ["imports", "unresolvable_imports", "exports"],
  ): Promise<string> {
    return await inspect(checkModules("Module.inspectLinkage", modules), kinds);
  }

  /** What the driver tells of the module. */
  get properties(): ModuleProperties {
    const view = ze_module_properties_t.create();
    zeModuleGetProperties(this.handle, view);
    const { flags } = ze_module_properties_t.read(view);
    return { flags: flagNames(ze_module_property_flag_t, "ZE_MODULE_PROPERTY_FLAG", flags) };
  }

  /** The names of the kernels, in the module's order. */
  async kernelNames(): Promise<string[]> {
    return await this.resource.use(async (handle) => {
      const count = new Uint32Array(1);
      await nonblocking.zeModuleGetKernelNames(handle, count, null);
      if (count[0] === 0) return [];
      const names = new BigUint64Array(count[0]!);
      await nonblocking.zeModuleGetKernelNames(handle, count, names);
      // The texts are the module's own, and `use` keeps it.
      return [...names.subarray(0, count[0])].map((address) => cString(address));
    });
  }

  /**
   * A kernel of the module. The caller disposes it, or the module does.
   *
   * @throws {KernelNotFoundError} If there is none of that name; with the names there are.
   */
  kernel(name: string): Promise<Kernel> {
    return Kernel.create(this, name);
  }

  /**
   * A global variable that the module exports, in the memory of its device. It
   * ends with the module; the same object each time.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeModuleGetGlobalPointer | zeModuleGetGlobalPointer}.
   *
   * @throws {ZeError} If the module exports none of that name, or the driver tells no addresses.
   */
  globalPointer(name: string): GlobalVariable {
    const { handle: _handle } = this;
    let global = this.#globals.get(name);
    if (!global || global.disposed) this.#globals.set(name, global = findGlobal(this, name));
    return global;
  }

  /**
   * The address of a function that the module exports, for the device: a kernel
   * can call it. It ends with the module. Intel's compiler has none in modules
   * built without the flag `-library-compilation`.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeModuleGetFunctionPointer | zeModuleGetFunctionPointer}.
   *
   * @throws {ZeError} If the module exports none of that name, or the driver tells no addresses.
   */
  functionPointer(name: string): bigint {
    return findFunction(this, name);
  }

  /**
   * The compiled code, to be loaded later by {@linkcode Module.create} with the
   * same driver and kind of device, without compiling.
   */
  async nativeBinary(): Promise<Uint8Array<ArrayBuffer>> {
    return await this.resource.use(async (handle) => {
      const size = new BigUint64Array(1);
      await nonblocking.zeModuleGetNativeBinary(handle, size, null);
      const bytes = new Uint8Array(Number(size[0]));
      await nonblocking.zeModuleGetNativeBinary(handle, size, bytes);
      return bytes;
    });
  }
}

function checkModules(functionName: string, modules: readonly Module[]): readonly Module[] {
  if (!Array.isArray(modules) || modules.length === 0) {
    throw new ArgumentTypeError({
      functionName,
      argument: "modules",
      given: modules,
      accepted: "a list of modules that is not empty",
    });
  }
  const context = modules[0]?.context;
  const checked = modules.map((module, i) =>
    checkOwned(functionName, `modules[${i}]`, module, Module, context)
  );
  return [...new Set(checked)];
}

function explain(failure: unknown, buildLog: string): unknown {
  const isBuild = failure instanceof ZeError &&
    (failure.code === ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE || buildLog !== "");
  return isBuild ? new ModuleBuildError(failure.code, buildLog, failure) : failure;
}
