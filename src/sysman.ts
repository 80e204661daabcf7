/**
 * Sysman: what system management knows of a device, such as its processes.
 *
 * @module
 */

import { checkDevice, type Device } from "./device.ts";
import { ArgumentTypeError, UnsupportedFeatureError, ZeError } from "./error.ts";
import { environment } from "./ffi/system.ts";
import { drivers } from "./init.ts";
import { has, loaderVersion, sync } from "./library.ts";
import { ze_result_t } from "./libze/enums_ze.ts";
import {
  zes_engine_type_flag_t,
  type zes_event_type_flag_t,
  zes_repair_status_t,
  zes_reset_reason_flag_t,
} from "./libze/enums_zes.ts";
import {
  zes_device_properties_t,
  zes_device_state_t,
  zes_process_state_t,
  zes_uuid_t,
} from "./libze/structs_zes.ts";
import { handleList, structList } from "./lists.ts";
import { enumName, flagNames, type NameOf } from "./names.ts";
import { SysmanEvents, type SysmanEventType } from "./sysman_events.ts";
import type { WaitOptions } from "./wait.ts";

export type { SysmanEventType };

type Named<E extends Readonly<Record<string, number>>, Prefix extends string> =
  | NameOf<E, Prefix>
  | `unknown_${string}`;

/** What a device is, for those who look after it; see `zes_device_properties_t`. */
export interface SysmanDeviceProperties {
  readonly numSubdevices: number;
  /** `unknown`, as the others, where the driver has no right to see it. */
  readonly serialNumber: string;
  readonly boardNumber: string;
  readonly brandName: string;
  readonly modelName: string;
  readonly vendorName: string;
  readonly driverVersion: string;
}

/** How a device is; see `zes_device_state_t`. */
export interface SysmanDeviceState {
  /** Why it has to be reset; empty if it has not. */
  readonly reset: readonly Named<typeof zes_reset_reason_flag_t, "ZES_RESET_REASON_FLAG">[];
  readonly repaired: Named<typeof zes_repair_status_t, "ZES_REPAIR_STATUS">;
}

/** A process that uses a device; see `zes_process_state_t`. */
export interface SysmanProcess {
  readonly processId: number;
  /** Of the device, in bytes. */
  readonly memSize: bigint;
  /** Shared with others, in bytes. */
  readonly sharedSize: bigint;
  readonly engines: readonly Named<typeof zes_engine_type_flag_t, "ZES_ENGINE_TYPE_FLAG">[];
}

/**
 * A device as system management sees it. Its handle is not the core device's,
 * and no function of the one takes the other: drivers crash at it. It lives as
 * long as the process; nothing has to be freed.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zes_device_handle_t | Sysman}.
 */
export class SysmanDevice {
  /** The device of the core API. */
  readonly device: Device;
  /** Which part of the handle's device it is; undefined if it is the whole. */
  readonly subdeviceId: number | undefined;
  // Private, so that what is called on another object is a TypeError before anything native.
  readonly #handle: bigint;
  readonly #events: SysmanEvents;

  /**
   * Wraps a handle that a driver gave; use {@linkcode sysmanDevice} to get one.
   *
   * @param driver Sysman's handle of that driver.
   * @throws {ArgumentTypeError} If it is the core device's, or no handle.
   */
  constructor(handle: bigint, device: Device, driver: bigint, subdeviceId?: number) {
    const functionName = "SysmanDevice";
    checkDevice(functionName, "device", device);
    if (typeof handle !== "bigint" || handle <= 0n || handle === device.handle) {
      throw new ArgumentTypeError({
        functionName,
        argument: "handle",
        given: handle,
        accepted: "a handle of Sysman's, which is not the core device's: use sysmanDevice()",
      });
    }
    if (typeof driver !== "bigint" || driver <= 0n || driver === device.driver.handle) {
      throw new ArgumentTypeError({
        functionName,
        argument: "driver",
        given: driver,
        accepted: "a handle of Sysman's, which zesDriverGet() gives",
      });
    }
    this.#handle = handle;
    this.#events = new SysmanEvents(driver, handle);
    this.device = device;
    this.subdeviceId = subdeviceId;
  }

  /** The native handle, for the zes functions of `@ze/level-zero/libze`. */
  get handle(): bigint {
    return this.#handle;
  }

