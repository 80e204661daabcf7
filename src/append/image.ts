/**
 * Commands on images.
 *
 * @module
 */

import { checkInteger, checkOptions, checkOwned } from "../checks.ts";
import type { Commands } from "../commands.ts";
import { ArgumentRangeError, ArgumentTypeError, UnsupportedFeatureError } from "../error.ts";
import { Image } from "../image.ts";
import { has } from "../library.ts";
import { ze_image_region_t } from "../libze/structs_ze.ts";
import type { AddressRange } from "../memory_range.ts";
import { orFree, sourceRange } from "./memory.ts";
import {
  type AppendOptions,
  type Command,
  commandEvents,
  type Destination,
  destinationRange,
  resourcesOf,
  type Source,
} from "./command.ts";

/** A box of pixels: all of the image by default. */
export interface ImageRegion {
  /** In pixels; 0 by default, as are the next two. */
  readonly originX?: number;
  readonly originY?: number;
  /** For layers of an array, too. */
  readonly originZ?: number;
  /** In pixels; what is left of the image by default, as with the next two. */
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
}

/** What a copy between images takes. */
export interface ImageCopyOptions extends AppendOptions {
  /** Where the pixels go to; all of the image by default. */
  readonly destinationRegion?: ImageRegion;
  /** Which pixels; all of the image by default. */
  readonly sourceRegion?: ImageRegion;
}

/** What a copy between an image and memory takes. */
export interface ImageMemoryOptions extends AppendOptions {
  /** Which pixels of the image; all by default. */
  readonly region?: ImageRegion;
  /** Bytes from a row in memory to the next; one right after the other by default. */
  readonly rowPitch?: number;
  /** Bytes from a slice or layer in memory to the next; one right after the other by default. */
  readonly slicePitch?: number;
}

const REGION_MEMBERS = ["originX", "originY", "originZ", "width", "height", "depth"];
const LARGEST = 2 ** 32 - 1;

type Box = Readonly<Required<ImageRegion>>;

/** The image's size as boxes have it: layers of an array stand where the next dimension would. */
function extentOf(image: Image): { width: number; height: number; depth: number } {
  const layers = Math.max(1, image.arrayLevels);
  const [width, height, depth] = [image.width, Math.max(1, image.height), Math.max(1, image.depth)];
  switch (image.type) {
    case "1darray":
      return { width, height: layers, depth: 1 };
    case "2darray":
      return { width, height, depth: layers };
    default:
      return { width, height, depth };
  }
}

function checkRegion(
  functionName: string,
  argument: string,
  region: ImageRegion | undefined,
  image: Image,
): Box {
  const given = region ?? {};
  checkOptions(functionName, given, REGION_MEMBERS);
  const extent = extentOf(image);
  const axis = (origin: keyof ImageRegion, length: keyof typeof extent): [number, number] => {
    const begin = checkInteger(
      functionName,
      `${argument}.${origin}`,
      given[origin] ?? 0,
      0,
      extent[length] - 1,
    );
    const left = extent[length] - begin;
    return [
      begin,
      checkInteger(functionName, `${argument}.${length}`, given[length] ?? left, 1, left),
    ];
  };
  const [originX, width] = axis("originX", "width");
  const [originY, height] = axis("originY", "height");
  const [originZ, depth] = axis("originZ", "depth");
  return { originX, originY, originZ, width, height, depth };
}

