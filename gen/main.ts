/**
 * `deno task gen`: writes `src/libze/` from `gen/api/` and `ze.toml`.
 *
 * Options: `--check` writes nothing and fails if a file differs; `--out DIR`
 * and `--config FILE` take other places.
 *
 * @module
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ConfigError } from "./config.ts";
import { BANNER } from "./emit/file.ts";
import { generate, root } from "./generate.ts";

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
