/**
 * What SPIR-V tells of kernels' parameters. Needs no device.
 */
import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { type KernelParameter, kernelSignatures } from "../src/kernel_signature.ts";
import type { ScalarType } from "../src/scalar.ts";
import { test } from "./support/testing.ts";

function shortName({ type, bits, signed }: ScalarType): string {
  return type === "float"
    ? `f${bits}`
    : `${signed === undefined ? "int" : signed ? "i" : "u"}${bits}`;
}

/** A parameter in one word. */
function inShort(parameter: KernelParameter): string {
  switch (parameter.kind) {
    case "scalar":
      return shortName(parameter.scalar);
    case "vector":
      return `${shortName(parameter.scalar)}x${parameter.length}`;
    case "struct":
      return `${parameter.byteLength} bytes`;
    default:
      return parameter.kind;
  }
}

function signaturesOf(file: string): Record<string, string> {
  const spirv = new Uint8Array(readFileSync(new URL(`./kernels/${file}.spv`, import.meta.url)));
  const entries = [...kernelSignatures(spirv)].map(([name, parameters]) =>
    [name, parameters.map(inShort).join(", ")] as const
  );
  return Object.fromEntries(entries);
}

test("kernelSignatures() reads numbers, pointers, structures and local memory", () => {
  assertEquals(signaturesOf("basic"), {
    scale: "pointer, f32, u8, int64",
    add_quad: "pointer, 24 bytes",
    group_sum: "pointer, pointer, local",
    is_null: "pointer, pointer",
    fill: "pointer, int32",
    identify: "pointer",
    fixed_group: "pointer",
    empty: "",
    spin: "pointer, int64",
    follow: "pointer, int32",
  });
});

test("kernelSignatures() tells the sign of small integers", () => {
  const { numbers } = signaturesOf("arguments");
  assertEquals(numbers, "pointer, i8, i16, int32, int64, u8, u16, int32, int64, f32, f64");
});

test("kernelSignatures() reads vectors and halves", () => {
  assertEquals(signaturesOf("arguments")["vectors"], "pointer, f32x4, int32x3, int8x2, int64x2");
  assertEquals(signaturesOf("half"), { halves: "pointer, f16, f16x2" });
});

test("kernelSignatures() reads images and samplers", () => {
  assertEquals(signaturesOf("image"), {
    image_read: "image, sampler, pointer",
    image_write: "image, f32",
  });
});

/** A module of instructions, each an opcode with its operands. */
function assemble(...instructions: readonly (readonly number[])[]): Uint8Array {
  const words = instructions.flatMap(([opcode, ...operands]) => [
    (operands.length + 1) << 16 | opcode!,
    ...operands,
  ]);
  return new Uint8Array(new Uint32Array([0x07230203, 0x10000, 0, 99, 0, ...words]).buffer);
}

const [Int, Array, Struct, Pointer, Constant] = [21, 28, 30, 32, 43];
const kernelK = [15, 6, 90, 0x6b];
const beginFunction = [54, 1, 90, 0, 2];
const parameter = (type: number): number[] => [55, type, 91];
const inFunctionMemory = 7;

test("kernelSignatures() lays structures out as C does", () => {
  const integers = [[Int!, 10, 8, 0], [Int!, 11, 32, 0], [Int!, 12, 64, 0]];
  const size = (before: number[][], ...types: number[][]): string => {
    const spirv = assemble(kernelK, ...before, ...integers, ...types, beginFunction, parameter(20));
    return kernelSignatures(spirv).get("k")!.map(inShort).join();
  };
  const byValue = [Pointer!, 20, inFunctionMemory, 19];
  const mixed = [Struct!, 19, 10, 12, 10];
  assertEquals(size([], mixed, byValue), "24 bytes");
  const packed = [71, 19, 10];
  assertEquals(size([packed], mixed, byValue), "10 bytes");
  const array = [[Constant!, 11, 17, 5], [Array!, 18, 10, 17], [Struct!, 19, 11, 18]];
  assertEquals(size([], ...array, byValue), "12 bytes");
});

test("kernelSignatures() takes what it does not know for unknown", () => {
  const spirv = assemble(kernelK, [38, 20, 0], beginFunction, parameter(20), parameter(77));
  assertEquals(kernelSignatures(spirv).get("k")!.map(inShort), ["unknown", "unknown"]);
  assertEquals(kernelSignatures(assemble(kernelK)).size, 0);
  assertEquals(kernelSignatures(assemble([54], [55], [21], [30], [15, 6])).size, 0);
});
