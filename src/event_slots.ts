/**
 * The places for events in an event pool of the driver.
 *
 * @module
 */

import { checkBoolean } from "./checks.ts";
import type { Context } from "./context.ts";
import { checkDevice, type Device } from "./device.ts";
import { ArgumentTypeError } from "./error.ts";
import { ze_event_pool_counter_based_exp_flag_t, ze_event_pool_flag_t } from "./libze/enums_ze.ts";
import {
  zeEventCreate,
  zeEventDestroy,
  zeEventPoolCreate,
  zeEventPoolDestroy,
} from "./libze/functions_ze.ts";
import {
  ze_event_desc_t,
  ze_event_pool_counter_based_exp_desc_t,
  ze_event_pool_desc_t,
} from "./libze/structs_ze.ts";
import { Resource } from "./resource.ts";

/** Which clocks an event's timestamps are of: none if false. */
export type EventTimestamps = "device" | "host" | false;

/** Which lists signal a counter-based event: those that run at once, those that are recorded, or any. */
export type CounterBasedLists = "immediate" | "recorded" | "any";

/** What all events of a pool have in common. */
export interface EventPoolTraits {
  /** Whether this program may ask for events, wait for them and signal them. */
  readonly hostVisible: boolean;
  /** Whether they record times, and in which clock. */
  readonly timestamps: EventTimestamps;
  /** Whether another process may open the pool. */
  readonly ipc: boolean;
  /** The devices that use them; all of the context's if undefined. */
  readonly devices: readonly Device[] | undefined;
  /** Whether they count, and which lists signal them then. */
  readonly counterBased: CounterBasedLists | false;
}

/** The options that become {@linkcode EventPoolTraits}. */
export interface EventPoolTraitOptions {
  /**
   * Whether this program may ask for events, wait for them, and signal and
   * reset them; true by default. If not, only the device can.
   */
  readonly hostVisible?: boolean;
  /**
   * Whether an event records when the command that signals it began and ended:
   * in ticks of the device's clock, or with `"host"` in nanoseconds of the
   * host's as well, where the driver can. False by default.
   */
  readonly timestamps?: boolean | "host";
  /** The devices that use it; all of the context's by default. */
  readonly devices?: readonly Device[];
  /**
   * Whether an event counts: each append that signals it makes it begin anew, so
   * that it is never reset. Only lists whose commands are in order signal it:
   * of either kind, or of the one that is named, which may be faster. False by
   * default.
   */
  readonly counterBased?: boolean | "immediate" | "recorded";
}

/** The names of the options in {@linkcode EventPoolTraitOptions}. */
export const TRAIT_OPTIONS = ["hostVisible", "timestamps", "devices", "counterBased"] as const;

/**
 * Checks the options.
 *
 * @throws {ArgumentTypeError} If one does not fit.
 */
export function poolTraits(
  functionName: string,
  context: Context,
  { hostVisible, timestamps = false, devices, counterBased = false }: EventPoolTraitOptions,
  ipc = false,
): EventPoolTraits {
  if (typeof timestamps !== "boolean" && timestamps !== "host") {
    throw new ArgumentTypeError({
      functionName,
      argument: "options.timestamps",
      given: timestamps,
      accepted: 'true, false or "host"',
    });
  }
  const isKind = counterBased === "immediate" || counterBased === "recorded";
  if (typeof counterBased !== "boolean" && !isKind) {
    throw new ArgumentTypeError({
      functionName,
      argument: "options.counterBased",
      given: counterBased,
      accepted: 'true, false, "immediate" or "recorded"',
    });
  }
  if (devices !== undefined && (!Array.isArray(devices) || devices.length === 0)) {
    throw new ArgumentTypeError({
      functionName,
      argument: "options.devices",
      given: devices,
      accepted: "a list with at least one device of the context",
    });
  }
  return {
    hostVisible: checkBoolean(functionName, "options.hostVisible", hostVisible, true),
    timestamps: timestamps === true ? "device" : timestamps,
    ipc,
    counterBased: counterBased === true ? "any" : counterBased,
    devices: devices?.map((device, index) =>
      checkDevice(functionName, `options.devices[${index}]`, device, context)
    ),
  };
}

