/**
 * Makes every file of `src/libze/` from the API model and `ze.toml`.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { modelName, readConfig } from "./config.ts";
import { indexModel } from "./emit/model_index.ts";
import { emitAll } from "./emit/module.ts";
import type { ApiModel } from "./model.ts";

/** The project's folder. */
export const root: string = fileURLToPath(new URL("../", import.meta.url));

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

/**
 * Every file with its text, not formatted yet.
 *
 * @throws {ConfigError} If the configuration can't be meant.
 */
export function emit(configPath: string): ReturnType<typeof emitAll> {
  const text = readFileSync(configPath, "utf8");
  const file = basename(configPath);
  const model = readModel(modelName(text, file));
  return emitAll(indexModel(model), readConfig(text, file, model));
}

/**
 * The text of every file by name, formatted.
 *
 * @throws {ConfigError} If the configuration can't be meant.
 */
export function generate(configPath: string): Map<string, string> {
  const files = emit(configPath);
  const folder = mkdtempSync(join(tmpdir(), "libze-"));
  try {
    for (const { name, text } of files) writeFileSync(join(folder, name), text);
    format(folder);
    return new Map(files.map(({ name }) => [name, readFileSync(join(folder, name), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
