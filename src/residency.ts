/**
 * Residency: memory and images that stay where the device reaches them.
 *
 * @module
 */

import { checkOwned } from "./checks.ts";
import type { Context } from "./context.ts";
import { checkDevice, type Device } from "./device.ts";
import { ArgumentTypeError, HandleBusyError } from "./error.ts";
import { Image } from "./image.ts";
import { nonblocking } from "./library.ts";
import { type AddressRange, toAddressRange } from "./memory_range.ts";
import type { Resource } from "./resource.ts";

/** What can be made resident: memory, a part of one, or an image. */
export type ResidencyTarget = AddressRange | Image;

/** The call for a kind of target, with all of its arguments but for the context and the device. */
interface Residency {
  readonly resource: Resource;
  readonly makeResident: (context: bigint, device: bigint) => Promise<unknown>;
  readonly evict: (context: bigint, device: bigint) => Promise<unknown>;
}

function residencyOf(functionName: string, context: Context, target: ResidencyTarget): Residency {
  if (target instanceof Image) {
    const { resource, handle } = checkOwned(functionName, "target", target, Image, context);
    return {
      resource,
      makeResident: (of, device) => nonblocking.zeContextMakeImageResident(of, device, handle),
      evict: (of, device) => nonblocking.zeContextEvictImage(of, device, handle),
    };
  }
  if (typeof target === "bigint") {
    throw new ArgumentTypeError({
      functionName,
      argument: "target",
      given: target,
      accepted: "memory, a part of memory, or an image: of an address the size is not known",
    });
  }
  const { address, byteLength, resource } = toAddressRange(
    functionName,
    "target",
    target,
    context,
  );
  const size = BigInt(byteLength);
  return {
    resource: resource!,
    makeResident: (of, device) =>
      nonblocking.zeContextMakeMemoryResident(of, device, address, size),
    evict: (of, device) => nonblocking.zeContextEvictMemory(of, device, address, size),
  };
}

/** See {@linkcode Context.makeResident} and {@linkcode Context.evict}. */
export async function changeResidency(
  call: "makeResident" | "evict",
  context: Context,
  device: Device,
  target: ResidencyTarget,
): Promise<void> {
  const functionName = `Context.${call}`;
  await context.resource.use(async (contextHandle) => {
    checkDevice(functionName, "device", device, context);
    const residency = residencyOf(functionName, context, target);
    if (call === "evict" && residency.resource.pollHeld()) {
      throw new HandleBusyError(functionName, "the device still works with it", "Wait for that.");
    }
    await residency.resource.use(() => residency[call](contextHandle, device.handle));
  });
}
