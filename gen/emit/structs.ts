/**
 * `layouts*.ts` with every struct's layout, and `structs_*.ts` with the codecs.
 *
 * @module
 */

import type { ApiField, ApiStruct, CType } from "../model.ts";
import { docComment, type GeneratedFile, generatedFile } from "./file.ts";
import { type Family, familyOfStruct, inFamily, type ModelIndex } from "./model_index.ts";
import { registerOf } from "./parameters.ts";

/** The families that have structs. */
export const STRUCT_FAMILIES: readonly Family[] = ["ze", "zes", "zet", "zel", "tracing"];

/** Whether a field is a UUID: 16 bytes in a struct named so. */
export function isUuidField(struct: ApiStruct, { type }: ApiField): boolean {
  return struct.name.endsWith("_uuid_t") && type.kind === "array" && type.length === 16;
}

/** Whether a struct is nothing but a UUID, and so is read as text where it is a field. */
export function isUuidStruct(struct: ApiStruct): boolean {
  return struct.fields.length === 1 && isUuidField(struct, struct.fields[0]!);
}

/** Whether a struct's characters are bytes of no meaning to anyone but the driver. */
export function isOpaque({ name }: ApiStruct): boolean {
  return /^ze_ipc_.+_handle_t$/.test(name);
}

function kindOf(type: CType, index: ModelIndex): string {
  switch (type.kind) {
    case "struct":
    case "union": {
      const struct = index.structs.get(type.name)!;
      return isUuidStruct(struct) ? "uuid" : `@${type.name}`;
    }
    case "array":
      return type.of.kind === "scalar" && type.of.name === "char"
        ? `text[${type.length}]`
        : `${kindOf(type.of, index)}[${type.length}]`;
    case "callback":
      return "*void";
    case "pointer":
      return `*${
        type.to.kind === "scalar" && type.to.name === "char" ? "text" : kindOf(type.to, index)
      }`;
    default:
      return registerOf(type)!;
  }
}

/** The kind of a field, as `src/ffi/layout.ts` reads it. */
export function fieldKind(struct: ApiStruct, field: ApiField, index: ModelIndex): string {
  if (isUuidField(struct, field)) return "uuid";
  if (isOpaque(struct) && field.type.kind === "array") return `bytes[${field.type.length}]`;
  if (field.name === "pNext" && field.type.kind === "pointer") return "next";
  return kindOf(field.type, index);
}

/** The value of a struct's `stype`. */
export function stypeOf(struct: ApiStruct, index: ModelIndex): number | undefined {
  return struct.stype && index.enumerators.get(struct.stype.value);
}

function layout(struct: ApiStruct, index: ModelIndex): string {
  const tag = struct.kind === "union" ? "union" : stypeOf(struct, index) ?? "-";
  return [
    struct.name,
    struct.size,
    tag,
    ...struct.fields.map((field) =>
      `${field.offset}:${fieldKind(struct, field, index)}:${field.name}`
    ),
  ].join(" ");
}

/** The layouts' files. */
export function emitLayouts(index: ModelIndex): GeneratedFile[] {
  const { structs } = index.model;
  const text = (tracing: boolean): string =>
    structs.filter((struct) => (familyOfStruct(struct) === "tracing") === tracing)
      .map((struct) => layout(struct, index)).join("\n");
  return [
    generatedFile(
      index.model,
      "layouts.ts",
      "The layouts of structs and unions, one a line; `src/ffi/layout.ts` reads them and says how.",
      [
        'import { Layouts } from "../ffi/struct.ts";',
        "",
        "/** Name, size, `stype`, and the fields with offset, kind and name. */",
        `export const layouts: Layouts = new Layouts(\`\n${text(false)}\n\`);`,
      ],
    ),
    generatedFile(
      index.model,
      "layouts_tracing.ts",
      "The layouts of the tracing layer's structs.",
      [
        'import { Layouts } from "../ffi/struct.ts";',
        'import { layouts as others } from "./layouts.ts";',
        "",
        "/** As {@linkcode others}, which the fields may refer to. */",
        `export const layouts: Layouts = new Layouts(\`\n${text(true)}\n\`, others);`,
      ],
    ),
  ];
}

function emitStruct(struct: ApiStruct): string[] {
  const { name } = struct;
  const tag = struct.stype ? `, tagged \`${struct.stype.value}\`` : "";
  return [
    ...docComment([`\`${struct.kind} ${name}\`: ${struct.size} bytes${tag}.`]),
    `export const ${name}: Struct<"${name}", types.${name}, types.${name}_init> = layouts.struct("${name}");`,
    ...docComment([`What {@linkcode ${name}} reads.`]),
    `export type ${name} = types.${name};`,
    "",
  ];
}

/** The codecs' files. */
export function emitStructs(index: ModelIndex): GeneratedFile[] {
  return STRUCT_FAMILIES.map((family) => {
    const structs = inFamily(index.model.structs, familyOfStruct, family);
    const types = `./struct_types_${family}.ts`;
    return generatedFile(
      index.model,
      `structs_${family}.ts`,
      `The structs and unions of ${family}: each makes, writes and reads its bytes.`,
      [
        'import type { Struct } from "../ffi/struct.ts";',
        `import { layouts } from "./layouts${family === "tracing" ? "_tracing" : ""}.ts";`,
        `import type * as types from "${types}";`,
        `export type { ${structs.map(({ name }) => `${name}_init`).join(", ")} } from "${types}";`,
        "",
        ...structs.flatMap(emitStruct),
      ],
    );
  });
}
