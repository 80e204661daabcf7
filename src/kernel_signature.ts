/**
 * What SPIR-V tells of its kernels' parameters. Level Zero itself tells only
 * how many there are.
 *
 * @module
 */

import { textOf } from "./lists.ts";
import { floatType, integerType, type Scalar, type ScalarType } from "./scalar.ts";

/** A parameter of a kernel, as its SPIR-V declares it. */
export type KernelParameter =
  /** An address in global or constant memory. */
  | { readonly kind: "pointer" }
  /** Local memory, whose size the launch sets. */
  | { readonly kind: "local" }
  | { readonly kind: "scalar"; readonly scalar: ScalarType }
  | { readonly kind: "vector"; readonly scalar: ScalarType; readonly length: number }
  /** A structure by value. */
  | { readonly kind: "struct"; readonly byteLength: number }
  | { readonly kind: "image" }
  | { readonly kind: "sampler" }
  /** Of a type that is not known here, such as a pipe. */
  | { readonly kind: "unknown" };

/** The parameters of each kernel, by the kernel's name. */
export type KernelSignatures = ReadonlyMap<string, readonly KernelParameter[]>;

/** The opcodes that are looked at, by their names in the SPIR-V specification. */
const OpEntryPoint = 15;
const OpTypeBool = 20;
const OpTypeInt = 21;
const OpTypeFloat = 22;
const OpTypeVector = 23;
const OpTypeImage = 25;
const OpTypeSampler = 26;
const OpTypeArray = 28;
const OpTypeStruct = 30;
const OpTypePointer = 32;
const OpConstant = 43;
const OpFunction = 54;
const OpFunctionParameter = 55;
const OpDecorate = 71;
const OpTypeUntypedPointerKHR = 4417;
const ExecutionModelKernel = 6;
const DecorationCPacked = 10;
const DecorationFuncParamAttr = 38;
const AttributeZext = 0;
const AttributeSext = 1;
const StorageClassWorkgroup = 4;
const StorageClassFunction = 7;

const HEADER_WORDS = 5;
const POINTER_BYTES = 8;

/** A type as it lies in memory. */
interface Type {
  readonly parameter: KernelParameter;
  /** 0 if it can't be told. */
  readonly byteLength: number;
  readonly alignment: number;
  readonly scalar?: Scalar;
}

const UNKNOWN: Type = { parameter: { kind: "unknown" }, byteLength: 0, alignment: 1 };

function scalarType(scalar: Scalar | undefined): Type {
  if (!scalar) return UNKNOWN;
  const { byteLength } = scalar;
  return { parameter: { kind: "scalar", scalar }, byteLength, alignment: byteLength, scalar };
}

function struct(byteLength: number, alignment: number): Type {
  return byteLength === 0
    ? UNKNOWN
    : { parameter: { kind: "struct", byteLength }, byteLength, alignment };
}

/** Reads one module. What it defines may only be used further on, so one pass is enough. */
class Reader {
  readonly #words: Uint32Array;
  readonly #types = new Map<number, Type>();
  readonly #constants = new Map<number, number>();
  readonly #packed = new Set<number>();
  /** Whether a parameter is signed, where it is decorated with that. */
  readonly #signed = new Map<number, boolean>();
  /** The names of entry points, by their functions. */
  readonly #names = new Map<number, string[]>();
  readonly #parameters = new Map<number, KernelParameter[]>();
  #current: KernelParameter[] | undefined;

  constructor(words: Uint32Array) {
    this.#words = words;
  }

  read(): KernelSignatures {
    const words = this.#words;
    for (let at = HEADER_WORDS; at < words.length;) {
      const length = words[at]! >>> 16;
      if (length === 0 || at + length > words.length) break;
      this.#instruction(words[at]! & 0xffff, words.subarray(at, at + length));
      at += length;
    }
    const signatures = new Map<string, readonly KernelParameter[]>();
    for (const [id, names] of this.#names) {
      const parameters = this.#parameters.get(id);
      for (const name of parameters ? names : []) signatures.set(name, parameters!);
    }
    return signatures;
  }

