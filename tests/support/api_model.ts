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
