/**
 * Modules: compiled device code.
 *
 * @module
 */

import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { ArgumentTypeError, ModuleBuildError, ZeError } from "./error.ts";
import { addressOf, anchor, cString } from "./ffi/mod.ts";
import { Kernel } from "./kernel.ts";
import { type KernelSignatures, kernelSignatures } from "./kernel_signature.ts";
import { nonblocking } from "./library.ts";
import { ze_module_format_t, ze_module_property_flag_t, ze_result_t } from "./libze/enums_ze.ts";
import {
  zeModuleBuildLogDestroy,
  zeModuleBuildLogGetString,
  zeModuleDestroy,
  zeModuleGetProperties,
} from "./libze/functions_ze.ts";
import {
  ze_module_constants_t,
  ze_module_desc_t,
  ze_module_properties_t,
} from "./libze/structs_ze.ts";
import { byteList, textOf } from "./lists.ts";
import { flagNames, type NameOf } from "./names.ts";
import { OwnedObject, Resource } from "./resource.ts";
import {
  checkSpirv,
  encodeSpecializationConstants,
  isSpirv,
  type SpecializationValue,
} from "./spirv.ts";

export type { SpecializationValue };

interface BuildOptions {
  /** Options for the driver's compiler, such as `-ze-opt-disable`. */
  readonly buildFlags?: string;
}

/** Code in SPIR-V, which the driver compiles. */
export interface SpirvModuleOptions extends BuildOptions {
  /** The SPIR-V; copied before the compile begins. */
  readonly spirv: Uint8Array | ArrayBuffer;
  /** Values for specialization constants by SpecId, in the types that the SPIR-V declares. */
  readonly specializationConstants?: Readonly<Record<number, SpecializationValue>>;
  readonly native?: undefined;
}

/** Code that {@linkcode Module.nativeBinary} gave, for the same device and driver. */
export interface NativeModuleOptions extends BuildOptions {
  /** The native binary; copied before loading begins. */
  readonly native: Uint8Array | ArrayBuffer;
  readonly spirv?: undefined;
  readonly specializationConstants?: undefined;
}

/** What {@linkcode Module.create} takes. */
export type ModuleOptions = SpirvModuleOptions | NativeModuleOptions;

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
    if (device?.driver !== context.driver) {
      throw new ArgumentTypeError({
        functionName: "Module.create",
        argument: "device",
        given: device,
        accepted: "a device of the context's driver",
      }, device instanceof Object ? "of another driver, or no device" : undefined);
    }
    const { description, signatures } = describe(options, device);
    const module = new BigUint64Array(1);
    const log = new BigUint64Array(1);
    return await context.resource.use(async (contextHandle) => {
      let failure: unknown;
      try {
        await nonblocking.zeModuleCreate(contextHandle, device.handle, description, module, log);
      } catch (error) {
        failure = error;
      }
      const buildLog = takeBuildLog(log[0]!);
      if (failure !== undefined) throw explain(failure, buildLog);
      if (FATAL.test(buildLog)) {
        zeModuleDestroy(module[0]!);
        throw new ModuleBuildError(ze_result_t.ZE_RESULT_SUCCESS, buildLog);
      }
      return new Module(module[0]!, context, device, buildLog, signatures);
    });
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

/** The bytes as they are now: the caller may change or transfer the buffer while the driver reads. */
function copyBytes(argument: string, given: unknown): Uint8Array<ArrayBuffer> {
  const isBuffer = given instanceof ArrayBuffer;
  if (!isBuffer && !(given instanceof Uint8Array)) {
    throw new ArgumentTypeError({
      functionName: "Module.create",
      argument,
      given,
      accepted: "a Uint8Array or an ArrayBuffer",
    });
  }
  if (given.byteLength === 0) {
    throw new ArgumentTypeError({
      functionName: "Module.create",
      argument,
      given,
      accepted: "a Uint8Array or an ArrayBuffer with the module in it",
    }, "empty or detached");
  }
  return new Uint8Array(isBuffer ? given.slice(0) : given);
}

interface Description {
  readonly description: Uint8Array<ArrayBuffer>;
  readonly signatures: KernelSignatures | undefined;
}

function describe(options: ModuleOptions, device: Device): Description {
  const { spirv, native, buildFlags, specializationConstants } = options ?? {};
  if ((spirv === undefined) === (native === undefined)) {
    throw new ArgumentTypeError({
      functionName: "Module.create",
      argument: "options",
      given: options,
      accepted: "an object with either `spirv` or `native`",
    }, spirv === undefined ? "without code" : "with both `spirv` and `native`");
  }
  if (buildFlags !== undefined && typeof buildFlags !== "string") {
    throw new ArgumentTypeError({
      functionName: "Module.create",
      argument: "buildFlags",
      given: buildFlags,
      accepted: "a string",
    });
  }
  const { ZE_MODULE_FORMAT_IL_SPIRV, ZE_MODULE_FORMAT_NATIVE } = ze_module_format_t;
  const bytes = spirv === undefined ? copyBytes("native", native) : copyBytes("spirv", spirv);
  if (spirv !== undefined) checkSpirv(bytes, device.moduleProperties.spirvVersionSupported);
  else if (isSpirv(bytes)) {
    throw new ArgumentTypeError({
      functionName: "Module.create",
      argument: "native",
      given: native,
      accepted: "a native binary; give SPIR-V as `spirv`",
    }, "SPIR-V");
  }
  const constants = specializationConstants &&
    encodeSpecializationConstants(bytes, specializationConstants);
  const description = ze_module_desc_t.create({
    format: spirv === undefined ? ZE_MODULE_FORMAT_NATIVE : ZE_MODULE_FORMAT_IL_SPIRV,
    inputSize: BigInt(bytes.byteLength),
    pInputModule: bytes,
    ...(buildFlags === undefined ? {} : { pBuildFlags: buildFlags }),
    ...(constants?.size ? { pConstants: constantsStruct(constants) } : {}),
  });
  return { description, signatures: spirv === undefined ? undefined : kernelSignatures(bytes) };
}

function constantsStruct(constants: Map<number, Uint8Array>): Uint8Array<ArrayBuffer> {
  const values = [...constants.values()];
  const pointers = new BigUint64Array(values.map(addressOf));
  anchor(pointers, ...values);
  return ze_module_constants_t.create({
    numConstants: constants.size,
    pConstantIds: new Uint32Array(constants.keys()),
    pConstantValues: pointers,
  });
}

/** Reads the log and destroys it, whether the build succeeded or not. */
function takeBuildLog(log: bigint): string {
  if (log === 0n) return "";
  try {
    return textOf(byteList((size, text) => zeModuleBuildLogGetString(log, size, text))).trim();
  } finally {
    zeModuleBuildLogDestroy(log);
  }
}

function explain(failure: unknown, buildLog: string): unknown {
  const isBuild = failure instanceof ZeError &&
    (failure.code === ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE || buildLog !== "");
  return isBuild ? new ModuleBuildError(failure.code, buildLog, failure) : failure;
}
