/**
 * The arguments of a kernel: what each may be, its bytes, and what it keeps.
 *
 * @module
 */

import { copyOf, type HandleArgument, TypedArgument } from "./argument.ts";
import { checkSameContext } from "./checks.ts";
import type { Context } from "./context.ts";
import { ArgumentRangeError, ArgumentTypeError, UseAfterDisposeError } from "./error.ts";
import type { KernelParameter } from "./kernel_signature.ts";
import { zeKernelSetArgumentValue } from "./libze/functions_ze.ts";
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

/** The kernel that the arguments are of, as far as they need it. */
export interface ArgumentsOf {
  readonly name: string;
  readonly context: Context;
  readonly handle: bigint;
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
class Encoded implements EncodedArgument {
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
    if (this.bytes.length !== byteLength) {
      this.bytes = new Uint8Array(byteLength);
      this.view = new DataView(this.bytes.buffer);
    }
    if (this.size !== BigInt(byteLength)) this.size = BigInt(byteLength);
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
interface Slot {
  /** For errors, such as `1 of kernel "scale"`. */
  readonly label: string;
  readonly parameter: KernelParameter | undefined;
  set: boolean;
  current: Encoded;
  next: Encoded;
}

const POINTER_BYTES = 8;

/** The arguments of one kernel. */
export class KernelArguments {
  readonly #kernel: ArgumentsOf;
  readonly #slots: readonly Slot[];
  /** Undefined after a change, until it is asked for. */
  #resources: readonly Resource[] | undefined = [];
  #unset: number;

