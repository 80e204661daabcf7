/**
 * What a module is made from.
 *
 * @module
 */

import type { Device } from "./device.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "./error.ts";
import { addressOf, anchor } from "./ffi/mod.ts";
import { type KernelSignatures, kernelSignatures } from "./kernel_signature.ts";
import { ze_module_format_t } from "./libze/enums_ze.ts";
import {
  ze_module_constants_t,
  ze_module_desc_t,
  ze_module_program_exp_desc_t,
} from "./libze/structs_ze.ts";
import {
  checkSpirv,
  encodeSpecializationConstants,
  isSpirv,
  type SpecializationValue,
} from "./spirv.ts";

interface BuildOptions {
  /** Options for the driver's compiler, such as `-ze-opt-disable`. */
  readonly buildFlags?: string;
}

/** Code in SPIR-V, which the driver compiles. */
export interface SpirvModuleOptions extends BuildOptions {
  /**
   * The SPIR-V; copied before the compile begins. Several modules, for drivers
   * with `ZE_experimental_module_program`, are linked into one.
   */
  readonly spirv: Uint8Array | ArrayBuffer | readonly (Uint8Array | ArrayBuffer)[];
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

/**
 * The descriptor for the driver, and what is read off the code before.
 *
 * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
 * @throws {InvalidSpirvError} If the bytes are no SPIR-V.
 * @throws {UnsupportedFeatureError} If there are several modules, and the driver takes one.
 */
export function describeModule(options: ModuleOptions, device: Device): Description {
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
  if (Array.isArray(spirv) && spirv.length !== 1) {
    return describeProgram(spirv, buildFlags, specializationConstants, device);
  }
  return spirv === undefined
    ? describeNative(native, buildFlags)
    : describeSpirv(Array.isArray(spirv) ? spirv[0] : spirv, options, device);
}

/** The bytes of SPIR-V that a device can be given. */
function copySpirv(argument: string, given: unknown, device: Device): Uint8Array<ArrayBuffer> {
  const bytes = copyBytes(argument, given);
  checkSpirv(bytes, device.moduleProperties.spirvVersionSupported);
  return bytes;
}

function describeNative(native: unknown, buildFlags: string | undefined): Description {
  const bytes = copyBytes("native", native);
  if (isSpirv(bytes)) {
    throw new ArgumentTypeError({
      functionName: "Module.create",
      argument: "native",
      given: native,
      accepted: "a native binary; give SPIR-V as `spirv`",
    }, "SPIR-V");
  }
  const description = ze_module_desc_t.create({
    format: ze_module_format_t.ZE_MODULE_FORMAT_NATIVE,
    inputSize: BigInt(bytes.byteLength),
    pInputModule: bytes,
    ...(buildFlags === undefined ? {} : { pBuildFlags: buildFlags }),
  });
  return { description, signatures: undefined };
}

function describeSpirv(
  spirv: unknown,
  { buildFlags, specializationConstants }: ModuleOptions,
  device: Device,
): Description {
  const bytes = copySpirv("spirv", spirv, device);
  const constants = specializationConstants &&
    encodeSpecializationConstants(bytes, specializationConstants);
  const description = ze_module_desc_t.create({
    format: ze_module_format_t.ZE_MODULE_FORMAT_IL_SPIRV,
    inputSize: BigInt(bytes.byteLength),
    pInputModule: bytes,
    ...(buildFlags === undefined ? {} : { pBuildFlags: buildFlags }),
    ...(constants?.size ? { pConstants: constantsStruct(constants) } : {}),
  });
  return { description, signatures: kernelSignatures(bytes) };
}

const PROGRAM = "ZE_experimental_module_program";

/** Several modules, which the driver links into one. */
function describeProgram(
  spirv: readonly unknown[],
  buildFlags: string | undefined,
  specializationConstants: unknown,
  device: Device,
): Description {
  if (specializationConstants !== undefined || spirv.length === 0) {
    const isEmpty = spirv.length === 0;
    throw new ArgumentTypeError({
      functionName: "Module.create",
      argument: isEmpty ? "spirv" : "specializationConstants",
      given: isEmpty ? spirv : specializationConstants,
      accepted: isEmpty ? "SPIR-V, or a list of it" : "left out for several modules",
    }, isEmpty ? "an empty list" : undefined);
  }
  const modules = spirv.map((given, i) => copySpirv(`spirv[${i}]`, given, device));
  if (!device.driver.supports(PROGRAM)) {
    throw new UnsupportedFeatureError(
      "Module.create",
      `the extension ${PROGRAM} for several modules`,
      "Link them before, with spirv-link, or create each and use Module.link().",
    );
  }
  const flags = modules.map(() => new TextEncoder().encode(`${buildFlags ?? ""}\0`));
  const program = ze_module_program_exp_desc_t.create({
    count: modules.length,
    inputSizes: new BigUint64Array(modules.map(({ byteLength }) => BigInt(byteLength))),
    pInputModules: addressesOf(modules),
    pBuildFlags: addressesOf(flags),
  });
  const description = ze_module_desc_t.create({
    pNext: program,
    format: ze_module_format_t.ZE_MODULE_FORMAT_IL_SPIRV,
  });
  const signatures = new Map(modules.flatMap((bytes) => [...kernelSignatures(bytes)]));
  return { description, signatures };
}

/** The addresses of views, which are kept as long as the addresses are. */
function addressesOf(views: readonly ArrayBufferView[]): BigUint64Array<ArrayBuffer> {
  const addresses = new BigUint64Array(views.map(addressOf));
  anchor(addresses, ...views);
  return addresses;
}

function constantsStruct(constants: Map<number, Uint8Array>): Uint8Array<ArrayBuffer> {
  return ze_module_constants_t.create({
    numConstants: constants.size,
    pConstantIds: new Uint32Array(constants.keys()),
    pConstantValues: addressesOf([...constants.values()]),
  });
}
