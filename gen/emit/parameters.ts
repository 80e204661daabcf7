/**
 * The rule that tells how each C parameter is passed, and where `ze.toml` says otherwise.
 *
 * @module
 */

import type { ArgumentOverride, Config } from "../config.ts";
import type { ApiFunction, ApiParameter, CType, ScalarName } from "../model.ts";
import { cType } from "./c_text.ts";
import type { ModelIndex } from "./model_index.ts";

/** How a value that fits a register is passed; the names are those of the adapter. */
export type Register =
  | "i8"
  | "u8"
  | "i16"
  | "u16"
  | "i32"
  | "u32"
  | "i64"
  | "u64"
  | "usize"
  | "f32"
  | "f64"
  | "bool"
  | "pointer"
  | "void";

/** How a parameter is passed. */
export type Passing =
  | { readonly kind: "register"; readonly register: Register }
  /** A handle; `nullable` if 0n stands for none. */
  | { readonly kind: "handle"; readonly nullable: boolean }
  /** A view of memory that the callee reads or writes during the call. */
  | {
    readonly kind: "buffer";
    /** The size of one element; 0 if it can't be told. */
    readonly bytes: number;
    /** The parameter that has the number of elements, or points to it. */
    readonly count?: string;
    readonly nullable: boolean;
  }
  /** A struct passed by value. */
  | { readonly kind: "struct"; readonly bytes: number };

const SCALARS: Record<ScalarName, { register: Register; bytes: number }> = {
  int8: { register: "i8", bytes: 1 },
  uint8: { register: "u8", bytes: 1 },
  int16: { register: "i16", bytes: 2 },
  uint16: { register: "u16", bytes: 2 },
  int32: { register: "i32", bytes: 4 },
  uint32: { register: "u32", bytes: 4 },
  int64: { register: "i64", bytes: 8 },
  uint64: { register: "u64", bytes: 8 },
  size: { register: "usize", bytes: 8 },
  float: { register: "f32", bytes: 4 },
  double: { register: "f64", bytes: 8 },
  char: { register: "i8", bytes: 1 },
  bool: { register: "bool", bytes: 1 },
};

/** The register of a type that has one. */
export function registerOf(type: CType): Register | undefined {
  switch (type.kind) {
    case "void":
      return "void";
    case "scalar":
      return type.alias === "ze_bool_t" ? "bool" : SCALARS[type.name].register;
    case "enum":
    case "flags":
      return "u32";
    case "handle":
      return "u64";
    case "callback":
    case "pointer":
      return "pointer";
    default:
      return undefined;
  }
}

/** The size of a type in bytes; 0 for `void`. */
export function sizeOf(type: CType, index: ModelIndex): number {
  switch (type.kind) {
    case "void":
      return 0;
    case "scalar":
      return SCALARS[type.name].bytes;
    case "enum":
    case "flags":
      return 4;
    case "handle":
    case "callback":
    case "pointer":
      return 8;
    case "array":
      return type.length * sizeOf(type.of, index);
    default: {
      const struct = index.structs.get(type.name);
      if (!struct) throw new Error(`The model has no ${type.kind} ${type.name}`);
      return struct.size;
    }
  }
}

function countOf(parameter: ApiParameter, one: ApiFunction): string | undefined {
  const name = parameter.count?.replace(/^\*/, "");
  return one.parameters.some((other) => other.name === name) ? name : undefined;
}

function overridden(passing: Passing, override: ArgumentOverride): Passing {
  if (override.type === "pointer") return { kind: "register", register: "pointer" };
  const before = passing.kind === "buffer" ? passing : { bytes: 0, nullable: false };
  const count = override.count ?? ("count" in before ? before.count : undefined);
  return {
    kind: "buffer",
    bytes: override.bytes ?? before.bytes,
    nullable: override.nullable ?? before.nullable,
    ...(count ? { count } : {}),
  };
}

/**
 * How one parameter of a function is passed. Pointers to typed data are views
 * (`buffer`); a `void*` is an address, since it may be the device's, except
 * `pNext`, which is a struct of the caller's.
 */
export function passingOf(
  parameter: ApiParameter,
  one: ApiFunction,
  index: ModelIndex,
  config: Config,
): Passing {
  const { type, name, optional } = parameter;
  const override = config.arguments.get(one.name)?.get(name);
  let passing: Passing;
  if (type.kind === "struct" || type.kind === "union") {
    passing = { kind: "struct", bytes: sizeOf(type, index) };
  } else if (type.kind === "handle") {
    passing = { kind: "handle", nullable: optional };
  } else if (type.kind === "pointer" && type.to.kind === "void" && name === "pNext") {
    passing = { kind: "buffer", bytes: 0, nullable: true };
  } else if (type.kind === "pointer" && type.to.kind !== "void") {
    const count = countOf(parameter, one);
    passing = {
      kind: "buffer",
      bytes: sizeOf(type.to, index),
      nullable: optional || count !== undefined,
      ...(count ? { count } : {}),
    };
  } else {
    const register = registerOf(type);
    if (!register) throw new Error(`${one.name}: no rule for \`${cType(type)} ${name}\``);
    passing = { kind: "register", register };
  }
  return override ? overridden(passing, override) : passing;
}
