/**
 * Reads `ze.toml` and refuses what it can't mean, with file and line.
 *
 * @module
 */

import { parse } from "@std/toml";
import type { ApiFunction, ApiModel } from "./model.ts";

/** The systems that the loader has a name on. */
export const SYSTEMS = ["linux", "darwin", "windows"] as const;

/** A system that the loader has a name on. */
export type System = typeof SYSTEMS[number];

/** A function that can hold up the thread that calls it. */
export interface Blocking {
  /** Why, in a few words. */
  readonly reason: string;
  /** Which form the plain name is; the other one stays reachable. */
  readonly form: "nonblocking" | "sync";
}

/** Where the rule for a parameter is overridden. */
export interface ArgumentOverride {
  readonly type: "buffer" | "pointer";
  /** `buffer` only: the size of one element. */
  readonly bytes?: number;
  /** `buffer` only: the parameter with the number of elements. */
  readonly count?: string;
  /** `buffer` only: whether null is accepted. */
  readonly nullable?: boolean;
}

/** What `ze.toml` says. */
export interface Config {
  /** The model's name in `gen/api/`, such as `ze-1.17`. */
  readonly model: string;
  /** Whether the functions of `blocking` run on another thread by default. */
  readonly gcsafe: boolean;
  /** The return types that are checked. */
  readonly checkedReturnTypes: readonly string[];
  /** The names of the loader, best first. */
  readonly libraries: Readonly<Record<System, readonly string[]>>;
  readonly blocking: ReadonlyMap<string, Blocking>;
  /** By function, the results other than success that are no errors. */
  readonly results: ReadonlyMap<string, readonly string[]>;
  /** By function and parameter. */
  readonly arguments: ReadonlyMap<string, ReadonlyMap<string, ArgumentOverride>>;
}

/** Something in the configuration that can't be meant. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** The file and, where it can be told, the line: `ze.toml:12`. */
  readonly place: string;

  /** Says where and what. */
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.place = place;
  }
}

type Table = Record<string, unknown>;

/** What a configuration is checked against. */
export type KnownApi = Pick<ApiModel, "enums" | "functions">;

function unquoted(key: string): string {
  return key.trim().replace(/^(["'])(.*)\1$/, "$2");
}

/** Finds the line of a key; the parsers keep no positions. */
class Lines {
  readonly #lines: readonly { path: string; line: number }[];
  readonly #file: string;

  constructor(text: string, file: string) {
    this.#file = file;
    const lines: { path: string; line: number }[] = [];
    let table = "";
    for (const [index, line] of text.split("\n").entries()) {
      const header = /^\s*\[([^[\]]+)\]\s*(#.*)?$/.exec(line);
      const key = /^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*[\w-]+)*)\s*=/.exec(line);
      if (header) {
        table = header[1]!.split(".").map(unquoted).join(".");
        lines.push({ path: table, line: index + 1 });
      } else if (key) {
        const name = key[1]!.split(".").map(unquoted).join(".");
        lines.push({ path: table ? `${table}.${name}` : name, line: index + 1 });
      }
    }
    this.#lines = lines;
  }

  /** The place of a key, or of the nearest key around it. */
  place(...path: string[]): string {
    for (let length = path.length; length > 0; length--) {
      const wanted = path.slice(0, length).join(".");
      const found = this.#lines.find(({ path }) =>
        path === wanted || path.startsWith(`${wanted}.`)
      );
      if (found) return `${this.#file}:${found.line}`;
    }
    return this.#file;
  }
}

class Reader {
  readonly #lines: Lines;
  readonly #functions: ReadonlyMap<string, ApiFunction>;
  readonly #enumerators: ReadonlySet<string>;

  constructor(text: string, file: string, api: KnownApi) {
    this.#lines = new Lines(text, file);
    this.#functions = new Map(api.functions.map((one) => [one.name, one]));
    this.#enumerators = new Set(
      api.enums.find(({ name }) => name === "ze_result_t")?.values.map(({ name }) => name),
    );
  }

  refuse(path: readonly string[], problem: string): never {
    throw new ConfigError(this.#lines.place(...path), problem);
  }

  table(value: unknown, path: readonly string[]): Table {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.refuse(path, `\`${path.join(".")}\` must be a table`);
    }
    return value as Table;
  }

  known(table: Table, path: readonly string[], keys: readonly string[]): void {
    for (const key of Object.keys(table)) {
      if (!keys.includes(key)) {
        this.refuse([...path, key], `unknown key \`${key}\`; known are ${keys.join(", ")}`);
      }
    }
  }

  text(value: unknown, path: readonly string[]): string {
    if (typeof value !== "string" || value.trim() === "") {
      this.refuse(path, `\`${path.join(".")}\` must be a string that is not empty`);
    }
    return value as string;
  }

  flag(value: unknown, path: readonly string[]): boolean {
    if (typeof value !== "boolean") {
      this.refuse(path, `\`${path.join(".")}\` must be true or false`);
    }
    return value as boolean;
  }

  texts(value: unknown, path: readonly string[]): string[] {
    if (!Array.isArray(value) || value.length === 0) {
      this.refuse(path, `\`${path.join(".")}\` must be a list of strings that is not empty`);
    }
    return (value as unknown[]).map((one) => this.text(one, path));
  }

  function(name: string, path: readonly string[]): ApiFunction {
    return this.#functions.get(name) ??
      this.refuse(path, `the model has no function \`${name}\``);
  }

  result(name: string, path: readonly string[]): string {
    if (!this.#enumerators.has(name)) {
      this.refuse(path, `\`ze_result_t\` has no \`${name}\``);
    }
    return name;
  }

  blocking(name: string, value: unknown): Blocking {
    const path = ["blocking", name];
    this.function(name, path);
    if (typeof value === "string") {
      return { reason: this.text(value, path), form: "nonblocking" };
    }
    const table = this.table(value, path);
    this.known(table, path, ["reason", "form"]);
    const form = table.form ?? "nonblocking";
    if (form !== "sync" && form !== "nonblocking") {
      this.refuse(path, '`form` must be "sync" or "nonblocking"');
    }
    return { reason: this.text(table.reason, path), form };
  }

  argument(one: ApiFunction, name: string, value: unknown): ArgumentOverride {
    const path = ["arguments", one.name, name];
    const parameter = one.parameters.find((other) => other.name === name);
    if (!parameter) this.refuse(path, `\`${one.name}\` has no argument \`${name}\``);
    if (parameter!.type.kind !== "pointer") {
      this.refuse(path, `argument \`${name}\` is no pointer, so there is nothing to override`);
    }
    const table = this.table(value, path);
    this.known(table, path, ["type", "bytes", "count", "nullable"]);
    const { type, bytes, count, nullable } = table;
    if (type !== "buffer" && type !== "pointer") {
      this.refuse(path, '`type` must be "buffer" or "pointer"');
    }
    if (type === "pointer" && Object.keys(table).length > 1) {
      this.refuse(path, 'type "pointer" takes no other key');
    }
    if (bytes !== undefined && !(Number.isSafeInteger(bytes) && (bytes as number) >= 0)) {
      this.refuse(path, "`bytes` must be an integer from 0");
    }
    if (count !== undefined && !one.parameters.some((other) => other.name === count)) {
      this.refuse(path, `\`${one.name}\` has no argument \`${count}\` to count by`);
    }
    return {
      type,
      ...(bytes === undefined ? {} : { bytes: Number(bytes) }),
      ...(count === undefined ? {} : { count: count as string }),
      ...(nullable === undefined ? {} : { nullable: this.flag(nullable, path) }),
    };
  }
}

