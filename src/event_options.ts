/**
 * What events are made with.
 *
 * @module
 */

import type { Context } from "./context.ts";
import { UnsupportedFeatureError } from "./error.ts";
import type { EventPool } from "./event_pool.ts";
import type {
  EventPoolTraitOptions,
  EventPoolTraits,
  EventSlots,
  SlotEvent,
} from "./event_slots.ts";
import { ze_event_scope_flag_t } from "./libze/enums_ze.ts";
import { enumValue, type NameOf } from "./names.ts";
import type { Resource } from "./resource.ts";

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
export interface EventOptions extends EventScopeOptions, EventPoolTraitOptions {
  /**
   * Whether another process may open it, which only a counter-based event can be
   * by itself; false by default. Others are shared with their {@linkcode EventPool}.
   */
  readonly ipc?: boolean;
  /**
   * Whether it is for commands inside and outside of a graph to wait for each
   * other; only if it is counter-based. False by default.
   */
  readonly graphExternal?: boolean;
}

/** The names of the options in {@linkcode EventScopeOptions}. */
export const SCOPE_OPTIONS = ["signalScope", "waitScope"] as const;

/** The scopes of an event. */
export interface EventScopes {
  readonly signalScope: EventScope;
  readonly waitScope: EventScope;
}

/** What {@linkcode Event} is made from. */
export interface EventParts extends EventScopes, EventPoolTraits {
  readonly context: Context;
  readonly handle: bigint;
  readonly destroy: (handle: bigint) => void;
  /** What has to be destroyed after it. */
  readonly parent: Resource;
  readonly pool?: EventPool;
}

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

/**
 * Whether this program may ask for an event.
 *
 * @throws {UnsupportedFeatureError} If only the device can.
 */
export function needHost(functionName: string, event: { readonly hostVisible: boolean }): void {
  if (event.hostVisible) return;
  throw new UnsupportedFeatureError(
    functionName,
    "an event that the host can see",
    "This one was made with `hostVisible: false`.",
  );
}

/**
 * Whether an event is signalled and reset by the program too.
 *
 * @throws {UnsupportedFeatureError} If it is counter-based.
 */
export function needOrdinary(functionName: string, event: { counterBased: boolean }): void {
  if (!event.counterBased) return;
  throw new UnsupportedFeatureError(
    functionName,
    "an event that is not counter-based",
    "Only commands signal a counter-based one, and each that does makes it begin anew.",
  );
}

/**
 * Whether an event counts.
 *
 * @throws {UnsupportedFeatureError} If it does not.
 */
export function needCounter(functionName: string, event: { counterBased: boolean }): void {
  if (event.counterBased) return;
  throw new UnsupportedFeatureError(
    functionName,
    "a counter-based event",
    "Make it with `counterBased: true`.",
  );
}
