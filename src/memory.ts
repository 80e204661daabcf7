/**
 * Memory that the device can use.
 *
 * @module
 */

import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { ArgumentTypeError, UnsupportedFeatureError, UseAfterDisposeError } from "./error.ts";
import { requireFunction } from "./features.ts";
import { exportFileDescriptor, type FileDescriptorType } from "./external_memory.ts";
import { HostView } from "./host_view.ts";
import { has, nonblocking, sync } from "./library.ts";
import {
  ze_driver_memory_free_policy_ext_flag_t,
  ze_memory_atomic_attr_exp_flag_t,
} from "./libze/enums_ze.ts";
import {
  ze_driver_memory_free_ext_properties_t,
  ze_driver_properties_t,
  ze_memory_free_ext_desc_t,
} from "./libze/structs_ze.ts";
import { type MemoryProperties, memoryProperties } from "./memory_properties.ts";
import { AddressableObject, type MemoryRange, rangeOf } from "./memory_range.ts";
import { flagBits, flagNames, type NameOf } from "./names.ts";
import { Resource } from "./resource.ts";
import { readMemory, writeMemory } from "./transfer.ts";
import type { TypedArray, TypedArrayConstructor } from "./typed_array.ts";

/** Where memory is, and who may use it; see {@linkcode Memory.kind}. */
export type MemoryKind = "device" | "host" | "shared";

/** How memory may be used by atomic operations; see {@linkcode Memory.atomicAccess}. */
export type AtomicAccess = NameOf<
  typeof ze_memory_atomic_attr_exp_flag_t,
  "ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG"
>;

/** Memory as it came from the driver. */
export interface NativeMemory<T extends TypedArray> {
  readonly context: Context;
  readonly kind: MemoryKind;
  readonly device: Device | undefined;
  readonly address: bigint;
  readonly type: TypedArrayConstructor<T>;
  readonly length: number;
  /** As what it may be exported; nothing by default. */
  readonly exportable?: readonly FileDescriptorType[];
  /** What has to live at least as long; the context by default. */
  readonly parent?: Resource;
  /** Frees it; by default as memory that was allocated. It must not refer to the Memory. */
  readonly free?: (context: bigint, address: bigint) => void;
}

/**
 * Memory that the device can use, as an array of numbers. It is freed by
 * `dispose`, `using` or `await using`, or with its context.
 *
 * `dispose` frees it at once, or when the device has ended the work that uses
 * it. `await using` has the driver wait for the device, on another thread.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeMemAllocDevice | zeMemAllocDevice}.
 */
export class Memory<T extends TypedArray = TypedArray> extends AddressableObject {
  /**
   * Whose memory it is. `device`: the device's own, the fastest, which the host
   * can't read or write. `host`: the host's, which the device reaches across
   * the bus. `shared`: it moves to where it is used.
   */
  readonly kind: MemoryKind;
  /** The device that it was allocated for; undefined if it was for none. */
  readonly device: Device | undefined;
  /** The class of its elements, such as `Float32Array`. */
  readonly type: TypedArrayConstructor<T>;
  /** The number of elements. */
  readonly length: number;
  readonly #hostView: HostView;
  readonly #exportable: readonly FileDescriptorType[];
  #view: T | undefined;

  /** Takes over what the driver gave; use {@linkcode Context.alloc} to allocate memory. */
  constructor(native: NativeMemory<T>) {
    const hostView = new HostView();
    super(memoryResource(native, hostView), native.context, byteLengthOf(native));
    this.kind = native.kind;
    this.device = native.device;
    this.type = native.type;
    this.length = native.length;
    this.#hostView = hostView;
    this.#exportable = [...native.exportable ?? []];
  }

