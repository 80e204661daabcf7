/**
 * Which extension a function belongs to. The headers keep an extension in a
 * region of its own, behind the macro of its name.
 *
 * @module
 */

import type { Place } from "./ast.ts";
import type { Macro } from "./probes.ts";
import type { Sources } from "./sources.ts";

interface Line {
  file: string;
  line: number;
}

/**
 * A function from a place to the `…_NAME` macro of its extension. A region whose
 * first function comes before its first such macro is of the core API: it holds
 * only a properties extension.
 */
export function extensionFinder(
  sources: Sources,
  macros: Macro[],
  functions: Place[],
): (place: Place) => string | undefined {
  const names = macros.filter(({ name }) => name.endsWith("_NAME"));
  const functionLines = functions.map((place): Line => ({
    file: place.file,
    line: sources.lineOf(place),
  }));
  return (place) => {
    const region = sources.regionOf(place);
    if (region === undefined) return undefined;
    const line = sources.lineOf(place);
    const inRegion = (other: Line): boolean =>
      other.file === place.file && other.line > region && other.line <= line;
    const candidates = names.filter(inRegion);
    const firstName = candidates[0]?.line ?? Infinity;
    const firstFunction = functionLines.find(inRegion)?.line ?? line;
    return firstName < firstFunction ? candidates.at(-1)?.name : undefined;
  };
}