  /** What it is. */
  get properties(): SysmanDeviceProperties {
    const view = zes_device_properties_t.create();
    sync.zesDeviceGetProperties(this.#handle, view);
    const { stype: _stype, pNext: _pNext, core: _core, ...properties } = zes_device_properties_t
      .read(view);
    return properties;
  }

  /** How it is. */
  get state(): SysmanDeviceState {
    const view = zes_device_state_t.create();
    sync.zesDeviceGetState(this.#handle, view);
    const { reset, repaired } = zes_device_state_t.read(view);
    return {
      reset: flagNames(zes_reset_reason_flag_t, "ZES_RESET_REASON_FLAG", reset),
      repaired: enumName(zes_repair_status_t, "ZES_REPAIR_STATUS", repaired),
    };
  }

  /** The processes that use it; those of others only with the rights to see them. */
  get processes(): readonly SysmanProcess[] {
    return structList(
      zes_process_state_t,
      (count, list) => sync.zesDeviceProcessesGetState(this.#handle, count, list),
    ).map(({ processId, memSize, sharedSize, engines }) => ({
      processId,
      memSize,
      sharedSize,
      engines: flagNames(zes_engine_type_flag_t, "ZES_ENGINE_TYPE_FLAG", engines),
    }));
  }

  /**
   * Which events {@linkcode SysmanDevice.waitForEvents} tells of, in place of
   * those registered before; none at first.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zesDeviceEventRegister | zesDeviceEventRegister}.
   *
   * @throws {ArgumentTypeError} If it is no list, or a name in it is none of the events'.
   * @throws {ZeError} If the driver can't watch for one of them.
   */
  registerEvents(types: readonly SysmanEventType[]): void {
    this.#events.register(types);
  }

  /**
   * Waits until something that was registered happens, without holding up the
   * event loop, and tells what it was; an empty list if the timeout has passed
   * before. What happens between two calls is told by the second.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zesDriverEventListenEx | zesDriverEventListenEx}.
   *
   * @throws {HandleBusyError} If another call waits for this device's events.
   * @throws {unknown} The signal's reason when it is aborted.
   */
  waitForEvents(
    options?: WaitOptions,
  ): Promise<readonly Named<typeof zes_event_type_flag_t, "ZES_EVENT_TYPE_FLAG">[]> {
    return this.#events.wait(options);
  }
}

const found = new WeakMap<Device, SysmanDevice>();

/**
 * The same device for system management, found by its UUID; the same object
 * each time. The first call initializes Sysman, by `zesInit`.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zesDriverGetDeviceByUuidExp | zesDriverGetDeviceByUuidExp}.
 *
 * @throws {ArgumentTypeError} If it is no device of the core API.
 * @throws {MissingSymbolError} If the loader is older than `zesInit`.
 * @throws {ZeError} If no driver offers it, such as for want of rights on the device.
 * @throws {UnsupportedFeatureError} If no driver offers it for this device.
 */
export function sysmanDevice(device: Device): SysmanDevice {
  checkDevice("sysmanDevice", "device", device);
  const known = found.get(device);
  if (known) return known;
  initialize();
  const sysman = findByUuid(device);
  found.set(device, sysman);
  return sysman;
}

const VARIABLE = "ZES_ENABLE_SYSMAN";
let warned = false;

function initialize(): void {
  // Where there is none, the call below throws with what to do about it.
  if (has("zesInit")) checkLoader();
  if (has("zesInit") && environment(VARIABLE) === "1" && !warned) {
    warned = true;
    console.warn(
      `${VARIABLE}=1 is set, and sysmanDevice() calls zesInit: drivers support one or the other, not both in a process. Unset the variable.`,
    );
  }
  try {
    sync.zesInit(0);
  } catch (error) {
    if (!(error instanceof ZeError) || error.code !== ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED) {
      throw error;
    }
    throw new ZeError(error.functionName, error.code, {
      hint:
        "No driver offers system management here: it needs the device's kernel driver, and rights on its files in /sys and /dev/dri.",
      cause: error,
    });
  }
}

const INTEL = 0x8086;

/** Loaders before 1.22 end the process in `zesInit` at a driver that has none; Intel's have it. */
function checkLoader(): void {
  const [major = 0, minor = 0] = loaderVersion()?.split(".").map(Number) ?? [];
  if (major > 1 || minor >= 22) return;
  const devices = drivers().flatMap((driver) => driver.devices);
  if (devices.every(({ properties }) => properties.vendorId === INTEL)) return;
  throw new UnsupportedFeatureError(
    "sysmanDevice",
    "a loader of 1.22 or newer",
    "Older ones crash if a driver has no system management, and which have can't be asked.",
  );
}

/** What a driver answers for a device that is none of its own. */
const NOT_FOUND: readonly number[] = [
  ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
  ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
  ze_result_t.ZE_RESULT_ERROR_UNKNOWN,
];

function findByUuid(device: Device): SysmanDevice {
  const uuid = zes_uuid_t.create({ id: device.uuid });
  const handle = new BigUint64Array(1);
  const onSubdevice = new Uint8Array(1);
  const subdeviceId = new Uint32Array(1);
  for (const driver of handleList((count, list) => sync.zesDriverGet(count, list))) {
    try {
      sync.zesDriverGetDeviceByUuidExp(driver, uuid, handle, onSubdevice, subdeviceId);
    } catch (error) {
      if (error instanceof ZeError && NOT_FOUND.includes(error.code)) continue;
      throw error;
    }
    if (handle[0]) {
      const part = onSubdevice[0] ? subdeviceId[0] : undefined;
      return new SysmanDevice(handle[0], device, driver, part);
    }
  }
  throw new UnsupportedFeatureError(
    "sysmanDevice",
    "system management of this device",
    "No driver knows its UUID. zesDeviceGet() tells the devices that there are.",
  );
}
