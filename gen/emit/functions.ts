/**
 * `functions_*.ts`: every C function under its own name.
 *
 * @module
 */

import type { Config } from "../config.ts";
import type { ApiFunction, CType } from "../model.ts";
import { prototype } from "./c_text.ts";
import { docComment, type GeneratedFile, generatedFile, typeImport } from "./file.ts";
import {
  FAMILIES,
  type Family,
  familyOfFunction,
  inFamily,
  type ModelIndex,
} from "./model_index.ts";
import { type Passing, passingOf } from "./parameters.ts";
import { isNonblocking } from "./symbols.ts";
import { NameUse } from "./type_text.ts";

const ABOUT: Record<Family, string> = {
  ze: "The core functions.",
  zes: "The system management functions (sysman).",
  zet: "The tools functions: metrics, debugging, tracing.",
  zer: "The runtime functions.",
  zel: "The loader's own functions.",
  tracing:
    "The registration functions of the loader's tracing layer, one for each function traced.\n`mod.ts` leaves them out: import this file for them.",
};

// Since 1.18 the specification has one page per object, and functions move
// between pages as they become deprecated: only its search finds them all.
const SPECIFICATION = "https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html";

function directions(one: ApiFunction, passings: readonly Passing[]): string[] {
  return one.parameters.flatMap((parameter, i) => {
    const passing = passings[i]!;
    const notes = [
      ...(parameter.optional ? ["optional"] : []),
      ...(passing.kind === "buffer" && passing.count
        ? [`${parameter.count ?? passing.count} of ${passing.bytes} bytes`]
        : passing.kind === "buffer" && passing.bytes > 0
        ? [`${passing.bytes} bytes`]
        : []),
      ...(passing.kind === "struct" ? [`by value, ${passing.bytes} bytes`] : []),
      ...(parameter.release ? ["invalid afterwards"] : []),
    ];
    if (parameter.direction === "in" && notes.length === 0) return [];
    const list = notes.length > 0 ? ` (${notes.join(", ")})` : "";
    return [`\`${parameter.name}\` ${parameter.direction}${list}`];
  });
}

function threads({ threadSafety, parameters }: ApiFunction): string {
  const { wording, exclusive } = threadSafety;
  if (exclusive) {
    return exclusive === "global"
      ? "No other thread may call it meanwhile."
      : `No other thread may use the same ${exclusive} meanwhile.`;
  }
  if (wording === "silent") {
    return parameters.length > 0
      ? `The headers say nothing about threads: take \`${parameters[0]!.name}\` as exclusive.`
      : "The headers say nothing about threads.";
  }
  return "Any thread may call it.";
}

function doc(
  one: ApiFunction,
  passings: readonly Passing[],
  config: Config,
): string[] {
  const blocking = config.blocking.get(one.name);
  const parameters = directions(one, passings);
  const history = [
    ...(one.since && one.since !== "1.0" ? [`Since ${one.since}.`] : []),
    ...(one.extension ? [`Extension \`${one.extension}\`.`] : []),
  ];
  const form = isNonblocking(one.name, config) ? "sync" : "nonblocking";
  return docComment([
    `\`${prototype(one)}\``,
    "",
    ...(parameters.length > 0 ? [`${parameters.join("; ")}.`] : []),
    [threads(one), ...history].join(" "),
    ...(blocking
      ? [`Can block: ${blocking.reason}. The other form is \`${form}.${one.name}\`.`]
      : []),
    ...(one.api === "zel"
      ? []
      : [`See the {@link ${SPECIFICATION}?q=${one.name} | specification}.`]),
    ...(one.deprecated === undefined
      ? []
      : ["", `@deprecated ${one.deprecated ? `Since ${one.deprecated}.` : "By the headers."}`]),
  ]);
}

function structPointedTo(type: CType): string | undefined {
  const target = type.kind === "pointer" ? type.to : undefined;
  return target?.kind === "struct" || target?.kind === "union" ? target.name : undefined;
}

function parameterType(type: CType, passing: Passing, names: NameUse): string {
  switch (passing.kind) {
    case "handle":
      return names.value(type);
    case "register":
      return passing.register === "pointer" ? names.address(type) : names.value(type);
    case "struct":
      return names.buffer((type as { name: string }).name);
    case "buffer":
      return names.buffer(structPointedTo(type)) + (passing.nullable ? " | null" : "");
  }
}

function emitFunction(
  one: ApiFunction,
  index: ModelIndex,
  config: Config,
  names: NameUse,
): string[] {
  const passings = one.parameters.map((p) => passingOf(p, one, index, config));
  const parameters = one.parameters.map((p, i) =>
    `${p.name}: ${parameterType(p.type, passings[i]!, names)}`
  );
  const result = names.value(one.result);
  return [
    ...doc(one, passings, config),
    `export let ${one.name}: (${parameters.join(", ")}) => ${
      isNonblocking(one.name, config) ? `Promise<${result}>` : result
    } = (...a) => (${one.name} = bind("${one.name}"))(...a);`,
    "",
  ];
}

/** The files. */
export function emitFunctions(index: ModelIndex, config: Config): GeneratedFile[] {
  return FAMILIES.map((family) => {
    const names = new NameUse();
    const functions = inFamily(index.model.functions, familyOfFunction, family);
    const lines = functions.flatMap((one) => emitFunction(one, index, config, names));
    return generatedFile(index.model, `functions_${family}.ts`, ABOUT[family], [
      // Each export is bound at its first call, and then is the adapter's own function.
      'import { bind } from "../library.ts";',
      ...typeImport(names.support, "../ffi/struct.ts"),
      ...names.imports(index),
      "",
      ...lines,
    ]);
  });
}
