/**
 * Values that clang works out: layouts of structs and values of macros. They are
 * asked for in a second source, as enumerators and strings that name the probe.
 *
 * @module
 */

import type { Api, ApiConstant } from "../model.ts";
import { type AstNode, constantOf, membersOf } from "./ast.ts";
import type { Clang } from "./clang.ts";
import { apiOfFile } from "./sources.ts";

/** A macro of the headers with a body, in header order. */
export interface Macro {
  name: string;
  body: string;
  api: Api;
  file: string;
  /** Counted from 0. */
  line: number;
}

/** The object-like macros that have a value, read from a preprocessed source with `#define` lines. */
export function readMacros(preprocessed: string): Macro[] {
  const macros: Macro[] = [];
  let file = "";
  let line = 0;
  for (const text of preprocessed.split("\n")) {
    const marker = text.match(/^# (\d+) "([^"]*)"/);
    if (marker !== null) {
      line = Number(marker[1]) - 1;
      file = marker[2] ?? "";
      continue;
    }
    const [, name, body] = text.match(/^#define (\w+) (.+)$/) ?? [];
    const api = apiOfFile(file);
    // A body such as __attribute__((…)) decorates declarations and has no value.
    if (name && body && api && !body.startsWith("__attribute__")) {
      macros.push({ name, body, api, file, line });
    }
    line++;
  }
  return macros;
}

/** Whether a macro is a string; the others are integers. */
export function isText(macro: Macro): boolean {
  return macro.body.startsWith('"');
}

/** Asks clang for many values at once, each under a name of the caller's. */
export class Probes {
  readonly #lines: string[] = [];
  readonly #keys = new Map<string, string>();

  /** Asks for an integer constant expression. */
  integer(key: string, expression: string): void {
    this.#lines.push(`enum { ${this.#add(key)} = (${expression}) };`);
  }

  /** Asks for a string constant. */
  text(key: string, expression: string): void {
    this.#lines.push(
      `static const char ${this.#add(key)}[] = ${expression};`,
    );
  }

  #add(key: string): string {
    const probe = `level_zero_probe_${this.#keys.size}`;
    this.#keys.set(probe, key);
    return probe;
  }

  /** The answers by key: digits for integers, the text for strings. */
  answer(clang: Clang, includes: string): Map<string, string> {
    const answers = new Map<string, string>();
    const root = clang.ast(includes + this.#lines.join("\n") + "\n");
    for (const node of root.inner ?? []) {
      for (const candidate of [node, ...membersOf(node, "EnumConstantDecl")]) {
        const key = this.#keys.get(candidate.name ?? "");
        if (key === undefined) continue;
        answers.set(key, constantOf(candidate) ?? stringOf(candidate));
      }
    }
    for (const key of this.#keys.values()) {
      if (!answers.has(key)) {
        throw new Error(`Found no value for ${key} in clang's answer`);
      }
    }
    return answers;
  }
}

function stringOf(node: AstNode): string {
  for (const inner of node.inner ?? []) {
    if (inner.kind === "StringLiteral" && inner.value !== undefined) {
      return JSON.parse(inner.value) as string;
    }
    const text = stringOf(inner);
    if (text !== "") return text;
  }
  return "";
}

/** The constant that a macro is, given clang's answer. */
export function constant(macro: Macro, answer: string): ApiConstant {
  const { name, api } = macro;
  if (isText(macro)) return { name, api, value: answer };
  const value = Number(answer);
  return Number.isSafeInteger(value)
    ? { name, api, value }
    : { name, api, value: answer, wide: true };
}
