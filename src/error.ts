/**
 * The errors that Level Zero calls and objects throw. All have a `hint`: what
 * to look at or to do next.
 *
 * @module
 */

import { LibraryNotFoundError } from "./ffi/errors.ts";
import { ze_result_t } from "./libze/enums_ze.ts";

export {
  ArgumentRangeError,
  ArgumentTypeError,
  HandleBusyError,
  LibraryClosedError,
  LibraryNotFoundError,
  MissingSymbolError,
} from "./ffi/errors.ts";

/** What to do about a result, where its name alone does not tell. */
const HINTS: Partial<Record<keyof typeof ze_result_t, string>> = {
  ZE_RESULT_ERROR_DEVICE_LOST:
    "The device hung, was reset or was unplugged. Its objects are gone: make a new context, and look at the kernel log (dmesg) for the cause.",
  ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY:
    "The machine is out of memory. Dispose what is no longer used.",
  ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY:
    "The device is out of memory. Dispose allocations and modules that are no longer used, or use smaller ones.",
  ZE_RESULT_ERROR_MODULE_BUILD_FAILURE: "The build log tells what the compiler objects to.",
  ZE_RESULT_ERROR_MODULE_LINK_FAILURE:
    "The link log tells which symbols are missing or defined twice.",
  ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET: "Reset the device (zesDeviceResetExt) before using it.",
  ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE:
    "The device sleeps and can't answer now. Try again when it has work to do.",
  ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS:
    "Access was denied. The user needs rights on /dev/dri/renderD* or /dev/accel/accel*, by the groups `render` and `video` on most systems.",
  ZE_RESULT_ERROR_NOT_AVAILABLE: "Another program or session holds what was asked for.",
  ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE:
    "The driver lacks a library that it needs, such as its compiler (libigc) or the metrics library.",
  ZE_RESULT_ERROR_UNINITIALIZED: "Call init() first, and check that it did not throw.",
  ZE_RESULT_ERROR_UNSUPPORTED_VERSION:
    "The driver does not know this version of the structure or function. Update the driver.",
  ZE_RESULT_ERROR_UNSUPPORTED_FEATURE:
    "This driver or device does not support it. The device's properties tell what it supports.",
  ZE_RESULT_ERROR_INVALID_ARGUMENT:
    "The driver refuses one of the arguments. ZE_ENABLE_VALIDATION_LAYER=1 with ZE_ENABLE_PARAMETER_VALIDATION=1 tells which.",
  ZE_RESULT_ERROR_INVALID_NULL_HANDLE: "A handle is 0n. Was its object disposed?",
  ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE:
    "The object is still used by the device or by another object. Wait for the work that uses it.",
  ZE_RESULT_ERROR_INVALID_NULL_POINTER: "A pointer that must not be null is null.",
  ZE_RESULT_ERROR_INVALID_SIZE: "A size or count is 0 or does not fit.",
  ZE_RESULT_ERROR_UNSUPPORTED_SIZE:
    "The size is larger than the device supports. Its properties tell the limit, such as maxMemAllocSize.",
  ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT:
    "The alignment is no power of two or larger than supported.",
  ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT:
    "The event or fence was destroyed, or belongs to another context.",
  ZE_RESULT_ERROR_INVALID_ENUMERATION: "A constant is none of its enumeration.",
  ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION: "The device does not support this constant.",
  ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT: "The device does not support this image format.",
  ZE_RESULT_ERROR_INVALID_NATIVE_BINARY:
    "The binary is not for this device or driver version. Build it again from SPIR-V.",
  ZE_RESULT_ERROR_INVALID_KERNEL_NAME: "The module has no kernel of this name.",
  ZE_RESULT_ERROR_INVALID_FUNCTION_NAME: "The module has no function of this name.",
  ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION:
    "The group size is 0 or larger than the device's maxGroupSizeX, -Y, -Z or maxTotalGroupSize.",
  ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX: "The kernel has fewer arguments.",
  ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE:
    "The kernel's argument is of another size. Compare with the kernel's source.",
  ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED:
    "The module has symbols that are not resolved. Link it with zeModuleDynamicLink first.",
  ZE_RESULT_ERROR_UNKNOWN:
    "The driver tells no cause. The kernel log (dmesg) and ZE_ENABLE_LOADER_DEBUG_TRACE=1 may.",
};

