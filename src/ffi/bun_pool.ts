/**
 * Nonblocking calls on Bun, whose FFI has none: threads of our own, in C that
 * Bun's built-in compiler makes at the first such call. Needs no toolchain, no
 * C headers and no network.
 *
 * @module
 */

import { type BunFfi, bunFfi, type Native } from "./bun_api.ts";
import { IMPORTS, poolSource, SMALL_INTEGERS, starterSource } from "./bun_pool_source.ts";

/** Threads at the most; further calls wait for one. */
export const POOL_THREADS = 256;
/** A thread that has had no call for so long ends. */
const IDLE_SECONDS = 5;
/** A driver compiles on such a thread, with the stack that a main thread has. */
const STACK_BYTES = 8 * 1024 * 1024;

/** Starts a call: the C function's address, then its arguments. */
export type Starter = (address: bigint, ...args: unknown[]) => Promise<unknown>;

/** The C type that carries an adapter type in a job. */
function carrier(type: string): string {
  switch (type) {
    case "isize":
      return "i64";
    case "usize":
    case "pointer":
    case "buffer":
      return "u64";
    default:
      return type;
  }
}

/**
 * How Bun is to take an argument of an adapter type. A view and an address are
 * the same to C and not to Bun. Small integers come as `f64`, since Bun takes
 * the bits of a number for an integer's: 7 that was computed as a float is 0.
 */
function taker(type: string): string {
  if (type === "buffer") return "ptr";
  return SMALL_INTEGERS.has(type) ? "f64" : carrier(type);
}

interface CModule {
  symbols: Record<string, Native>;
}

/** Compiles C text. Bun takes a file only, so one is made where nobody else can write. */
function compileC(
  ffi: BunFfi,
  source: string,
  symbols: Record<string, { args: string[]; returns: string }>,
): CModule {
  const fs = process.getBuiltinModule("node:fs");
  const { tmpdir } = process.getBuiltinModule("node:os");
  const folder = fs.mkdtempSync(`${tmpdir()}/level-zero-`);
  try {
    const file = `${folder}/source.c`;
    fs.writeFileSync(file, source);
    // Without it TinyCC looks for the C library's development files.
    return ffi.cc({ source: file, flags: ["-nostdlib"], symbols });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The threads of this JavaScript thread. */
export class Pool {
  readonly #ffi: BunFfi;
  readonly #table: BigUint64Array;
  readonly #submit: bigint;
  readonly #count: Native;
  readonly #starters = new Map<string, Starter>();
  /** Compiled code is unmapped with its module, and threads may be in it. */
  readonly #modules: CModule[] = [];

  /** Compiles the pool; throws if that is not possible here. */
  constructor() {
    const ffi = bunFfi();
    if (process.platform === "win32") throw new Error("there are no POSIX threads on Windows");
    this.#ffi = ffi;
    this.#table = new BigUint64Array(IMPORTS.map((name) => {
      const address = ffi.symbolAddress(name);
      if (address === 0n) throw new Error(`this system has no ${name}`);
      return address;
    }));
    const pool = compileC(ffi, poolSource(POOL_THREADS, IDLE_SECONDS, STACK_BYTES), {
      setup: { args: ["napi_env", "ptr"], returns: "u64" },
      thread_count: { args: [], returns: "u32" },
    });
    this.#modules.push(pool);
    this.#count = pool.symbols.thread_count!;
    this.#submit = pool.symbols.setup!(null, this.#table) as bigint;
    if (this.#submit === 0n) throw new Error("no threadsafe function could be made");
  }

  /** Threads that are there now, busy or idle. */
  get threads(): number {
    return this.#count() as number;
  }

  /** The function that starts calls of the prototype; one is compiled per prototype. */
  starter(parameters: readonly string[], result: string): Starter {
    const carried = parameters.map(carrier);
    const returns = carrier(result);
    const taken = parameters.map(taker);
    const key = `${returns}(${carried}) of ${taken}`;
    const known = this.#starters.get(key);
    if (known) return known;
    const module = compileC(this.#ffi, starterSource(carried, returns), {
      setup: { args: ["ptr", "u64"], returns: "void" },
      start: {
        // A view is turned into its address by Bun itself.
        args: ["napi_env", "u64", ...taken],
        returns: "napi_value",
      },
    });
    this.#modules.push(module);
    module.symbols.setup!(this.#table, this.#submit);
    const start = module.symbols.start!;
    const starter: Starter = (address, ...args) => {
      const promise = start(null, address, ...args) as Promise<unknown> | undefined;
      if (promise === undefined) {
        return Promise.reject(
          new Error(
            "No thread could be started for a nonblocking call: the system is out of threads or memory",
          ),
        );
      }
      return promise;
    };
    this.#starters.set(key, starter);
    return starter;
  }
}
