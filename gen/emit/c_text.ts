/**
 * C declarations as text, for docs and for the generator's messages.
 *
 * @module
 */

import type { ApiFunction, CType, ScalarName } from "../model.ts";

const SCALARS: Record<ScalarName, string> = {
  int8: "int8_t",
  uint8: "uint8_t",
  int16: "int16_t",
  uint16: "uint16_t",
  int32: "int32_t",
  uint32: "uint32_t",
  int64: "int64_t",
  uint64: "uint64_t",
  size: "size_t",
  float: "float",
  double: "double",
  char: "char",
  bool: "bool",
};

/** A type as C writes it, without a name. */
export function cType(type: CType): string {
  switch (type.kind) {
    case "void":
      return "void";
    case "scalar":
      return type.alias ?? SCALARS[type.name];
    case "pointer":
      return `${type.const ? "const " : ""}${cType(type.to)}*`;
    case "array":
      return `${cType(type.of)}[${type.length}]`;
    default:
      return type.name;
  }
}

/** A function's prototype on one line. */
export function prototype(one: Pick<ApiFunction, "name" | "result" | "parameters">): string {
  const parameters = one.parameters.map(({ name, type }) => `${cType(type)} ${name}`);
  return `${cType(one.result)} ${one.name}(${parameters.join(", ")})`;
}