let names: Map<number, string> | undefined;

/** The `ze_result_t` name of a code, such as `ZE_RESULT_ERROR_DEVICE_LOST`. */
export function resultName(code: number): string {
  if (!names) {
    names = new Map();
    for (const [name, value] of Object.entries(ze_result_t)) {
      if (!names.has(value)) names.set(value, name);
    }
  }
  return names.get(code) ?? `ze_result_t ${hexadecimal(code)}`;
}

function hexadecimal(code: number): string {
  return `0x${(code >>> 0).toString(16).padStart(8, "0")}`;
}

/** What is known about a failed call. */
export interface ZeErrorOptions extends ErrorOptions {
  /** What to do about it, instead of the hint for the code. */
  readonly hint?: string;
  /** The driver's own words, from `zeDriverGetLastErrorDescription`. */
  readonly description?: string;
}

/**
 * A Level Zero call that failed.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=ze_result_t | ze_result_t}.
 */
export class ZeError extends Error {
  /** The C function, such as `zeModuleCreate`. */
  readonly functionName: string;
  /** The `ze_result_t`, such as 0x70000004. */
  readonly code: number;
  /** What to look at or to do next. */
  readonly hint: string;
  /**
   * The driver's own words; undefined where it has none, and after a
   * nonblocking call, since the driver keeps them per thread.
   */
  readonly description: string | undefined;

  /** Describes the failure of `functionName` with `code`. */
  constructor(functionName: string, code: number, options: ZeErrorOptions = {}) {
    const name = resultName(code);
    const hint = options.hint ??
      HINTS[name as keyof typeof HINTS] ??
      "See the function's section in the Level Zero specification.";
    const said = options.description ? ` The driver says: ${options.description}` : "";
    super(
      `${functionName} failed with ${name} (${hexadecimal(code)}).${said}\n${hint}`,
      "cause" in options ? { cause: options.cause } : undefined,
    );
    this.functionName = functionName;
    this.code = code;
    this.hint = hint;
    this.description = options.description;
    this.name = name;
  }
}

/** The Level Zero loader (libze_loader) can't be opened. */
export class LoaderNotFoundError extends LibraryNotFoundError {
  override readonly name = "LoaderNotFoundError";
  /** What to install or to set. */
  readonly hint: string;

  /** Takes the paths tried and the system's reasons from the adapter's error. */
  constructor(cause: LibraryNotFoundError, hint: string) {
    super(
      `The Level Zero loader could not be opened.\n${
        cause.tried.map((path, i) => `  tried ${path}: ${cause.reasons[i]}`).join("\n")
      }\n${hint}`,
      cause.tried,
      cause.reasons,
    );
    this.hint = hint;
  }
}

/** A module that the driver's compiler refuses, or that it built with a fatal error in the log. */
export class ModuleBuildError extends ZeError {
  /** The compiler's log, whole. Empty if it wrote none. */
  readonly buildLog: string;

  /** Describes a failed build; `code` is success where only the log tells. */
  constructor(code: number, buildLog: string, cause?: unknown) {
    const hint = buildLog
      ? `The compiler's log:\n${buildLog}`
      : "The compiler wrote no log. Check the SPIR-V with spirv-val, and whether the device supports its capabilities.";
    super("zeModuleCreate", code, { hint, ...(cause === undefined ? {} : { cause }) });
    this.name = "ModuleBuildError";
    this.buildLog = buildLog;
  }
}

/** Modules that can't be linked with each other. */
export class ModuleLinkError extends ZeError {
  /** The linker's log, whole. Empty if it wrote none. */
  readonly linkLog: string;

  /** Describes a failed link. */
  constructor(code: number, linkLog: string, cause?: unknown) {
    const hint = linkLog
      ? `The linker's log:\n${linkLog}`
      : "The linker wrote no log. Module.inspectLinkage() tells what the modules import and export.";
    super("zeModuleDynamicLink", code, { hint, ...(cause === undefined ? {} : { cause }) });
    this.name = "ModuleLinkError";
    this.linkLog = linkLog;
  }
}

