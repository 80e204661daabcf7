/**
 * Event pools and events that are shared between processes.
 *
 * @module
 */

import { ArgumentTypeError, UnsupportedFeatureError, ZeError } from "./error.ts";
import type { Context } from "./context.ts";
import type { Driver } from "./driver.ts";
import type { Event } from "./event.ts";
import { needCounter } from "./event_options.ts";
import type { EventPool } from "./event_pool.ts";
import { requireSince } from "./features.ts";
import { has, sync } from "./library.ts";
import { ze_result_t } from "./libze/enums_ze.ts";
import {
  ze_ipc_event_counter_based_handle_t,
  ze_ipc_event_pool_handle_t,
} from "./libze/structs_ze.ts";
import { OwnedObject, Resource } from "./resource.ts";

/**
 * What another process opens an event pool with, by {@linkcode EventPool.open}.
 * It is given back by `dispose`, `using` or `await using`, or with its pool; by
 * then the other process must have opened it.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventPoolGetIpcHandle | zeEventPoolGetIpcHandle}.
 */
export class IpcEventPoolHandle extends OwnedObject {
  /** The pool. */
  readonly pool: EventPool;
  readonly #bytes: Uint8Array<ArrayBuffer>;

  private constructor(pool: EventPool, bytes: Uint8Array<ArrayBuffer>) {
    const context = pool.context.handle;
    const giveBack = (): void => {
      // Loaders from before 1.6 have none to give back, and some drivers nothing.
      if (has("zeEventPoolPutIpcHandle")) {
        ignoreUnsupported(() => sync.zeEventPoolPutIpcHandle(context, bytes));
      }
    };
    super(new Resource("IpcEventPoolHandle", pool.handle, giveBack, pool.resource));
    this.pool = pool;
    this.#bytes = bytes;
  }

  /** See {@linkcode EventPool.createIpcHandle}. */
  static create(pool: EventPool): IpcEventPoolHandle {
    const functionName = "EventPool.createIpcHandle";
    if (!pool.ipc) {
      throw new UnsupportedFeatureError(
        functionName,
        "a pool that processes may share",
        "Make it with `ipc: true`.",
      );
    }
    requireIpcPools(functionName, pool.context.driver);
    const bytes = ze_ipc_event_pool_handle_t.create();
    sync.zeEventPoolGetIpcHandle(pool.handle, bytes);
    return new IpcEventPoolHandle(pool, bytes);
  }

  /**
   * What to send to the other process, by whatever means. Some drivers have a
   * file descriptor in it that the other process must get too, in its place.
   *
   * @throws {UseAfterDisposeError} After dispose.
   */
  get bytes(): Uint8Array<ArrayBuffer> {
    void this.handle;
    return new Uint8Array(this.#bytes);
  }
}

function ignoreUnsupported(call: () => void): void {
  try {
    call();
  } catch (error) {
    const { ZE_RESULT_ERROR_UNSUPPORTED_FEATURE } = ze_result_t;
    if (!(error instanceof ZeError && error.code === ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)) {
      throw error;
    }
  }
}

function requireIpcPools(functionName: string, driver: Driver): void {
  if (driver.ipcProperties.flags.includes("event_pool")) return;
  throw new UnsupportedFeatureError(
    functionName,
    "event pools that processes share",
    "Ask Driver.ipcProperties first.",
  );
}

function checkBytes(functionName: string, bytes: unknown, size: number): Uint8Array<ArrayBuffer> {
  if (bytes instanceof Uint8Array && bytes.length === size) return new Uint8Array(bytes);
  throw new ArgumentTypeError({
    functionName,
    argument: "bytes",
    given: bytes,
    accepted: `the ${size} bytes that the other process has for it, in a Uint8Array`,
  });
}

/** A pool of another process, and how to let go of it. */
export function openPool(functionName: string, context: Context, bytes: Uint8Array): Resource {
  const copy = checkBytes(functionName, bytes, ze_ipc_event_pool_handle_t.size);
  requireIpcPools(functionName, context.driver);
  const pool = new BigUint64Array(1);
  sync.zeEventPoolOpenIpcHandle(context.handle, copy, pool);
  const close = (handle: bigint): void => void sync.zeEventPoolCloseIpcHandle(handle);
  return new Resource("EventPool", pool[0]!, close, context.resource);
}

/** See {@linkcode Event.ipcBytes}. */
export function ipcEventBytes(event: Event): Uint8Array<ArrayBuffer> {
  const name = "zeEventCounterBasedGetIpcHandle";
  needCounter(name, event);
  if (!event.ipc) {
    throw new UnsupportedFeatureError(
      name,
      "an event that processes may share",
      "Make it with `ipc: true`.",
    );
  }
  requireSince(name, event.context.driver, name, 15);
  const bytes = ze_ipc_event_counter_based_handle_t.create();
  sync.zeEventCounterBasedGetIpcHandle(event.handle, bytes);
  return new Uint8Array(bytes);
}

/** A counter-based event of another process, and how to let go of it. */
export function openEvent(
  functionName: string,
  context: Context,
  bytes: Uint8Array,
): { handle: bigint; destroy: (handle: bigint) => void; parent: Resource } {
  const copy = checkBytes(functionName, bytes, ze_ipc_event_counter_based_handle_t.size);
  requireSince(functionName, context.driver, "zeEventCounterBasedOpenIpcHandle", 15);
  const event = new BigUint64Array(1);
  sync.zeEventCounterBasedOpenIpcHandle(context.handle, copy, event);
  const destroy = (handle: bigint): void => void sync.zeEventCounterBasedCloseIpcHandle(handle);
  return { handle: event[0]!, destroy, parent: context.resource };
}
