/**
 * Copies of boxes in memory.
 *
 * @module
 */

import { checkInteger, checkOptions } from "../checks.ts";
import type { Commands } from "../commands.ts";
import { ArgumentRangeError, ArgumentTypeError } from "../error.ts";
import { ze_copy_region_t } from "../libze/structs_ze.ts";
import type { AddressRange } from "../memory_range.ts";
import { orFree, sourceRange } from "./memory.ts";
import {
  type AppendOptions,
  type Command,
  commandEvents,
  destinationRange,
  resourcesOf,
  type Source,
} from "./command.ts";

/** Memory seen as rows and slices, and where in it a box begins. */
export interface MemoryRegion {
  /** Destinations are memory of the context; sources may be views of the program's memory. */
  readonly memory: Source;
  /** Bytes from a row to the next; the box's width by default. */
  readonly pitch?: number;
  /** Bytes from a slice to the next; the pitch times the box's height by default. */
  readonly slicePitch?: number;
  /** In bytes; 0 by default. */
  readonly originX?: number;
  /** In rows; 0 by default. */
  readonly originY?: number;
  /** In slices; 0 by default. */
  readonly originZ?: number;
}

/** The size of a box. */
export interface CopySize {
  /** In bytes. */
  readonly width: number;
  /** In rows; 1 by default. */
  readonly height?: number;
  /** In slices; 1 by default. */
  readonly depth?: number;
}

type Size = Readonly<Required<CopySize>>;

/** A region whose numbers are checked, as the C function takes it. */
interface Box {
  readonly pitch: number;
  readonly slicePitch: number;
  readonly description: ReturnType<typeof ze_copy_region_t.create>;
}

const LARGEST = 2 ** 32 - 1;
const SIZE_MEMBERS = ["width", "height", "depth"];
const REGION_MEMBERS = ["memory", "pitch", "slicePitch", "originX", "originY", "originZ"];

function checkSize(functionName: string, size: CopySize): Size {
  if (typeof size !== "object" || size === null) {
    throw new ArgumentTypeError({
      functionName,
      argument: "size",
      given: size,
      accepted: "an object with width, height and depth",
    });
  }
  checkOptions(functionName, size, SIZE_MEMBERS);
  const { width, height = 1, depth = 1 } = size;
  return {
    width: checkInteger(functionName, "size.width", width, 1, LARGEST),
    height: checkInteger(functionName, "size.height", height, 1, LARGEST),
    depth: checkInteger(functionName, "size.depth", depth, 1, LARGEST),
  };
}

/** Checks that the box lies within the rows, and the rows within the memory. */
function checkBox(
  functionName: string,
  argument: string,
  region: MemoryRegion,
  range: AddressRange,
  { width, height, depth }: Size,
): Box {
  const integer = (name: string, value: number, minimum: number): number =>
    checkInteger(functionName, `${argument}.${name}`, value, minimum, LARGEST);
  const originX = integer("originX", region.originX ?? 0, 0);
  const originY = integer("originY", region.originY ?? 0, 0);
  const originZ = integer("originZ", region.originZ ?? 0, 0);
  const pitch = integer("pitch", region.pitch ?? originX + width, originX + width);
  const rows = (originY + height) * pitch;
  const slicePitch = integer("slicePitch", region.slicePitch ?? rows, rows);
  const end = (originZ + depth - 1) * slicePitch + (originY + height - 1) * pitch + originX + width;
  if (end > range.byteLength) {
    throw new ArgumentRangeError({
      functionName,
      argument,
      given: region,
      accepted: `within the ${range.byteLength} bytes of its memory`,
    }, `a region that ends at byte ${end}`);
  }
  const description = ze_copy_region_t.create({ originX, originY, originZ, width, height, depth });
  return { pitch, slicePitch, description };
}

function checkRegion(functionName: string, argument: string, region: MemoryRegion): void {
  if (typeof region !== "object" || region === null || !("memory" in region)) {
    throw new ArgumentTypeError({
      functionName,
      argument,
      given: region,
      accepted: "an object with `memory`, and pitch and origin where they matter",
    });
  }
  checkOptions(functionName, region, REGION_MEMBERS);
}

export function appendMemoryCopyRegion(
  list: Commands,
  destination: MemoryRegion,
  source: MemoryRegion,
  size: CopySize,
  options: AppendOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendMemoryCopyRegion";
  const events = commandEvents(list, functionName, options);
  checkRegion(functionName, "destination", destination);
  checkRegion(functionName, "source", source);
  const box = checkSize(functionName, size);
  const { context } = list;
  const to = destinationRange(functionName, "destination.memory", destination.memory, context);
  const toBox = checkBox(functionName, "destination", destination, to, box);
  const from = sourceRange(functionName, "source.memory", source.memory, context);
  const fromBox = orFree(from, () => checkBox(functionName, "source", source, from, box));
  return {
    functionName,
    events,
    resources: resourcesOf(to, from),
    ...(from.owned ? { owned: from.owned } : {}),
    call: (calls, handle) =>
      calls.zeCommandListAppendMemoryCopyRegion(
        handle,
        to.address,
        toBox.description,
        toBox.pitch,
        toBox.slicePitch,
        from.address,
        fromBox.description,
        fromBox.pitch,
        fromBox.slicePitch,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}
