/**
 * The list that a graph's commands are recorded from.
 *
 * @module
 */

import type { Command } from "./append/command.ts";
import { Commands } from "./commands.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import type { CommandQueueGroupProperties } from "./device_properties.ts";
import type { Event } from "./event.ts";
import { sync } from "./library.ts";
import { Resource } from "./resource.ts";

/** What recorded commands use, as long as there is the graph. */
export class RecordedUse {
  /** What the commands use. */
  readonly resources: Set<Resource> = new Set();
  /** The events that they signal. */
  readonly signals: Set<Event> = new Set();
  /** What exists for the commands alone. */
  readonly #owned: Disposable[] = [];

  /** Notes a command. */
  add({ resources, owned = [], events: { signal, waitFor } }: Command): void {
    for (const resource of resources) this.resources.add(resource);
    for (const { resource } of waitFor) this.resources.add(resource);
    if (signal) {
      this.resources.add(signal.resource);
      this.signals.add(signal);
    }
    this.#owned.push(...owned);
  }

  /** Disposes what exists for the commands alone. */
  free(): void {
    for (const object of this.#owned.splice(0)) object[Symbol.dispose]();
  }
}

/**
 * What commands are appended to in {@linkcode Graph.record}: they are recorded,
 * and not executed. It can be used until the recording ends.
 */
export class GraphRecorder extends Commands {
  readonly #use: RecordedUse;

  /** For a list in capture mode, which stays the caller's. Use {@linkcode Graph.record}. */
  constructor(
    list: bigint,
    context: Context,
    device: Device,
    group: CommandQueueGroupProperties,
    inOrder: boolean,
    use: RecordedUse,
  ) {
    super(
      new Resource("GraphRecorder", list, () => {}, context.resource),
      context,
      device,
      group,
      inOrder,
    );
    this.#use = use;
  }

  /** Appends a command that was checked. Not part of the public interface. */
  override append(command: Command): this {
    try {
      command.call(sync, this.handle);
    } catch (error) {
      for (const object of command.owned ?? []) object[Symbol.dispose]();
      throw error;
    }
    this.#use.add(command);
    return this;
  }
}
