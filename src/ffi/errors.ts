/**
 * The errors of the adapter. Each is thrown before any native code runs.
 *
 * @module
 */

/** What an {@linkcode ArgumentTypeError} or {@linkcode ArgumentRangeError} is about. */
export interface ArgumentProblem {
  /** The function called. */
  readonly functionName: string;
  /** The parameter's name, or its position if it has none. */
  readonly argument: string;
  /** The value given. */
  readonly given: unknown;
  /** What is accepted, in words. */
  readonly accepted: string;
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (ArrayBuffer.isView(value)) {
    return `a ${value.constructor.name} of ${value.byteLength} bytes`;
  }
  if (typeof value !== "object" || value === null) return String(value);
  try {
    return `a ${value.constructor?.name ?? "null-prototype object"}`;
  } catch {
    // A proxy may throw whatever it is asked for.
    return "an object";
  }
}

function message(problem: ArgumentProblem, given?: string): string {
  return `${problem.functionName}: argument \`${problem.argument}\` is ${
    given ?? describe(problem.given)
  }, but must be ${problem.accepted}`;
}

/** An argument of the wrong type, given to a native function. Nothing was called. */
export class ArgumentTypeError extends TypeError implements ArgumentProblem {
  override readonly name = "ArgumentTypeError";
  readonly functionName: string;
  readonly argument: string;
  readonly given: unknown;
  readonly accepted: string;

  /** Says what is wrong; `given` describes the value if its type is not enough. */
  constructor(problem: ArgumentProblem, given?: string) {
    super(message(problem, given));
    this.functionName = problem.functionName;
    this.argument = problem.argument;
    this.given = problem.given;
    this.accepted = problem.accepted;
  }
}

/** An argument of the right type and out of range. Nothing was called. */
export class ArgumentRangeError extends RangeError implements ArgumentProblem {
  override readonly name = "ArgumentRangeError";
  readonly functionName: string;
  readonly argument: string;
  readonly given: unknown;
  readonly accepted: string;

  /** Says what is wrong; `given` describes the value if its type is not enough. */
  constructor(problem: ArgumentProblem, given?: string) {
    super(message(problem, given));
    this.functionName = problem.functionName;
    this.argument = problem.argument;
    this.given = problem.given;
    this.accepted = problem.accepted;
  }
}

/** No candidate for a library could be opened. */
export class LibraryNotFoundError extends Error {
  override readonly name: string = "LibraryNotFoundError";
  /** The names and paths tried, in order. */
  readonly tried: readonly string[];
  /** What the operating system said to each. */
  readonly reasons: readonly string[];

  constructor(message: string, tried: readonly string[], reasons: readonly string[]) {
    super(message);
    this.tried = tried;
    this.reasons = reasons;
  }
}

/** The library has no such symbol. */
export class MissingSymbolError extends Error {
  override readonly name = "MissingSymbolError";
  /** The C name. */
  readonly symbol: string;
  /** The library that lacks it, as it was opened. */
  readonly library: string;
  /** The library's version, such as `1.8.12`; absent where it could not be told. */
  readonly loaderVersion: string | undefined;
  /** What to do about it. */
  readonly hint: string;

  constructor(symbol: string, library: string, loaderVersion?: string, hint = "") {
    super(
      `${library}${loaderVersion ? ` (version ${loaderVersion})` : ""} has no symbol ${symbol}${
        hint && `. ${hint}`
      }`,
    );
    this.symbol = symbol;
    this.library = library;
    this.loaderVersion = loaderVersion;
    this.hint = hint;
  }
}

/** A call through a library that was closed. Nothing was called. */
export class LibraryClosedError extends Error {
  override readonly name = "LibraryClosedError";

  constructor(library: string) {
    super(`${library} was closed; open it again to call it`);
  }
}

/**
 * A call on an object that a call on another thread has to itself. Nothing was
 * called: await that call first. A nonblocking call would have waited for it.
 */
export class HandleBusyError extends Error {
  override readonly name = "HandleBusyError";
  /** The function that was not called. */
  readonly functionName: string;
  /** What to do about it. */
  readonly hint: string;

  constructor(functionName: string, what: string, hint: string) {
    super(`${functionName}: ${what}. ${hint}`);
    this.functionName = functionName;
    this.hint = hint;
  }
}
