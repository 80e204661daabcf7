/**
 * `struct_types_*.ts`: two interfaces for each struct, one for what is read and
 * one for what it is made from. They are files of types only, so that neither
 * runtime loads them.
 *
 * @module
 */

import type { ApiField, ApiStruct, CType } from "../model.ts";
import { docComment, type GeneratedFile, generatedFile, typeImport } from "./file.ts";
import { familyOfStruct, inFamily, type ModelIndex } from "./model_index.ts";
import { isOpaque, isUuidField, isUuidStruct, STRUCT_FAMILIES } from "./structs.ts";
import { NameUse, structImports } from "./type_text.ts";

class StructTypes {
  readonly names = new NameUse();
  readonly structs = new Set<string>();
  readonly #index: ModelIndex;

  constructor(index: ModelIndex) {
    this.#index = index;
  }

  #struct(name: string, suffix: "" | "_init"): string {
    if (isUuidStruct(this.#index.structs.get(name)!)) {
      return suffix ? this.#support("Uuid") : "string";
    }
    this.structs.add(name + suffix);
    return name + suffix;
  }

  #support(name: string): string {
    this.names.support.add(name);
    return name;
  }

  read(type: CType): string {
    switch (type.kind) {
      case "struct":
      case "union":
        return this.#struct(type.name, "");
      case "array":
        return type.of.kind === "scalar" && type.of.name === "char"
          ? "string"
          : `${this.read(type.of)}[]`;
      default:
        return this.names.value(type);
    }
  }

  init(type: CType): string {
    switch (type.kind) {
      case "struct":
      case "union":
        return this.#struct(type.name, "_init");
      case "array":
        return type.of.kind === "scalar" && type.of.name === "char"
          ? "string"
          : `ArrayLike<${this.init(type.of)}>`;
      case "pointer":
        return this.#pointer(type.to);
      case "callback":
        return this.names.address(type);
      default: {
        const plain = this.names.value(type);
        return type.kind === "scalar" && plain === "bigint" ? "bigint | number" : plain;
      }
    }
  }

  #pointer(to: CType): string {
    const pointer = this.#support("Pointer");
    if (to.kind === "void" || to.kind === "callback") return pointer;
    if (to.kind === "scalar" && to.name === "char") return `${pointer} | string`;
    if (to.kind === "struct" || to.kind === "union") {
      const init = this.#struct(to.name, "_init");
      return `${pointer} | ${init} | readonly ${init}[]`;
    }
    const element = this.init(to);
    return `${pointer} | readonly (${element})[]`;
  }

  chain(struct: ApiStruct): string {
    const known = this.#index.extensions.get(struct.name);
    return `${this.#support("Chain")}<${
      known?.map((name) => `"${name}"`).join(" | ") ?? "string"
    }>`;
  }
}

function emitInterfaces(struct: ApiStruct, types: StructTypes): string[] {
  const readType = (field: ApiField): string =>
    isUuidField(struct, field)
      ? "string"
      : isOpaque(struct) && field.type.kind === "array"
      ? "Uint8Array"
      : types.read(field.type);
  const initType = (field: ApiField): string => {
    if (isUuidField(struct, field)) {
      types.names.support.add("Uuid");
      return "Uuid";
    }
    if (isOpaque(struct) && field.type.kind === "array") return "Uint8Array";
    if (field.name === "pNext" && field.type.kind === "pointer") return types.chain(struct);
    return types.init(field.type);
  };
  return [
    ...docComment([`A \`${struct.name}\` as it is read.`]),
    `export interface ${struct.name} {`,
    ...struct.fields.map((field) => `${field.name}: ${readType(field)};`),
    "}",
    ...docComment([`What a \`${struct.name}\` is made from.`]),
    `export interface ${struct.name}_init {`,
    ...struct.fields.map((field) => `${field.name}?: ${initType(field)};`),
    "}",
    "",
  ];
}

/** The files. */
export function emitStructTypes(index: ModelIndex): GeneratedFile[] {
  return STRUCT_FAMILIES.map((family) => {
    const types = new StructTypes(index);
    const lines = inFamily(index.model.structs, familyOfStruct, family)
      .flatMap((struct) => emitInterfaces(struct, types));
    return generatedFile(
      index.model,
      `struct_types_${family}.ts`,
      `The fields of the structs of ${family}. Nothing here is left at run time.`,
      [
        ...typeImport(types.names.support, "../ffi/struct.ts"),
        ...types.names.imports(index),
        ...structImports(types.structs, family, index),
        "",
        ...lines,
      ],
    );
  });
}
