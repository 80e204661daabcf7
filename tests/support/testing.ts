/**
 * One way to write a test for both runtimes: registers with `Deno.test` or with `bun:test`.
 *
 * @module
 */

/** A test's body. */
export type TestFunction = () => void | Promise<void>;

/** How a test runs. */
export interface TestOptions {
  /** Why the test can't run here; it is then reported as skipped, with this reason in its name. */
  readonly skip?: string | false;
  /** Milliseconds until the test fails; default 60,000. A blocking call can't be interrupted. */
  readonly timeout?: number;
  /** Whether Deno fails the test for what it leaves behind (timers, calls, files); default true. */
  readonly sanitize?: boolean;
}

interface DenoTesting {
  test(definition: {
    name: string;
    fn: TestFunction;
    ignore: boolean;
    sanitizeOps: boolean;
    sanitizeResources: boolean;
    sanitizeExit: boolean;
  }): void;
}

interface BunTesting {
  (name: string, fn: TestFunction, timeout: number): void;
  skip(name: string, fn: TestFunction): void;
}

const DEFAULT_TIMEOUT = 60_000;

// Neither runtime's types know the other: what is used of them is described above.
const deno = (globalThis as { Deno?: DenoTesting }).Deno;
const bunTestModule = "bun:test";
const bun = deno ? undefined : (await import(bunTestModule) as { test: BunTesting }).test;

/** The runtime the tests run under. */
export const runtime: "deno" | "bun" = deno ? "deno" : "bun";

/** Registers a test with the runtime's own test runner. */
export function test(name: string, fn: TestFunction): void;
/** Registers a test with options. */
export function test(
  name: string,
  options: TestOptions,
  fn: TestFunction,
): void;
export function test(
  name: string,
  optionsOrFunction: TestOptions | TestFunction,
  maybeFunction?: TestFunction,
): void {
  const given = typeof optionsOrFunction === "function";
  const options = given ? {} : optionsOrFunction;
  const fn = given ? optionsOrFunction : maybeFunction;
  if (!fn) throw new TypeError(`Test "${name}" has no function`);
  const skip = options.skip || false;
  const timeout = options.timeout ?? DEFAULT_TIMEOUT;
  const sanitize = options.sanitize ?? true;
  const title = skip ? `${name} [skipped: ${skip}]` : name;
  if (deno) {
    deno.test({
      name: title,
      fn: () => withTimeout(fn, timeout),
      ignore: skip !== false,
      sanitizeOps: sanitize,
      sanitizeResources: sanitize,
      sanitizeExit: sanitize,
    });
  } else if (skip) {
    bun!.skip(title, fn);
  } else {
    bun!(title, async () => await fn(), timeout);
  }
}

/** Deno's runner has no timeout of its own. */
async function withTimeout(
  fn: TestFunction,
  milliseconds: number,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`Test did not end within ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    await Promise.race([fn(), expired]);
  } finally {
    clearTimeout(timer);
  }
}
