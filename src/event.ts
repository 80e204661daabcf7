/**
 * Events.
 *
 * @module
 */

import { checkOptions } from "./checks.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { HandleBusyError, UnsupportedFeatureError, UseAfterDisposeError } from "./error.ts";
import { pooledSlots } from "./event_allocator.ts";
import type { EventPool } from "./event_pool.ts";
import { EventSignals } from "./event_signals.ts";
import {
  type EventPoolTraitOptions,
  type EventSlots,
  type EventTimestamps,
  poolTraits,
  type SlotEvent,
  TRAIT_OPTIONS,
} from "./event_slots.ts";
import { nonblocking, sync } from "./library.ts";
import { ze_event_scope_flag_t, ze_result_t } from "./libze/enums_ze.ts";
import { zeEventHostReset, zeEventHostSignal, zeEventQueryStatus } from "./libze/functions_ze.ts";
import { enumValue, type NameOf } from "./names.ts";
import { OwnedObject, Resource } from "./resource.ts";
import type { Submissions } from "./submissions.ts";
import {
  checkWaitOptions,
  type EndableWait,
  nanoseconds,
  type Waitable,
  waitFor,
  type WaitOptions,
} from "./wait.ts";

/**
 * How far what was written before an event is seen by who waits for it: only in
 * the same command list, or on the sub-device, or on the device and its peers,
 * or by the host as well.
 */
export type EventScope = "none" | NameOf<typeof ze_event_scope_flag_t, "ZE_EVENT_SCOPE_FLAG">;

/** The caches that an event cares for. */
export interface EventScopeOptions {
  /** Caches written back before the event is signalled; `"host"` by default. */
  readonly signalScope?: EventScope;
  /** Caches read anew after the event was waited for; `"host"` by default. */
  readonly waitScope?: EventScope;
}

/** What {@linkcode Event.create} takes. */
export interface EventOptions extends EventScopeOptions, EventPoolTraitOptions {}

/** The names of the options in {@linkcode EventScopeOptions}. */
export const SCOPE_OPTIONS = ["signalScope", "waitScope"] as const;

/** The scopes of an event. */
export interface EventScopes {
  readonly signalScope: EventScope;
  readonly waitScope: EventScope;
}

/** What {@linkcode Event} is made from. */
export interface EventParts extends EventScopes {
  readonly context: Context;
  readonly handle: bigint;
  readonly destroy: (handle: bigint) => void;
  /** What has to be destroyed after it. */
  readonly parent: Resource;
  readonly pool?: EventPool;
  readonly hostVisible: boolean;
  readonly timestamps: EventTimestamps;
  /** The devices that use it; all of the context's if undefined. */
  readonly devices: readonly Device[] | undefined;
  readonly counterBased?: boolean;
  /** Whether another process may signal it. */
  readonly shared?: boolean;
}

const { ZE_RESULT_SUCCESS } = ze_result_t;

/** Checks scopes, and fills in what was left out. */
export function eventScopes(
  functionName: string,
  { signalScope = "host", waitScope = "host" }: EventScopeOptions,
): EventScopes {
  scopeBits(functionName, "options.signalScope", signalScope);
  scopeBits(functionName, "options.waitScope", waitScope);
  return { signalScope, waitScope };
}

/** The bits of a scope. */
export function scopeBits(functionName: string, argument: string, scope: EventScope): number {
  if (scope === "none") return 0;
  const named = { functionName, argument };
  return enumValue(ze_event_scope_flag_t, "ZE_EVENT_SCOPE_FLAG", scope, named);
}

/**
 * Something that happens on the device or in the program, and that either can
 * wait for. Commands signal it when they are over, and begin when others are
 * signalled; it then stays signalled until it is reset. It is freed by
 * `dispose`, `using` or `await using`, or with its context: as soon as no work
 * of the device uses it.
 *
 * ```ts
 * using done = context.createEvent();
 * list.appendLaunchKernel(kernel, 16, { signal: done });
 * await done.wait();
 * ```
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventCreate | zeEventCreate}.
 */
export class Event extends OwnedObject {
  /** The context that it was made in. */
  readonly context: Context;
  /** The pool that it was made by; undefined if the program does not care. */
  readonly pool: EventPool | undefined;
  /** Caches written back before it is signalled. */
  readonly signalScope: EventScope;
  /** Caches read anew after it was waited for. */
  readonly waitScope: EventScope;
  /** Whether this program may ask for it, wait for it, signal and reset it. */
  readonly hostVisible: boolean;
  /** Whether it records times, and which clocks they are of. */
  readonly timestamps: EventTimestamps;
  /** Whether it counts: each append that signals it makes it begin anew. */
  readonly counterBased: boolean;
  readonly #signals: EventSignals;
  readonly #pending: Set<EndableWait>;
  readonly #waitable: Waitable;

