/**
 * Which enumerator of a structure type enum each struct is tagged with.
 *
 * @module
 */

import type { ApiEnum, ApiStruct } from "../model.ts";
import { isDeprecated, references } from "./comments.ts";

/** The structs that have an `stype` and no enumerator of their own. */
const WITHOUT_STYPE: ReadonlyMap<string, string> = new Map([
  ["ze_base_cb_params_t", "a base: any callback parameters struct"],
  ["ze_base_desc_t", "a base: any descriptor"],
  ["ze_base_properties_t", "a base: any properties struct"],
  ["zes_base_capability_t", "a base: any capability struct"],
  ["zes_base_config_t", "a base: any configuration struct"],
  ["zes_base_desc_t", "a base: any descriptor"],
  ["zes_base_properties_t", "a base: any properties struct"],
  ["zet_base_desc_t", "a base: any descriptor"],
  ["zet_base_properties_t", "a base: any properties struct"],
]);

/** An enumerator of a structure type enum with its comment. */
export interface StructureType {
  enum: string;
  value: string;
  comment: string;
}

/** Tags the structs that have an `stype`; throws if one finds no enumerator and is not a known exception. */
export function tagStructs(
  structs: ApiStruct[],
  structureTypes: StructureType[],
): void {
  const originals = new Map(
    structs.map((struct) => [struct.name, struct.alias ?? struct.name]),
  );
  const tagged = new Map<string, StructureType[]>();
  for (const structureType of structureTypes) {
    // The first reference is the struct; later ones are advice.
    const name = references(structureType.comment)[0];
    if (name === undefined) continue;
    const original = originals.get(name) ?? name;
    tagged.set(original, [...tagged.get(original) ?? [], structureType]);
  }
  const missing: string[] = [];
  for (const struct of structs) {
    const field = struct.fields[0];
    if (field?.name !== "stype" || field.type.kind !== "enum") continue;
    const type = field.type.name;
    const candidates = tagged.get(struct.alias ?? struct.name) ??
      structureTypes.filter((candidate) =>
        candidate.enum === type && candidate.value === conventional(struct.name, type)
      );
    const found = choose(struct.name, type, candidates);
    if (found !== undefined) {
      struct.stype = { enum: found.enum, value: found.value };
    } else if (!WITHOUT_STYPE.has(struct.name)) missing.push(struct.name);
  }
  if (missing.length > 0) {
    throw new Error(
      `Found no structure type enumerator for ${
        missing.join(", ")
      }: expected one by comment or by name, or an entry in WITHOUT_STYPE`,
    );
  }
}

/** One struct may have several enumerators, as a layout kept its struct when its meaning changed. */
function choose(
  struct: string,
  type: string,
  candidates: StructureType[],
): StructureType | undefined {
  const ofType = candidates.filter((candidate) => candidate.enum === type);
  const current = ofType.filter((candidate) => !isDeprecated(candidate.comment));
  const choices = current.length > 0 ? current : ofType;
  const name = conventional(struct, type);
  return choices.find((choice) => choice.value === name) ?? choices[0];
}

/** `ze_module_desc_t` in `ze_structure_type_t` is `ZE_STRUCTURE_TYPE_MODULE_DESC`. */
function conventional(struct: string, type: string): string {
  const prefix = type.replace(/_t$/, "").toUpperCase();
  return `${prefix}_${struct.replace(/^ze[a-z]?_/, "").replace(/_t$/, "").toUpperCase()}`;
}

/** The enums that structs are tagged with. */
export function isStructureTypeEnum({ name }: Pick<ApiEnum, "name">): boolean {
  return /_structure_type(_\w+)?_t$/.test(name);
}
