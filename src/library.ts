/**
 * The one Level Zero loader of this process, opened at the first call.
 *
 * @module
 */

import { cString, open } from "./ffi/mod.ts";
import { Signatures } from "./ffi/signature.ts";
import { environment, platform } from "./ffi/system.ts";
import type { FunctionDescription, Library, LibraryDescription } from "./ffi/types.ts";
import {
  ArgumentTypeError,
  DeadlockError,
  LibraryNotFoundError,
  LoaderNotFoundError,
  MissingSymbolError,
  ZeError,
} from "./error.ts";
import type * as tracing from "./libze/functions_tracing.ts";
import type * as ze from "./libze/functions_ze.ts";
import type * as zel from "./libze/functions_zel.ts";
import type * as zer from "./libze/functions_zer.ts";
import type * as zes from "./libze/functions_zes.ts";
import type * as zet from "./libze/functions_zet.ts";
import { zel_component_version_t } from "./libze/structs_zel.ts";
import { libraries, symbols } from "./libze/symbols.ts";

/** Every C function in its plain form. */
export type Functions =
  & typeof ze
  & typeof zes
  & typeof zet
  & typeof zer
  & typeof zel
  & typeof tracing;

/** Every C function on the caller's thread. */
export type SyncFunctions = {
  readonly [K in keyof Functions]: Functions[K] extends (...args: infer A) => infer R
    ? (...args: A) => Awaited<R>
    : never;
};