  private constructor(parts: EventParts) {
    const { context, pool, handle, destroy, parent, counterBased = false, shared = false } = parts;
    const pending = new Set<EndableWait>();
    const onRelease = (): void => {
      for (const wait of pending) wait.fail(new UseAfterDisposeError("Event"));
    };
    super(new Resource("Event", handle, destroy, parent, { onRelease }));
    this.context = context;
    this.pool = pool;
    this.signalScope = parts.signalScope;
    this.waitScope = parts.waitScope;
    this.hostVisible = parts.hostVisible;
    this.timestamps = parts.timestamps;
    this.counterBased = counterBased;
    this.#signals = new EventSignals(counterBased, shared);
    this.#pending = pending;
    // They refer to this object, so that it is not collected while something waits.
    this.#waitable = {
      functionName: "zeEventHostSynchronize",
      done: () => this.#ask(),
      block: (timeout) => this.#block(timeout),
    };
  }

  /**
   * Makes an event that is not signalled. The caller disposes it, or the context does.
   *
   * @throws {ArgumentTypeError} If an option does not fit.
   * @throws {ZeError} If the driver refuses.
   */
  static create(context: Context, options: EventOptions = {}): Event {
    const functionName = "Event.create";
    checkOptions(functionName, options, [...SCOPE_OPTIONS, ...TRAIT_OPTIONS]);
    const scopes = eventScopes(functionName, options);
    const traits = poolTraits(functionName, context, options);
    // Asked before a pool is: the context may be disposed.
    void context.handle;
    const slots = pooledSlots(context, traits);
    return Event.wrap({ context, ...scopes, ...traits, ...slotEvent(functionName, slots, scopes) });
  }

  /** Takes over a handle. Not part of the public interface. */
  static wrap(parts: EventParts): Event {
    return new Event(parts);
  }

  /**
   * Notes that work signals it: when it is signalled, that work is over. Without
   * arguments, that something does of which it tells nothing. Not part of the
   * public interface.
   */
  noteSignal(source?: Submissions, number = 0): void {
    if (source) this.#signals.note(source, number);
    else this.#signals.blur();
  }

  #ask(): boolean {
    if (zeEventQueryStatus(this.handle) !== ZE_RESULT_SUCCESS) return false;
    this.#signals.seen(this.#signals.epoch);
    return true;
  }

  async #block(timeout: bigint): Promise<boolean> {
    const { epoch } = this.#signals;
    const result = await this.resource.use((handle) =>
      nonblocking.zeEventHostSynchronize(handle, timeout)
    );
    if (result !== ZE_RESULT_SUCCESS) return false;
    this.#signals.seen(epoch);
    return true;
  }

  #needHost(functionName: string): void {
    if (this.hostVisible) return;
    throw new UnsupportedFeatureError(
      functionName,
      "an event that the host can see",
      "This one was made with `hostVisible: false`.",
    );
  }

  #needOrdinary(functionName: string): void {
    if (!this.counterBased) return;
    throw new UnsupportedFeatureError(
      functionName,
      "an event that is not counter-based",
      "Only commands signal a counter-based one, and each that does makes it begin anew.",
    );
  }

  /**
   * Whether it is signalled now.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventQueryStatus | zeEventQueryStatus}.
   *
   * @throws {UnsupportedFeatureError} If it was made with `hostVisible: false`.
   * @throws {ZeError} If the device was lost.
   */
  get signalled(): boolean {
    this.#needHost("zeEventQueryStatus");
    return this.#ask();
  }

  /**
   * Waits until it is signalled, without holding up the event loop: true then,
   * and false if the timeout has passed before. If it is signalled already, that
   * costs no more than asking.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventHostSynchronize | zeEventHostSynchronize}.
   *
   * @throws {unknown} The signal's reason when it is aborted.
   * @throws {UseAfterDisposeError} If it is disposed, even while this waits.
   * @throws {UnsupportedFeatureError} If it was made with `hostVisible: false`.
   * @throws {ZeError} If the device was lost.
   */
  wait(options?: WaitOptions): Promise<boolean> {
    // No async function: its Promises would cost more than the question.
    try {
      this.#needHost("zeEventHostSynchronize");
      if (options === undefined && this.#ask()) return Promise.resolve(true);
      return waitFor(this.#waitable, options, this.#pending);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * The same on this thread: timers, input and garbage collection wait as well,
   * and nothing that needs them can signal the event.
   *
   * @param timeout In milliseconds; for ever by default.
   */
  waitSync(timeout: number = Infinity): boolean {
    checkWaitOptions("Event.waitSync", { timeout });
    this.#needHost("zeEventHostSynchronize");
    const result = sync.zeEventHostSynchronize(this.handle, nanoseconds(timeout));
    if (result !== ZE_RESULT_SUCCESS) return false;
    this.#signals.seen(this.#signals.epoch);
    return true;
  }

  /**
   * Signals it from this program: commands that wait for it begin.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventHostSignal | zeEventHostSignal}.
   *
   * @throws {UnsupportedFeatureError} If it is counter-based, or was made with `hostVisible: false`.
   */
  signal(): void {
    this.#needHost("zeEventHostSignal");
    this.#needOrdinary("zeEventHostSignal");
    zeEventHostSignal(this.handle);
    this.#signals.blur();
  }

  /**
   * Makes it not signalled, to be used again.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventHostReset | zeEventHostReset}.
   *
   * @throws {HandleBusyError} If something waits for it, or work that uses it is not known to be
   * over: wait for that first.
   * @throws {UnsupportedFeatureError} If it is counter-based, or was made with `hostVisible: false`.
   */
  reset(): void {
    const functionName = "zeEventHostReset";
    const { handle } = this;
    this.#needHost(functionName);
    this.#needOrdinary(functionName);
    if (this.#pending.size > 0) {
      throw new HandleBusyError(functionName, "the event is waited for", "Await wait() first.");
    }
    if (this.resource.pollHeld()) {
      throw new HandleBusyError(
        functionName,
        "the device works with the event",
        "Await the synchronize() of its list or queue first.",
      );
    }
    zeEventHostReset(handle);
    this.#signals.reset();
  }
}

/** An event in any free slot of a pool, or in one of them. */
export function slotEvent(
  functionName: string,
  slots: EventSlots,
  { signalScope, waitScope }: EventScopes,
  index?: number,
): SlotEvent & { readonly parent: Resource } {
  const signal = scopeBits(functionName, "options.signalScope", signalScope);
  const wait = scopeBits(functionName, "options.waitScope", waitScope);
  return { ...slots.createEvent(signal, wait, index), parent: slots.resource };
}
