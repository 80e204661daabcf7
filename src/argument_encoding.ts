/**
 * The values of kernel arguments, as the driver takes them.
 *
 * @module
 */

import { checkInteger, checkSameContext } from "./checks.ts";
import type { Context } from "./context.ts";
import { ArgumentRangeError, ArgumentTypeError, UseAfterDisposeError } from "./error.ts";
import type { KernelParameter } from "./kernel_signature.ts";
import { type AddressRange, MemoryRange, toAddressRange } from "./memory_range.ts";
import {
  arraysFor,
  type BytesParameter,
  describeParameter,
  fits,
  lengths,
  slotLength,
} from "./parameter_fit.ts";
import { OwnedObject, Resource } from "./resource.ts";
import { holds, type Scalar, scalarProblem, writeScalar } from "./scalar.ts";
import { copyOf, type HandleArgument, TypedArgument } from "./typed_argument.ts";

/** What values have to suit besides their parameter. */
export interface EncodingLimits {
  /** The context that memory and images have to be of. */
  readonly context: Context;
  /** The bytes of local memory that a group can have. */
  readonly maxSharedLocalMemory: number;
}

/** A value as the driver takes it. */
export interface EncodedArgument {
  /** The value; for local memory its size, in 8 bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** In bytes; for local memory how much there is to be. */
  readonly size: bigint;
  readonly resource: Resource | undefined;
}

/** A value, in memory that is used again for the next one. */
export class Encoded implements EncodedArgument {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  size: bigint;
  isLocal = false;
  resource: Resource | undefined = undefined;
  /** The object that owns the resource, which would be freed if it were collected. */
  owner: unknown = undefined;

  constructor(byteLength: number) {
    this.bytes = new Uint8Array(byteLength);
    this.view = new DataView(this.bytes.buffer);
    this.size = BigInt(byteLength);
  }

  /** Makes room, and forgets the last value. */
  clear(byteLength: number): void {
    if (this.bytes.length !== byteLength || this.isLocal) {
      this.bytes = new Uint8Array(byteLength);
      this.view = new DataView(this.bytes.buffer);
      this.size = BigInt(byteLength);
    }
    this.isLocal = false;
    this.letGo();
  }

  /** What it kept may be collected. */
  letGo(): void {
    this.resource = undefined;
    this.owner = undefined;
  }
}

/** One argument: the value that is set, and the next one until all are known to be good. */
export interface Slot {
  /** For errors, such as `1 of kernel "scale"`. */
  readonly label: string;
  readonly parameter: KernelParameter | undefined;
  set: boolean;
  current: Encoded;
  next: Encoded;
}

/** The bytes of a pointer, and of any handle. */
export const POINTER_BYTES = 8;

/** Makes a value the next one of an argument. Throws if the argument can't be it. */
export function encode(
  functionName: string,
  limits: EncodingLimits,
  slot: Slot,
  value: unknown,
): void {
  const { parameter, next } = slot;
  if (value instanceof TypedArgument) {
    return encodeTyped(functionName, limits, slot, value);
  }
  switch (parameter?.kind) {
    case "pointer":
      return encodePointer(functionName, limits, slot, value);
    case "scalar": {
      const scalar = parameter.scalar as Scalar;
      if (!holds(scalar, value)) throw scalarError(functionName, slot, scalar, value);
      next.clear(scalar.byteLength);
      return writeScalar(scalar, next.view, value);
    }
    case "vector":
    case "struct": {
      const bytes = bytesFor(functionName, slot, parameter, value);
      next.clear(bytes.length);
      next.bytes.set(bytes);
      return;
    }
    case "image":
    case "sampler":
      return encodeHandle(functionName, limits, slot, value, parameter.kind);
    case "local":
      throw refusal(functionName, slot, value, describeParameter(parameter));
    default:
      return encodeUndeclared(functionName, limits, slot, value);
  }
}

function encodePointer(
  functionName: string,
  limits: EncodingLimits,
  slot: Slot,
  value: unknown,
): void {
  const { next } = slot;
  if (value === null || value === 0n) {
    next.clear(POINTER_BYTES);
    next.view.setBigUint64(0, 0n);
    return;
  }
  if (typeof value !== "bigint" && !hasAddress(value)) {
    throw refusal(functionName, slot, value, describeParameter({ kind: "pointer" }));
  }
  const range: AddressRange = toAddressRange(
    functionName,
    slot.label,
    value,
    limits.context,
  );
  const { address, resource } = range;
  next.clear(POINTER_BYTES);
  next.view.setBigUint64(0, address, true);
  next.resource = resource;
  next.owner = range;
}

