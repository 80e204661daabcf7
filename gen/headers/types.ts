/**
 * C types as clang prints them, read into the model's types.
 *
 * @module
 */

import type { CType, ScalarName } from "../model.ts";

/** What a typedef of the headers names; fixed-width integers and builtin types need none. */
export type TypeNames = ReadonlyMap<string, CType>;

const SCALARS: ReadonlyMap<string, ScalarName> = new Map<string, ScalarName>([
  ["int8_t", "int8"],
  ["uint8_t", "uint8"],
  ["int16_t", "int16"],
  ["uint16_t", "uint16"],
  ["int32_t", "int32"],
  ["uint32_t", "uint32"],
  ["int64_t", "int64"],
  ["uint64_t", "uint64"],
  ["size_t", "size"],
  ["bool", "bool"],
  ["_Bool", "bool"],
  ["char", "char"],
  ["signed char", "int8"],
  ["unsigned char", "uint8"],
  ["short", "int16"],
  ["unsigned short", "uint16"],
  ["int", "int32"],
  ["unsigned int", "uint32"],
  ["long", "int64"],
  ["unsigned long", "uint64"],
  ["long long", "int64"],
  ["unsigned long long", "uint64"],
  ["float", "float"],
  ["double", "double"],
]);

/** The scalar that a builtin or fixed-width type is. */
export function scalarOf(name: string): CType | undefined {
  const scalar = SCALARS.get(name);
  return scalar && { kind: "scalar", name: scalar };
}

/** Reads a type as clang prints it, such as `const ze_module_desc_t *` or `char[64]`. */
export function parseType(text: string, names: TypeNames): CType {
  const tokens = text.match(/\w+|\S/g) ?? [];
  const words: string[] = [];
  let constant = false;
  let token = tokens.shift();
  for (; token !== undefined && /^\w/.test(token); token = tokens.shift()) {
    if (token === "const") constant = true;
    else words.push(token);
  }
  let type = named(words.join(" "), text, names);
  for (; token === "*" || token === "const"; token = tokens.shift()) {
    if (token === "*") type = { kind: "pointer", to: type, const: constant };
    constant = token === "const";
  }
  const lengths: number[] = [];
  for (; token !== undefined; token = tokens.shift()) {
    const length = Number(tokens.shift());
    if (token !== "[" || !Number.isInteger(length) || tokens.shift() !== "]") {
      throw new Error(
        `Found the type "${text}" in the headers: expected a name, pointers and array lengths`,
      );
    }
    lengths.push(length);
  }
  return lengths.reduceRight<CType>((of, length) => ({ kind: "array", of, length }), type);
}

function named(name: string, text: string, names: TypeNames): CType {
  if (name === "void") return { kind: "void" };
  const type = scalarOf(name) ?? names.get(name);
  if (type === undefined) {
    throw new Error(
      `Found the type "${text}" in the headers: expected a builtin type or a typedef of theirs, not "${name}"`,
    );
  }
  return type;
}
