/**
 * `constants.ts`, `enums_*.ts` and `types*.ts`: what is neither function nor struct.
 *
 * @module
 */

import type { ApiEnum } from "../model.ts";
import { cType } from "./c_text.ts";
import { docComment, type GeneratedFile, generatedFile } from "./file.ts";
import type { ModelIndex } from "./model_index.ts";
import { isTracingCallback } from "./type_text.ts";

/** The families that have enums. */
export const ENUM_FAMILIES = ["ze", "zes", "zet", "zel"] as const;

/** The constants' file. */
export function emitConstants({ model }: ModelIndex): GeneratedFile {
  return generatedFile(
    model,
    "constants.ts",
    "The headers' constants.",
    model.constants.map(({ name, value, wide }) =>
      wide
        ? `export const ${name} = ${value}n;`
        : `export const ${name} = ${JSON.stringify(value)};`
    ),
  );
}

/**
 * The enumerators of an enum, without the `…_FORCE_UINT32` that only pads the C
 * type to 32 bits.
 */
export function valuesOf(one: ApiEnum): ApiEnum["values"] {
  return one.values.filter(({ name }) => !name.endsWith("_FORCE_UINT32"));
}

function hexadecimal(value: number): string {
  return value > 255 ? `0x${value.toString(16)}` : String(value);
}

function emitEnum(one: ApiEnum): string[] {
  return [
    `export const ${one.name} = {`,
    ...valuesOf(one).map(({ name, value }) => `${name}: ${hexadecimal(value)},`),
    "} as const;",
    ...docComment([
      one.flags
        ? `A bit of {@linkcode ${one.name}}; combined they are a \`${one.flags}\`.`
        : `A value of {@linkcode ${one.name}}, or one that a newer driver has.`,
    ]),
    `export type ${one.name} = number;`,
    "",
  ];
}

/** The enums' files. */
export function emitEnums({ model }: ModelIndex): GeneratedFile[] {
  return [
    ...ENUM_FAMILIES.map((api) =>
      generatedFile(
        model,
        `enums_${api}.ts`,
        `The enums and flags of ${api}.`,
        model.enums.filter((one) => one.api === api).flatMap(emitEnum),
      )
    ),
    generatedFile(
      model,
      "enums.ts",
      "All enums and flags.",
      ENUM_FAMILIES.map((api) => `export * from "./enums_${api}.ts";`),
    ),
  ];
}

/** The files with the types of handles, flags and callbacks, which have no values. */
export function emitTypes({ model }: ModelIndex): GeneratedFile[] {
  const callbacks = (tracing: boolean): string[] =>
    model.callbacks.filter(({ name }) => isTracingCallback(name) === tracing).flatMap((one) => [
      ...docComment([
        `The address of a C function \`${cType(one.result)} (${
          one.parameters.map(({ name, type }) => `${cType(type)} ${name}`).join(", ")
        })\`.`,
      ]),
      `export type ${one.name} = bigint;`,
    ]);
  const flagEnums = model.enums.filter(({ flags }) => flags);
  return [
    generatedFile(
      model,
      "types.ts",
      "The types of handles, flags and callbacks. Nothing here is left at run time.",
      [
        ...model.handles.flatMap(({ name, alias }) => [
          ...docComment([
            alias ? `Another name of {@linkcode ${alias}}.` : "A handle; 0n is none.",
          ]),
          `export type ${name} = ${alias ?? "bigint"};`,
        ]),
        ...flagEnums.flatMap(({ name, flags }) => [
          ...docComment([`Bits of \`${name}\`, combined with \`|\`.`]),
          `export type ${flags} = number;`,
        ]),
        ...callbacks(false),
      ],
    ),
    generatedFile(
      model,
      "types_tracing.ts",
      "The callback types of the tracing layer. Nothing here is left at run time.",
      callbacks(true),
    ),
  ];
}