/** Bytes that can't be SPIR-V. Nothing was given to the driver. */
export class InvalidSpirvError extends TypeError {
  override readonly name = "InvalidSpirvError";
  /** What to do about it. */
  readonly hint: string;

  constructor(problem: string, hint: string) {
    super(`This is no SPIR-V module: ${problem}. ${hint}`);
    this.hint = hint;
  }
}

/** A kernel that a module does not have. */
export class KernelNotFoundError extends ZeError {
  /** The name asked for. */
  readonly requested: string;
  /** The names of the module's kernels. */
  readonly available: readonly string[];

  /** Describes what the module has instead. */
  constructor(requested: string, available: readonly string[], code: number, nearest?: string) {
    const hint = available.length === 0
      ? "The module has no kernel entry points at all: was it compiled as a library, or were its functions not marked as kernels?"
      : `${nearest ? `Did you mean ${JSON.stringify(nearest)}? ` : ""}The module has: ${
        available.join(", ")
      }.`;
    super("zeKernelCreate", code, { hint });
    this.name = "KernelNotFoundError";
    this.requested = requested;
    this.available = available;
    this.message = `The module has no kernel ${JSON.stringify(requested)}. ${hint}`;
  }
}

/** Memory that can't be had, after everything that could be given back was. */
export class OutOfMemoryError extends ZeError {
  /** How many bytes were asked for. */
  readonly bytes: number;
  /** The name of the device that they were asked of; undefined for the host's memory. */
  readonly device: string | undefined;

  /** Describes the last attempt, which failed with `code`. */
  constructor(functionName: string, code: number, bytes: number, device: string | undefined) {
    super(functionName, code, {
      hint: `${bytes} bytes${
        device === undefined ? "" : ` on ${device}`
      } could not be had. Dispose what is no longer used, or let onOutOfMemory() do it when memory is short.`,
    });
    this.name = "OutOfMemoryError";
    this.bytes = bytes;
    this.device = device;
  }
}

/** Something that the driver, the device or the loader does not have. Nothing was called. */
export class UnsupportedFeatureError extends Error {
  override readonly name = "UnsupportedFeatureError";
  /** The function that was not called. */
  readonly functionName: string;
  /** What is not supported, such as `images` or an extension's name. */
  readonly feature: string;
  /** How to ask for it, or what to use instead. */
  readonly hint: string;

  constructor(functionName: string, feature: string, hint: string) {
    super(`${functionName} needs ${feature}, which is not supported here. ${hint}`);
    this.functionName = functionName;
    this.feature = feature;
    this.hint = hint;
  }
}

/** A call that would stop the thread which has to run what it may wait for. Nothing was called. */
export class DeadlockError extends Error {
  override readonly name = "DeadlockError";
  /** The function that was not called. */
  readonly functionName: string;
  /** What to do about it. */
  readonly hint: string;

  /**
   * @param functionName The function that would have waited.
   * @param awaited What has yet to run, on this thread.
   * @param hint What to do about it.
   */
  constructor(functionName: string, awaited: string, hint: string) {
    super(
      `${functionName}: ${awaited} has yet to run, on the thread that this would stop. ${hint}`,
    );
    this.functionName = functionName;
    this.hint = hint;
  }
}

/** A command list that is not in the state that a call needs. Nothing was called. */
export class CommandListStateError extends Error {
  override readonly name = "CommandListStateError";
  /** The function that was not called. */
  readonly functionName: string;
  /** What to do about it. */
  readonly hint: string;

  constructor(functionName: string, state: string, hint: string) {
    super(`${functionName}: the command list is ${state}. ${hint}`);
    this.functionName = functionName;
    this.hint = hint;
  }
}

/** An object that is used after it was disposed. Nothing was called. */
export class UseAfterDisposeError extends Error {
  override readonly name = "UseAfterDisposeError";
  /** What to do about it. */
  readonly hint = "Keep the object, and what it was made from, until its last use.";

  constructor(what: string) {
    super(`This ${what} was disposed, or what it was made from was`);
  }
}
