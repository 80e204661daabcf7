/**
 * What a runtime's FFI has to offer to the adapter. `deno.ts` and `bun.ts`
 * implement it; nothing else knows of a runtime.
 *
 * @module
 */

import type { Native } from "./compile.ts";
import type { FunctionDescription, NonblockingLimit } from "./types.ts";

/** A library as a runtime opened it. */
export interface BackendLibrary {
  /** Whether the symbol is there. */
  has(symbol: string): boolean;
  /** A function that calls the symbol on this thread; undefined if the symbol is missing. */
  bind(symbol: string, description: FunctionDescription): Native | undefined;
  /**
   * A function that calls the symbol on another thread and returns a Promise;
   * undefined if the symbol is missing. Arguments are held by the caller of it
   * until the Promise settles.
   */
  bindNonblocking(symbol: string, description: FunctionDescription): Native | undefined;
  /** Unloads it. Nothing of it is called any more. */
  close(): void;
}

/** A native function that calls back into TypeScript. */
export interface BackendCallback {
  readonly address: bigint;
  close(): void;
}

/** A runtime's FFI. */
export interface Backend {
  /** See `bigints` of `CompileOptions`. */
  readonly bigints: "truncate" | "compare";
  /** Opens the library; throws what the runtime throws. */
  load(path: string): BackendLibrary;
  /** Whether the error means that the runtime's permissions refuse, rather than that the library can't be had. */
  isPermissionError(error: unknown): boolean;
  /** The places to try for a name without a folder: a bare name, or full paths. */
  candidates(name: string): string[];
  /** The largest number of nonblocking calls at once. */
  limit(): NonblockingLimit;
  addressOf(view: ArrayBufferView): bigint;
  bufferAt(address: bigint, byteLength: number): ArrayBuffer;
  cString(address: bigint): string;
  callback(
    description: FunctionDescription,
    anyThread: boolean,
    target: Native,
  ): BackendCallback;
  /** An environment variable; undefined if unset or not to be read. */
  environment(name: string): string | undefined;
  /** The names in a folder; undefined if it is not there or not to be read. */
  list(folder: string): string[] | undefined;
  /** Whether the file is there and this process may read and write it; undefined if that can't be told. */
  accessible(file: string): boolean | undefined;
  readonly platform: string;
  readonly architecture: string;
}