  /**
   * The elements themselves, without a copy: what is written there the device
   * reads, and the other way round. The same array each time; other views can
   * be made of its buffer. The memory is not freed by the garbage collector
   * as long as one of them is there.
   *
   * Once the memory is disposed, all of them are empty: their buffer is
   * detached, so that they have the length 0, reading an element gives
   * `undefined`, and a DataView throws. Await what reads or writes files with
   * them before that. Do not transfer the buffer to a Worker, or else: memory
   * whose buffer is somewhere else is never freed.
   *
   * @throws {ArgumentTypeError} If it is device memory.
   * @throws {UseAfterDisposeError} After dispose.
   */
  get view(): T {
    if (this.disposed) throw new UseAfterDisposeError("Memory");
    return this.#view ??= this.#makeView();
  }

  #makeView(): T {
    if (this.kind === "device") {
      throw new ArgumentTypeError({
        functionName: "Memory.view",
        argument: "this",
        given: this,
        accepted: "host or shared memory: copy device memory with list.appendMemoryCopy()",
      }, "device memory, which the host can't read or write");
    }
    return new this.type(this.#hostView.create(this, this.address, this.byteLength));
  }

  /**
   * Some of its elements, from `begin` up to `end`: the way to copy, fill or
   * pass a part of it.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If they are no integers from 0 to its length.
   * @throws {UseAfterDisposeError} After dispose.
   */
  subarray(begin = 0, end: number = this.length): MemoryRange<T> {
    return rangeOf("Memory.subarray", this, 0, this.length, begin, end);
  }

