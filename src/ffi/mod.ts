/**
 * Native libraries for Deno and Bun through one description: the same
 * functions, values and errors on both.
 *
 * ```ts
 * import { open } from "@ze/level-zero/ffi";
 *
 * const libc = open(["libc.so.6"], {
 *   getpid: { parameters: [], result: "i32" },
 *   usleep: { parameters: ["u32"], result: "i32", nonblocking: true },
 * });
 * await libc.functions.usleep(1000);
 * ```
 *
 * @module
 */

export { Callback, type CallbackOptions } from "./callback.ts";
export {
  type ArgumentProblem,
  ArgumentRangeError,
  ArgumentTypeError,
  HandleBusyError,
  LibraryClosedError,
  LibraryNotFoundError,
  MissingSymbolError,
} from "./errors.ts";
export { nonblockingLimit, open } from "./library.ts";
export { addressOf, anchor, cString, viewAt } from "./memory.ts";
export { runtime } from "./runtime.ts";
export type {
  BigIntType,
  BufferArgument,
  DescribedFunction,
  FunctionDescription,
  Library,
  LibraryDescription,
  NonblockingFunction,
  NonblockingLimit,
  NumberType,
  OpenOptions,
  ParameterDescription,
  ParameterType,
  ResultType,
  SyncFunction,
  ValueOf,
} from "./types.ts";
