/**
 * Physical memory: what can be mapped to addresses.
 *
 * @module
 */

import { chooseDevice } from "./allocation.ts";
import { checkInteger, checkOptions } from "./checks.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { ArgumentTypeError } from "./error.ts";
import { requireFunction } from "./features.ts";
import { sync } from "./library.ts";
import { ze_physical_mem_flag_t } from "./libze/enums_ze.ts";
import { ze_physical_mem_desc_t, ze_physical_mem_properties_t } from "./libze/structs_ze.ts";
import { withReclaim } from "./out_of_memory.ts";
import { pageSize, wholePages } from "./pages.ts";
import { OwnedObject, Resource } from "./resource.ts";

/** What {@linkcode Context.createPhysicalMemory} takes. */
export interface PhysicalMemoryOptions {
  /** Needed where the context has several devices; for host memory, the one whose pages it has. */
  readonly device?: Device;
  /** Whose memory: `device` by default. */
  readonly kind?: "device" | "host";
}

/** What the driver tells of physical memory. */
export interface PhysicalMemoryProperties {
  /** Tells physical memories apart. */
  readonly id: bigint;
  /** In bytes. */
  readonly size: bigint;
}

/**
 * Memory without an address, which {@linkcode VirtualMemory.map} gives one or
 * several. It is freed by `dispose`, `using` or `await using`, which unmaps it
 * first, or with its context.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zePhysicalMemCreate | zePhysicalMemCreate}.
 */
export class PhysicalMemory extends OwnedObject {
  /** The context that it was made in. */
  readonly context: Context;
  /** The device that it was made for. */
  readonly device: Device;
  /** Whose memory it is. */
  readonly kind: "device" | "host";
  /** Its size in bytes, a number of whole pages. */
  readonly byteLength: number;

  private constructor(
    handle: bigint,
    context: Context,
    device: Device,
    kind: "device" | "host",
    byteLength: number,
  ) {
    const contextHandle = context.handle;
    const destroy = (memory: bigint): void => {
      sync.zePhysicalMemDestroy(contextHandle, memory);
    };
    super(new Resource("PhysicalMemory", handle, destroy, context.resource));
    this.context = context;
    this.device = device;
    this.kind = kind;
    this.byteLength = byteLength;
  }

  /** Makes it; see {@linkcode Context.createPhysicalMemory}. */
  static create(
    context: Context,
    byteLength: number,
    options: PhysicalMemoryOptions = {},
  ): PhysicalMemory {
    const functionName = "Context.createPhysicalMemory";
    checkOptions(functionName, options, ["device", "kind"]);
    const { kind = "device" } = options;
    if (kind !== "device" && kind !== "host") {
      throw new ArgumentTypeError({
        functionName,
        argument: "options.kind",
        given: kind,
        accepted: '"device" or "host"',
      });
    }
    const least = checkInteger(functionName, "byteLength", byteLength, 1);
    const device = chooseDevice(functionName, context, options.device)!;
    const size = wholePages(least, pageSize(context, device, least));
    const description = ze_physical_mem_desc_t.create({
      flags: kind === "device"
        ? ze_physical_mem_flag_t.ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_DEVICE
        : ze_physical_mem_flag_t.ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST,
      size,
    });
    const handle = new BigUint64Array(1);
    withReclaim(
      { bytes: size, device: kind === "device" ? device : undefined },
      () => sync.zePhysicalMemCreate(context.handle, device.handle, description, handle),
    );
    return new PhysicalMemory(handle[0]!, context, device, kind, size);
  }

  /**
   * What the driver tells of it.
   *
   * @throws {UnsupportedFeatureError} If the loader is too old.
   * @throws {ZeError} With ZE_RESULT_ERROR_UNSUPPORTED_FEATURE if the driver can't tell.
   */
  get properties(): PhysicalMemoryProperties {
    const name = "zePhysicalMemGetProperties";
    requireFunction("PhysicalMemory.properties", this.context.driver, name);
    const view = ze_physical_mem_properties_t.create();
    sync.zePhysicalMemGetProperties(this.context.handle, this.handle, view);
    const { id, size } = ze_physical_mem_properties_t.read(view);
    return { id, size };
  }
}
