/**
 * Memory that is shared with other APIs, and other processes, by file descriptors.
 *
 * @module
 */

import { checkInteger, checkOptions } from "./checks.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "./error.ts";
import type { StructView } from "./ffi/struct.ts";
import { sync } from "./library.ts";
import { ze_external_memory_type_flag_t } from "./libze/enums_ze.ts";
import {
  ze_external_memory_export_desc_t,
  ze_external_memory_export_fd_t,
  ze_external_memory_import_fd_t,
  ze_memory_allocation_properties_t,
} from "./libze/structs_ze.ts";
import { flagBits } from "./names.ts";

/** What a file descriptor of memory is: one of the driver's own kind, or a Linux dma_buf. */
export type FileDescriptorType = "opaque_fd" | "dma_buf";

/** Memory that was exported as a file descriptor. */
export interface ImportedMemory {
  /** The driver takes it over and closes it. */
  readonly fileDescriptor: number;
  /** What it is. */
  readonly type: FileDescriptorType;
}

/** What memory that is shared with other APIs is allocated with. */
export interface ExternalMemoryOptions {
  /** As what {@linkcode Memory.exportFileDescriptor} may be asked for it. */
  readonly exportable?: readonly FileDescriptorType[];
  /** The memory that it is to be, in place of new one. */
  readonly imported?: ImportedMemory;
}

type ExternalStruct = StructView<
  "ze_external_memory_export_desc_t" | "ze_external_memory_import_fd_t"
>;

function checkType(functionName: string, argument: string, type: unknown): number {
  if (type !== "opaque_fd" && type !== "dma_buf") {
    throw new ArgumentTypeError({
      functionName,
      argument,
      given: type,
      accepted: '"opaque_fd" or "dma_buf"',
    });
  }
  return flagBits(ze_external_memory_type_flag_t, "ZE_EXTERNAL_MEMORY_TYPE_FLAG", [type], {
    functionName,
    argument,
  });
}

/** Throws unless all the devices can. */
function requireType(
  functionName: string,
  devices: readonly Device[],
  direction: "Import" | "Export",
  type: FileDescriptorType,
): void {
  const member = `memoryAllocation${direction}Types` as const;
  for (const device of devices) {
    if (device.externalMemoryProperties[member].includes(type)) continue;
    throw new UnsupportedFeatureError(
      functionName,
      `${direction.toLowerCase()} of memory as ${type}`,
      `Ask Device.externalMemoryProperties.${member} first.`,
    );
  }
}

/**
 * What is added to the description of an allocation.
 *
 * @throws {ArgumentTypeError | ArgumentRangeError} If the options are none.
 * @throws {UnsupportedFeatureError} If a device can't do it.
 */
export function externalStructs(
  functionName: string,
  devices: readonly Device[],
  { exportable, imported }: ExternalMemoryOptions,
): ExternalStruct[] {
  const structs: ExternalStruct[] = [];
  if (exportable !== undefined) {
    const argument = "options.exportable";
    if (!Array.isArray(exportable)) {
      const accepted = 'a list of "opaque_fd" or "dma_buf"';
      throw new ArgumentTypeError({ functionName, argument, given: exportable, accepted });
    }
    let flags = 0;
    for (const type of exportable) flags |= checkType(functionName, argument, type);
    for (const type of exportable) requireType(functionName, devices, "Export", type);
    if (flags !== 0) structs.push(ze_external_memory_export_desc_t.create({ flags }));
  }
  if (imported !== undefined) {
    checkOptions(functionName, imported, ["fileDescriptor", "type"]);
    const argument = "options.imported";
    const flags = checkType(functionName, `${argument}.type`, imported.type);
    const fd = checkInteger(
      functionName,
      `${argument}.fileDescriptor`,
      imported.fileDescriptor,
      0,
      2 ** 31 - 1,
    );
    requireType(functionName, devices, "Import", imported.type);
    structs.push(ze_external_memory_import_fd_t.create({ flags, fd }));
  }
  return structs;
}

/** See {@linkcode Memory.exportFileDescriptor}. */
export function exportFileDescriptor(
  context: Context,
  address: bigint,
  type: FileDescriptorType,
  exportable: readonly FileDescriptorType[],
): number {
  const functionName = "Memory.exportFileDescriptor";
  const flags = checkType(functionName, "type", type);
  if (!exportable.includes(type)) {
    throw new ArgumentTypeError({
      functionName,
      argument: "type",
      given: type,
      accepted: "one of those that `exportable` listed when the memory was allocated",
    });
  }
  const exported = ze_external_memory_export_fd_t.create({ flags });
  const properties = ze_memory_allocation_properties_t.create({ pNext: exported });
  sync.zeMemGetAllocProperties(context.handle, address, properties, null);
  return ze_external_memory_export_fd_t.read(exported).fd;
}
