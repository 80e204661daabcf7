/**
 * Which structs extend which, by `pNext`: the headers say so in prose of a few
 * forms.
 *
 * @module
 */

import type { ApiFunction, ApiStruct } from "../model.ts";
import { references } from "./comments.ts";

/** The comments of a struct: its points, and one comment per field. */
export interface StructComments {
  points: string[];
  fields: string[];
}

const NAMES = String.raw`(::\w+(?:(?:,? or |, | and )::\w+)*)`;

/** "via the `pNext` member of ::A or ::B, or ::C": the struct extends these. */
const MEMBER_OF = new RegExp(String.raw`pNext['\x60]?(?: member)? of ${NAMES}`);
/** "Can be passed as pNext to ::A". */
const AS_PNEXT_TO = new RegExp(String.raw`(?:passed|accepted) as pNext to ${NAMES}`, "i");
/** "in conjunction with ::A via its pNext member". */
const VIA_ITS = /in conjunction with (?:the )?(::\w+) via its pNext member/;
/** "an extension structure to ::zesDeviceGetProperties via pNext member": the function's struct. */
const OF_FUNCTION = /extension structure to ::(\w+) via pNext member/;
/** "::A must be attached via pNext member of ::B". */
const ATTACHED = /::(\w+) must be attached via pNext member of ::(\w+)/;
/** "pNext should be pointing to one of the following structures: ::A or ::B": these extend the struct. */
const ONE_OF = new RegExp(
  String.raw`pNext should be pointing to one of the following structures: ${NAMES}`,
);

/** Fills in `extends` from the comments of the structs. */
export function linkChains(
  structs: ApiStruct[],
  functions: ApiFunction[],
  comments: ReadonlyMap<string, StructComments>,
): void {
  const byName = new Map(structs.map((struct) => [struct.name, struct]));
  const link = (name: string, target: string): void => {
    const struct = byName.get(name);
    const extended = byName.get(target);
    if (struct === undefined || extended === undefined) {
      throw new Error(
        `Found that ${name} extends ${target} in a comment: expected two structs of the headers`,
      );
    }
    struct.extends ??= [];
    if (!struct.extends.includes(target)) struct.extends.push(target);
  };
  for (const struct of structs) {
    const { points, fields } = comments.get(struct.name) ??
      { points: [], fields: [] };
    for (const point of points) {
      for (const target of targetsOf(point, functions)) {
        link(struct.name, target);
      }
    }
    for (const comment of [...points, ...fields]) {
      const [, extension, target] = comment.match(ATTACHED) ?? [];
      if (extension && target) link(extension, target);
      const oneOf = comment.match(ONE_OF);
      for (const name of references(oneOf?.[1] ?? "")) link(name, struct.name);
    }
  }
}

function targetsOf(point: string, functions: ApiFunction[]): string[] {
  const direct = point.match(MEMBER_OF) ?? point.match(AS_PNEXT_TO) ??
    point.match(VIA_ITS);
  if (direct !== null) return references(direct[1] ?? "");
  const name = point.match(OF_FUNCTION)?.[1];
  if (name === undefined) return [];
  const targets = functions.find((one) => one.name === name)?.parameters
    .flatMap(({ type }) =>
      type.kind === "pointer" && type.to.kind === "struct" ? [type.to.name] : []
    );
  if (targets?.length !== 1) {
    throw new Error(
      `Found an extension of ${name}: expected a function with one struct, found ${
        targets?.length ?? "none of that name"
      }`,
    );
  }
  return targets;
}
