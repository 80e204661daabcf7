/**
 * What is done with a runtime's own FFI, to compare with. The one file of the
 * benchmarks that knows the runtimes.
 *
 * @module
 */
import process from "node:process";

/** Any native function. */
export type Call = (...args: unknown[]) => number;

/** The C library. */
export const C_LIBRARY = process.platform === "darwin" ? "/usr/lib/libSystem.B.dylib" : "libc.so.6";

interface Dlopen {
  (path: string, symbols: Record<string, unknown>): { symbols: Record<string, Call> };
}

const { Deno: deno } = globalThis as unknown as { Deno?: { dlopen: Dlopen } };

/** The runtime's name. */
export const runtime: "deno" | "bun" = deno ? "deno" : "bun";

/** The runtime's own function for a symbol of the C library that returns a `u32`. */
export function bareCalls(symbol: string, parameters: readonly string[]): Call {
  if (deno) {
    return deno.dlopen(C_LIBRARY, { [symbol]: { parameters, result: "u32" } }).symbols[symbol]!;
  }
  const { dlopen } = process.getBuiltinModule("bun:ffi" as "fs") as unknown as { dlopen: Dlopen };
  const names: Record<string, string> = { buffer: "ptr", usize: "u64" };
  const args = parameters.map((type) => names[type] ?? type);
  return dlopen(C_LIBRARY, { [symbol]: { args, returns: "u32" } }).symbols[symbol]!;
}

/** The runtime's own nonblocking function for such a symbol; undefined on Bun, which has none. */
export function bareNonblocking(
  symbol: string,
  parameters: readonly string[],
): ((...args: unknown[]) => Promise<number>) | undefined {
  const definition = { parameters, result: "u32", nonblocking: true };
  return deno?.dlopen(C_LIBRARY, { [symbol]: definition }).symbols[symbol] as never;
}

/** A module that opens a library by the runtime's own means and calls `zeInit`, if it is there. */
export function bareStart(libraries: readonly string[]): string {
  const open = runtime === "deno"
    ? `Deno.dlopen(name, { zeInit: { parameters: ["u32"], result: "u32" } })`
    : `require("bun:ffi").dlopen(name, { zeInit: { args: ["u32"], returns: "u32" } })`;
  return `for (const name of ${JSON.stringify(libraries)}) {
    try {
      ${open}.symbols.zeInit(0);
      break;
    } catch {}
  }`;
}
