/**
 * TypeScript types as text, and what has to be imported for them.
 *
 * @module
 */

import type { CType } from "../model.ts";
import { typeImport } from "./file.ts";
import { familyOfStruct, type ModelIndex } from "./model_index.ts";

/** Collects the names that a file's types use. */
export class NameUse {
  readonly #enums = new Set<string>();
  readonly #others = new Set<string>();
  readonly #tracing = new Set<string>();
  /** What comes from the hand-written `src/ffi/struct.ts`. */
  readonly support = new Set<string>();

  /** The type of a value. */
  value(type: CType): string {
    switch (type.kind) {
      case "void":
        return "void";
      case "scalar":
        if (type.name === "bool" || type.alias === "ze_bool_t") return "boolean";
        return ["int64", "uint64", "size"].includes(type.name) ? "bigint" : "number";
      case "enum":
        this.#enums.add(type.name);
        return type.name;
      case "flags":
      case "handle":
        this.#others.add(type.name);
        return type.name;
      case "callback":
        return this.address(type);
      case "pointer":
        return "bigint";
      default:
        throw new Error(`A ${type.kind} has no plain type`);
    }
  }

  /** The type of an address. */
  address(type: CType): string {
    if (type.kind !== "callback") return "bigint";
    (/^ze[rst]?_pfn.+Cb_t$/.test(type.name) ? this.#tracing : this.#others).add(type.name);
    return type.name;
  }

  /** The type of a view, of a struct's if it is named. */
  buffer(struct?: string): string {
    if (!struct) return "ArrayBufferView";
    this.support.add("BufferOf");
    return `BufferOf<"${struct}">`;
  }

  /** The imports for the names used so far. */
  imports(index: ModelIndex): string[] {
    const enums = [...this.#enums];
    const apis = new Set(enums.map((name) => index.enums.get(name)!.api));
    return [
      ...[...apis].sort().flatMap((api) =>
        typeImport(
          enums.filter((name) => index.enums.get(name)!.api === api),
          `./enums_${api}.ts`,
        )
      ),
      ...typeImport(this.#others, "./types.ts"),
      ...typeImport(this.#tracing, "./types_tracing.ts"),
    ];
  }
}

/** Imports of struct interfaces for a file of one family. */
export function structImports(
  used: ReadonlySet<string>,
  family: string,
  index: ModelIndex,
): string[] {
  const byFamily = new Map<string, string[]>();
  for (const name of used) {
    const struct = index.structs.get(name.replace(/_init$/, ""))!;
    const other = familyOfStruct(struct);
    if (other !== family) byFamily.set(other, [...byFamily.get(other) ?? [], name]);
  }
  return [...byFamily.keys()].sort().flatMap((other) =>
    typeImport(byFamily.get(other)!, `./struct_types_${other}.ts`)
  );
}

/** Whether a callback type belongs to the tracing layer. */
export function isTracingCallback(name: string): boolean {
  return /^ze[rst]?_pfn.+Cb_t$/.test(name);
}
