/**
 * Where things are, how the tasks speak, and how they run other programs.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

/** The project's folder, without a slash at its end. */
export const projectRoot: string = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** The folder that keeps everything the tasks provision. */
export const cacheRoot: string = `${userCache()}/ze-level-zero`;

function userCache(): string {
  const given = Deno.env.get("XDG_CACHE_HOME");
  if (given) return given;
  const home = Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE");
  if (!home) {
    throw new Error(
      "There is no cache folder: none of XDG_CACHE_HOME, HOME and USERPROFILE is set. Set one",
    );
  }
  return `${home}/.cache`;
}

/** Prints a line of progress. */
export function say(line: string): void {
  console.log(`[level-zero] ${line}`);
}

/** What is wrong, on one line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\n\s*/g, "; ");
}

/** Whether a file or folder is there. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch {
    return false;
  }
}

/** The first 12 hexadecimal digits of a text's SHA-256. */
export async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(hash).toHex().slice(0, 12);
}

/** Reads the tools' pinned versions. */
export async function toolVersions(): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await Deno.readTextFile(`${projectRoot}/tools/package.json`)).devDependencies;
}

/** How a program is run. */
export interface RunOptions {
  /** Variables added to this process's own, or all of them with `clearEnv`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the program sees only `env`. */
  readonly clearEnv?: boolean;
  /** Its folder; the project's by default. */
  readonly cwd?: string;
  /** Milliseconds until it is killed; no limit by default. */
  readonly timeout?: number;
  /** `show` passes the output on, `keep` (default) keeps it for the result. */
  readonly output?: "show" | "keep";
  /** With it, the latest line of the kept output is printed now and then, after this label. */
  readonly progress?: string;
}

/** How a program ended. */
export interface RunResult {
  /** Its exit code; 128 + n if signal n ended it. */
  readonly code: number;
  /** Whether it was killed because its time was up. */
  readonly timedOut: boolean;
  /** What it printed, unless that was shown. */
  readonly output: string;
  /** How it ended, for a person. */
  readonly ending: string;
}

const running = new Set<Deno.ChildProcess>();
let listening = false;

/** Programs in a namespace of their own ignore Ctrl-C, so they are ended from here. */
function listenForSignals(): void {
  if (listening) return;
  listening = true;
  const signals: [Deno.Signal, number][] = [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]];
  for (const [signal, code] of Deno.build.os === "windows" ? signals.slice(0, 1) : signals) {
    Deno.addSignalListener(signal, () => {
      for (const child of running) kill(child);
      Deno.exit(code);
    });
  }
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

/** Runs a program to its end. */
export async function run(
  command: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  listenForSignals();
  const mode = options.output ?? "keep";
  const [program, ...args] = command;
  const stream = mode === "show" ? "inherit" : "piped";
  const child = new Deno.Command(program!, {
    args,
    cwd: options.cwd ?? projectRoot,
    env: options.env,
    clearEnv: options.clearEnv,
    stdin: "null",
    stdout: stream,
    stderr: stream,
  }).spawn();
  running.add(child);
  let timedOut = false;
  const timer = options.timeout === undefined ? undefined : setTimeout(() => {
    timedOut = true;
    kill(child);
  }, options.timeout);
  const lines = mode === "show" ? undefined : new LineKeeper(options.progress);
  const reading = lines
    ? Promise.all([lines.read(child.stdout), lines.read(child.stderr)])
    : undefined;
  try {
    const status = await child.status;
    const ending = timedOut
      ? `killed after ${Math.round(options.timeout! / 1000)} s without an end`
      : endingOf(status.code, status.signal);
    // After a kill, a grandchild may hold the pipe open for longer than the program lived.
    if (!timedOut) await reading;
    return { code: status.code, timedOut, output: lines?.text ?? "", ending };
  } finally {
    running.delete(child);
    clearTimeout(timer);
    lines?.close();
  }
}

/** A program that did not succeed. */
export class CommandError extends Error {
  override name = "CommandError";
  /** The last lines that it printed. */
  readonly tail: string;

  /** Takes the last line for the message. */
  constructor(command: readonly string[], result: RunResult) {
    const lines = result.output.trimEnd().split("\n");
    super(`${command.join(" ").slice(0, 80)} ${result.ending}: ${lines.at(-1)?.trim()}`);
    this.tail = lines.slice(-20).join("\n");
  }
}

/** Runs a program and throws a {@linkcode CommandError} unless it succeeds. */
export async function runOrThrow(
  command: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  let result: RunResult;
  try {
    result = await run(command, options);
  } catch (error) {
    throw new Error(`Could not start ${command[0]}: ${reasonOf(error)}`, { cause: error });
  }
  if (result.code === 0) return result.output;
  throw new CommandError(command, result);
}

const SIGNAL_NAMES: Readonly<Record<number, string>> = {
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  15: "SIGTERM",
};

function endingOf(code: number, signal: string | null): string {
  const name = signal ?? SIGNAL_NAMES[code - 128];
  return name ? `was ended by ${name}` : `exited with code ${code}`;
}

/** Keeps what a program prints, and may print its latest line every few seconds. */
class LineKeeper {
  #text = "";
  readonly #start = Date.now();
  readonly #timer: ReturnType<typeof setInterval> | undefined;

  constructor(label: string | undefined) {
    if (label) this.#timer = setInterval(() => this.#report(label), 10_000);
  }

  get text(): string {
    return this.#text;
  }

  async read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.#text += decoder.decode(chunk, { stream: true });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #report(label: string): void {
    const latest = this.#text.trimEnd().split("\n").at(-1) ?? "";
    say(`${label}: ${Math.round((Date.now() - this.#start) / 1000)} s: ${latest.slice(0, 90)}`);
  }
}