export function appendImageCopy(
  list: Commands,
  destination: Image,
  source: Image,
  options: ImageCopyOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendImageCopyRegion";
  const events = commandEvents(list, functionName, options, ["destinationRegion", "sourceRegion"]);
  const to = checkOwned(functionName, "destination", destination, Image, list.context);
  const from = checkOwned(functionName, "source", source, Image, list.context);
  const toBox = checkRegion(
    functionName,
    "options.destinationRegion",
    options?.destinationRegion,
    to,
  );
  const fromBox = checkRegion(functionName, "options.sourceRegion", options?.sourceRegion, from);
  if (to.bytesPerPixel !== from.bytesPerPixel) {
    throw new ArgumentTypeError({
      functionName,
      argument: "source",
      given: source,
      accepted: `an image with pixels of ${to.bytesPerPixel} bytes, as the destination has`,
    }, `an image with pixels of ${from.bytesPerPixel} bytes`);
  }
  for (const length of ["width", "height", "depth"] as const) {
    if (toBox[length] === fromBox[length]) continue;
    throw new ArgumentRangeError({
      functionName,
      argument: `options.sourceRegion.${length}`,
      given: fromBox[length],
      accepted: `${toBox[length]}, as in the destination`,
    });
  }
  const [toHandle, fromHandle] = [to.handle, from.handle];
  const [toRegion, fromRegion] = [toBox, fromBox].map((box) => ze_image_region_t.create(box));
  return {
    functionName,
    events,
    resources: [to.resource, from.resource],
    call: (calls, handle) =>
      calls.zeCommandListAppendImageCopyRegion(
        handle,
        toHandle,
        fromHandle,
        toRegion!,
        fromRegion!,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}

/** Pixels and the memory that they are copied from or to. */
interface Transfer {
  readonly region: ReturnType<typeof ze_image_region_t.create>;
  /** Both 0 where rows and slices follow each other directly. */
  readonly rowPitch: number;
  readonly slicePitch: number;
  /** Whether there are gaps between rows or slices. */
  readonly pitched: boolean;
  /** The bytes of memory that are used. */
  readonly byteLength: number;
}

const MEMORY_OPTIONS = ["region", "rowPitch", "slicePitch"];

function checkTransfer(
  functionName: string,
  image: Image,
  options: ImageMemoryOptions = {},
): Transfer {
  const box = checkRegion(functionName, "options.region", options.region, image);
  const row = box.width * image.bytesPerPixel;
  const rowPitch = checkInteger(
    functionName,
    "options.rowPitch",
    options.rowPitch ?? row,
    row,
    LARGEST,
  );
  const slice = rowPitch * box.height;
  const slicePitch = checkInteger(
    functionName,
    "options.slicePitch",
    options.slicePitch ?? slice,
    slice,
    LARGEST,
  );
  return {
    region: ze_image_region_t.create(box),
    rowPitch,
    slicePitch,
    pitched: rowPitch !== row || slicePitch !== slice,
    byteLength: (box.depth - 1) * slicePitch + (box.height - 1) * rowPitch + row,
  };
}

function checkFits(
  functionName: string,
  argument: string,
  { byteLength }: AddressRange,
  transfer: Transfer,
): void {
  if (byteLength >= transfer.byteLength) return;
  throw new ArgumentRangeError({
    functionName,
    argument,
    given: byteLength,
    accepted: `of at least ${transfer.byteLength} bytes for these pixels`,
  }, `of ${byteLength} bytes`);
}

function needPitches(functionName: "To" | "From"): void {
  const name = `zeCommandListAppendImageCopy${functionName}MemoryExt` as const;
  if (has(name)) return;
  throw new UnsupportedFeatureError(
    name,
    "ZE_extension_image_copy",
    "Leave rowPitch and slicePitch out, and let rows and slices follow each other.",
  );
}

export function appendImageCopyToMemory(
  list: Commands,
  destination: Destination,
  source: Image,
  options: ImageMemoryOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendImageCopyToMemory";
  const events = commandEvents(list, functionName, options, MEMORY_OPTIONS);
  const from = checkOwned(functionName, "source", source, Image, list.context);
  const to = destinationRange(functionName, "destination", destination, list.context);
  const transfer = checkTransfer(functionName, from, options);
  checkFits(functionName, "destination", to, transfer);
  if (transfer.pitched) needPitches("To");
  const fromHandle = from.handle;
  const { region, rowPitch, slicePitch, pitched } = transfer;
  return {
    functionName: pitched ? `${functionName}Ext` : functionName,
    events,
    resources: [...resourcesOf(to), from.resource],
    call(calls, handle): unknown {
      const { signalHandle, waitFor: { length }, waitHandles } = events;
      return pitched
        ? calls.zeCommandListAppendImageCopyToMemoryExt(
          handle,
          to.address,
          fromHandle,
          region,
          rowPitch,
          slicePitch,
          signalHandle,
          length,
          waitHandles,
        )
        : calls.zeCommandListAppendImageCopyToMemory(
          handle,
          to.address,
          fromHandle,
          region,
          signalHandle,
          length,
          waitHandles,
        );
    },
  };
}

export function appendImageCopyFromMemory(
  list: Commands,
  destination: Image,
  source: Source,
  options: ImageMemoryOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendImageCopyFromMemory";
  const events = commandEvents(list, functionName, options, MEMORY_OPTIONS);
  const to = checkOwned(functionName, "destination", destination, Image, list.context);
  const transfer = checkTransfer(functionName, to, options);
  if (transfer.pitched) needPitches("From");
  const from = sourceRange(functionName, "source", source, list.context);
  orFree(from, () => checkFits(functionName, "source", from, transfer));
  const toHandle = to.handle;
  const { region, rowPitch, slicePitch, pitched } = transfer;
  return {
    functionName: pitched ? `${functionName}Ext` : functionName,
    events,
    resources: [...resourcesOf(from), to.resource],
    ...(from.owned ? { owned: from.owned } : {}),
    call(calls, handle): unknown {
      const { signalHandle, waitFor: { length }, waitHandles } = events;
      return pitched
        ? calls.zeCommandListAppendImageCopyFromMemoryExt(
          handle,
          toHandle,
          from.address,
          region,
          rowPitch,
          slicePitch,
          signalHandle,
          length,
          waitHandles,
        )
        : calls.zeCommandListAppendImageCopyFromMemory(
          handle,
          toHandle,
          from.address,
          region,
          signalHandle,
          length,
          waitHandles,
        );
    },
  };
}
