/**
 * The model as text.
 *
 * @module
 */

import type { ApiModel } from "../model.ts";

/** JSON with one constant, enum, struct or function a line, so that a diff shows what changed. */
export function format(model: ApiModel): string {
  const members = Object.entries(model).map(([key, value]) => {
    const text = Array.isArray(value)
      ? `[\n${value.map((item) => JSON.stringify(item)).join(",\n")}\n]`
      : JSON.stringify(value);
    return `${JSON.stringify(key)}: ${text}`;
  });
  return `{\n${members.join(",\n")}\n}\n`;
}
