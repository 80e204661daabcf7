/**
 * The pages that virtual and physical memory consist of.
 *
 * @module
 */

import { checkInteger } from "./checks.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { ArgumentRangeError } from "./error.ts";
import { sync } from "./library.ts";

/** The size of the pages for memory of so many bytes, in bytes. */
export function pageSize(context: Context, device: Device, byteLength: number): number {
  const size = new BigUint64Array(1);
  sync.zeVirtualMemQueryPageSize(context.handle, device.handle, BigInt(byteLength), size);
  return Number(size[0]);
}

/** So many bytes, or as many more as fill the last page. */
export function wholePages(byteLength: number, page: number): number {
  return Math.ceil(byteLength / page) * page;
}

/**
 * A number of bytes that whole pages have.
 *
 * @throws {ArgumentTypeError} If it is no number.
 * @throws {ArgumentRangeError} If it is no multiple of the page size from `minimum` to `maximum`.
 */
export function checkPages(
  functionName: string,
  argument: string,
  value: unknown,
  page: number,
  minimum: number,
  maximum: number,
): number {
  const bytes = checkInteger(functionName, argument, value, minimum, maximum);
  if (bytes % page === 0) return bytes;
  throw new ArgumentRangeError({
    functionName,
    argument,
    given: value,
    accepted: `a multiple of the page size, ${page} bytes`,
  });
}
