/**
 * Event pools.
 *
 * @module
 */

import { checkBoolean, checkInteger, checkOptions } from "./checks.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { HandleBusyError } from "./error.ts";
import { Event } from "./event.ts";
import { requirePools } from "./event_counter.ts";
import { IpcEventPoolHandle, openPool } from "./event_ipc.ts";
import { type EventScopeOptions, eventScopes, SCOPE_OPTIONS, slotEvent } from "./event_options.ts";
import {
  type EventPoolTraitOptions,
  type EventPoolTraits,
  EventSlots,
  type EventTimestamps,
  poolTraits,
  TRAIT_OPTIONS,
} from "./event_slots.ts";
import { ze_event_pool_flag_t } from "./libze/enums_ze.ts";
import { zeEventPoolGetFlags } from "./libze/functions_ze.ts";
import { flagNames, type NameOf } from "./names.ts";
import { OwnedObject } from "./resource.ts";

/** What {@linkcode EventPool.create} takes. */
export interface EventPoolOptions extends EventPoolTraitOptions {
  /** How many events it has place for. */
  readonly count: number;
  /** Whether another process may open it; false by default. */
  readonly ipc?: boolean;
}

/** What {@linkcode EventPool.createEvent} takes. */
export interface PooledEventOptions extends EventScopeOptions {
  /** Its place in the pool, from 0; any that is free by default. */
  readonly index?: number;
}

/** What the driver tells of a pool. */
export type EventPoolFlag = NameOf<typeof ze_event_pool_flag_t, "ZE_EVENT_POOL_FLAG">;

/** More events than this in one pool are taken for a mistake. */
const LARGEST_COUNT = 2 ** 24;

/**
 * Where a fixed number of events is made. Programs need none, as {@linkcode
 * Context.createEvent} has its own: this is for those that share events with
 * other processes, or that care for where events are. It is freed by `dispose`,
 * `using` or `await using`, or with its context; its events are freed before it.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventPoolCreate | zeEventPoolCreate}.
 */
export class EventPool extends OwnedObject {
  /** The context that it was made in. */
  readonly context: Context;
  /** How many events it has place for. */
  readonly count: number;
  /** Whether this program may ask for its events, wait for them, signal and reset them. */
  readonly hostVisible: boolean;
  /** Whether its events record times, and which clocks they are of. */
  readonly timestamps: EventTimestamps;
  /** The devices that use its events. */
  readonly devices: readonly Device[];
  /** Whether its events count: see {@linkcode Event.counterBased}. */
  readonly counterBased: boolean;
  /** Whether other processes may open it, or this one opened another's. */
  readonly ipc: boolean;
  readonly #traits: EventPoolTraits;
  readonly #slots: EventSlots;

  private constructor(context: Context, traits: EventPoolTraits, slots: EventSlots) {
    super(slots.resource);
    this.context = context;
    this.count = slots.count;
    this.hostVisible = traits.hostVisible;
    this.timestamps = traits.timestamps;
    this.devices = traits.devices ?? context.devices;
    this.counterBased = traits.counterBased !== false;
    this.ipc = traits.ipc;
    this.#traits = traits;
    this.#slots = slots;
  }

  /**
   * Makes a pool. The caller disposes it, or the context does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   * @throws {UnsupportedFeatureError} If its events are to count, and the driver has no such pools.
   * @throws {ZeError} If the driver refuses.
   */
  static create(context: Context, options: EventPoolOptions): EventPool {
    const functionName = "EventPool.create";
    checkOptions(functionName, options, ["count", "ipc", ...TRAIT_OPTIONS]);
    const count = checkInteger(functionName, "options.count", options?.count, 1, LARGEST_COUNT);
    const ipc = checkBoolean(functionName, "options.ipc", options.ipc, false);
    const traits = poolTraits(functionName, context, options, ipc);
    void context.handle;
    if (traits.counterBased) requirePools(functionName, context);
    return new EventPool(context, traits, EventSlots.create(context, traits, count));
  }

  /**
   * Opens a pool of another process. Its events are that process's as well: one
   * of a place here, and one of the same place there. The caller disposes it, or
   * the context does.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventPoolOpenIpcHandle | zeEventPoolOpenIpcHandle}.
   *
   * @param bytes What {@linkcode IpcEventPoolHandle.bytes} gave there.
   * @param options As the pool was made there: nothing tells.
   * @throws {ArgumentTypeError | ArgumentRangeError} If the bytes or an option do not fit.
   * @throws {UnsupportedFeatureError} If the driver shares no pools.
   */
  static open(
    context: Context,
    bytes: Uint8Array,
    options: Omit<EventPoolOptions, "ipc" | "devices" | "counterBased">,
  ): EventPool {
    const functionName = "EventPool.open";
    checkOptions(functionName, options, ["count", "hostVisible", "timestamps"]);
    const count = checkInteger(functionName, "options.count", options?.count, 1, LARGEST_COUNT);
    const traits = poolTraits(functionName, context, options, true);
    const resource = openPool(functionName, context, bytes);
    return new EventPool(context, traits, new EventSlots(resource, count));
  }

  /**
   * Makes what another process opens the pool with, by {@linkcode EventPool.open}.
   * The caller disposes it, or the pool does.
   *
   * @throws {UnsupportedFeatureError} If it was made without `ipc`, or the driver shares no pools.
   */
  createIpcHandle(): IpcEventPoolHandle {
    return IpcEventPoolHandle.create(this);
  }

  /**
   * Makes an event in the pool. The caller disposes it, or the pool does.
   *
   * @throws {HandleBusyError} If all of the pool, or the place asked for, is in use.
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   */
  createEvent(options: PooledEventOptions = {}): Event {
    const functionName = "EventPool.createEvent";
    checkOptions(functionName, options, [...SCOPE_OPTIONS, "index"]);
    const scopes = eventScopes(functionName, options);
    const index = options.index === undefined
      ? undefined
      : checkInteger(functionName, "options.index", options.index, 0, this.count - 1);
    void this.handle;
    const used = index === undefined
      ? this.#slots.full && `all ${this.count} places of the pool are in use`
      : !this.#slots.isFree(index) && `place ${index} of the pool is in use`;
    if (used) {
      throw new HandleBusyError(functionName, used, "Dispose an event that is there first.");
    }
    return Event.wrap({
      context: this.context,
      pool: this,
      ...scopes,
      ...this.#traits,
      ...slotEvent(functionName, this.#slots, scopes, index),
    });
  }

  /** How many of its places are in use. */
  get used(): number {
    return this.#slots.used;
  }

  /** What the driver tells of the pool. */
  get flags(): readonly (EventPoolFlag | `unknown_${string}`)[] {
    const flags = new Uint32Array(1);
    zeEventPoolGetFlags(this.handle, flags);
    return flagNames(ze_event_pool_flag_t, "ZE_EVENT_POOL_FLAG", flags[0]!);
  }
}
