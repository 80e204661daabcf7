/**
 * What a loader, a driver or a device has, asked before it is used.
 *
 * @module
 */

import type { Driver } from "./driver.ts";
import { UnsupportedFeatureError } from "./error.ts";
import { type Functions, has } from "./library.ts";

/**
 * Whether the loader has a C function and the driver one of the extensions that
 * it may belong to.
 */
export function supportsFunction(
  driver: Driver,
  name: keyof Functions & string,
  ...extensions: readonly string[]
): boolean {
  return has(name) &&
    (extensions.length === 0 || extensions.some((extension) => driver.supports(extension)));
}

/**
 * Throws unless {@linkcode supportsFunction}. `functionName` is the caller's.
 *
 * @throws {UnsupportedFeatureError} If the loader lacks the function, or the driver its extension.
 */
export function requireFunction(
  functionName: string,
  driver: Driver,
  name: keyof Functions & string,
  ...extensions: readonly string[]
): void {
  if (!has(name)) {
    throw new UnsupportedFeatureError(
      functionName,
      name,
      "The loader is older than the function: update it, or ask has() first and do without.",
    );
  }
  if (supportsFunction(driver, name, ...extensions)) return;
  throw new UnsupportedFeatureError(
    functionName,
    `the extension ${extensions.join(" or ")}`,
    "The driver does not list it: ask Driver.supports() first and do without.",
  );
}
