/**
 * The adapter on Deno: `Deno.dlopen`, with `nonblocking: true` for calls that
 * must not hold up the event loop.
 *
 * @module
 */

import type { Backend, BackendCallback, BackendLibrary } from "./backend.ts";
import { type Native, parametersOf } from "./compile.ts";
import type { FunctionDescription, NonblockingLimit } from "./types.ts";

interface DenoFunction {
  name: string;
  parameters: string[];
  result: string;
  nonblocking?: boolean;
  optional?: boolean;
}

interface DenoPermission {
  name: string;
  path?: string;
  variable?: string;
}

type Pointer = { readonly __pointer: unique symbol } | null;

interface DenoCallback {
  readonly pointer: Pointer;
  close(): void;
}

/** The part of Deno that is used; Bun's type checker knows nothing of it. */
interface DenoNamespace {
  dlopen(
    path: string,
    symbols: Record<string, DenoFunction>,
  ): { symbols: Record<string, Native | null>; close(): void };
  UnsafeCallback: {
    new (definition: { parameters: string[]; result: string }, fn: Native): DenoCallback;
    threadSafe(definition: { parameters: string[]; result: string }, fn: Native): DenoCallback;
  };
  UnsafeFnPointer: {
    new (
      pointer: Pointer,
      definition: { parameters: string[]; result: string; nonblocking: true },
    ): { call: (...args: unknown[]) => Promise<unknown> };
  };
  UnsafePointer: {
    of(view: ArrayBufferView): Pointer;
    value(pointer: Pointer): bigint;
    create(value: bigint): Pointer;
  };
  UnsafePointerView: {
    getArrayBuffer(pointer: Pointer, byteLength: number): ArrayBuffer;
    getCString(pointer: Pointer): string;
  };
  permissions: { querySync(descriptor: DenoPermission): { state: string } };
  env: { get(name: string): string | undefined };
  readDirSync(path: string): Iterable<{ name: string }>;
  statSync(path: string): unknown;
  openSync(path: string, options: { read: boolean; write: boolean }): { close(): void };
  build: { os: string; arch: string };
  errors: Record<string, new () => Error>;
}

const deno = (globalThis as unknown as { Deno: DenoNamespace }).Deno;

/**
 * Deno runs nonblocking calls on 32 threads that its own file I/O needs too:
 * 32 parked calls would freeze `Deno.readTextFile`. Eight are left to it.
 */
const RUNTIME_THREADS = 32;
const CALLS = 24;

/** Lets a limited number of calls run; the others start in the order in which they came. */
class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  run(start: () => Promise<unknown>): Promise<unknown> {
    if (this.#free > 0) return this.#begin(start);
    return new Promise((resolve) => this.#waiting.push(() => resolve(this.#begin(start))));
  }

  #begin(start: () => Promise<unknown>): Promise<unknown> {
    this.#free--;
    const finish = (): void => {
      this.#free++;
      this.#waiting.shift()?.();
    };
    try {
      const call = start();
      call.then(finish, finish);
      return call;
    } catch (error) {
      finish();
      return Promise.reject(error);
    }
  }
}

const gate = new Gate(CALLS);

/** Addresses travel as integers: Deno's pointer objects have no counterpart in Bun. */
function typeName(type: string): string {
  return type === "pointer" ? "u64" : type;
}

function definition(symbol: string, description: FunctionDescription): DenoFunction {
  return {
    name: symbol,
    parameters: parametersOf(description).map((p) => typeName(p.type)),
    result: typeName(description.result),
  };
}

/** The system's own functions for shared libraries. */
interface SystemLoader {
  dlopen(path: Uint8Array, flags: number): bigint;
  dlsym(library: bigint, symbol: Uint8Array): bigint;
  dlclose(library: bigint): number;
}

const SYSTEM_LOADERS: Readonly<Record<string, string>> = {
  linux: "libc.so.6",
  darwin: "/usr/lib/libSystem.B.dylib",
};

/** RTLD_NOW: what a library needs and can't be had is told when it is opened. */
const RTLD_NOW = 2;

let systemLoader: SystemLoader | undefined;

