/**
 * Initialization: which drivers are there.
 *
 * @module
 */

import { describeMachine } from "./diagnosis.ts";
import { Driver } from "./driver.ts";
import { ArgumentTypeError, ZeError } from "./error.ts";
import { ze_init_driver_type_flag_t, ze_init_flag_t, ze_result_t } from "./libze/enums_ze.ts";
import { zeDriverGet } from "./libze/functions_ze.ts";
import { ze_init_driver_type_desc_t } from "./libze/structs_ze.ts";
import { has, loaderDescription, sync, useLoader } from "./library.ts";
import { handleList } from "./lists.ts";

/** What {@linkcode init} takes. */
export interface InitOptions {
  /**
   * The kinds of devices whose drivers are wanted. All by default. The drivers
   * are asked once: the first call of a process decides.
   */
  readonly types?: readonly ("gpu" | "npu")[];
  /**
   * The path of the loader (libze_loader), instead of where the system keeps
   * it. The variable `ZE_LOADER_PATH` does the same. If it can't be opened that
   * is an error; no other is tried.
   */
  readonly loader?: string;
}

let found: readonly Driver[] | undefined;
let failure: ZeError | undefined;

const EVERY_TYPE = 0xffffffff;

/**
 * Loads the Level Zero loader and its drivers. Every other function that needs
 * them calls it, so calling it is only needed to give options or to see the
 * error at a time of one's own. After it succeeded, further calls do nothing;
 * after the drivers failed, they throw the same again.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeInitDrivers | zeInitDrivers}.
 *
 * @throws {LoaderNotFoundError} If the loader can't be opened; with every path tried.
 * @throws {ZeError} If no driver comes up; its `hint` describes what this machine has.
 * @throws {ArgumentTypeError} If an option is none, or a loader other than the one in use is asked for.
 */
export function init(options: InitOptions = {}): void {
  checkTypes(options.types);
  if (options.loader !== undefined) useLoader(options.loader);
  try {
    initialize(options.types);
  } catch (error) {
    throw explain(error);
  }
}

function initialize(types?: InitOptions["types"]): readonly Driver[] {
  if (found) return found;
  if (failure) throw failure;
  try {
    return found = findDrivers(types).map((handle) => new Driver(handle));
  } catch (error) {
    // Without drivers a loader finds none later, and 1.20 crashes when it is asked again.
    if (error instanceof ZeError) failure = error;
    throw error;
  }
}

function findDrivers(types: InitOptions["types"]): bigint[] {
  if (has("zeInitDrivers")) {
    const flags = types ? types.reduce((bits, type) => bits | TYPE_FLAGS[type], 0) : EVERY_TYPE;
    const description = ze_init_driver_type_desc_t.create({ flags });
    return handleList((count, handles) => sync.zeInitDrivers(count, handles, description));
  }
  // Loaders before 1.19 know zeInit only, which takes one type or all.
  const [type, ...more] = types ?? [];
  const flags = type === undefined || more.length > 0
    ? 0
    : type === "gpu"
    ? ze_init_flag_t.ZE_INIT_FLAG_GPU_ONLY
    : ze_init_flag_t.ZE_INIT_FLAG_VPU_ONLY;
  sync.zeInit(flags);
  return handleList((count, handles) => zeDriverGet(count, handles));
}

const TYPE_FLAGS = {
  gpu: ze_init_driver_type_flag_t.ZE_INIT_DRIVER_TYPE_FLAG_GPU,
  npu: ze_init_driver_type_flag_t.ZE_INIT_DRIVER_TYPE_FLAG_NPU,
} as const;

function checkTypes(types: unknown): void {
  if (types === undefined) return;
  const wrong = Array.isArray(types) && types.find((type) => !Object.hasOwn(TYPE_FLAGS, type));
  if (Array.isArray(types) && types.length > 0 && wrong === undefined) return;
  throw new ArgumentTypeError({
    functionName: "init",
    argument: "types",
    given: wrong ?? types,
    accepted: 'a list of "gpu" or "npu"',
  });
}

/** The same code stands for every cause, so what this machine has is added. */
function explain(error: unknown): unknown {
  if (!(error instanceof ZeError) || error.code !== ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED) {
    return error;
  }
  const findings = [`the loader is ${loaderDescription()}`, ...describeMachine()];
  return new ZeError(error.functionName, error.code, {
    hint: `No Level Zero driver came up. What this machine has:\n${
      findings.map((line) => `  ${line}`).join("\n")
    }\nInstall the driver of your device (libze-intel-gpu1 for GPUs, libze-intel-npu1 or intel-driver-compiler-npu for NPUs), of a version that fits the loader's.`,
    cause: error,
  });
}

/**
 * Whether there is a device to use. Never throws: why there is none is told by
 * {@linkcode init}.
 */
export function isAvailable(): boolean {
  try {
    // Without the explanation that init() has for a failure, which nobody would read.
    return initialize().some((driver) => driver.devices.length > 0);
  } catch {
    return false;
  }
}

/**
 * The drivers of this machine, in the loader's order. They are the loader's;
 * nothing has to be freed.
 *
 * @throws {LoaderNotFoundError | ZeError} As {@linkcode init} does.
 */
export function drivers(): readonly Driver[] {
  init();
  return initialize();
}
