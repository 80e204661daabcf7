/**
 * Opens a C library by its neutral description.
 *
 * @module
 */

import type { BackendLibrary } from "./backend.ts";
import { whenNoCallbackRuns } from "./callback.ts";
import { busyHandles } from "./busy.ts";
import { compile, type Compiled, type Native } from "./compile.ts";
import { LibraryClosedError, LibraryNotFoundError, MissingSymbolError } from "./errors.ts";
import { backend } from "./runtime.ts";
import type {
  FunctionDescription,
  Library,
  LibraryDescription,
  NonblockingLimit,
  OpenOptions,
} from "./types.ts";

/** How many nonblocking calls run at once on this runtime, and by what means. */
export function nonblockingLimit(): NonblockingLimit {
  return backend().limit();
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const PERMISSION_HINT =
  "Run with --allow-ffi, or with --allow-ffi=PATH where PATH is the library's full path.";

/** Adds a hint to the runtime's own error, which stays what it is. */
function withPermissionHint(error: unknown): unknown {
  if (error instanceof Error && !error.message.includes(PERMISSION_HINT)) {
    error.message += `\n${PERMISSION_HINT}`;
  }
  return error;
}

function load(names: readonly string[]): { path: string; library: BackendLibrary } {
  const tried: string[] = [];
  const reasons: string[] = [];
  for (const path of names.flatMap((name) => backend().candidates(name))) {
    try {
      return { path, library: backend().load(path) };
    } catch (error) {
      if (backend().isPermissionError(error)) throw withPermissionHint(error);
      tried.push(path);
      reasons.push(reasonOf(error));
    }
  }
  throw new LibraryNotFoundError(
    `None of these libraries could be opened:\n${
      tried.map((path, i) => `  ${path}: ${reasons[i]}`).join("\n")
    }`,
    tried,
    reasons,
  );
}

class OpenLibrary<D extends LibraryDescription> implements Library<D> {
  readonly path: string;
  readonly functions: Library<D>["functions"];
  readonly #library: BackendLibrary;
  readonly #description: D;
  readonly #options: OpenOptions;
  readonly #compiled = new Map<string, Compiled>();
  /** The arguments of calls under way: native code holds addresses, which keep nothing alive. */
  readonly #held = new Set<readonly unknown[]>();
  /** Those who wait until no call uses an address. */
  readonly #watchers = new Set<{ readonly address: bigint; readonly resolve: () => void }>();
  #closed = false;

  constructor(path: string, library: BackendLibrary, description: D, options: OpenOptions) {
    this.path = path;
    this.#library = library;
    this.#description = description;
    this.#options = options;
    for (const [name, { optional, symbol = name }] of Object.entries(description)) {
      if (!optional && !library.has(symbol)) {
        library.close();
        throw this.#missing(symbol);
      }
    }
    this.functions = this.#lazyFunctions();
  }

  get inFlight(): number {
    return this.#held.size;
  }

  whenUnused(address: bigint): Promise<void> | undefined {
    if (!this.#uses(address)) return undefined;
    return new Promise((resolve) => void this.#watchers.add({ address, resolve }));
  }

  #uses(address: bigint): boolean {
    for (const args of this.#held) if (args.includes(address)) return true;
    return false;
  }

  has(symbol: string): boolean {
    if (this.#closed) throw new LibraryClosedError(this.path);
    return this.#library.has(this.#description[symbol]?.symbol ?? symbol);
  }

  // The casts stand for what `compile` makes of the description that the type is derived from.
  sync<K extends keyof D & string>(name: K): ReturnType<Library<D>["sync"]> {
    return this.#function(name, false) as ReturnType<Library<D>["sync"]>;
  }

  nonblocking<K extends keyof D & string>(name: K): ReturnType<Library<D>["nonblocking"]> {
    return this.#function(name, true) as ReturnType<Library<D>["nonblocking"]>;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const closed = (): never => {
      throw new LibraryClosedError(this.path);
    };
    for (const compiled of this.#compiled.values()) compiled.retarget(closed);
    if (this.#held.size === 0) this.#unload();
  }

  #unload(): void {
    whenNoCallbackRuns(() => this.#library.close());
  }

  #missing(symbol: string): Error {
    return this.#options.onMissing?.(symbol, this.path) ??
      new MissingSymbolError(symbol, this.path);
  }

  #lazyFunctions(): Library<D>["functions"] {
    const functions: Record<string, Native> = {};
    for (const [name, description] of Object.entries(this.#description)) {
      Object.defineProperty(functions, name, {
        configurable: true,
        enumerable: true,
        get: () => {
          const value = this.#function(name, description.nonblocking ?? false);
          Object.defineProperty(functions, name, { value, enumerable: true });
          return value;
        },
      });
    }
    return functions as Library<D>["functions"];
  }

  /** The function, or one that throws for a symbol that is missing. */
  #function(name: string, nonblocking: boolean): Native {
    const key = nonblocking ? `nonblocking ${name}` : name;
    const known = this.#compiled.get(key);
    if (known) return known.call;
    if (this.#closed) throw new LibraryClosedError(this.path);
    const description: FunctionDescription | undefined = this.#description[name];
    if (!description) throw new MissingSymbolError(name, `the description of ${this.path}`);
    const symbol = description.symbol ?? name;
    const native = nonblocking
      ? this.#library.bindNonblocking(symbol, description)
      : this.#library.bind(symbol, description);
    if (!native) {
      return () => {
        throw this.#missing(symbol);
      };
    }
    const compiled = compile({
      name,
      description,
      native: nonblocking ? this.#settling(name, native, description) : native,
      bigints: backend().bigints,
      nonblocking,
      onFailure: this.#options.onFailure,
    });
    this.#compiled.set(key, compiled);
    return compiled.call;
  }

  /** Holds the arguments of a nonblocking call until it settles, and checks its result. */
  #settling(name: string, native: Native, description: FunctionDescription): Native {
    const { accepts, parameters } = description;
    const { onFailure } = this.#options;
    const accepted = accepts && onFailure && new Set<unknown>(accepts);
    const exclusive = parameters.findIndex((p) => typeof p !== "string" && p.exclusive);
    const call = exclusive < 0 ? native : (...args: unknown[]) =>
      busyHandles.hold(
        name,
        args[exclusive] as bigint,
        () => native(...args) as Promise<unknown>,
      );
    return async (...args) => {
      this.#held.add(args);
      let result: unknown;
      try {
        result = await call(...args);
      } finally {
        this.#held.delete(args);
        for (const watcher of this.#watchers) {
          if (this.#uses(watcher.address)) continue;
          this.#watchers.delete(watcher);
          watcher.resolve();
        }
        if (this.#closed && this.#held.size === 0) this.#unload();
      }
      if (accepted && !accepted.has(result)) onFailure!(name, result as number, true);
      return result;
    };
  }
}

/**
 * Opens the first of the named libraries that can be had. Names without a
 * folder are looked for where the system keeps libraries.
 *
 * @throws {LibraryNotFoundError} If none could be opened; with each path tried and the reason.
 * @throws {MissingSymbolError} If a function that is not `optional` has no symbol.
 * @throws The runtime's own permission error, with a hint added, where Deno does not allow FFI.
 */
export function open<const D extends LibraryDescription>(
  names: readonly string[],
  description: D,
  options: OpenOptions = {},
): Library<D> {
  const { path, library } = load(names);
  return new OpenLibrary(path, library, description, options) as unknown as Library<D>;
}
