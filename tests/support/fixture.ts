/**
 * The C functions that the adapter's tests call: those of the C library, which
 * every machine has, and of `fixture.c` where there is a compiler.
 *
 * @module
 */

import { buildLibrary, noCompiler } from "./c_compiler.ts";

/** The C library, by the names that it has on Linux and on macOS. */
export const C_LIBRARY: readonly string[] = ["libc.so.6", "/usr/lib/libSystem.B.dylib"];

/** The C library's functions for floats. */
export const C_MATH_LIBRARY: readonly string[] = ["libm.so.6", "/usr/lib/libSystem.B.dylib"];

/** Why tests that need `fixture.c` are skipped; false if it can be built. */
export const noFixture: string | false = noCompiler;

/** Builds `fixture.c`, once; gives what to open. */
export function fixture(): readonly string[] {
  return [buildLibrary("fixture.c")];
}

/** Sleeps for so many microseconds. */
export const usleep = { parameters: ["u32"], result: "i32", nonblocking: true } as const;

/** Waits on the JavaScript side. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Lets bad input past the type checker, which is there to keep it out. */
export function bad(value: unknown): never {
  return value as never;
}