/** Every C function on another thread. */
export type NonblockingFunctions = {
  readonly [K in keyof Functions]: Functions[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

type Call = (...args: unknown[]) => unknown;

const signatures = new Signatures(symbols);

/** Describes a function when it is asked for, so that opening reads none. */
const description = new Proxy<Record<string, FunctionDescription>>({}, {
  get: (_, name) => signatures.get(String(name))?.description,
});

/** Names a loader other than the system's, as `init({ loader })` does. */
const LOADER_VARIABLE = "ZE_LOADER_PATH";

let opened: Library<LibraryDescription> | undefined;
let chosen: string | undefined;

function library(): Library<LibraryDescription> {
  return opened ??= openLoader();
}

function openLoader(): Library<LibraryDescription> {
  const override = chosen ?? environment(LOADER_VARIABLE);
  const names = override
    ? [override]
    : libraries[platform() as keyof typeof libraries] ?? libraries.linux;
  try {
    return open(names, description as LibraryDescription, { onFailure, onMissing });
  } catch (error) {
    if (!(error instanceof LibraryNotFoundError)) throw error;
    throw new LoaderNotFoundError(error, loaderHint(override, error));
  }
}

function loaderHint(
  override: string | undefined,
  { tried, reasons }: LibraryNotFoundError,
): string {
  // The system names the library that it misses: another one than asked for is a dependency.
  const dependency = reasons.find((reason, i) =>
    /\.so[.\d]*: cannot open shared object|Library not loaded/.test(reason) &&
    !reason.includes(`${tried[i]}: cannot open`)
  );
  if (dependency) {
    return "The loader is there, but a library that it needs is not: install that one.";
  }
  return override
    ? `It was named by ${
      chosen ? "init({ loader })" : LOADER_VARIABLE
    }, so no other was tried: correct it or leave it out.`
    : `Install it (libze1 on Debian and Ubuntu, level-zero on Fedora and Arch; with the graphics driver on Windows), or name it by ${LOADER_VARIABLE}.`;
}

/** The handles that `zeDriverGetLastErrorDescription` can be asked with. */
const driverHandles = new Set<bigint>();

/** Lets failures of synchronous calls be described by the driver. */
export function addDriver(handle: bigint): void {
  driverHandles.add(handle);
}

let describing = false;

/** The driver's words for the last failure on this thread. */
function lastErrorDescription(): string | undefined {
  // With several drivers it is not known which one failed, and the others' text is of another call.
  const [driver, ...others] = driverHandles;
  if (driver === undefined || others.length > 0 || describing) return undefined;
  describing = true;
  try {
    const text = new BigUint64Array(1);
    sync.zeDriverGetLastErrorDescription(driver, text);
    return text[0] ? cString(text[0]).trim() || undefined : undefined;
  } catch {
    return undefined;
  } finally {
    describing = false;
  }
}

function onFailure(name: string, result: number, nonblocking: boolean): never {
  // The driver keeps its text per thread: after a nonblocking call there is none for us to ask for.
  const description = nonblocking ? undefined : lastErrorDescription();
  throw new ZeError(name, result, description === undefined ? {} : { description });
}

function onMissing(symbol: string, path: string): MissingSymbolError {
  const hint = symbol.startsWith("zes")
    ? "Sysman in this loader comes through zeInit with ZES_ENABLE_SYSMAN=1 in the environment; or update the loader."
    : "Update the loader, or ask for the function first and do without.";
  return new MissingSymbolError(symbol, path, loaderVersion(), hint);
}

let version: string | undefined;

/** The loader's version, such as `1.32.0`; undefined if it can't tell. */
export function loaderVersion(): string | undefined {
  return version ??= readLoaderVersion();
}

function readLoaderVersion(): string | undefined {
  const { size } = zel_component_version_t;
  const entry = new Uint8Array(size);
  try {
    if (has("zelGetLoaderVersion")) {
      sync.zelGetLoaderVersion(entry);
    } else if (has("zelLoaderGetVersions")) {
      const count = new BigUint64Array(1);
      sync.zelLoaderGetVersions(count, null);
      const entries = new Uint8Array(size * Number(count[0]));
      sync.zelLoaderGetVersions(count, entries);
      const loader = zel_component_version_t.readAll(entries)
        .findIndex(({ component_name }) => component_name === "loader");
      if (loader < 0) return undefined;
      entry.set(entries.subarray(loader * size, (loader + 1) * size));
    } else {
      return undefined;
    }
  } catch {
    return undefined;
  }
  const { major, minor, patch } = zel_component_version_t.read(entry).component_lib_version;
  return major | minor | patch ? `${major}.${minor}.${patch}` : undefined;
}

/**
 * Whether the loader has a function: an older one than the headers lacks some.
 *
 * @throws {LoaderNotFoundError} If there is no loader to ask.
 */
export function has(name: keyof Functions & string): boolean {
  return library().has(name);
}

/** Where the loader is and which version it has, for errors. */
export function loaderDescription(): string {
  return `${library().path}${
    loaderVersion() ? `, version ${loaderVersion()}` : ", of unknown version"
  }`;
}

/**
 * Names the loader to open, in place of the system's.
 *
 * @throws {ArgumentTypeError} If another one is open already.
 */
export function useLoader(path: string): void {
  const problem = { functionName: "init", argument: "loader", given: path };
  if (typeof path !== "string" || path === "") {
    throw new ArgumentTypeError({ ...problem, accepted: "the path of a library" });
  }
  if (opened && opened.path !== path) {
    throw new ArgumentTypeError({
      ...problem,
      accepted: `${JSON.stringify(opened.path)}, which is in use, or left out`,
    });
  }
  chosen = path;
}

/** Resolves when no call on another thread uses a handle; undefined if none does now. */
export function whenUnused(handle: bigint): Promise<void> | undefined {
  return opened?.whenUnused(handle);
}

/** They wait for callbacks of calls on other threads, which wait for this thread. */
const CALLBACK_WAITS: ReadonlySet<string> = new Set(["zelTracerDestroy", "zetTracerExpDestroy"]);

function form(name: string, nonblocking: boolean): Call {
  const call = (nonblocking ? library().nonblocking(name) : library().sync(name)) as Call;
  if (!nonblocking && CALLBACK_WAITS.has(name)) {
    return (...args) => {
      if (library().inFlight === 0) return call(...args);
      const hint = `Await nonblocking.${name}() instead.`;
      throw new DeadlockError(name, "a callback of a call on another thread", hint);
    };
  }
  const flatten = signatures.get(name)?.flatten;
  return flatten ? (...args) => call(...flatten(args)) : call;
}

/** The function that the plain name stands for. */
export function bind<K extends keyof Functions>(name: K): Functions[K] {
  const nonblocking = signatures.get(name)?.description.nonblocking ?? false;
  return form(name, nonblocking) as Functions[K];
}

/**
 * An object whose members are bound when they are first used: a Proxy behind it
 * is asked for those that it has not got yet, so that the others cost nothing.
 */
function lazy<Forms extends object>(nonblocking: boolean): Forms {
  const members: Record<string, Call> = Object.create(
    new Proxy({}, {
      get(_, name): Call | undefined {
        if (typeof name !== "string" || !signatures.get(name)) return undefined;
        return members[name] = form(name, nonblocking);
      },
      // Or else an assignment to what inherits from a Proxy would ask that.
      set: (_, name, value) =>
        Reflect.defineProperty(members, name, { value, writable: true, configurable: true }),
      has: (_, name) => typeof name === "string" && signatures.get(name) !== undefined,
    }),
  );
  return members as Forms;
}

/** Every C function on the caller's thread, whether it can block or not. */
export const sync: SyncFunctions = lazy<SyncFunctions>(false);

/** Every C function on another thread: each returns a Promise. */
export const nonblocking: NonblockingFunctions = lazy<NonblockingFunctions>(true);
