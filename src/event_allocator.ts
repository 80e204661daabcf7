/**
 * The event pools of contexts whose programs do not care for pools.
 *
 * @module
 */

import type { Context } from "./context.ts";
import { type EventPoolTraits, EventSlots, poolFlags } from "./event_slots.ts";

/** The first pool's slots; each further one has twice as many, up to the largest. */
const FIRST_COUNT = 32;
const LARGEST_COUNT = 1024;

/**
 * Pools of a context, one after the other for each kind of event. A slot is
 * used again after its event was destroyed; the pools end with the context.
 */
class EventAllocator {
  readonly #pools = new Map<string, EventSlots[]>();

  /** A pool with a free slot. */
  pool(context: Context, traits: EventPoolTraits): EventSlots {
    const devices = traits.devices?.map(({ handle }) => handle).join() ?? "";
    const kind = `${poolFlags(traits)} ${traits.counterBased} ${devices}`;
    let pools = this.#pools.get(kind);
    if (!pools) this.#pools.set(kind, pools = []);
    // The newest is the largest, and the one that most likely has place.
    const found = pools.findLast((pool) => !pool.full);
    if (found) return found;
    const count = Math.min(FIRST_COUNT * 2 ** pools.length, LARGEST_COUNT);
    const pool = EventSlots.create(context, traits, count);
    pools.push(pool);
    return pool;
  }
}

const allocators = new WeakMap<Context, EventAllocator>();

/** A hidden pool of the context with a free slot; a new one if there is none. */
export function pooledSlots(context: Context, traits: EventPoolTraits): EventSlots {
  let allocator = allocators.get(context);
  if (!allocator) allocators.set(context, allocator = new EventAllocator());
  return allocator.pool(context, traits);
}