/** Undefined on Windows, and where only some libraries are allowed. */
function loadSystemLoader(): SystemLoader | undefined {
  const path = SYSTEM_LOADERS[deno.build.os];
  if (systemLoader || !path || !granted({ name: "ffi" })) return systemLoader;
  const { symbols, close } = openWith(path, {
    dlopen: { name: "dlopen", parameters: ["buffer", "i32"], result: "u64" },
    dlsym: { name: "dlsym", parameters: ["u64", "buffer"], result: "u64" },
    dlclose: { name: "dlclose", parameters: ["u64"], result: "i32" },
  });
  // The C library is never unloaded, so its functions outlive this.
  close();
  return systemLoader = symbols as unknown as SystemLoader;
}

function openWith(
  path: string,
  symbols: Record<string, DenoFunction>,
): { symbols: Record<string, Native | null>; close: () => void } {
  let library: ReturnType<DenoNamespace["dlopen"]>;
  try {
    library = deno.dlopen(path, symbols);
  } catch (error) {
    // What the system says is all there is to tell, as on Bun.
    if (error instanceof Error) {
      error.message = error.message.replace(/^(Could not open library: )+/, "");
    }
    throw error;
  }
  return { symbols: library.symbols, close: () => library.close() };
}

function nulTerminated(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

function gated(native: Native, result: string): Native {
  const gated: Native = (...args) => gate.run(() => native(...args) as Promise<unknown>);
  // Deno's own value for no result is null here, and undefined in synchronous calls.
  return result === "void" ? async (...args) => void await gated(...args) : gated;
}

/**
 * A library that the system's loader keeps open, and Deno does not know of: a
 * test of a user's in which a function is called for the first time would be
 * failed by `deno test` for the library that it leaves open.
 */
class PinnedLibrary implements BackendLibrary {
  readonly #path: string;
  readonly #system: SystemLoader;
  readonly #handle: bigint;

  constructor(path: string, system: SystemLoader) {
    this.#path = path;
    this.#system = system;
    // Tells what is wrong, which takes a further call of the system's own.
    const { close } = openWith(path, {});
    this.#handle = system.dlopen(nulTerminated(path), RTLD_NOW);
    close();
    if (this.#handle === 0n) throw new Error(`${path} can't be opened`);
  }

  #address(symbol: string): bigint {
    return this.#system.dlsym(this.#handle, nulTerminated(symbol));
  }

  has(symbol: string): boolean {
    return this.#address(symbol) !== 0n;
  }

  bind(symbol: string, description: FunctionDescription): Native | undefined {
    if (!this.has(symbol)) return undefined;
    // One at a time: registering all of a large library at once is slow.
    const { symbols, close } = openWith(this.#path, { f: definition(symbol, description) });
    // Deno's function has what it needs, and the library stays open through the handle.
    close();
    return symbols.f ?? undefined;
  }

  bindNonblocking(symbol: string, description: FunctionDescription): Native | undefined {
    const address = this.#address(symbol);
    if (address === 0n) return undefined;
    const { parameters, result } = definition(symbol, description);
    const pointer = new deno.UnsafeFnPointer(deno.UnsafePointer.create(address), {
      parameters,
      result,
      nonblocking: true,
    });
    return gated((...args) => pointer.call(...args), result);
  }

  close(): void {
    this.#system.dlclose(this.#handle);
  }
}

/** A library that Deno keeps open, a resource for each symbol. */
class TrackedLibrary implements BackendLibrary {
  readonly #path: string;
  readonly #close: (() => void)[] = [];

  constructor(path: string) {
    this.#path = path;
    // Opened now, so that an absent library is told of now.
    this.#close.push(openWith(path, {}).close);
  }

  #open(definition: DenoFunction): Native | undefined {
    const { symbols, close } = openWith(this.#path, { f: { ...definition, optional: true } });
    this.#close.push(close);
    return symbols.f ?? undefined;
  }

  has(symbol: string): boolean {
    return this.#open({ name: symbol, parameters: [], result: "void" }) !== undefined;
  }

  bind(symbol: string, description: FunctionDescription): Native | undefined {
    return this.#open(definition(symbol, description));
  }

  bindNonblocking(symbol: string, description: FunctionDescription): Native | undefined {
    const native = this.#open({ ...definition(symbol, description), nonblocking: true });
    return native && gated(native, description.result);
  }

  close(): void {
    for (const close of this.#close.splice(0)) close();
  }
}

function state(descriptor: DenoPermission): string {
  return deno.permissions.querySync(descriptor).state;
}

function granted(descriptor: DenoPermission): boolean {
  return state(descriptor) === "granted";
}

/** Where Linux and macOS keep libraries that are not in a folder of `LD_LIBRARY_PATH`. */
function libraryFolders(): string[] {
  const { os, arch } = deno.build;
  if (os === "darwin") return ["/usr/local/lib", "/opt/homebrew/lib", "/usr/lib"];
  return [
    ...(denoBackend.environment("LD_LIBRARY_PATH")?.split(":").filter(Boolean) ?? []),
    `/usr/local/lib/${arch}-linux-gnu`,
    "/usr/local/lib",
    `/usr/lib/${arch}-linux-gnu`,
    `/lib/${arch}-linux-gnu`,
    "/usr/lib64",
    "/usr/lib",
  ];
}

function exists(path: string): boolean {
  try {
    deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The adapter's backend on Deno. */
export const denoBackend: Backend = {
  bigints: "truncate",
  get platform(): string {
    return deno.build.os;
  },
  get architecture(): string {
    return deno.build.arch;
  },

  load(path): BackendLibrary {
    const system = loadSystemLoader();
    return system ? new PinnedLibrary(path, system) : new TrackedLibrary(path);
  },

  isPermissionError(error): boolean {
    const { NotCapable, PermissionDenied } = deno.errors;
    return [NotCapable, PermissionDenied].some((type) => type && error instanceof type);
  },

  candidates(name): string[] {
    if (name.includes("/") || deno.build.os === "windows" || granted({ name: "ffi" })) {
      return [name];
    }
    // Deno takes a bare name for a file of the working folder once it has to ask for permission.
    const paths = libraryFolders().map((folder) => `${folder}/${name}`);
    const allowed = paths.filter((path) => granted({ name: "ffi", path }));
    if (allowed.length > 0) return allowed;
    const found = paths.filter((path) => granted({ name: "read", path }) && exists(path));
    return found.length > 0 ? found : paths;
  },

  limit: (): NonblockingLimit => ({
    backend: "deno",
    calls: CALLS,
    runtimeThreads: RUNTIME_THREADS,
  }),

  addressOf: (view) => deno.UnsafePointer.value(deno.UnsafePointer.of(view)),

  bufferAt: (address, byteLength) =>
    deno.UnsafePointerView.getArrayBuffer(deno.UnsafePointer.create(address), byteLength),

  cString: (address) => deno.UnsafePointerView.getCString(deno.UnsafePointer.create(address)),

  callback(description, anyThread, target): BackendCallback {
    const { parameters, result } = definition("", description);
    const callback = anyThread
      ? deno.UnsafeCallback.threadSafe({ parameters, result }, target)
      : new deno.UnsafeCallback({ parameters, result }, target);
    return {
      address: deno.UnsafePointer.value(callback.pointer),
      close: () => callback.close(),
    };
  },

  environment(name): string | undefined {
    // Asked for first: a script must not be stopped by a prompt for a variable that it can do without.
    return granted({ name: "env", variable: name }) ? deno.env.get(name) : undefined;
  },

  list(folder): string[] | undefined {
    if (!granted({ name: "read", path: folder })) return undefined;
    try {
      return [...deno.readDirSync(folder)].map((entry) => entry.name);
    } catch {
      return undefined;
    }
  },

  accessible(file): boolean | undefined {
    if (!granted({ name: "read", path: file }) || !granted({ name: "write", path: file })) {
      return undefined;
    }
    try {
      deno.openSync(file, { read: true, write: true }).close();
      return true;
    } catch (error) {
      return denoBackend.isPermissionError(error) && exists(file) ? undefined : false;
    }
  },
};
