/**
 * `deno task gen:model`: reads the Level Zero headers into the API model.
 *
 * ```sh
 * deno run -A gen/read_headers.ts --include /usr/include --out gen/api/ze-1.17.json
 * ```
 *
 * clang is `CLANG` of the environment or the first on the path, version 14 or newer.
 *
 * @module
 */

import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { readHeaders } from "./headers/assemble.ts";
import { findClang } from "./headers/clang.ts";
import { format } from "./headers/output.ts";

function main(): void {
  const { values } = parseArgs({
    options: { include: { type: "string" }, out: { type: "string" } },
  });
  if (values.include === undefined || values.out === undefined) {
    throw new Error(
      "Expected --include DIR (the folder that holds level_zero/) and --out FILE",
    );
  }
  const program = findClang();
  if (program === undefined) {
    throw new Error(
      "Found no clang: expected CLANG in the environment, or clang or clang-14 to clang-21 on the path",
    );
  }
  const model = readHeaders(program, values.include);
  writeFileSync(values.out, format(model));
  console.log(
    `${values.out}: Level Zero ${model.specVersion} (${model.revision}), ` +
      `${model.functions.length} functions, ${model.structs.length} structs, ` +
      `${model.enums.length} enums, ${model.constants.length} constants`,
  );
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
