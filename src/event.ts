/**
 * Events.
 *
 * @module
 */

import { checkOptions } from "./checks.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { HandleBusyError, UseAfterDisposeError } from "./error.ts";
import { pooledSlots } from "./event_allocator.ts";
import {
  COUNTER_USES,
  counterOf,
  counterUses,
  createCounterBased,
  type EventCounter,
} from "./event_counter.ts";
import { ipcEventBytes, openEvent } from "./event_ipc.ts";
import {
  type EventOptions,
  type EventParts,
  type EventScope,
  type EventScopeOptions,
  eventScopes,
  needHost,
  needOrdinary,
  SCOPE_OPTIONS,
  slotEvent,
} from "./event_options.ts";
import type { EventPool } from "./event_pool.ts";
import { type EventProperties, eventProperties } from "./event_properties.ts";
import { EventSignals } from "./event_signals.ts";
import { type EventTimestamps, poolTraits, TRAIT_OPTIONS } from "./event_slots.ts";
import {
  hostTimestamps,
  type KernelTimestamp,
  kernelTimestamp,
  kernelTimestamps,
  recorder,
} from "./event_timestamp.ts";
import { refuseDeadlock } from "./host_functions.ts";
import { nonblocking, sync } from "./library.ts";
import { ze_result_t } from "./libze/enums_ze.ts";
import { zeEventHostReset, zeEventHostSignal, zeEventQueryStatus } from "./libze/functions_ze.ts";
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

export type { EventOptions, EventScope, EventScopeOptions };

const { ZE_RESULT_SUCCESS } = ze_result_t;

