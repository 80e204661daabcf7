/**
 * The arguments of a kernel: which are set, to what, and what they keep.
 *
 * @module
 */

import {
  encode,
  Encoded,
  type EncodedArgument,
  type EncodingLimits,
  POINTER_BYTES,
  type Slot,
} from "./argument_encoding.ts";
import type { Context } from "./context.ts";
import { ArgumentRangeError, ArgumentTypeError } from "./error.ts";
import type { KernelParameter } from "./kernel_signature.ts";
import { zeKernelSetArgumentValue } from "./libze/functions_ze.ts";
import type { Resource } from "./resource.ts";

/** The kernel that the arguments are of, as far as they need it. */
export interface ArgumentsOf {
  readonly name: string;
  readonly context: Context;
  readonly handle: bigint;
}

/** How many arguments there are, and how much local memory a group can have. */
export interface ArgumentLimits {
  readonly count: number;
  readonly maxSharedLocalMemory: number;
}

/** The arguments of one kernel. */
export class KernelArguments {
  readonly #kernel: ArgumentsOf;
  readonly #slots: readonly Slot[];
  readonly #limits: EncodingLimits;
  /** Undefined after a change, until it is asked for. */
  #resources: readonly Resource[] | undefined = [];
  #unset: number;

  /** Takes what the SPIR-V declares; undefined where there is none. */
  constructor(
    kernel: ArgumentsOf,
    { count, maxSharedLocalMemory }: ArgumentLimits,
    parameters: readonly KernelParameter[] | undefined,
  ) {
    this.#kernel = kernel;
    this.#limits = { context: kernel.context, maxSharedLocalMemory };
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
    encode(functionName, this.#limits, slot, value);
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
    for (let i = 0; i < slots.length; i++) encode(functionName, this.#limits, slots[i]!, values[i]);
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
}
