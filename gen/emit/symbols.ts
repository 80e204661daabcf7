/**
 * `symbols.ts`: the description of every function as one line of text, read when
 * the function is first asked for. Object literals for 747 functions cost Bun
 * 17 ms at every start; this text costs none that can be measured.
 *
 * @module
 */

import type { Config } from "../config.ts";
import type { ApiFunction } from "../model.ts";
import { exclusiveParameter } from "./exclusive.ts";
import { type GeneratedFile, generatedFile } from "./file.ts";
import type { ModelIndex } from "./model_index.ts";
import { type Passing, passingOf, registerOf } from "./parameters.ts";

/** Whether the plain name of a function returns a Promise. */
export function isNonblocking(name: string, config: Config): boolean {
  return config.gcsafe && config.blocking.get(name)?.form === "nonblocking";
}

function passingText(passing: Passing): string {
  switch (passing.kind) {
    case "handle":
      return `handle${passing.nullable ? "?" : ""}`;
    case "register":
      return passing.register;
    case "struct":
      return `struct[${passing.bytes}]`;
    case "buffer": {
      const size = passing.count ? `${passing.bytes}*${passing.count}` : String(passing.bytes);
      return `buffer[${size}]${passing.nullable ? "?" : ""}`;
    }
  }
}

/** The results that a function accepts; undefined if it is not checked. */
export function acceptedResults(
  one: ApiFunction,
  index: ModelIndex,
  config: Config,
): number[] | undefined {
  const { result } = one;
  if (result.kind !== "enum" || !config.checkedReturnTypes.includes(result.name)) return undefined;
  const others = config.results.get(one.name) ?? [];
  return [0, ...others.map((name) => index.enumerators.get(name)!)].sort((a, b) => a - b);
}

function signature(one: ApiFunction, index: ModelIndex, config: Config): string {
  const accepted = acceptedResults(one, index, config);
  const exclusive = exclusiveParameter(one);
  return [
    one.name,
    ...(isNonblocking(one.name, config) ? ["nonblocking"] : []),
    `${registerOf(one.result)}${accepted ? `=${accepted.join("|")}` : ""}`,
    ...one.parameters.map((p) => {
      const passing = passingText(passingOf(p, one, index, config));
      return `${p.name}:${passing}${p === exclusive ? "!" : ""}`;
    }),
  ].join(" ");
}

/** The file. */
export function emitSymbols(index: ModelIndex, config: Config): GeneratedFile {
  const { libraries } = config;
  const lines = index.model.functions.map((one) => signature(one, index, config));
  return generatedFile(
    index.model,
    "symbols.ts",
    "The C functions, one a line; `src/ffi/signature.ts` reads them and says how.",
    [
      "/** The loader's names by system, best first. */",
      `export const libraries: Readonly<Record<"linux" | "darwin" | "windows", readonly string[]>> = ${
        JSON.stringify(libraries)
      };`,
      "",
      "/** Whether blocking functions run on another thread unless asked otherwise. */",
      `export const gcsafe: boolean = ${config.gcsafe};`,
      "",
      "/** Name, form, result with what is accepted, parameters. */",
      `export const symbols: string = \`\n${lines.join("\n")}\n\`;`,
    ],
  );
}
