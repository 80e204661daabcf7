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

/** The system's own functions for shared libraries. */
interface SystemLoader {
  open(path: string): bigint;
  symbol(library: bigint, name: string): bigint;
  close(library: bigint): void;
  /** Why the last `open` failed. */
  reason(path: string): string;
}

/** Where the C library is under its own name. */
const C_LIBRARIES: Record<string, string[]> = {
  darwin: ["/usr/lib/libSystem.B.dylib"],
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
};

/** RTLD_NOW: what a library needs and can't be had is told when it is opened. */
const RTLD_NOW = 2;

function nulTerminated(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

function posixLoader(ffi: BunFfiModule): SystemLoader {
  const { dlopen, dlsym, dlclose, dlerror } = openFirst(ffi, C_LIBRARIES[process.platform] ?? [], {
    dlopen: { args: ["ptr", "i32"], returns: "u64" },
    dlsym: { args: ["u64", "ptr"], returns: "u64" },
    dlclose: { args: ["u64"], returns: "i32" },
    dlerror: { args: [], returns: "u64" },
  });
  return {
    open: (path) => dlopen!(nulTerminated(path), RTLD_NOW) as bigint,
    symbol: (library, name) => dlsym!(library, nulTerminated(name)) as bigint,
    close: (library) => void dlclose!(library),
    reason(path): string {
      const text = dlerror!() as bigint;
      return text ? new ffi.CString(text).toString() : `${path} can't be opened`;
    },
  };
}

function windowsLoader(ffi: BunFfiModule): SystemLoader {
  const { LoadLibraryA, GetProcAddress, FreeLibrary, GetLastError } = openFirst(
    ffi,
    ["kernel32.dll"],
    {
      LoadLibraryA: { args: ["ptr"], returns: "u64" },
      GetProcAddress: { args: ["u64", "ptr"], returns: "u64" },
      FreeLibrary: { args: ["u64"], returns: "i32" },
      GetLastError: { args: [], returns: "u32" },
    },
  );
  return {
    open: (path) => LoadLibraryA!(nulTerminated(path)) as bigint,
    symbol: (library, name) => GetProcAddress!(library, nulTerminated(name)) as bigint,
    close: (library) => void FreeLibrary!(library),
    reason: (path) => `${path}: Windows error ${GetLastError!()}`,
  };
}

/** The functions of the first library that can be opened. */
function openFirst(
  ffi: BunFfiModule,
  names: readonly string[],
  symbols: Record<string, BunFunction>,
): Record<string, Native> {
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

/** RTLD_DEFAULT: every library that the process has loaded. */
function everyLibrary(): bigint {
  return process.platform === "darwin" ? 2n ** 64n - 2n : 0n;
}

let loaded: BunFfi | undefined;

/** Loads `bun:ffi`, once. */
export function bunFfi(): BunFfi {
  if (loaded) return loaded;
  const ffi = process.getBuiltinModule("bun:ffi") as unknown as BunFfiModule;
  const system = process.platform === "win32" ? windowsLoader(ffi) : posixLoader(ffi);
  loaded = {
    ...ffi,
    symbolIn: system.symbol,
    symbolAddress: (name) => system.symbol(everyLibrary(), name),
    openLibrary(path): bigint {
      const library = system.open(path);
      if (library === 0n) throw new Error(system.reason(path));
      return library;
    },
    closeLibrary: system.close,
  };
  return loaded;
}
