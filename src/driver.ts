/**
 * Drivers.
 *
 * @module
 */

import { type ApiVersion, apiVersion } from "./api_version.ts";
import { Context, type ContextOptions } from "./context.ts";
import { Device } from "./device.ts";
import { ArgumentTypeError } from "./error.ts";
import { type FabricVertex, fabricVertices } from "./fabric.ts";
import { ze_ipc_property_flag_t } from "./libze/enums_ze.ts";
import {
  zeDeviceGet,
  zeDriverGetApiVersion,
  zeDriverGetExtensionProperties,
  zeDriverGetIpcProperties,
  zeDriverGetProperties,
} from "./libze/functions_ze.ts";
import {
  ze_driver_extension_properties_t,
  ze_driver_ipc_properties_t,
  ze_driver_properties_t,
} from "./libze/structs_ze.ts";
import { addDriver } from "./library.ts";
import { handleList, structList } from "./lists.ts";
import { flagNames, type NameOf } from "./names.ts";

/** What a driver tells of itself. */
export interface DriverProperties {
  /** Tells drivers, and versions of one, apart. */
  readonly uuid: string;
  /** A number that grows with each release; its parts are the driver's own. */
  readonly driverVersion: number;
}

/** An extension that a driver has. */
export interface DriverExtension {
  /** Such as `ZE_extension_float_atomics`. */
  readonly name: string;
  readonly version: ApiVersion;
}

/** How a driver shares objects between processes. */
export interface DriverIpcProperties {
  readonly flags: readonly (
    | NameOf<typeof ze_ipc_property_flag_t, "ZE_IPC_PROPERTY_FLAG">
    | `unknown_${string}`
  )[];
}

/**
 * A Level Zero driver. It belongs to the loader and lives as long as the
 * process: nothing has to be freed.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=driver | Driver}.
 */
export class Driver {
  /** The native handle, for the functions of `@ze/level-zero/libze`. */
  readonly handle: bigint;
  #devices: readonly Device[] | undefined;
  #extensionNames: ReadonlySet<string> | undefined;

  /** Wraps a handle that the loader gave; use {@linkcode drivers} to get drivers. */
  constructor(handle: bigint) {
    this.handle = handle;
    addDriver(handle);
  }

  /** The version of the specification that the driver has. */
  get apiVersion(): ApiVersion {
    const version = new Uint32Array(1);
    zeDriverGetApiVersion(this.handle, version);
    return apiVersion(version[0]!);
  }

  /** What the driver tells of itself. */
  get properties(): DriverProperties {
    const view = ze_driver_properties_t.create();
    zeDriverGetProperties(this.handle, view);
    const { uuid, driverVersion } = ze_driver_properties_t.read(view);
    return { uuid, driverVersion };
  }

  /** The extensions that the driver has. */
  get extensions(): readonly DriverExtension[] {
    return structList(
      ze_driver_extension_properties_t,
      (count, list) => zeDriverGetExtensionProperties(this.handle, count, list),
    ).map(({ name, version }) => ({ name, version: apiVersion(version) }));
  }

  /**
   * Whether the driver has an extension, such as `ZE_extension_image_view`.
   *
   * @throws {ArgumentTypeError} If the name is no text.
   */
  supports(extension: string): boolean {
    if (typeof extension !== "string") {
      throw new ArgumentTypeError({
        functionName: "Driver.supports",
        argument: "extension",
        given: extension,
        accepted: "the name of an extension",
      });
    }
    this.#extensionNames ??= new Set(this.extensions.map(({ name }) => name));
    return this.#extensionNames.has(extension);
  }

  /** How the driver shares objects between processes. */
  get ipcProperties(): DriverIpcProperties {
    const view = ze_driver_ipc_properties_t.create();
    zeDriverGetIpcProperties(this.handle, view);
    const { flags } = ze_driver_ipc_properties_t.read(view);
    return { flags: flagNames(ze_ipc_property_flag_t, "ZE_IPC_PROPERTY_FLAG", flags) };
  }

  /** The devices of the driver, the same objects each time. */
  get devices(): readonly Device[] {
    this.#devices ??= handleList((count, list) => zeDeviceGet(this.handle, count, list))
      .map((handle) => new Device(handle, this));
    return this.#devices;
  }

  /**
   * What connects devices with each other, those of other machines included.
   *
   * @throws {UnsupportedFeatureError} Without the extension `ZE_experimental_fabric`.
   */
  get fabricVertices(): readonly FabricVertex[] {
    return fabricVertices(this);
  }

  /**
   * Makes a context: what memory, modules and queues are made in. The caller
   * disposes it.
   *
   * @throws {ZeError} If the driver refuses.
   */
  createContext(options?: ContextOptions): Context {
    return Context.create(this, options);
  }
}
