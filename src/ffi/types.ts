/**
 * The neutral description of a C library, and what opening it gives. Deno's
 * and Bun's own descriptions differ; this one is translated to either.
 *
 * @module
 */

/** C types that a `number` holds exactly. */
export type NumberType = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "f32" | "f64";

/** C types that are a `bigint`, in and out, whatever their value. */
export type BigIntType = "i64" | "u64" | "isize" | "usize" | "pointer";

/** Every type a parameter may have; `buffer` is a view or `null`. */
export type ParameterType = NumberType | BigIntType | "bool" | "buffer";

/** Every type a result may have. */
export type ResultType = NumberType | BigIntType | "bool" | "void";

/** A parameter with what is needed to check it and to name it in an error. */
export interface ParameterDescription {
  readonly type: ParameterType;
  /** The name in the C prototype. */
  readonly name?: string;
  /** `buffer` only: the fewest bytes the callee reads or writes. 0 by default. */
  readonly byteLength?: number;
  /**
   * `buffer` only: the index of the parameter that says how many elements of
   * `byteLength` bytes there are.
   */
  readonly count?: number;
  /** `buffer` and `pointer` only: whether `null`, or 0n, is accepted. True by default. */
  readonly nullable?: boolean;
  /**
   * `pointer` only: whether no two calls may be made with the same one at the
   * same time. While a nonblocking call has it, another nonblocking one waits,
   * and a synchronous one throws `HandleBusyError`.
   */
  readonly exclusive?: boolean;
}

/** One C function. */
export interface FunctionDescription {
  readonly parameters: readonly (ParameterType | ParameterDescription)[];
  readonly result: ResultType;
  /** Run on another thread, and return a Promise. */
  readonly nonblocking?: boolean;
  /**
   * Whether the library may lack the symbol. If not, {@linkcode open} refuses a
   * library without it; if so, calling it throws {@linkcode MissingSymbolError}.
   */
  readonly optional?: boolean;
  /** The symbol, if it differs from the key. */
  readonly symbol?: string;
  /**
   * The results that are no failure. With it, any other is given to
   * `onFailure` of {@linkcode OpenOptions}. Number results only.
   */
  readonly accepts?: readonly number[];
}

/** The functions of a library by name. */
export type LibraryDescription = Readonly<Record<string, FunctionDescription>>;

type TypeOf<P> = P extends { readonly type: infer T } ? T : P;

/** The TypeScript type of a value of the C type `T`. */
export type ValueOf<T> = T extends NumberType ? number
  : T extends BigIntType ? bigint
  : T extends "bool" ? boolean
  : T extends "buffer" ? BufferArgument
  : T extends "void" ? void
  : never;

/** What a `buffer` parameter takes. `null` and an empty view are NULL in C. */
export type BufferArgument = ArrayBufferView | null;

type Arguments<P extends readonly unknown[]> = {
  -readonly [I in keyof P]: ValueOf<TypeOf<P[I]>>;
};

/** The function that calls a described C function on the caller's thread. */
export type SyncFunction<F extends FunctionDescription> = (
  ...args: Arguments<F["parameters"]>
) => ValueOf<F["result"]>;

/** The function that calls a described C function on another thread. */
export type NonblockingFunction<F extends FunctionDescription> = (
  ...args: Arguments<F["parameters"]>
) => Promise<ValueOf<F["result"]>>;

/** The function that calls a described C function as its description says. */
export type DescribedFunction<F extends FunctionDescription> = F["nonblocking"] extends true
  ? NonblockingFunction<F>
  : SyncFunction<F>;

/** How {@linkcode open} behaves. */
export interface OpenOptions {
  /**
   * Called when a function with `accepts` returns another result; it must
   * throw. `nonblocking` tells that the call ran on another thread.
   */
  readonly onFailure?: (name: string, result: number, nonblocking: boolean) => never;
  /** Makes the error for a symbol that the library lacks. */
  readonly onMissing?: (symbol: string, library: string) => Error;
}

/** How many nonblocking calls run at the same time. */
export interface NonblockingLimit {
  /** What carries them out. */
  readonly backend: "deno" | "threads" | "workers";
  /** Calls of this package in flight at once; the rest wait in order. */
  readonly calls: number;
  /** Threads that the runtime has for this and for other work of its own. */
  readonly runtimeThreads: number;
}

/** An opened library. */
export interface Library<D extends LibraryDescription> {
  /** The name or path that it was opened by. */
  readonly path: string;
  /**
   * The functions as described. Each symbol is looked up at its first call, so
   * opening costs the same for 1 symbol as for 500.
   */
  readonly functions: { readonly [K in keyof D]: DescribedFunction<D[K]> };
  /** Calls under way on other threads, or waiting for one. */
  readonly inFlight: number;
  /**
   * For who is about to destroy what an address stands for: resolves when no
   * call in flight has it among its arguments; undefined if none has now.
   */
  whenUnused(address: bigint): Promise<void> | undefined;
  /** Whether the library has the symbol; looks it up, calls nothing. */
  has(symbol: string): boolean;
  /** The form of a function that runs on the caller's thread, whatever its description says. */
  sync<K extends keyof D & string>(name: K): SyncFunction<D[K]>;
  /** The form of a function that runs on another thread, whatever its description says. */
  nonblocking<K extends keyof D & string>(name: K): NonblockingFunction<D[K]>;
  /**
   * Closes the library: calls made from now on are refused, and it is unloaded
   * when those in flight have settled. Closing twice is the same as once.
   */
  close(): void;
}
