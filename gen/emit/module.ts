/**
 * `mod.ts` and `tracing.ts`, which put the other files together, and the list of all files.
 *
 * @module
 */

import type { Config } from "../config.ts";
import { emitConstants, emitEnums, emitTypes } from "./declarations.ts";
import { type GeneratedFile, generatedFile } from "./file.ts";
import { emitFunctions } from "./functions.ts";
import { FAMILIES, type ModelIndex } from "./model_index.ts";
import { emitStructTypes } from "./struct_types.ts";
import { emitLayouts, emitStructs, STRUCT_FAMILIES } from "./structs.ts";
import { emitSymbols } from "./symbols.ts";

const USUAL = FAMILIES.filter((family) => family !== "tracing");

function emitModule({ model }: ModelIndex): GeneratedFile {
  return generatedFile(
    model,
    "mod.ts",
    `The C API of Level Zero ${model.specVersion}, under its own names: functions whose results
are checked, enums, constants, and codecs for structs.

A function that can block returns a Promise and runs on another thread; \`sync\`
and \`nonblocking\` have either form of every function.`,
    [
      'export { has, nonblocking, sync } from "../library.ts";',
      'export type { BufferOf, Chain, Pointer, Struct, StructView, Uuid } from "../ffi/struct.ts";',
      'export * from "./constants.ts";',
      'export * from "./enums.ts";',
      'export type * from "./types.ts";',
      ...USUAL.map((family) => `export * from "./functions_${family}.ts";`),
      ...STRUCT_FAMILIES.filter((family) => family !== "tracing")
        .map((family) => `export * from "./structs_${family}.ts";`),
    ],
  );
}

function emitTracing({ model }: ModelIndex): GeneratedFile {
  return generatedFile(
    model,
    "tracing.ts",
    "What the loader's tracing layer has for each function: its registration, the struct of its\nparameters and its callback type.",
    [
      'export * from "./functions_tracing.ts";',
      'export * from "./structs_tracing.ts";',
      'export type * from "./types_tracing.ts";',
    ],
  );
}

/** Every file of `src/libze/`, unformatted. */
export function emitAll(index: ModelIndex, config: Config): GeneratedFile[] {
  return [
    emitConstants(index),
    ...emitEnums(index),
    ...emitTypes(index),
    emitSymbols(index, config),
    ...emitFunctions(index, config),
    ...emitLayouts(index),
    ...emitStructTypes(index),
    ...emitStructs(index),
    emitModule(index),
    emitTracing(index),
  ];
}
