/**
 * External semaphores: those of other APIs, which device work waits for and signals.
 *
 * @module
 */

import { checkInteger, checkOptions } from "./checks.ts";
import { checkDevice, type Device } from "./device.ts";
import { ArgumentTypeError } from "./error.ts";
import { requireFunction } from "./features.ts";
import { ZE_EXTERNAL_SEMAPHORES_EXTENSION_NAME } from "./libze/constants.ts";
import { ze_external_semaphore_ext_flag_t } from "./libze/enums_ze.ts";
import {
  zeDeviceImportExternalSemaphoreExt,
  zeDeviceReleaseExternalSemaphoreExt,
} from "./libze/functions_ze.ts";
import {
  ze_external_semaphore_ext_desc_t,
  ze_external_semaphore_fd_ext_desc_t,
  ze_external_semaphore_win32_ext_desc_t,
} from "./libze/structs_ze.ts";
import { enumValue, type NameOf } from "./names.ts";
import { OwnedObject, Resource } from "./resource.ts";

/** The kind of a semaphore; see `ze_external_semaphore_ext_flag_t`. */
export type ExternalSemaphoreType = NameOf<
  typeof ze_external_semaphore_ext_flag_t,
  "ZE_EXTERNAL_SEMAPHORE_EXT_FLAG"
>;

/** What {@linkcode ExternalSemaphore.import} takes. */
export interface ExternalSemaphoreOptions {
  /** The kind, such as `opaque_fd`. */
  readonly type: ExternalSemaphoreType;
  /** Its file descriptor, for the kinds that have one. */
  readonly fileDescriptor?: number;
  /** Its Windows handle, for the others. */
  readonly win32Handle?: bigint;
}

/**
 * A semaphore of another API, such as Vulkan's, imported for a device. It is
 * freed by `dispose`, `using` or `await using`; the device must be done with it.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeDeviceImportExternalSemaphoreExt | zeDeviceImportExternalSemaphoreExt}.
 */
export class ExternalSemaphore extends OwnedObject {
  /** The device that it was imported for. */
  readonly device: Device;
  /** Its kind. */
  readonly type: ExternalSemaphoreType;

  private constructor(handle: bigint, device: Device, type: ExternalSemaphoreType) {
    const release = (it: bigint): void => void zeDeviceReleaseExternalSemaphoreExt(it);
    super(new Resource("ExternalSemaphore", handle, release));
    this.device = device;
    this.type = type;
  }

  /**
   * Imports a semaphore. The caller disposes it.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   * @throws {UnsupportedFeatureError} Without the extension `ZE_extension_external_semaphores`.
   * @throws {ZeError} If the driver refuses.
   */
  static import(device: Device, options: ExternalSemaphoreOptions): ExternalSemaphore {
    const functionName = "ExternalSemaphore.import";
    checkDevice(functionName, "device", device);
    const description = describe(functionName, options);
    requireFunction(
      functionName,
      device.driver,
      "zeDeviceImportExternalSemaphoreExt",
      ZE_EXTERNAL_SEMAPHORES_EXTENSION_NAME,
    );
    const handle = new BigUint64Array(1);
    zeDeviceImportExternalSemaphoreExt(device.handle, description, handle);
    return new ExternalSemaphore(handle[0]!, device, options.type);
  }
}

const MOST_DESCRIPTORS = 2 ** 31 - 1;

function describe(
  functionName: string,
  options: ExternalSemaphoreOptions,
): Uint8Array<ArrayBuffer> {
  checkOptions(functionName, options, ["type", "fileDescriptor", "win32Handle"]);
  const { type, fileDescriptor, win32Handle } = options ?? {};
  const flags = enumValue(
    ze_external_semaphore_ext_flag_t,
    "ZE_EXTERNAL_SEMAPHORE_EXT_FLAG",
    type,
    { functionName, argument: "options.type" },
  );
  const isFile = type.endsWith("_fd");
  const [needed, other] = isFile
    ? ["fileDescriptor", "win32Handle"] as const
    : ["win32Handle", "fileDescriptor"] as const;
  if (options[other] !== undefined) {
    throw new ArgumentTypeError({
      functionName,
      argument: `options.${other}`,
      given: options[other],
      accepted: `left out: a semaphore of the type "${type}" is given by \`${needed}\``,
    });
  }
  if (isFile) {
    const fd = checkInteger(
      functionName,
      "options.fileDescriptor",
      fileDescriptor,
      0,
      MOST_DESCRIPTORS,
    );
    const pNext = ze_external_semaphore_fd_ext_desc_t.create({ fd });
    return ze_external_semaphore_ext_desc_t.create({ flags, pNext });
  }
  if (typeof win32Handle !== "bigint" || win32Handle <= 0n || win32Handle >= 2n ** 64n) {
    throw new ArgumentTypeError({
      functionName,
      argument: "options.win32Handle",
      given: win32Handle,
      accepted: "a bigint from 1n to 2n ** 64n - 1n",
    });
  }
  const pNext = ze_external_semaphore_win32_ext_desc_t.create({ handle: win32Handle });
  return ze_external_semaphore_ext_desc_t.create({ flags, pNext });
}