  /** Takes what the SPIR-V declares; undefined where there is none. */
  constructor(
    kernel: ArgumentsOf,
    count: number,
    parameters: readonly KernelParameter[] | undefined,
  ) {
    this.#kernel = kernel;
    this.#unset = count;
    this.#slots = Array.from({ length: count }, (_, index) => ({
      label: `${index} of kernel ${JSON.stringify(kernel.name)}`,
      parameter: parameters?.[index],
      set: false,
      current: new Encoded(POINTER_BYTES),
      next: new Encoded(POINTER_BYTES),
    }));
  }

  /** How many the kernel has. */
  get count(): number {
    return this.#slots.length;
  }

  /** The memory, images and samplers that are set. */
  get resources(): readonly Resource[] {
    return this.#resources ??= this.#slots.flatMap(({ set, current }) =>
      set && current.resource ? [current.resource] : []
    );
  }

  /** The indices of the arguments that are not set. */
  get unset(): readonly number[] {
    if (this.#unset === 0) return [];
    return [...this.#slots.keys()].filter((index) => !this.#slots[index]!.set);
  }

  /** The bytes of local memory that arguments ask for. */
  get localByteLength(): number {
    let sum = 0;
    for (const { set, current } of this.#slots) {
      if (set && current.isLocal) sum += Number(current.size);
    }
    return sum;
  }

  /** Sets one; nothing is set if it throws. */
  set(functionName: string, index: number, value: unknown): void {
    const slot = this.#slots[index];
    if (typeof index !== "number" || slot === undefined) throw this.#noSuch(functionName, index);
    this.#encode(functionName, slot, value);
    this.#give(index, slot.next);
    this.#commit(slot);
  }

  /** Sets all of them; none is set if it throws. */
  setAll(functionName: string, values: readonly unknown[]): void {
    this.#encodeAll(functionName, values);
    const slots = this.#slots;
    let index = 0;
    try {
      for (; index < slots.length; index++) this.#give(index, slots[index]!.next);
    } catch (error) {
      this.#restore(index);
      throw error;
    }
    for (const slot of slots) this.#commit(slot);
  }

  /**
   * Has `call` set all of them, which gets the values as the driver takes them;
   * none is set if it throws.
   */
  setAllBy(
    functionName: string,
    values: readonly unknown[],
    call: (values: readonly EncodedArgument[]) => void,
  ): void {
    this.#encodeAll(functionName, values);
    const slots = this.#slots;
    try {
      call(slots.map(({ next }) => next));
    } catch (error) {
      this.#restore(slots.length);
      throw error;
    }
    for (const slot of slots) this.#commit(slot);
  }

  /** The driver may have taken the first ones: it gets back those that it had. */
  #restore(end: number): void {
    for (let i = 0; i < end; i++) {
      const { set, current } = this.#slots[i]!;
      if (set) this.#give(i, current);
    }
  }

  #encodeAll(functionName: string, values: readonly unknown[]): void {
    const slots = this.#slots;
    if (values.length !== slots.length) {
      throw new ArgumentRangeError({
        functionName,
        argument: "values",
        given: values,
        accepted: `${slots.length}, as kernel ${JSON.stringify(this.#kernel.name)} has ${
          slots.length === 1 ? "one argument" : `${slots.length} arguments`
        }`,
      }, `a list of ${values.length}`);
    }
    for (let i = 0; i < slots.length; i++) this.#encode(functionName, slots[i]!, values[i]);
  }

  #noSuch(functionName: string, index: unknown): Error {
    const count = this.count;
    const problem = {
      functionName,
      argument: "index",
      given: index,
      accepted: count === 0
        ? `left alone: kernel ${JSON.stringify(this.#kernel.name)} has no arguments`
        : `an integer from 0 to ${count - 1}, as kernel ${
          JSON.stringify(this.#kernel.name)
        } has ${count} arguments`,
    };
    return typeof index === "number"
      ? new ArgumentRangeError(problem)
      : new ArgumentTypeError(problem);
  }

  #give(index: number, { size, bytes, isLocal }: Encoded): void {
    zeKernelSetArgumentValue(this.#kernel.handle, index, size, isLocal ? null : bytes);
  }

  #commit(slot: Slot): void {
    const { current, next } = slot;
    if (this.#resources && (next.resource !== current.resource || !slot.set)) {
      this.#resources = undefined;
    }
    if (!slot.set) this.#unset--;
    slot.set = true;
    slot.current = next;
    slot.next = current;
    current.letGo();
  }

  #encode(functionName: string, slot: Slot, value: unknown): void {
    const { parameter, next } = slot;
    if (value instanceof TypedArgument) return encodeTyped(functionName, slot, value);
    switch (parameter?.kind) {
      case "pointer":
        return this.#encodePointer(functionName, slot, value);
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
        return this.#encodeHandle(functionName, slot, value, parameter.kind);
      case "local":
        throw refusal(functionName, slot, value, describeParameter(parameter));
      default:
        return this.#encodeUndeclared(functionName, slot, value);
    }
  }

  #encodePointer(functionName: string, slot: Slot, value: unknown): void {
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
      this.#kernel.context,
    );
    const { address, resource } = range;
    next.clear(POINTER_BYTES);
    next.view.setBigUint64(0, address, true);
    next.resource = resource;
    next.owner = range;
  }

  #encodeHandle(
    functionName: string,
    slot: Slot,
    value: unknown,
    kind: "image" | "sampler" | undefined,
  ): void {
    if (!isHandle(value) || kind !== undefined && value.argumentKind !== kind) {
      throw refusal(functionName, slot, value, describeParameter({ kind: kind ?? "unknown" }));
    }
    checkSameContext(functionName, slot.label, value, this.#kernel.context);
    if (value.resource.released) throw new UseAfterDisposeError(value.resource.what);
    const { next } = slot;
    next.clear(POINTER_BYTES);
    next.view.setBigUint64(0, value.handle, true);
    next.resource = value.resource;
    next.owner = value;
  }

  /** Without a declaration only what can be one thing is taken. */
  #encodeUndeclared(functionName: string, slot: Slot, value: unknown): void {
    if (value === null || hasAddress(value) && !isHandle(value)) {
      return this.#encodePointer(functionName, slot, value);
    }
    if (isHandle(value)) return this.#encodeHandle(functionName, slot, value, undefined);
    throw refusal(functionName, slot, value, describeParameter({ kind: "unknown" }));
  }
}

function hasAddress(value: unknown): boolean {
  return value instanceof MemoryRange || value instanceof OwnedObject;
}

function isHandle(value: unknown): value is HandleArgument {
  return value instanceof OwnedObject && value.resource instanceof Resource &&
    "argumentKind" in value &&
    (value.argumentKind === "image" || value.argumentKind === "sampler");
}

function encodeTyped(functionName: string, slot: Slot, value: TypedArgument): void {
  const { parameter, next } = slot;
  const { bytes, byteLength } = value;
  if (parameter && !fits(parameter, value)) {
    throw typedRefusal(functionName, slot, parameter, value);
  }
  if (bytes) {
    next.clear(slotLength(parameter, byteLength));
    next.bytes.fill(0).set(bytes);
  } else {
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
  const problem = {
    functionName,
    argument: slot.label,
    given,
    accepted: describeParameter(parameter),
  };
  const { form, byteLength } = given;
  const isBytes = form === "bytes" && parameter.kind !== "local";
  return isBytes
    ? new ArgumentRangeError(problem, `argument.bytes() of ${byteLength} bytes`)
    : new ArgumentTypeError(problem, `made by argument.${form}()`);
}
