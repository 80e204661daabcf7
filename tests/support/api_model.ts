/**
 * The committed API model, which tests compare with.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import type { ApiModel } from "../../gen/model.ts";

/** What `deno task gen` works from. */
export const apiModel: ApiModel = JSON.parse(
  readFileSync(new URL("../../gen/api/ze-1.17.json", import.meta.url), "utf8"),
);

/** How many items have each key; those without one are left out. */
export function tally<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