  /**
   * Copies its elements to an array of the program, whatever its kind: a new
   * array, or `into`. Work of the device that writes to it has to be waited for
   * before.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If `into` is of another type or length.
   * @throws {UseAfterDisposeError} After dispose.
   */
  read(into?: T): Promise<T> {
    return readMemory("Memory.read", { ...this.#place(), range: this }, into);
  }

  /**
   * Copies the elements of an array of the program to it, whatever its kind.
   * Work of the device that uses it has to be waited for before.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If the array is of another type or length.
   * @throws {UseAfterDisposeError} After dispose.
   */
  write(elements: T): Promise<void> {
    return writeMemory("Memory.write", { ...this.#place(), range: this }, elements);
  }

  /** {@linkcode MemoryRange.read}. Not part of the public interface. */
  readRange(range: MemoryRange<T>, into?: T): Promise<T> {
    return readMemory("MemoryRange.read", { ...this.#place(), length: range.length, range }, into);
  }

  /** {@linkcode MemoryRange.write}. Not part of the public interface. */
  writeRange(range: MemoryRange<T>, elements: T): Promise<void> {
    const place = { ...this.#place(), length: range.length, range };
    return writeMemory("MemoryRange.write", place, elements);
  }

  #place(): Pick<Memory<T>, "context" | "kind" | "device" | "type" | "length"> {
    const { context, kind, device, type, length } = this;
    return { context, kind, device, type, length };
  }

  /** What the driver tells of it. */
  get properties(): MemoryProperties {
    return memoryProperties(this.context, this.address);
  }

  /**
   * Makes a file descriptor of the memory, for other APIs and processes: the
   * caller closes it, or gives it to what takes it over.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=ze_external_memory_export_fd_t | ze_external_memory_export_fd_t}.
   *
   * @throws {ArgumentTypeError} If the memory was not allocated with this type as `exportable`.
   */
  exportFileDescriptor(type: FileDescriptorType): number {
    return exportFileDescriptor(this.context, this.address, type, this.#exportable);
  }

  /**
   * Which atomic operations shared memory is to be used by; only what was set
   * last is in force. Few drivers can be told.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeMemSetAtomicAccessAttributeExp | zeMemSetAtomicAccessAttributeExp}.
   *
   * @throws {UnsupportedFeatureError} If it is no shared memory of a device, or the loader is too old.
   * @throws {ZeError} With ZE_RESULT_ERROR_UNSUPPORTED_FEATURE or -_INVALID_ARGUMENT if the driver can't.
   */
  get atomicAccess(): readonly (AtomicAccess | `unknown_${string}`)[] {
    const device = this.#atomicDevice("zeMemGetAtomicAccessAttributeExp");
    const attributes = new Uint32Array(1);
    const size = BigInt(this.byteLength);
    sync.zeMemGetAtomicAccessAttributeExp(
      this.context.handle,
      device,
      this.address,
      size,
      attributes,
    );
    return flagNames(
      ze_memory_atomic_attr_exp_flag_t,
      "ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG",
      attributes[0]!,
    );
  }

  set atomicAccess(names: readonly AtomicAccess[]) {
    const device = this.#atomicDevice("zeMemSetAtomicAccessAttributeExp");
    const attributes = flagBits(
      ze_memory_atomic_attr_exp_flag_t,
      "ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG",
      names,
      { functionName: "Memory.atomicAccess", argument: "names" },
    );
    const size = BigInt(this.byteLength);
    sync.zeMemSetAtomicAccessAttributeExp(
      this.context.handle,
      device,
      this.address,
      size,
      attributes,
    );
  }

  #atomicDevice(
    functionName: "zeMemGetAtomicAccessAttributeExp" | "zeMemSetAtomicAccessAttributeExp",
  ): bigint {
    if (this.kind !== "shared" || !this.device) {
      throw new UnsupportedFeatureError(
        functionName,
        "shared memory of a device",
        "Allocate it with alloc.shared().",
      );
    }
    requireFunction(functionName, this.context.driver, functionName);
    return this.device.handle;
  }
}

function byteLengthOf({ type, length }: NativeMemory<TypedArray>): number {
  return length * type.BYTES_PER_ELEMENT;
}

/** What frees it. Only numbers and the host view go in: what refers to the Memory would keep it. */
function memoryResource(native: NativeMemory<TypedArray>, hostView: HostView): Resource {
  const context = native.context.handle;
  const { free = (handle, address): void => void sync.zeMemFree(handle, address) } = native;
  let visible = false;
  const onRelease = (): void => {
    visible = !hostView.detach();
    if (visible) warnTransferred();
  };
  const destroy = (address: bigint): void => {
    if (!visible) free(context, address);
  };
  const destroyAsync = async (address: bigint): Promise<void> => {
    if (visible) return;
    const description = ze_memory_free_ext_desc_t.create({
      freePolicy: ze_driver_memory_free_policy_ext_flag_t
        .ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE,
    });
    await nonblocking.zeMemFreeExt(context, description, address);
  };
  const waits = native.free === undefined && canWaitToFree(native.context);
  const parent = native.parent ?? native.context.resource;
  return new Resource("Memory", native.address, destroy, parent, {
    onRelease,
    ...(waits ? { destroyAsync } : {}),
  });
}

let warned = false;

function warnTransferred(): void {
  if (warned) return;
  warned = true;
  console.warn(
    "A Memory was disposed after the buffer of its view had been transferred; it is not freed, " +
      "since another view shows it. Copy what is to be transferred, with view.slice().",
  );
}

const waitingDrivers = new WeakMap<object, boolean>();

/** Whether the driver can free memory once the device has ended its work with it. */
function canWaitToFree({ driver }: Context): boolean {
  let can = waitingDrivers.get(driver);
  if (can === undefined) {
    can = has("zeMemFreeExt") &&
      driver.extensions.some(({ name }) => name === "ZE_extension_memory_free_policies") &&
      (freePolicies(driver.handle) &
          ze_driver_memory_free_policy_ext_flag_t
            .ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE) !== 0;
    waitingDrivers.set(driver, can);
  }
  return can;
}

function freePolicies(driver: bigint): number {
  const policies = ze_driver_memory_free_ext_properties_t.create();
  sync.zeDriverGetProperties(driver, ze_driver_properties_t.create({ pNext: policies }));
  return ze_driver_memory_free_ext_properties_t.read(policies).freePolicies;
}
