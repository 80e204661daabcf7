/**
 * Facts that the headers state in comments of a fixed form.
 *
 * @module
 */

import type { Direction } from "../model.ts";

/** What the marks at the head of a parameter's or field's comment say. */
export interface Marks {
  direction: Direction;
  optional: boolean;
  count?: string;
  release?: boolean;
}

/** Reads `[in]`, `[out]`, `[in,out]`, `[in][out]`, `[optional]`, `[range(0, X)]` and `[release]`. */
export function readMarks(comment: string): Marks {
  let flowsIn = false;
  let flowsOut = false;
  const marks: Marks = { direction: "in", optional: false };
  // A mark is at the head; a bracket later in the comment is prose.
  const head = comment.match(/^\s*(?:\[[^\]]*\]\s*)*/)?.[0] ?? "";
  for (const [, mark = ""] of head.matchAll(/\[([^\]]*)\]/g)) {
    const range = mark.match(/^range\(\s*[01]\s*,\s*`?(\*?\s*[A-Za-z_]\w*)`?\s*\)$/);
    if (range !== null) marks.count = range[1];
    else if (mark === "optional") marks.optional = true;
    else if (mark === "release") marks.release = true;
    else {
      const words = mark.split(",").map((word) => word.trim());
      flowsIn ||= words.includes("in");
      flowsOut ||= words.includes("out");
    }
  }
  if (flowsOut) marks.direction = flowsIn ? "inout" : "out";
  return marks;
}

/** The mark of a parameter in a block comment, as `@param[in,out] name`; empty if there is none. */
export function parameterMark(points: string[], name: string): string {
  for (const point of points) {
    const match = point.match(/^@param(\[[^\]]*\])\s+(\w+)/);
    if (match?.[2] === name) return match[1] ?? "";
  }
  return "";
}

/** The version since which a function is deprecated; empty if it is only marked so, undefined if it is not. */
export function deprecatedSince(points: string[]): string | undefined {
  let deprecated: string | undefined;
  for (const point of points) {
    const since = point.match(/^@deprecated since (\d+\.\d+)/);
    if (since !== null) return since[1];
    if (
      /^(?:\[DEPRECATED\]|@deprecated)/.test(point) ||
      /\bthis function is deprecated\b/i.test(point)
    ) {
      deprecated = "";
    }
  }
  return deprecated;
}

/** Whether a comment calls an enumerator deprecated. */
export function isDeprecated(comment: string): boolean {
  return /\bdeprecated\b/i.test(comment);
}

/** The names that a comment refers to as `::name`, in order. */
export function references(comment: string): string[] {
  return [...comment.matchAll(/::([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);
}
