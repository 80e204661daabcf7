/**
 * The adapter on Bun: `bun:ffi`, with threads of our own for the nonblocking
 * calls that it lacks.
 *
 * @module
 */

import type { Backend, BackendCallback, BackendLibrary } from "./backend.ts";
import { bunFfi, type BunFunction, type Native } from "./bun_api.ts";
import { parametersOf } from "./compile.ts";
import type { FunctionDescription, NonblockingLimit } from "./types.ts";

interface BunMeta {
  require(path: "./bun_nonblocking.ts"): typeof import("./bun_nonblocking.ts");
}

/** Loaded at the first nonblocking call: most programs' start is over by then, and Deno never needs it. */
function offThread(): typeof import("./bun_nonblocking.ts") {
  return (import.meta as unknown as BunMeta).require("./bun_nonblocking.ts");
}

/** Views go as addresses, and addresses as integers that a `bigint` holds exactly. */
function typeName(type: string): string {
  switch (type) {
    case "buffer":
      return "ptr";
    case "pointer":
    case "usize":
      return "u64";
    case "isize":
      return "i64";
    default:
      return type;
  }
}

function definition(description: FunctionDescription): BunFunction {
  return {
    args: parametersOf(description).map((p) => typeName(p.type)),
    returns: typeName(description.result),
  };
}

class BunLibrary implements BackendLibrary {
  readonly #path: string;
  readonly #handle: bigint;
  readonly #close: (() => void)[] = [];

  constructor(path: string) {
    this.#path = path;
    // Bun's dlopen throws a TypeError for a missing symbol: the system's own tells more.
    this.#handle = bunFfi().openLibrary(path);
    this.#close.push(() => bunFfi().closeLibrary(this.#handle));
  }

  #address(symbol: string): bigint {
    return bunFfi().symbolIn(this.#handle, symbol);
  }

  has(symbol: string): boolean {
    return this.#address(symbol) !== 0n;
  }

  bind(symbol: string, description: FunctionDescription): Native | undefined {
    if (!this.has(symbol)) return undefined;
    const library = bunFfi().dlopen(this.#path, { [symbol]: definition(description) });
    this.#close.push(() => library.close());
    return library.symbols[symbol];
  }

  bindNonblocking(symbol: string, description: FunctionDescription): Native | undefined {
    const address = this.#address(symbol);
    if (address === 0n) return undefined;
    const types = parametersOf(description).map((p) => p.type);
    const { args: parameters, returns } = definition(description);
    return offThread().nonblocking({
      address,
      types,
      result: description.result,
      inWorker: { parameters, result: returns },
    });
  }

  close(): void {
    for (const close of this.#close.splice(0)) close();
  }
}

/** The adapter's backend on Bun. */
export const bunBackend: Backend = {
  bigints: "compare",
  get platform(): string {
    return process.platform === "win32" ? "windows" : process.platform;
  },
  get architecture(): string {
    return process.arch === "x64" ? "x86_64" : process.arch === "arm64" ? "aarch64" : process.arch;
  },

  load: (path) => new BunLibrary(path),

  isPermissionError: () => false,

  candidates: (name) => [name],

  limit: (): NonblockingLimit => offThread().limit(),

  addressOf: (view) => BigInt(bunFfi().ptr(view)),

  bufferAt: (address, byteLength) => bunFfi().toArrayBuffer(address, 0, byteLength),

  cString: (address) => new (bunFfi().CString)(address).toString(),

  callback(description, anyThread, target): BackendCallback {
    const { args, returns } = definition(description);
    const callback = new (bunFfi().JSCallback)(target, { args, returns, threadsafe: anyThread });
    return { address: BigInt(callback.ptr ?? 0), close: () => callback.close() };
  },

  environment: (name) => process.env[name],

  list(folder): string[] | undefined {
    try {
      return process.getBuiltinModule("node:fs").readdirSync(folder);
    } catch {
      return undefined;
    }
  },

  accessible(file): boolean | undefined {
    const fs = process.getBuiltinModule("node:fs");
    try {
      fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK);
      return true;
    } catch {
      return false;
    }
  },
};
