import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { spirvModule } from "../examples/spirv_module.ts";
import { ArgumentRangeError, ArgumentTypeError, InvalidSpirvError } from "../src/error.ts";
import { checkSpirv, encodeSpecializationConstants, isSpirv } from "../src/spirv.ts";
import { test } from "./support/testing.ts";

const spirv = spirvModule({ kernels: ["first"], specializationConstants: [3] });
const newest = { minor: 5 };

function changed(change: (view: DataView) => void): Uint8Array {
  const bytes = spirv.slice();
  change(new DataView(bytes.buffer));
  return bytes;
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value.padEnd(64));
}

test("checkSpirv() accepts a module, at any place in its buffer", () => {
  checkSpirv(spirv, newest);
  const shifted = new Uint8Array(spirv.length + 3);
  shifted.set(spirv, 3);
  checkSpirv(shifted.subarray(3), newest);
  assert(isSpirv(spirv));
});

for (
  const [what, bytes, problem, hint] of [
    ["too few bytes", new Uint8Array(19), "19 bytes", "cut short"],
    ["no magic number", new Uint8Array(64), "not with 0x07230203", "Compile"],
    ["a size of no whole words", spirv.subarray(0, spirv.length - 1), "no whole number", "cut"],
    ["a cut instruction", spirv.subarray(0, spirv.length - 12), "past the end", "cut short"],
    ["the other byte order", changed((v) => v.setUint32(0, 0x07230203)), "endianness", "Swap"],
    ["an unknown version", changed((v) => v.setUint32(4, 0x00020000, true)), "0x00020000", "1.4"],
    ["a newer version", changed((v) => v.setUint32(4, 0x00010900, true)), "1.9", "older version"],
    ["an empty instruction", changed((v) => v.setUint32(20, 17, true)), "byte 20", "cut short"],
    ["assembly text", text("; SPIR-V\n; Version: 1.0"), "assembly", "spirv-as"],
    ["assembly without a comment", text("OpCapability Kernel"), "assembly", "spirv-as"],
    ["an ELF file", text("\x7fELF"), "ELF", "native"],
    [
      "LLVM bitcode",
      new Uint8Array([0x42, 0x43, 0xc0, 0xde, ...new Uint8Array(32)]),
      "LLVM",
      "llvm-spirv",
    ],
  ] as const
) {
  test(`checkSpirv() refuses ${what}`, () => {
    const error = assertThrows(() => checkSpirv(bytes, newest), InvalidSpirvError);
    assertStringIncludes(error.message, problem);
    assertStringIncludes(error.hint, hint);
  });
}

test("checkSpirv() refuses a shader, which is for graphics APIs", () => {
  const words = [0x07230203, 0x00010000, 0, 1, 0, 2 << 16 | 17, 1];
  const shader = new Uint8Array(new Uint32Array(words).buffer);
  assertThrows(() => checkSpirv(shader, newest), InvalidSpirvError, "capability Kernel");
});

/** A module that declares one constant of SpecId 0, of a type given in words. */
function moduleWithConstant(type: number[], opcode = 50): Uint8Array {
  const words = [0x07230203, 0x00010000, 0, 9, 0];
  words.push(4 << 16 | 71, 2, 1, 0);
  words.push((type.length + 1) << 16 | type[0]!, 1, ...type.slice(1));
  words.push(4 << 16 | opcode, 1, 2, 0);
  return new Uint8Array(new Uint32Array(words).buffer);
}

const INT = 21;
const FLOAT = 22;
const BOOL = 20;

for (
  const [what, type, value, expected] of [
    ["uint", [INT, 32, 0], 4_000_000_000, new Uint32Array([4_000_000_000])],
    ["int", [INT, 32, 1], -5, new Int32Array([-5])],
    ["ulong", [INT, 64, 0], 2n ** 63n, new BigUint64Array([2n ** 63n])],
    ["short", [INT, 16, 1], -2, new Int16Array([-2])],
    ["float", [FLOAT, 32], 1.5, new Float32Array([1.5])],
    ["float given an integer", [FLOAT, 32], 2, new Float32Array([2])],
    ["double", [FLOAT, 64], 0.1, new Float64Array([0.1])],
    ["half", [FLOAT, 16], 1, new Uint16Array([0x3c00])],
  ] as const
) {
  test(`encodeSpecializationConstants() writes ${what}`, () => {
    const encoded = encodeSpecializationConstants(moduleWithConstant([...type]), { 0: value });
    assertEquals([...encoded.get(0)!], [...new Uint8Array(expected.buffer)]);
  });
}

test("encodeSpecializationConstants() writes a boolean", () => {
  const encoded = encodeSpecializationConstants(moduleWithConstant([BOOL], 48), { 0: true });
  assertEquals([...encoded.get(0)!], [1]);
});

test("encodeSpecializationConstants() refuses what the constant can't hold", () => {
  const encode = (type: number[], value: number | bigint | boolean) => (): unknown =>
    encodeSpecializationConstants(moduleWithConstant(type), { 0: value });
  assertThrows(encode([INT, 32, 0], 2 ** 32), ArgumentRangeError, "32 bits");
  assertThrows(encode([INT, 16, 1], -40_000), ArgumentRangeError, "16 bits");
  assertThrows(encode([INT, 32, 0], 0.5), ArgumentTypeError, "integer");
  assertThrows(encode([INT, 32, 0], true), ArgumentTypeError, "integer");
  assertThrows(encode([FLOAT, 32], 1n), ArgumentTypeError, "a number");
  assertThrows(encode([BOOL], 1), ArgumentTypeError, "a boolean");
});

test("encodeSpecializationConstants() refuses a SpecId that the module lacks", () => {
  const encode = (): unknown => encodeSpecializationConstants(spirv, { 4: 1 });
  assertThrows(encode, ArgumentRangeError, "one of the SpecIds 3");
});
