/**
 * What is read off SPIR-V before a driver sees it: whether it is SPIR-V at all,
 * and the types of its specialization constants.
 *
 * @module
 */

import { ArgumentRangeError, ArgumentTypeError, InvalidSpirvError } from "./error.ts";
import { textOf } from "./lists.ts";

const MAGIC = 0x07230203;
const SWAPPED_MAGIC = 0x03022307;
const HEADER_BYTES = 20;

/** The opcodes that are looked at, by their names in the SPIR-V specification. */
const OpExtInstImport = 11;
const OpCapability = 17;
const OpTypeBool = 20;
const OpTypeInt = 21;
const OpTypeFloat = 22;
const OpSpecConstantTrue = 48;
const OpSpecConstantFalse = 49;
const OpSpecConstant = 50;
const OpDecorate = 71;
const DecorationSpecId = 1;
const CapabilityKernel = 6;

/** The newest minor version that drivers are known to read; one that tells of a newer is believed. */
const KNOWN_MINOR_VERSION = 6;
/** Instruction sets of compute kernels and of debug information. */
const INSTRUCTION_SETS = /^(OpenCL\.|NonSemantic\.|SPIRV\.|DebugInfo)/;

/** Whether the bytes begin as SPIR-V does. */
export function isSpirv(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes.byteLength >= 4 && view.getUint32(0, true) === MAGIC;
}

/**
 * Throws where bytes are not a SPIR-V module for compute kernels: by magic
 * number, version, lengths of instructions, and what it imports. The compiler
 * does the rest, but Intel's ends the whole process where it can't read at all.
 *
 * @param newest The newest version that the device tells it takes.
 * @throws {InvalidSpirvError} With what was found and what to do.
 */
