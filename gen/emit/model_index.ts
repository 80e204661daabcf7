/**
 * The API model by name, and which file of `src/libze/` each part goes to.
 *
 * @module
 */

import type { ApiEnum, ApiFunction, ApiModel, ApiStruct } from "../model.ts";

/**
 * A group of files. `tracing` is what the loader's tracing layer has for every
 * other function (a registration, its parameters as a struct, a callback type):
 * a third of everything, of use to few, and so in files of its own that
 * `mod.ts` does not load.
 */
export type Family = "ze" | "zes" | "zet" | "zer" | "zel" | "tracing";

/** The families in the order that they are listed in. */
export const FAMILIES: readonly Family[] = ["ze", "zes", "zet", "zer", "zel", "tracing"];

/** The model with what the emitters look up in it. */
export interface ModelIndex {
  readonly model: ApiModel;
  readonly structs: ReadonlyMap<string, ApiStruct>;
  readonly functions: ReadonlyMap<string, ApiFunction>;
  /** By the name of the enum. */
  readonly enums: ReadonlyMap<string, ApiEnum>;
  /** The values of all enumerators by name. */
  readonly enumerators: ReadonlyMap<string, number>;
  /** By a struct's name, the structs that its `pNext` may point to. Sorted. */
  readonly extensions: ReadonlyMap<string, readonly string[]>;
}

/** Makes the index. */
export function indexModel(model: ApiModel): ModelIndex {
  const extensions = new Map<string, string[]>();
  for (const struct of model.structs) {
    for (const base of struct.extends ?? []) {
      extensions.set(base, [...extensions.get(base) ?? [], struct.name].sort());
    }
  }
  return {
    model,
    structs: new Map(model.structs.map((struct) => [struct.name, struct])),
    functions: new Map(model.functions.map((one) => [one.name, one])),
    enums: new Map(model.enums.map((one) => [one.name, one])),
    enumerators: new Map(
      model.enums.flatMap(({ values }) => values.map(({ name, value }) => [name, value])),
    ),
    extensions,
  };
}

/** Where a function goes. */
export function familyOfFunction({ name, api }: { name: string; api: Family }): Family {
  return /^zelTracer.+RegisterCallback$/.test(name) ? "tracing" : api;
}

/** Where a struct goes. */
export function familyOfStruct({ name, api }: { name: string; api: Family }): Family {
  const parameters = name.endsWith("_params_t") && !name.endsWith("_cb_params_t");
  return parameters || name.endsWith("_callbacks_t") ? "tracing" : api;
}

/** The parts of a list that go to a family, in the model's order. */
export function inFamily<Part extends { name: string; api: Family }>(
  parts: readonly Part[],
  familyOf: (part: Part) => Family,
  family: Family,
): Part[] {
  return parts.filter((part) => familyOf(part) === family);
}
