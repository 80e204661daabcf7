/**
 * Versions, as the API packs them into a number.
 *
 * @module
 */

/** A version of the specification, such as 1.17. */
export interface ApiVersion {
  readonly major: number;
  readonly minor: number;
}

/** Splits a `ZE_MAKE_VERSION` value. */
export function apiVersion(value: number): ApiVersion {
  return { major: value >>> 16, minor: value & 0xffff };
}