function encodeHandle(
  functionName: string,
  limits: EncodingLimits,
  slot: Slot,
  value: unknown,
  kind: "image" | "sampler" | undefined,
): void {
  if (!isHandle(value) || kind !== undefined && value.argumentKind !== kind) {
    throw refusal(functionName, slot, value, describeParameter({ kind: kind ?? "unknown" }));
  }
  checkSameContext(functionName, slot.label, value, limits.context);
  if (value.resource.released) throw new UseAfterDisposeError(value.resource.what);
  const { next } = slot;
  next.clear(POINTER_BYTES);
  next.view.setBigUint64(0, value.handle, true);
  next.resource = value.resource;
  next.owner = value;
}

/** Without a declaration only what can be one thing is taken. */
function encodeUndeclared(
  functionName: string,
  limits: EncodingLimits,
  slot: Slot,
  value: unknown,
): void {
  if (value === null || hasAddress(value) && !isHandle(value)) {
    return encodePointer(functionName, limits, slot, value);
  }
  if (isHandle(value)) return encodeHandle(functionName, limits, slot, value, undefined);
  throw refusal(functionName, slot, value, describeParameter({ kind: "unknown" }));
}

function hasAddress(value: unknown): boolean {
  return value instanceof MemoryRange || value instanceof OwnedObject;
}

function isHandle(value: unknown): value is HandleArgument {
  return value instanceof OwnedObject && value.resource instanceof Resource &&
    "argumentKind" in value &&
    (value.argumentKind === "image" || value.argumentKind === "sampler");
}

function encodeTyped(
  functionName: string,
  limits: EncodingLimits,
  slot: Slot,
  value: TypedArgument,
): void {
  const { parameter, next } = slot;
  const { bytes, byteLength } = value;
  if (parameter && !fits(parameter, value)) {
    throw typedRefusal(functionName, slot, parameter, value);
  }
  if (bytes) {
    next.clear(slotLength(parameter, byteLength));
    next.bytes.fill(0).set(bytes);
  } else {
    checkInteger(functionName, slot.label, byteLength, 1, limits.maxSharedLocalMemory);
    next.clear(POINTER_BYTES);
    next.isLocal = true;
    next.size = BigInt(byteLength);
    next.view.setBigUint64(0, next.size, true);
  }
}

function bytesFor(
  functionName: string,
  slot: Slot,
  parameter: BytesParameter,
  value: unknown,
): Uint8Array<ArrayBuffer> {
  const bytes = copyOf(value);
  const isTyped = parameter.kind === "struct" ||
    arraysFor(parameter.scalar as Scalar).includes((value as object)?.constructor?.name);
  if (!bytes || !isTyped) throw refusal(functionName, slot, value, describeParameter(parameter));
  const accepted = lengths(parameter);
  if (!accepted.includes(bytes.length)) {
    throw new ArgumentRangeError({
      functionName,
      argument: slot.label,
      given: value,
      accepted: describeParameter(parameter),
    });
  }
  if (bytes.length === accepted[0]) return bytes;
  const padded = new Uint8Array(accepted[0]!);
  padded.set(bytes);
  return padded;
}

function refusal(
  functionName: string,
  slot: Slot,
  given: unknown,
  accepted: string,
): ArgumentTypeError {
  return new ArgumentTypeError({ functionName, argument: slot.label, given, accepted });
}

function scalarError(functionName: string, slot: Slot, scalar: Scalar, given: unknown): Error {
  const where = `, as the kernel declares ${scalar.text}`;
  return scalarProblem(scalar, { functionName, argument: slot.label, given }, where);
}

function typedRefusal(
  functionName: string,
  slot: Slot,
  parameter: KernelParameter,
  given: TypedArgument,
): Error {
  const accepted = describeParameter(parameter);
  const problem = { functionName, argument: slot.label, given, accepted };
  const { form, byteLength } = given;
  const isBytes = form === "bytes" && parameter.kind !== "local";
  return isBytes
    ? new ArgumentRangeError(problem, `argument.bytes() of ${byteLength} bytes`)
    : new ArgumentTypeError(problem, `made by argument.${form}()`);
}
