/**
 * The part of `bun:ffi` that is used, loaded when first needed; Deno's type
 * checker and loader know nothing of it.
 *
 * @module
 */

import type { Native } from "./compile.ts";

export type { Native };

/** A function as `bun:ffi` describes it. */
export interface BunFunction {
  args: string[];
  returns: string;
  threadsafe?: boolean;
}

interface BunLibrary {
  symbols: Record<string, Native>;
  close(): void;
}

/** A function that C calls. */
export interface BunCallback {
  readonly ptr: number | bigint | null;
  close(): void;
}

interface BunFfiModule {
  dlopen(path: string, symbols: Record<string, BunFunction>): BunLibrary;
  linkSymbols(symbols: Record<string, BunFunction & { ptr: bigint }>): BunLibrary;
  cc(options: {
    source: string;
    flags: string[];
    symbols: Record<string, { args: string[]; returns: string }>;
  }): BunLibrary;
  ptr(view: ArrayBufferView): number;
  toArrayBuffer(address: number | bigint, offset: number, byteLength: number): ArrayBuffer;
  CString: new (address: number | bigint) => { toString(): string };
  JSCallback: new (target: Native, definition: BunFunction) => BunCallback;
}

/** `bun:ffi`, and the C library's own functions for shared libraries. */
export interface BunFfi extends BunFfiModule {
  /** The address of a C function of this process; 0n if there is none of that name. */
  symbolAddress(name: string): bigint;
  /** `dlopen`: the library's handle; throws what the system says. */
  openLibrary(path: string): bigint;
  /** `dlsym`: the address of a symbol; 0n if the library has none of that name. */
  symbolIn(library: bigint, name: string): bigint;
  /** `dlclose`. */
  closeLibrary(library: bigint): void;
}

/** Where the C library is under its own name. */
const C_LIBRARIES: Record<string, string[]> = {
  darwin: ["/usr/lib/libSystem.B.dylib"],
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
};

let loaded: BunFfi | undefined;

/** RTLD_NOW: what a library needs and can't be had is told when it is opened. */
const RTLD_NOW = 2;
/** RTLD_DEFAULT: every library that the process has loaded. */
function everyLibrary(): bigint {
  return process.platform === "darwin" ? 2n ** 64n - 2n : 0n;
}

/** Loads `bun:ffi`, once. */
export function bunFfi(): BunFfi {
  if (loaded) return loaded;
  const ffi = process.getBuiltinModule("bun:ffi") as unknown as BunFfiModule;
  const { dlopen, dlsym, dlclose, dlerror } = openC(ffi, {
    dlopen: { args: ["ptr", "i32"], returns: "u64" },
    dlsym: { args: ["u64", "ptr"], returns: "u64" },
    dlclose: { args: ["u64"], returns: "i32" },
    dlerror: { args: [], returns: "u64" },
  });
  const symbolIn = (library: bigint, name: string): bigint =>
    dlsym!(library, new TextEncoder().encode(`${name}\0`)) as bigint;
  loaded = {
    ...ffi,
    symbolIn,
    symbolAddress: (name) => symbolIn(everyLibrary(), name),
    openLibrary(path): bigint {
      const library = dlopen!(new TextEncoder().encode(`${path}\0`), RTLD_NOW) as bigint;
      if (library !== 0n) return library;
      const reason = dlerror!() as bigint;
      throw new Error(reason ? new ffi.CString(reason).toString() : `${path} can't be opened`);
    },
    closeLibrary: (library) => void dlclose!(library),
  };
  return loaded;
}

/** Functions of the C library. */
function openC(ffi: BunFfiModule, symbols: Record<string, BunFunction>): Record<string, Native> {
  const names = C_LIBRARIES[process.platform] ?? [];
  let reason: unknown = new Error(`no C library is known for ${process.platform}`);
  for (const name of names) {
    try {
      return ffi.dlopen(name, symbols).symbols;
    } catch (error) {
      reason = error;
    }
  }
  throw reason;
}
