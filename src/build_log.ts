/**
 * The logs of the driver's compiler and linker.
 *
 * @module
 */

import { zeModuleBuildLogDestroy, zeModuleBuildLogGetString } from "./libze/functions_ze.ts";
import { byteList, textOf } from "./lists.ts";

/** Reads a log and destroys it; 0n is none. */
export function takeLog(log: bigint): string {
  if (log === 0n) return "";
  try {
    return textOf(byteList((size, text) => zeModuleBuildLogGetString(log, size, text))).trim();
  } finally {
    zeModuleBuildLogDestroy(log);
  }
}