/** Apart from the constructor, whose closures would all keep the event from being collected. */
function failing(pending: ReadonlySet<EndableWait>): () => void {
  return () => {
    for (const wait of pending) wait.fail(new UseAfterDisposeError("Event"));
  };
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
  /** The devices that use it. */
  readonly devices: readonly Device[];
  /** Whether it counts: each append that signals it makes it begin anew. */
  readonly counterBased: boolean;
  /** Whether other processes may signal it or wait for it. */
  readonly ipc: boolean;
  readonly #signals: EventSignals;
  readonly #pending: Set<EndableWait>;
  readonly #waitable: Waitable;

  private constructor(parts: EventParts) {
    const { context, pool, handle, destroy, parent } = parts;
    const pending = new Set<EndableWait>();
    super(new Resource("Event", handle, destroy, parent, { onRelease: failing(pending) }));
    this.context = context;
    this.pool = pool;
    this.signalScope = parts.signalScope;
    this.waitScope = parts.waitScope;
    this.hostVisible = parts.hostVisible;
    this.timestamps = parts.timestamps;
    this.devices = parts.devices ?? context.devices;
    this.counterBased = parts.counterBased !== false;
    this.ipc = parts.ipc;
    this.#signals = new EventSignals(this.counterBased, parts.ipc);
    this.#pending = pending;
    // They refer to this object, so that it is not collected while something waits.
    this.#waitable = {
      functionName: "zeEventHostSynchronize",
      // A thousand of them may be asked about at a time, while none is disposed.
      done: () => zeEventQueryStatus(handle) === ZE_RESULT_SUCCESS && this.#seen(),
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
    checkOptions(functionName, options, [...SCOPE_OPTIONS, ...TRAIT_OPTIONS, ...COUNTER_USES]);
    const scopes = eventScopes(functionName, options);
    const uses = counterUses(functionName, options);
    const traits = poolTraits(functionName, context, options, uses.ipc);
    // Asked before a pool is: the context may be disposed.
    void context.handle;
    const made =
      (traits.counterBased
        ? createCounterBased(functionName, context, traits, scopes, uses)
        : undefined) ?? slotEvent(functionName, pooledSlots(context, traits), scopes);
    return Event.wrap({ context, ...scopes, ...traits, ...made });
  }

  /**
   * Opens a counter-based event of another process. The caller disposes it, or
   * the context does.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventCounterBasedOpenIpcHandle | zeEventCounterBasedOpenIpcHandle}.
   *
   * @param bytes What {@linkcode Event.ipcBytes} gave there.
   * @throws {ArgumentTypeError} If it is of another length.
   * @throws {UnsupportedFeatureError} If the loader or the driver has no such events.
   */
  static open(context: Context, bytes: Uint8Array, options: EventScopeOptions = {}): Event {
    const functionName = "Event.open";
    checkOptions(functionName, options, SCOPE_OPTIONS);
    const scopes = eventScopes(functionName, options);
    const traits = poolTraits(functionName, context, { counterBased: true }, true);
    const opened = openEvent(functionName, context, bytes);
    return Event.wrap({ context, ...scopes, ...traits, ...opened });
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
    return zeEventQueryStatus(this.handle) === ZE_RESULT_SUCCESS && this.#seen();
  }

  #seen(): true {
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

  /**
   * Whether it is signalled now.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventQueryStatus | zeEventQueryStatus}.
   *
   * @throws {UnsupportedFeatureError} If it was made with `hostVisible: false`.
   * @throws {ZeError} If the device was lost.
   */
  get signalled(): boolean {
    needHost("zeEventQueryStatus", this);
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
      needHost("zeEventHostSynchronize", this);
      if (options === undefined && this.#ask()) return Promise.resolve(true);
      void this.handle;
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
   * @throws {DeadlockError} If a host function of the context has yet to run, on this thread.
   */
  waitSync(timeout: number = Infinity): boolean {
    checkWaitOptions("Event.waitSync", { timeout });
    refuseDeadlock("Event.waitSync", this.context, timeout);
    needHost("zeEventHostSynchronize", this);
    const result = sync.zeEventHostSynchronize(this.handle, nanoseconds(timeout));
    return result === ZE_RESULT_SUCCESS && this.#seen();
  }

  /**
   * Signals it from this program: commands that wait for it begin.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventHostSignal | zeEventHostSignal}.
   *
   * @throws {UnsupportedFeatureError} If it is counter-based, or was made with `hostVisible: false`.
   */
  signal(): void {
    needHost("zeEventHostSignal", this);
    needOrdinary("zeEventHostSignal", this);
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
    needHost(functionName, this);
    needOrdinary(functionName, this);
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

  /**
   * When the command that signalled it ran, by the clock of a device; undefined
   * if it is not signalled.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventQueryKernelTimestamp | zeEventQueryKernelTimestamp}.
   *
   * @param device The device that ran it; needed where the event is for several.
   * @throws {UnsupportedFeatureError} If the event was made without `timestamps`.
   */
  kernelTimestamp(device?: Device): KernelTimestamp | undefined {
    const runner = recorder("zeEventQueryKernelTimestamp", this, device);
    return kernelTimestamp(this.handle, runner);
  }

  /**
   * The same for each part that the command was run in, such as one for each
   * sub-device, where the driver tells them apart.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventQueryTimestampsExp | zeEventQueryTimestampsExp}.
   */
  kernelTimestamps(device?: Device): readonly KernelTimestamp[] | undefined {
    const runner = recorder("zeEventQueryTimestampsExp", this, device);
    return kernelTimestamps(this.handle, runner);
  }

  /**
   * The same by the host's clock, which never begins again: what
   * {@linkcode Device.globalTimestamps} calls `host`. Converted by the driver for
   * an event with `timestamps: "host"`, where it can; else from what both clocks
   * say now, so ask soon: after half of the device clock's range it is too late.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventQueryKernelTimestampsExt | zeEventQueryKernelTimestampsExt}.
   */
  hostTimestamps(device?: Device): readonly KernelTimestamp[] | undefined {
    const runner = recorder("zeEventQueryKernelTimestampsExt", this, device);
    return hostTimestamps(this.handle, runner, this.timestamps === "host");
  }

  /**
   * What the driver tells of it.
   *
   * @throws {UnsupportedFeatureError} If the loader is too old to ask.
   */
  get properties(): EventProperties {
    return eventProperties(this.context.driver, this.handle);
  }

  /**
   * Where it counts, for programs that look at the counter themselves.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventCounterBasedGetDeviceAddress | zeEventCounterBasedGetDeviceAddress}.
   *
   * @throws {UnsupportedFeatureError} If it is not counter-based, or the driver does not tell.
   */
  get counter(): EventCounter {
    return counterOf(this);
  }

  /**
   * What another process opens it with, by {@linkcode Event.open}; send it by
   * whatever means. Only for a counter-based event with `ipc: true`.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeEventCounterBasedGetIpcHandle | zeEventCounterBasedGetIpcHandle}.
   *
   * @throws {UnsupportedFeatureError} If it is another, or the driver has no such events.
   */
  get ipcBytes(): Uint8Array<ArrayBuffer> {
    return ipcEventBytes(this);
  }
}