export function checkSpirv(bytes: Uint8Array, newest: { readonly minor: number }): void {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 64)).trimStart();
  if (text.startsWith("; SPIR-V") || /^Op[A-Z]/.test(text)) {
    throw new InvalidSpirvError("it is SPIR-V assembly text", "Assemble it first, with spirv-as.");
  }
  if (text.startsWith("BC\xc0\xde")) {
    throw new InvalidSpirvError("it is LLVM bitcode", "Translate it first, with llvm-spirv.");
  }
  if (text.startsWith("\x7fELF")) {
    throw new InvalidSpirvError(
      "it is an ELF file, such as a native binary",
      "Give it as `native` instead of `spirv`.",
    );
  }
  if (bytes.byteLength < HEADER_BYTES) {
    throw new InvalidSpirvError(
      `it has ${bytes.byteLength} bytes, and the header alone has ${HEADER_BYTES}`,
      "Was the file cut short?",
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = view.getUint32(0, true);
  if (magic === SWAPPED_MAGIC) {
    throw new InvalidSpirvError(
      "it is in the wrong endianness",
      "Swap the bytes of each 32-bit word.",
    );
  }
  if (magic !== MAGIC) {
    throw new InvalidSpirvError(
      `it starts with 0x${magic.toString(16).padStart(8, "0")}, not with 0x07230203`,
      "Compile the kernel to SPIR-V, for example with clang -target spirv64 or ocloc.",
    );
  }
  if (bytes.byteLength % 4 !== 0) {
    throw new InvalidSpirvError(
      `its ${bytes.byteLength} bytes are no whole number of 32-bit words`,
      "Was the file cut short?",
    );
  }
  checkVersion(view.getUint32(4, true), newest);
  checkInstructions(view);
}

function checkVersion(word: number, newest: { readonly minor: number }): void {
  const [major, minor] = [word >>> 16, word >>> 8 & 0xff];
  if (major !== 1 || (word & 0xff) !== 0) {
    throw new InvalidSpirvError(
      `its version word is 0x${word.toString(16).padStart(8, "0")}`,
      "A version is 0x00010000 for 1.0, 0x00010400 for 1.4, and so on.",
    );
  }
  if (minor > Math.max(newest.minor, KNOWN_MINOR_VERSION)) {
    throw new InvalidSpirvError(
      `it is of version 1.${minor}, and the device takes up to 1.${newest.minor}`,
      "Compile it for an older version of SPIR-V.",
    );
  }
}

function checkInstructions(view: DataView): void {
  let isKernel = false;
  for (const { opcode, offset, length } of instructions(view)) {
    if (length === 0 || offset + length * 4 > view.byteLength) {
      throw new InvalidSpirvError(
        `the instruction at byte ${offset} reaches past the end`,
        "Was the file cut short?",
      );
    }
    if (opcode === OpCapability && view.getUint32(offset + 4, true) === CapabilityKernel) {
      isKernel = true;
    }
    if (opcode === OpExtInstImport) {
      const name = textOf(
        new Uint8Array(view.buffer, view.byteOffset + offset + 8, length * 4 - 8),
      );
      if (!INSTRUCTION_SETS.test(name)) {
        throw new InvalidSpirvError(
          `it imports the instruction set ${
            JSON.stringify(name)
          }, which is not one for compute kernels`,
          "Compile the kernel for OpenCL or Level Zero, not for Vulkan or OpenGL.",
        );
      }
    }
  }
  if (!isKernel) {
    throw new InvalidSpirvError(
      "it lacks the capability Kernel",
      "Compile the kernel for OpenCL or Level Zero, not for Vulkan or OpenGL.",
    );
  }
}

interface Instruction {
  opcode: number;
  /** In bytes from the start of the module. */
  offset: number;
  /** In words, the first included. */
  length: number;
}

function* instructions(view: DataView): Generator<Instruction> {
  let offset = HEADER_BYTES;
  while (offset < view.byteLength) {
    const word = view.getUint32(offset, true);
    const length = word >>> 16;
    yield { opcode: word & 0xffff, offset, length };
    if (length === 0) return;
    offset += length * 4;
  }
}

/** A value for a specialization constant. */
export type SpecializationValue = number | bigint | boolean;

interface ConstantType {
  kind: "int" | "float" | "bool";
  /** In bits. */
  width: number;
}

/** The types of a module's specialization constants, by their SpecId. */
function specializationTypes(view: DataView): Map<number, ConstantType> {
  const identifiers = new Map<number, number>();
  const types = new Map<number, ConstantType>();
  const found = new Map<number, ConstantType>();
  for (const { opcode, offset } of instructions(view)) {
    const operand = (index: number): number => view.getUint32(offset + index * 4, true);
    switch (opcode) {
      case OpDecorate:
        if (operand(2) === DecorationSpecId) identifiers.set(operand(1), operand(3));
        break;
      case OpTypeInt:
        types.set(operand(1), { kind: "int", width: operand(2) });
        break;
      case OpTypeFloat:
        types.set(operand(1), { kind: "float", width: operand(2) });
        break;
      case OpTypeBool:
        types.set(operand(1), { kind: "bool", width: 8 });
        break;
      case OpSpecConstant:
      case OpSpecConstantTrue:
      case OpSpecConstantFalse: {
        const type = types.get(operand(1));
        const identifier = identifiers.get(operand(2));
        if (type && identifier !== undefined) found.set(identifier, type);
        break;
      }
    }
  }
  return found;
}

/**
 * The bytes of specialization constants, in the types that the module declares.
 * A number for an integer constant must be an integer that it can hold, signed
 * or unsigned.
 *
 * @throws {ArgumentRangeError} If the module has no constant of that SpecId, or it can't hold the value.
 * @throws {ArgumentTypeError} If the value is of another type than the constant.
 */
export function encodeSpecializationConstants(
  spirv: Uint8Array,
  values: Readonly<Record<number, SpecializationValue>>,
): Map<number, Uint8Array> {
  const view = new DataView(spirv.buffer, spirv.byteOffset, spirv.byteLength);
  const types = specializationTypes(view);
  const encoded = new Map<number, Uint8Array>();
  for (const [key, value] of Object.entries(values)) {
    const identifier = Number(key);
    const problem = {
      functionName: "Module.create",
      argument: `specializationConstants[${key}]`,
      given: value,
      accepted: "",
    };
    const type = types.get(identifier);
    if (!type) {
      const known = [...types.keys()].join(", ");
      throw new ArgumentRangeError(
        { ...problem, accepted: known ? `one of the SpecIds ${known}` : "absent" },
        known ? "of a SpecId that the module lacks" : "given to a module without such constants",
      );
    }
    encoded.set(identifier, encode(type, value, problem));
  }
  return encoded;
}

function encode(
  { kind, width }: ConstantType,
  value: SpecializationValue,
  problem: { functionName: string; argument: string; given: unknown },
): Uint8Array {
  const bytes = new Uint8Array(width / 8);
  const view = new DataView(bytes.buffer);
  if (kind === "bool") {
    if (typeof value !== "boolean") {
      throw new ArgumentTypeError({ ...problem, accepted: "a boolean" });
    }
    bytes[0] = value ? 1 : 0;
    return bytes;
  }
  if (kind === "float") {
    if (typeof value !== "number") {
      throw new ArgumentTypeError({ ...problem, accepted: `a number, for a ${width}-bit float` });
    }
    if (width === 64) view.setFloat64(0, value, true);
    else if (width === 32) view.setFloat32(0, value, true);
    else view.setFloat16(0, value, true);
    return bytes;
  }
  const accepted = `an integer that ${width} bits hold`;
  if (typeof value === "boolean" || typeof value === "number" && !Number.isInteger(value)) {
    throw new ArgumentTypeError({ ...problem, accepted });
  }
  const integer = BigInt(value);
  if (integer < -(2n ** BigInt(width - 1)) || integer >= 2n ** BigInt(width)) {
    throw new ArgumentRangeError({ ...problem, accepted });
  }
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number(integer >> BigInt(8 * i) & 255n);
  return bytes;
}