  #instruction(opcode: number, words: Uint32Array): void {
    const operand = (index: number): number => words[index] ?? 0;
    switch (opcode) {
      case OpEntryPoint:
        if (operand(1) === ExecutionModelKernel) this.#entryPoint(operand(2), words.subarray(3));
        break;
      case OpDecorate:
        if (operand(2) === DecorationCPacked) this.#packed.add(operand(1));
        if (operand(2) === DecorationFuncParamAttr) this.#attribute(operand(1), operand(3));
        break;
      case OpConstant:
        // The lengths of arrays: none is longer than 32 bits tell.
        this.#constants.set(operand(2), operand(4) === 0 ? operand(3) : 0);
        break;
      case OpFunction:
        this.#current = this.#names.has(operand(2)) ? [] : undefined;
        if (this.#current) this.#parameters.set(operand(2), this.#current);
        break;
      case OpFunctionParameter:
        this.#current?.push(this.#parameter(operand(1), operand(2)));
        break;
      default: {
        const type = this.#type(opcode, words, operand);
        if (type) this.#types.set(operand(1), type);
      }
    }
  }

  #entryPoint(id: number, words: Uint32Array): void {
    const name = textOf(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    const names = this.#names.get(id);
    if (names) names.push(name);
    else this.#names.set(id, [name]);
  }

  #attribute(id: number, attribute: number): void {
    if (attribute === AttributeZext) this.#signed.set(id, false);
    if (attribute === AttributeSext) this.#signed.set(id, true);
  }

  #parameter(type: number, id: number): KernelParameter {
    const { parameter, scalar } = this.#types.get(type) ?? UNKNOWN;
    const signed = this.#signed.get(id);
    if (scalar?.type !== "integer" || signed === undefined) return parameter;
    return { kind: "scalar", scalar: integerType(scalar.bits, signed)! };
  }

  #type(
    opcode: number,
    words: Uint32Array,
    operand: (index: number) => number,
  ): Type | undefined {
    const typeOf = (index: number): Type => this.#types.get(operand(index)) ?? UNKNOWN;
    switch (opcode) {
      case OpTypeBool:
        return scalarType(integerType(8, false));
      case OpTypeInt:
        return scalarType(integerType(operand(2), undefined));
      case OpTypeFloat:
        // An operand more names another encoding than IEEE's, such as bfloat16.
        return words.length > 3 ? UNKNOWN : scalarType(floatType(operand(2)));
      case OpTypeVector:
        return vector(typeOf(2).scalar, operand(3));
      case OpTypeArray: {
        const { byteLength, alignment } = typeOf(2);
        return struct(byteLength * (this.#constants.get(operand(3)) ?? 0), alignment);
      }
      case OpTypeStruct:
        return this.#struct(operand(1), words.subarray(2));
      case OpTypePointer:
        return pointer(operand(2), typeOf(3));
      case OpTypeUntypedPointerKHR:
        return pointer(operand(2), UNKNOWN);
      case OpTypeImage:
        return { ...UNKNOWN, parameter: { kind: "image" } };
      case OpTypeSampler:
        return { ...UNKNOWN, parameter: { kind: "sampler" } };
      default:
        return undefined;
    }
  }

  #struct(id: number, members: Uint32Array): Type {
    let end = 0;
    let largest = 1;
    for (const member of members) {
      const { byteLength, alignment } = this.#types.get(member) ?? UNKNOWN;
      if (byteLength === 0) return UNKNOWN;
      const step = this.#packed.has(id) ? 1 : alignment;
      end = Math.ceil(end / step) * step + byteLength;
      largest = Math.max(largest, step);
    }
    return struct(Math.ceil(end / largest) * largest, largest);
  }
}

function vector(scalar: Scalar | undefined, length: number): Type {
  if (!scalar) return UNKNOWN;
  // A vector of three takes the place of one of four.
  const byteLength = scalar.byteLength * (length === 3 ? 4 : length);
  return { parameter: { kind: "vector", scalar, length }, byteLength, alignment: byteLength };
}

function pointer(storageClass: number, target: Type): Type {
  const parameter: KernelParameter = storageClass === StorageClassWorkgroup
    ? { kind: "local" }
    : storageClass !== StorageClassFunction
    ? { kind: "pointer" }
    // A structure by value comes as a pointer to the kernel's own copy.
    : target.byteLength > 0
    ? { kind: "struct", byteLength: target.byteLength }
    : { kind: "unknown" };
  return { parameter, byteLength: POINTER_BYTES, alignment: POINTER_BYTES };
}

/**
 * The parameters of the kernels of a module, which was checked to be SPIR-V and
 * starts at a multiple of four bytes.
 */
export function kernelSignatures(spirv: Uint8Array): KernelSignatures {
  return new Reader(new Uint32Array(spirv.buffer, spirv.byteOffset, spirv.byteLength >>> 2)).read();
}
