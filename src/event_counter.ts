/**
 * Counter-based events.
 *
 * @module
 */

import { checkBoolean } from "./checks.ts";
import type { Context } from "./context.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "./error.ts";
import type { Event } from "./event.ts";
import { type EventOptions, type EventScopes, needCounter, scopeBits } from "./event_options.ts";
import { counterBits, type EventPoolTraits } from "./event_slots.ts";
import { hasSince, requireSince } from "./features.ts";
import { ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME } from "./libze/constants.ts";
import { ze_event_counter_based_flag_t } from "./libze/enums_ze.ts";
import {
  zeEventCounterBasedCreate,
  zeEventCounterBasedGetDeviceAddress,
  zeEventDestroy,
} from "./libze/functions_ze.ts";
import { ze_event_counter_based_desc_t } from "./libze/structs_ze.ts";
import type { Resource } from "./resource.ts";

/** Where the device counts. */
export interface EventCounter {
  /** The address of the counter, 64 bits in the device's memory. */
  readonly address: bigint;
  /** The event is signalled when the counter has reached this. */
  readonly completionValue: bigint;
}

/** What is to be shared or used by graphs. */
type Uses = Required<Pick<EventOptions, "ipc" | "graphExternal">>;

/** An event without a pool. */
interface PoollessEvent {
  readonly handle: bigint;
  readonly destroy: (handle: bigint) => void;
  readonly parent: Resource;
}

/**
 * Makes a counter-based event by itself; undefined if it has to be made in a
 * pool: by older drivers, or for several devices.
 *
 * @throws {UnsupportedFeatureError} If neither is possible.
 */
export function createCounterBased(
  functionName: string,
  context: Context,
  traits: EventPoolTraits,
  scopes: EventScopes,
  uses: Uses,
): PoollessEvent | undefined {
  const { driver } = context;
  const [device, ...others] = traits.devices ?? context.devices;
  const isPossible = hasSince(driver, "zeEventCounterBasedCreate", 15);
  if (!isPossible || !device || others.length > 0) {
    requirePools(functionName, context);
    if (!uses.ipc && !uses.graphExternal) return undefined;
    throw new UnsupportedFeatureError(
      functionName,
      "zeEventCounterBasedCreate, for one device,",
      "Give options.devices with one device, or update the loader and the driver.",
    );
  }
  const event = new BigUint64Array(1);
  const description = ze_event_counter_based_desc_t.create({
    flags: flagsOf(traits, uses),
    signal: scopeBits(functionName, "options.signalScope", scopes.signalScope),
    wait: scopeBits(functionName, "options.waitScope", scopes.waitScope),
  });
  zeEventCounterBasedCreate(context.handle, device.handle, description, event);
  const destroy = (handle: bigint): void => void zeEventDestroy(handle);
  return { handle: event[0]!, destroy, parent: context.resource };
}

/**
 * Whether events of a pool can count.
 *
 * @throws {UnsupportedFeatureError} If not.
 */
export function requirePools(functionName: string, { driver }: Context): void {
  if (driver.supports(ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME)) return;
  throw new UnsupportedFeatureError(
    functionName,
    "counter-based events",
    'Ask device.supports("counter_based_events") first, and use others.',
  );
}

/** The names of the options in {@linkcode counterUses}. */
export const COUNTER_USES = ["ipc", "graphExternal"] as const;

/**
 * Checks the options that only counter-based events have.
 *
 * @throws {ArgumentTypeError} If one does not fit, or another event is to have it.
 */
export function counterUses(functionName: string, options: EventOptions): Uses {
  const use = (name: typeof COUNTER_USES[number]): boolean => {
    const argument = `options.${name}`;
    const given = checkBoolean(functionName, argument, options[name], false);
    if (!given || options.counterBased) return given;
    const accepted = "false or left out, without `counterBased`";
    throw new ArgumentTypeError({ functionName, argument, given, accepted });
  };
  return { ipc: use("ipc"), graphExternal: use("graphExternal") };
}

function flagsOf(traits: EventPoolTraits, { ipc, graphExternal }: Uses): number {
  const flags = ze_event_counter_based_flag_t;
  const clocks = {
    device: flags.ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP,
    host: flags.ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP,
  };
  return counterBits(traits.counterBased || "any") |
    (traits.hostVisible ? flags.ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE : 0) |
    (traits.timestamps ? clocks[traits.timestamps] : 0) |
    (ipc ? flags.ZE_EVENT_COUNTER_BASED_FLAG_IPC : 0) |
    (graphExternal ? flags.ZE_EVENT_COUNTER_BASED_FLAG_GRAPH_EXTERNAL : 0);
}

/** See {@linkcode Event.counter}. */
export function counterOf(event: Event): EventCounter {
  const name = "zeEventCounterBasedGetDeviceAddress";
  needCounter(name, event);
  requireSince(name, event.context.driver, name, 15);
  const value = new BigUint64Array(1);
  const address = new BigUint64Array(1);
  zeEventCounterBasedGetDeviceAddress(event.handle, value, address);
  return { address: address[0]!, completionValue: value[0]! };
}
