/**
 * What modules have for each other, and for the host: symbols, by their names.
 *
 * @module
 */

import { takeLog } from "./build_log.ts";
import { ArgumentTypeError, ModuleLinkError, ZeError } from "./error.ts";
import { requireFunction } from "./features.ts";
import { nonblocking } from "./library.ts";
import { ze_linkage_inspection_ext_flag_t, ze_result_t } from "./libze/enums_ze.ts";
import { zeModuleGetFunctionPointer, zeModuleGetGlobalPointer } from "./libze/functions_ze.ts";
import { ze_linkage_inspection_ext_desc_t } from "./libze/structs_ze.ts";
import { AddressableObject } from "./memory_range.ts";
import type { Module } from "./module.ts";
import { flagBits, type NameOf } from "./names.ts";
import { Resource } from "./resource.ts";

/** What {@linkcode Module.inspectLinkage} lists. */
export type LinkageKind = NameOf<
  typeof ze_linkage_inspection_ext_flag_t,
  "ZE_LINKAGE_INSPECTION_EXT_FLAG"
>;

/**
 * A global variable of a module, in the memory of its device: it can be an
 * argument of kernels, and be copied from and to. It ends with its module.
 */
export class GlobalVariable extends AddressableObject {
  /** The module that it is of. */
  readonly module: Module;
  /** Its name in the module. */
  readonly name: string;

  /** Use {@linkcode Module.globalPointer}. */
  constructor(module: Module, name: string, address: bigint, byteLength: number) {
    // Nothing is to be destroyed: the driver frees it with the module.
    const resource = new Resource("GlobalVariable", address, () => {}, module.resource);
    super(resource, module.context, byteLength);
    this.module = module;
    this.name = name;
  }
}

/** A name with the NUL byte that ends it. */
function nameBytes(functionName: string, name: unknown): Uint8Array {
  if (typeof name === "string" && name !== "" && !name.includes("\0")) {
    return new TextEncoder().encode(`${name}\0`);
  }
  throw new ArgumentTypeError({
    functionName,
    argument: "name",
    given: name,
    accepted: "the name of what the module exports",
  });
}

/** Asks the driver where a variable is. */
export function findGlobal(module: Module, name: string): GlobalVariable {
  const bytes = nameBytes("Module.globalPointer", name);
  const size = new BigUint64Array(1);
  const address = new BigUint64Array(1);
  zeModuleGetGlobalPointer(module.handle, bytes, size, address);
  return new GlobalVariable(module, name, address[0]!, Number(size[0]));
}

/** Asks the driver where a function is, for the device. */
export function findFunction(module: Module, name: string): bigint {
  const bytes = nameBytes("Module.functionPointer", name);
  const address = new BigUint64Array(1);
  zeModuleGetFunctionPointer(module.handle, bytes, address);
  return address[0]!;
}

/** Keeps all of the modules until `work` has settled. */
function useAll<T>(
  modules: readonly Module[],
  work: (handles: BigUint64Array) => Promise<T>,
): Promise<T> {
  const handles = new BigUint64Array(modules.length);
  const use = (index: number): Promise<T> => {
    const module = modules[index];
    if (!module) return work(handles);
    return module.resource.use((handle) => {
      handles[index] = handle;
      return use(index + 1);
    });
  };
  return use(0);
}

/** Links the modules, which were checked, and gives the linker's log. */
export function link(modules: readonly Module[]): Promise<string> {
  return useAll(modules, async (handles) => {
    const log = new BigUint64Array(1);
    let failure: unknown;
    try {
      await nonblocking.zeModuleDynamicLink(handles.length, handles, log);
    } catch (error) {
      failure = error;
    }
    const linkLog = takeLog(log[0]!);
    if (failure === undefined) return linkLog;
    throw explain(failure, linkLog);
  });
}

function explain(failure: unknown, linkLog: string): unknown {
  const isLink = failure instanceof ZeError &&
    (failure.code === ze_result_t.ZE_RESULT_ERROR_MODULE_LINK_FAILURE || linkLog !== "");
  return isLink ? new ModuleLinkError(failure.code, linkLog, failure) : failure;
}

const INSPECTION = "ZE_extension_linkage_inspection";

/** Has the driver list what the modules, which were checked, import and export. */
export function inspect(
  modules: readonly Module[],
  kinds: readonly LinkageKind[],
): Promise<string> {
  const functionName = "Module.inspectLinkage";
  const flags = flagBits(
    ze_linkage_inspection_ext_flag_t,
    "ZE_LINKAGE_INSPECTION_EXT_FLAG",
    kinds,
    { functionName, argument: "kinds" },
  );
  const { driver } = modules[0]!.context;
  requireFunction(functionName, driver, "zeModuleInspectLinkageExt", INSPECTION);
  return useAll(modules, async (handles) => {
    const description = ze_linkage_inspection_ext_desc_t.create({ flags });
    const log = new BigUint64Array(1);
    await nonblocking.zeModuleInspectLinkageExt(description, handles.length, handles, log);
    return takeLog(log[0]!);
  });
}