/** The bits of the traits. */
export function poolFlags({ hostVisible, timestamps, ipc }: EventPoolTraits): number {
  const clocks = {
    device: ze_event_pool_flag_t.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
    host: ze_event_pool_flag_t.ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP,
  };
  return (hostVisible ? ze_event_pool_flag_t.ZE_EVENT_POOL_FLAG_HOST_VISIBLE : 0) |
    (ipc ? ze_event_pool_flag_t.ZE_EVENT_POOL_FLAG_IPC : 0) |
    (timestamps ? clocks[timestamps] : 0);
}

/** The bits for the lists that signal a counter-based event; the same with and without pools. */
export function counterBits(lists: CounterBasedLists): number {
  const {
    ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE: immediate,
    ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_NON_IMMEDIATE: recorded,
  } = ze_event_pool_counter_based_exp_flag_t;
  return { immediate, recorded, any: immediate | recorded }[lists];
}

function counterDescription(lists: CounterBasedLists): Uint8Array<ArrayBuffer> {
  return ze_event_pool_counter_based_exp_desc_t.create({ flags: counterBits(lists) });
}

/** An event in a slot, and what destroys it and frees the slot. */
export interface SlotEvent {
  readonly handle: bigint;
  readonly destroy: (handle: bigint) => void;
}

/** A pool's handle, and which of its slots have no event. */
export class EventSlots {
  /** The pool; events are made as children of it. */
  readonly resource: Resource;
  /** How many events it has place for. */
  readonly count: number;
  /** Slots from here on never had one. */
  #fresh = 0;
  /** Slots before that whose events were destroyed. */
  readonly #freed = new Set<number>();

  /** Of a pool with so many slots, all of them free. */
  constructor(resource: Resource, count: number) {
    this.resource = resource;
    this.count = count;
  }

  /** Makes a pool, which is destroyed after its events, at the latest with the context. */
  static create(context: Context, traits: EventPoolTraits, count: number): EventSlots {
    const { counterBased, devices } = traits;
    const handles = devices && BigUint64Array.from(devices, ({ handle }) => handle);
    const description = ze_event_pool_desc_t.create({
      flags: poolFlags(traits),
      count,
      ...(counterBased ? { pNext: counterDescription(counterBased) } : {}),
    });
    const pool = new BigUint64Array(1);
    zeEventPoolCreate(context.handle, description, handles?.length ?? 0, handles ?? null, pool);
    const destroy = (handle: bigint): void => void zeEventPoolDestroy(handle);
    return new EventSlots(new Resource("EventPool", pool[0]!, destroy, context.resource), count);
  }

  /** Whether there is an event, or what is left of one, in each slot. */
  get full(): boolean {
    return this.#fresh === this.count && this.#freed.size === 0;
  }

  /** How many slots have an event. */
  get used(): number {
    return this.#fresh - this.#freed.size;
  }

  /** Whether a slot has no event. */
  isFree(index: number): boolean {
    return index >= this.#fresh || this.#freed.has(index);
  }

  /** Makes an event in a slot that is free; in any of them if none is named. */
  createEvent(signal: number, wait: number, index: number = this.#anyFree()): SlotEvent {
    const event = new BigUint64Array(1);
    zeEventCreate(this.resource.handle, ze_event_desc_t.create({ index, signal, wait }), event);
    this.#take(index);
    return {
      handle: event[0]!,
      destroy: (handle) => {
        zeEventDestroy(handle);
        this.#freed.add(index);
      },
    };
  }

  #anyFree(): number {
    for (const index of this.#freed) return index;
    return this.#fresh;
  }

  #take(index: number): void {
    if (this.#freed.delete(index)) return;
    while (this.#fresh < index) this.#freed.add(this.#fresh++);
    this.#fresh = index + 1;
  }
}
