/**
 * Memory that native code and TypeScript share.
 *
 * @module
 */

import { ArgumentRangeError, ArgumentTypeError } from "./errors.ts";
import { backend } from "./runtime.ts";

const ADDRESS_LIMIT = 2n ** 64n;

function checkAddress(functionName: string, address: unknown): void {
  const problem = {
    functionName,
    argument: "address",
    given: address,
    accepted: "a bigint from 1n to 2n ** 64n - 1n",
  };
  if (typeof address !== "bigint") throw new ArgumentTypeError(problem);
  if (address <= 0n || address >= ADDRESS_LIMIT) throw new ArgumentRangeError(problem);
}

/**
 * The address of a view's first byte, `0n` for an empty view. It is valid as
 * long as the view's buffer is reachable: use {@linkcode anchor} when only the
 * address is kept.
 *
 * @throws {ArgumentTypeError} If it is no view, or a view of a resizable or detached buffer.
 */
export function addressOf(view: ArrayBufferView): bigint {
  const problem = {
    functionName: "addressOf",
    argument: "view",
    given: view,
    accepted: "a view of a buffer with a fixed length",
  };
  if (!ArrayBuffer.isView(view)) throw new ArgumentTypeError(problem);
  const buffer = view.buffer as ArrayBuffer & { growable?: boolean };
  if (buffer.resizable || buffer.growable || buffer.detached) {
    throw new ArgumentTypeError(
      problem,
      `a view of a ${buffer.detached ? "detached" : "resizable"} buffer`,
    );
  }
  return view.byteLength === 0 ? 0n : backend().addressOf(view);
}

/**
 * A view of native memory, without a copy. Unsafe: the memory must be there,
 * readable and writable, for as long as the view is used; nothing frees it.
 *
 * @throws {ArgumentTypeError | ArgumentRangeError} If address or length can't be one.
 */
export function viewAt(address: bigint, byteLength: number): Uint8Array<ArrayBuffer> {
  checkAddress("viewAt", address);
  if (!Number.isSafeInteger(byteLength) || byteLength < 0) {
    throw new ArgumentRangeError({
      functionName: "viewAt",
      argument: "byteLength",
      given: byteLength,
      accepted: "a length in bytes, an integer from 0",
    });
  }
  if (byteLength === 0) return new Uint8Array(0);
  return new Uint8Array(backend().bufferAt(address, byteLength));
}

/**
 * The UTF-8 text at an address, up to its NUL byte. Unsafe: the memory must be
 * there and hold a NUL byte, unless `maximumLength` (in bytes) ends it before.
 *
 * @throws {ArgumentTypeError | ArgumentRangeError} If the address can't be one.
 */
export function cString(address: bigint, maximumLength?: number): string {
  checkAddress("cString", address);
  if (maximumLength === undefined) return backend().cString(address);
  const bytes = viewAt(address, maximumLength);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(bytes.slice(0, end < 0 ? maximumLength : end));
}

const anchored = new WeakMap<ArrayBufferLike, object[]>();

/**
 * Keeps objects alive as long as a view's buffer is: what a struct points to
 * must not be collected before the struct, and the collector does not see
 * addresses. Nothing is kept for longer than that.
 */
export function anchor(owner: ArrayBufferView, ...kept: object[]): void {
  const list = anchored.get(owner.buffer);
  if (list) list.push(...kept);
  else anchored.set(owner.buffer, kept);
}
