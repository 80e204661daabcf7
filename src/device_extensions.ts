/**
 * What only some drivers tell of a device, and do with it.
 *
 * @module
 */

import { checkInteger, checkKind } from "./checks.ts";
import type { Device } from "./device.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "./error.ts";
import { cString } from "./ffi/mod.ts";
import { requireFunction } from "./features.ts";
import {
  ZE_CACHE_RESERVATION_EXT_NAME,
  ZE_DEVICE_VECTOR_SIZES_EXT_NAME,
  ZE_PCI_PROPERTIES_EXT_NAME,
} from "./libze/constants.ts";
import { ze_validate_runtime_requirements_result_t } from "./libze/enums_ze.ts";
import {
  zeDeviceGetRuntimeRequirements,
  zeDeviceGetRuntimeRequirementsKey,
  zeDeviceGetVectorWidthPropertiesExt,
  zeDevicePciGetPropertiesExt,
  zeDeviceReserveCacheExt,
  zeDeviceValidateRuntimeRequirements,
} from "./libze/functions_ze.ts";
import {
  ze_device_vector_width_properties_ext_t,
  ze_pci_ext_properties_t,
  ze_runtime_requirements_module_desc_t,
  ze_validate_runtime_requirements_output_t,
} from "./libze/structs_ze.ts";
import { byteList, structList, textOf } from "./lists.ts";
import type { Module } from "./module.ts";
import { enumName, type NameOf } from "./names.ts";

/** Where a device sits on the PCI bus, and how fast; see `ze_pci_ext_properties_t`. */
export interface DevicePciProperties {
  /** What `lspci -D` shows before the device's name. */
  readonly address: {
    readonly domain: number;
    readonly bus: number;
    readonly device: number;
    readonly function: number;
  };
  /** The fastest configuration; -1 where the driver does not know. */
  readonly maxSpeed: {
    /** Of PCI Express. */
    readonly genVersion: number;
    /** In lanes. */
    readonly width: number;
    /** Of all lanes together, in bytes per second. */
    readonly maxBandwidth: bigint;
  };
}

/** Elements of a vector, by C type; 0 where there are none. */
export interface VectorWidths {
  readonly char: number;
  readonly short: number;
  readonly int: number;
  readonly long: number;
  readonly float: number;
  readonly double: number;
  readonly half: number;
}

/** Vectors that suit a device; see `ze_device_vector_width_properties_ext_t`. */
export interface DeviceVectorWidthProperties {
  /** In bytes. */
  readonly vectorWidthSize: number;
  readonly preferred: VectorWidths;
  readonly native: VectorWidths;
}

/** How code fits a device; see `ze_validate_runtime_requirements_result_t`. */
export type RuntimeRequirementsResult =
  | NameOf<
    typeof ze_validate_runtime_requirements_result_t,
    "ZE_VALIDATE_RUNTIME_REQUIREMENTS_RESULT"
  >
  | `unknown_${string}`;

/** See {@linkcode Device.pciProperties}. */
export function pciProperties({ handle, driver }: Device): DevicePciProperties {
  requireFunction(
    "Device.pciProperties",
    driver,
    "zeDevicePciGetPropertiesExt",
    ZE_PCI_PROPERTIES_EXT_NAME,
  );
  const view = ze_pci_ext_properties_t.create();
  zeDevicePciGetPropertiesExt(handle, view);
  const { address, maxSpeed } = ze_pci_ext_properties_t.read(view);
  return { address, maxSpeed };
}

/** See {@linkcode Device.vectorWidthProperties}. */
export function vectorWidthProperties(
  { handle, driver }: Device,
): readonly DeviceVectorWidthProperties[] {
  requireFunction(
    "Device.vectorWidthProperties",
    driver,
    "zeDeviceGetVectorWidthPropertiesExt",
    ZE_DEVICE_VECTOR_SIZES_EXT_NAME,
  );
  return structList(
    ze_device_vector_width_properties_ext_t,
    (count, list) => zeDeviceGetVectorWidthPropertiesExt(handle, count, list),
  ).map((properties) => {
    const widths = (kind: "preferred" | "native"): VectorWidths => ({
      char: properties[`${kind}_vector_width_char`],
      short: properties[`${kind}_vector_width_short`],
      int: properties[`${kind}_vector_width_int`],
      long: properties[`${kind}_vector_width_long`],
      float: properties[`${kind}_vector_width_float`],
      double: properties[`${kind}_vector_width_double`],
      half: properties[`${kind}_vector_width_half`],
    });
    return {
      vectorWidthSize: properties.vector_width_size,
      preferred: widths("preferred"),
      native: widths("native"),
    };
  });
}

/** See {@linkcode Device.reserveCache}. */
export function reserveCache(device: Device, byteLength: number, level: number): void {
  const functionName = "Device.reserveCache";
  const size = checkInteger(functionName, "byteLength", byteLength);
  const cacheLevel = checkInteger(functionName, "level", level, 0, 255);
  requireFunction(
    functionName,
    device.driver,
    "zeDeviceReserveCacheExt",
    ZE_CACHE_RESERVATION_EXT_NAME,
  );
  zeDeviceReserveCacheExt(device.handle, BigInt(cacheLevel), BigInt(size));
}

function requireRuntimeRequirements(functionName: string, device: Device): void {
  if (device.supports("runtime_requirements")) return;
  throw new UnsupportedFeatureError(
    functionName,
    "runtime requirements",
    'They came with version 1.16 of the specification. Ask Device.supports("runtime_requirements") first.',
  );
}

/** See {@linkcode Device.runtimeRequirements}. */
export function runtimeRequirements(device: Device, module: Module): string {
  const functionName = "Device.runtimeRequirements";
  const { handle } = checkKind(functionName, "module", module, "Module");
  requireRuntimeRequirements(functionName, device);
  const description = ze_runtime_requirements_module_desc_t.create({ requirementsSrc: handle });
  return textOf(
    byteList((size, text) =>
      zeDeviceGetRuntimeRequirements(device.handle, description, size, text)
    ),
  );
}

/** See {@linkcode Device.runtimeRequirementsKey}. */
export function runtimeRequirementsKey(device: Device): string {
  requireRuntimeRequirements("Device.runtimeRequirementsKey", device);
  const key = new BigUint64Array(1);
  zeDeviceGetRuntimeRequirementsKey(device.handle, key);
  return cString(key[0]!);
}

/** See {@linkcode Device.validateRuntimeRequirements}. */
export function validateRuntimeRequirements(
  device: Device,
  requirements: string,
): RuntimeRequirementsResult {
  const functionName = "Device.validateRuntimeRequirements";
  if (typeof requirements !== "string" || requirements.includes("\0")) {
    throw new ArgumentTypeError({
      functionName,
      argument: "requirements",
      given: requirements,
      accepted: "text that Device.runtimeRequirements() gave",
    });
  }
  requireRuntimeRequirements(functionName, device);
  const output = ze_validate_runtime_requirements_output_t.create();
  zeDeviceValidateRuntimeRequirements(
    device.handle,
    new TextEncoder().encode(`${requirements}\0`),
    output,
  );
  const { result } = ze_validate_runtime_requirements_output_t.read(output);
  return enumName(
    ze_validate_runtime_requirements_result_t,
    "ZE_VALIDATE_RUNTIME_REQUIREMENTS_RESULT",
    result,
  );
}
