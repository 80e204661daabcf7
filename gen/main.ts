/**
 * `deno task gen`: writes `src/libze/` from `gen/api/` and `ze.toml`.
 *
 * Options: `--check` writes nothing and fails if a file differs; `--out DIR`
 * and `--config FILE` take other places.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ConfigError, modelName, readConfig } from "./config.ts";
import { BANNER } from "./emit/file.ts";
import { indexModel } from "./emit/model_index.ts";
import { emitAll } from "./emit/module.ts";
import type { ApiModel } from "./model.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

function readModel(name: string): ApiModel {
  const path = join(root, "gen", "api", `${name}.json`);
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ApiModel;
  } catch (cause) {
    throw new Error(`The model ${name} can't be read from gen/api/: run \`deno task gen:model\``, {
      cause,
    });
  }
}

/** Formats a folder as the project is; under Deno only, which is what has `fmt`. */
function format(folder: string): void {
  const { status, stderr, error } = spawnSync(
    process.execPath,
    ["fmt", "--quiet", "--config", join(root, "deno.json"), folder],
    { encoding: "utf8" },
  );
  if (error) throw error;
  if (status !== 0) throw new Error(`deno fmt failed: ${stderr}`);
}

/** The text of every file by name, formatted. */
function generate(configPath: string): Map<string, string> {
  const text = readFileSync(configPath, "utf8");
  const file = basename(configPath);
  const model = readModel(modelName(text, file));
  const config = readConfig(text, file, model);
  const folder = mkdtempSync(join(tmpdir(), "libze-"));
  try {
    const files = emitAll(indexModel(model), config);
    for (const { name, text } of files) writeFileSync(join(folder, name), text);
    format(folder);
    return new Map(files.map(({ name }) => [name, readFileSync(join(folder, name), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The generated files of a folder; others in it are left alone. */
function existing(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
    const text = readFileSync(join(folder, entry.name), "utf8");
    if (text.startsWith(BANNER)) files.set(entry.name, text);
  }
  return files;
}

function main(args: readonly string[]): number {
  const { values } = parseArgs({
    args: [...args],
    options: {
      check: { type: "boolean", default: false },
      out: { type: "string", default: join(root, "src", "libze") },
      config: { type: "string", default: join(root, "ze.toml") },
    },
  });
  const folder = resolve(values.out);
  const wanted = generate(resolve(values.config));
  const present = existing(folder);
  const differing = [...new Set([...wanted.keys(), ...present.keys()])]
    .filter((name) => wanted.get(name) !== present.get(name)).sort();
  if (values.check) {
    for (const name of differing) {
      const how = !wanted.has(name) ? "not generated" : present.has(name) ? "differs" : "missing";
      console.error(`${join(folder, name)}: ${how}`);
    }
    if (differing.length > 0) console.error("Run `deno task gen`");
    return differing.length > 0 ? 1 : 0;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of differing) {
    const text = wanted.get(name);
    if (text === undefined) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), text);
  }
  console.log(`${wanted.size} files, ${differing.length} changed`);
  return 0;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