function entriesOf(table: unknown, reader: Reader, name: string): [string, unknown][] {
  return table === undefined ? [] : Object.entries(reader.table(table, [name]));
}

function parsed(text: string, file: string): Table {
  try {
    return parse(text) as Table;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = /line:?\s*(\d+)/i.exec(message)?.[1] ?? (error as { line?: number }).line;
    throw new ConfigError(
      line === undefined ? file : `${file}:${line}`,
      `no TOML: ${message.split("\n")[0]}`,
    );
  }
}

/** The model that a configuration names; read first, since the rest is checked against it. */
export function modelName(text: string, file: string): string {
  const { model } = parsed(text, file);
  if (typeof model !== "string" || !/^[\w.-]+$/.test(model)) {
    throw new ConfigError(
      new Lines(text, file).place("model"),
      '`model` must name a file of gen/api/, such as "ze-1.17"',
    );
  }
  return model;
}

/**
 * The configuration in a text.
 *
 * @throws {ConfigError} If a key, function, argument or result is unknown, or a value makes no sense.
 */
export function readConfig(text: string, file: string, api: KnownApi): Config {
  const reader = new Reader(text, file, api);
  const top = parsed(text, file);
  reader.known(top, [], [
    "model",
    "gcsafe",
    "checked_rettypes",
    "library",
    "blocking",
    "results",
    "arguments",
  ]);
  const library = reader.table(top.library, ["library"]);
  reader.known(library, ["library"], SYSTEMS);
  const names = (system: System): string[] => reader.texts(library[system], ["library", system]);
  const enumNames = new Set(api.enums.map(({ name }) => name));
  const checked = reader.texts(top.checked_rettypes, ["checked_rettypes"]);
  for (const name of checked) {
    if (!enumNames.has(name)) {
      reader.refuse(["checked_rettypes"], `the model has no enum \`${name}\``);
    }
  }
  return {
    model: modelName(text, file),
    gcsafe: reader.flag(top.gcsafe, ["gcsafe"]),
    checkedReturnTypes: checked,
    libraries: {
      linux: names("linux"),
      darwin: names("darwin"),
      windows: names("windows"),
    },
    blocking: new Map(
      entriesOf(top.blocking, reader, "blocking").map((
        [name, value],
      ) => [name, reader.blocking(name, value)]),
    ),
    results: new Map(
      entriesOf(top.results, reader, "results").map(([name, value]) => {
        const path = ["results", name];
        const { result } = reader.function(name, path);
        if (result.kind !== "enum" || !checked.includes(result.name)) {
          reader.refuse(path, `the result of \`${name}\` is not checked`);
        }
        return [name, reader.texts(value, path).map((one) => reader.result(one, path))];
      }),
    ),
    arguments: new Map(
      entriesOf(top.arguments, reader, "arguments").map(([name, value]) => {
        const path = ["arguments", name];
        const one = reader.function(name, path);
        return [
          name,
          new Map(
            Object.entries(reader.table(value, path)).map((
              [argument, override],
            ) => [argument, reader.argument(one, argument, override)]),
          ),
        ];
      }),
    ),
  };
}
