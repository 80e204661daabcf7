/**
 * Memory that is shared between processes.
 *
 * @module
 */

import { chooseDevice } from "./allocation.ts";
import { checkInteger, checkOptions, checkOwned } from "./checks.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { ArgumentRangeError, ArgumentTypeError, UnsupportedFeatureError } from "./error.ts";
import { requireFunction } from "./features.ts";
import { has, sync } from "./library.ts";
import { ze_ipc_mem_handle_type_flag_t, ze_ipc_memory_flag_t } from "./libze/enums_ze.ts";
import { ze_ipc_mem_handle_t, ze_ipc_mem_handle_type_ext_desc_t } from "./libze/structs_ze.ts";
import { Memory } from "./memory.ts";
import { addressRange, memoryProperties } from "./memory_properties.ts";
import { flagBits, type NameOf } from "./names.ts";
import { OwnedObject, Resource } from "./resource.ts";
import {
  checkTypedArrayClass,
  type TypedArray,
  type TypedArrayConstructor,
} from "./typed_array.ts";

/** Where memory can be opened. */
export type IpcHandleType = NameOf<
  typeof ze_ipc_mem_handle_type_flag_t,
  "ZE_IPC_MEM_HANDLE_TYPE_FLAG"
>;

/** What {@linkcode Context.createIpcHandle} takes. */
export interface IpcHandleOptions {
  /** Where it can be opened; on the same device by default. */
  readonly types?: readonly IpcHandleType[];
}

/** What {@linkcode Context.openIpcMemory} takes. */
export interface OpenIpcMemoryOptions {
  /** The device to open it on; needed where the context has several. */
  readonly device?: Device;
  /** The number of elements; by default as many as there are. */
  readonly length?: number;
  /** Wishes, such as `bias_uncached`. */
  readonly flags?: readonly NameOf<typeof ze_ipc_memory_flag_t, "ZE_IPC_MEMORY_FLAG">[];
}

/** What {@linkcode Context.openIpcMemory} takes for elements other than bytes. */
export interface OpenTypedIpcMemoryOptions<T extends TypedArray> extends OpenIpcMemoryOptions {
  /** The class of the elements. */
  readonly type: TypedArrayConstructor<T>;
}

/**
 * What another process opens memory with, by {@linkcode Context.openIpcMemory}.
 * It is given back by `dispose`, `using` or `await using`, or with its memory;
 * by then the other process must have opened it.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeMemGetIpcHandle | zeMemGetIpcHandle}.
 */
export class IpcMemoryHandle extends OwnedObject {
  /** The memory. */
  readonly memory: Memory;
  readonly #bytes: Uint8Array<ArrayBuffer>;

  private constructor(memory: Memory, bytes: Uint8Array<ArrayBuffer>) {
    const context = memory.context.handle;
    const giveBack = (): void => {
      // Loaders from before 1.6 have none to give back.
      if (has("zeMemPutIpcHandle")) sync.zeMemPutIpcHandle(context, bytes);
    };
    super(new Resource("IpcMemoryHandle", memory.address, giveBack, memory.resource));
    this.memory = memory;
    this.#bytes = bytes;
  }

  /** Makes it; see {@linkcode Context.createIpcHandle}. */
  static create(
    context: Context,
    memory: Memory,
    options: IpcHandleOptions = {},
  ): IpcMemoryHandle {
    const functionName = "Context.createIpcHandle";
    const { kind, address } = checkOwned(functionName, "memory", memory, Memory, context);
    checkOptions(functionName, options, ["types"]);
    if (kind === "shared") {
      throw new ArgumentTypeError({
        functionName,
        argument: "memory",
        given: memory,
        accepted: "device or host memory",
      }, "shared memory, which processes can't exchange");
    }
    requireIpc(functionName, context);
    const bytes = ze_ipc_mem_handle_t.create();
    if (options.types === undefined) {
      sync.zeMemGetIpcHandle(context.handle, address, bytes);
    } else {
      const typeFlags = flagBits(
        ze_ipc_mem_handle_type_flag_t,
        "ZE_IPC_MEM_HANDLE_TYPE_FLAG",
        options.types,
        { functionName, argument: "options.types" },
      );
      const name = "zeMemGetIpcHandleWithProperties";
      requireFunction(functionName, context.driver, name, "ZE_extension_ipc_mem_handle_type");
      const types = ze_ipc_mem_handle_type_ext_desc_t.create({ typeFlags });
      sync.zeMemGetIpcHandleWithProperties(context.handle, address, types, bytes);
    }
    return new IpcMemoryHandle(memory, bytes);
  }

