/**
 * Events of system management, such as a device that was taken out.
 *
 * @module
 */

import { HandleBusyError } from "./error.ts";
import { has, nonblocking, sync } from "./library.ts";
import { zes_event_type_flag_t } from "./libze/enums_zes.ts";
import { flagBits, flagNames, type NameOf } from "./names.ts";
import { waitFor, type WaitOptions } from "./wait.ts";

/** What may happen to a device; see `zes_event_type_flag_t`. */
export type SysmanEventType = NameOf<typeof zes_event_type_flag_t, "ZES_EVENT_TYPE_FLAG">;

const FUNCTION = "SysmanDevice.waitForEvents";

/** The events of one device. */
export class SysmanEvents {
  readonly #driver: bigint;
  readonly #device: bigint;
  #waiting = false;
  /** What a call on another thread learned, perhaps after its wait was ended. */
  #came = 0;

  /** @param driver Sysman's handle of the driver, as `device` is of the device. */
  constructor(driver: bigint, device: bigint) {
    this.#driver = driver;
    this.#device = device;
  }

  register(types: readonly SysmanEventType[]): void {
    const argument = { functionName: "zesDeviceEventRegister", argument: "types" };
    const flags = flagBits(zes_event_type_flag_t, "ZES_EVENT_TYPE_FLAG", types, argument);
    sync.zesDeviceEventRegister(this.#device, flags);
  }

  async wait(
    options?: WaitOptions,
  ): Promise<readonly (SysmanEventType | `unknown_${string}`)[]> {
    if (this.#waiting) {
      throw new HandleBusyError(FUNCTION, "the device's events are waited for", "Await that call.");
    }
    this.#waiting = true;
    try {
      await waitFor({
        functionName: FUNCTION,
        done: () => this.#ask(),
        block: (nanoseconds) => this.#block(nanoseconds),
      }, options);
    } finally {
      this.#waiting = false;
    }
    const came = this.#came;
    this.#came = 0;
    return flagNames(zes_event_type_flag_t, "ZES_EVENT_TYPE_FLAG", came);
  }

  #ask(): boolean {
    if (this.#came === 0) {
      const [device, count, flags] = this.#arrays();
      if (has("zesDriverEventListenEx")) {
        sync.zesDriverEventListenEx(this.#driver, 0n, 1, device, count, flags);
      } else {
        sync.zesDriverEventListen(this.#driver, 0, 1, device, count, flags);
      }
      this.#came |= flags[0]!;
    }
    return this.#came !== 0;
  }

  async #block(nanoseconds: bigint): Promise<boolean> {
    // These two take milliseconds; a wait is never in the driver for so long that they overflow.
    const milliseconds = (nanoseconds + 999_999n) / 1_000_000n;
    const [device, count, flags] = this.#arrays();
    if (has("zesDriverEventListenEx")) {
      await nonblocking.zesDriverEventListenEx(this.#driver, milliseconds, 1, device, count, flags);
    } else {
      const short = Number(milliseconds);
      await nonblocking.zesDriverEventListen(this.#driver, short, 1, device, count, flags);
    }
    this.#came |= flags[0]!;
    return this.#came !== 0;
  }

  #arrays(): [device: BigUint64Array, count: Uint32Array, flags: Uint32Array] {
    return [BigUint64Array.of(this.#device), new Uint32Array(1), new Uint32Array(1)];
  }
}
