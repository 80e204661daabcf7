/**
 * What the driver tells of events.
 *
 * @module
 */

import type { Driver } from "./driver.ts";
import { hasSince, requireFunction } from "./features.ts";
import { sync } from "./library.ts";
import { ze_event_counter_based_flag_t, ze_event_scope_flag_t } from "./libze/enums_ze.ts";
import { flagNames, type NameOf } from "./names.ts";

type Scopes = readonly (
  | NameOf<typeof ze_event_scope_flag_t, "ZE_EVENT_SCOPE_FLAG">
  | `unknown_${string}`
)[];

/** What the driver tells of an event. */
export interface EventProperties {
  /** How far caches are written back before it is signalled; empty within a list only. */
  readonly signalScope: Scopes;
  /** How far caches are read anew after it was waited for. */
  readonly waitScope: Scopes;
  /**
   * How it counts; empty for an event that does not, or that is of a pool.
   * Undefined where the driver does not tell.
   */
  readonly counterBasedFlags:
    | readonly (
      | NameOf<typeof ze_event_counter_based_flag_t, "ZE_EVENT_COUNTER_BASED_FLAG">
      | `unknown_${string}`
    )[]
    | undefined;
}

/**
 * What the driver tells of an event.
 *
 * @throws {UnsupportedFeatureError} If the loader is too old to ask.
 */
export function eventProperties(driver: Driver, event: bigint): EventProperties {
  requireFunction("Event.properties", driver, "zeEventGetSignalScope");
  const flags = new Uint32Array(1);
  sync.zeEventGetSignalScope(event, flags);
  const signalScope = scopeNames(flags[0]!);
  sync.zeEventGetWaitScope(event, flags);
  const waitScope = scopeNames(flags[0]!);
  if (!hasSince(driver, "zeEventGetCounterBasedFlags", 17)) {
    return { signalScope, waitScope, counterBasedFlags: undefined };
  }
  sync.zeEventGetCounterBasedFlags(event, flags);
  const prefix = "ZE_EVENT_COUNTER_BASED_FLAG";
  const counterBasedFlags = flagNames(ze_event_counter_based_flag_t, prefix, flags[0]!);
  return { signalScope, waitScope, counterBasedFlags };
}

function scopeNames(flags: number): Scopes {
  return flagNames(ze_event_scope_flag_t, "ZE_EVENT_SCOPE_FLAG", flags);
}

/** The handle of the pool that an event is of. */
export function poolHandle(event: bigint): bigint {
  const pool = new BigUint64Array(1);
  sync.zeEventGetEventPool(event, pool);
  return pool[0]!;
}