  /**
   * What to send to the other process, by whatever means. Some drivers have a
   * file descriptor in it that the other process must get too, in its place.
   *
   * @throws {UseAfterDisposeError} After dispose.
   */
  get bytes(): Uint8Array<ArrayBuffer> {
    void this.handle;
    return new Uint8Array(this.#bytes);
  }

  /**
   * The file descriptor that stands for it, to be sent by a Unix socket. It
   * stays the driver's.
   *
   * @throws {UnsupportedFeatureError} If the loader is too old.
   * @throws {ZeError} If the driver has none.
   */
  get fileDescriptor(): number {
    const { context } = this.memory;
    const name = "zeMemGetFileDescriptorFromIpcHandleExp";
    requireFunction("IpcMemoryHandle.fileDescriptor", context.driver, name);
    const descriptor = new BigUint64Array(1);
    sync.zeMemGetFileDescriptorFromIpcHandleExp(context.handle, this.bytes, descriptor);
    return Number(descriptor[0]);
  }
}

function requireIpc(functionName: string, context: Context): void {
  if (context.driver.ipcProperties.flags.includes("memory")) return;
  throw new UnsupportedFeatureError(
    functionName,
    "memory that processes share",
    "Ask Driver.ipcProperties first.",
  );
}

/** See {@linkcode Context.ipcHandleOfFileDescriptor}. */
export function ipcHandleOfFileDescriptor(
  context: Context,
  fileDescriptor: number,
): Uint8Array<ArrayBuffer> {
  const functionName = "Context.ipcHandleOfFileDescriptor";
  const given = checkInteger(functionName, "fileDescriptor", fileDescriptor, 0, 2 ** 31 - 1);
  requireIpc(functionName, context);
  const name = "zeMemGetIpcHandleFromFileDescriptorExp";
  requireFunction(functionName, context.driver, name);
  const bytes = ze_ipc_mem_handle_t.create();
  sync.zeMemGetIpcHandleFromFileDescriptorExp(context.handle, BigInt(given), bytes);
  return bytes;
}

function checkHandle(functionName: string, bytes: unknown): Uint8Array<ArrayBuffer> {
  const { size } = ze_ipc_mem_handle_t;
  if (bytes instanceof Uint8Array && bytes.length === size) return new Uint8Array(bytes);
  throw new ArgumentTypeError({
    functionName,
    argument: "handle",
    given: bytes,
    accepted: `the ${size} bytes of an IpcMemoryHandle, in a Uint8Array`,
  });
}

/** No memory is there: Intel's driver without hardware opens everything at 1. */
const FIRST_PAGE = 4096n;

/** See {@linkcode Context.openIpcMemory}. */
export function openIpcMemory(
  context: Context,
  handle: Uint8Array,
  options: Partial<OpenTypedIpcMemoryOptions<TypedArray>> = {},
): Memory {
  const functionName = "Context.openIpcMemory";
  const bytes = checkHandle(functionName, handle);
  checkOptions(functionName, options, ["type", "length", "device", "flags"]);
  const type = checkTypedArrayClass(functionName, "options.type", options.type ?? Uint8Array);
  const device = chooseDevice(functionName, context, options.device)!;
  const { flags = [] } = options;
  const flagValue = flagBits(ze_ipc_memory_flag_t, "ZE_IPC_MEMORY_FLAG", flags, {
    functionName,
    argument: "options.flags",
  });
  const asked = options.length === undefined
    ? undefined
    : checkInteger(functionName, "options.length", options.length, 1);
  requireIpc(functionName, context);
  const opened = new BigUint64Array(1);
  sync.zeMemOpenIpcHandle(context.handle, device.handle, bytes, flagValue, opened);
  const address = opened[0]!;
  const free = (contextHandle: bigint, memory: bigint): void => {
    sync.zeMemCloseIpcHandle(contextHandle, memory);
  };
  try {
    const length = lengthAt(functionName, context, address, type.BYTES_PER_ELEMENT, asked);
    const isHost = memoryProperties(context, address).type === "host" && address >= FIRST_PAGE;
    const kind = isHost ? "host" : "device";
    return new Memory({ context, kind, device, address, type, length, free });
  } catch (error) {
    free(context.handle, address);
    throw error;
  }
}

/** How many elements there are at an address, or as many as were asked for if there are. */
function lengthAt(
  functionName: string,
  context: Context,
  address: bigint,
  bytesPerElement: number,
  asked: number | undefined,
): number {
  const range = addressRange(context, { address });
  const bytes = range.byteLength - Number(address - range.address);
  const most = Math.floor(bytes / bytesPerElement);
  if (asked === undefined) return most;
  if (asked <= most) return asked;
  throw new ArgumentRangeError({
    functionName,
    argument: "options.length",
    given: asked,
    accepted: `at most ${most}, as many elements as the memory has`,
  });
}
