/**
 * What `ze.toml` may say, and where it is refused.
 *
 * @module
 */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { readFileSync } from "node:fs";
import { type Config, ConfigError, readConfig } from "../gen/config.ts";
import type { ApiModel } from "../gen/model.ts";
import { test } from "./support/testing.ts";

const model = JSON.parse(
  readFileSync(new URL("../gen/api/ze-1.17.json", import.meta.url), "utf8"),
) as ApiModel;

const base = `model = "ze-1.17"
gcsafe = true
checked_rettypes = ["ze_result_t"]
[library]
linux = ["libze_loader.so.1"]
darwin = ["libze_loader.dylib"]
windows = ["ze_loader.dll"]
`;
const BASE_LINES = 7;

function read(text: string): Config {
  return readConfig(text, "ze.toml", model);
}

function refused(text: string, place: string, problem: string): void {
  const error = assertThrows(() => read(text), ConfigError, problem);
  assertEquals(error.place, place);
  assert(error.message.startsWith(`${place}: `), error.message);
}

test("readConfig() reads what is needed at least", () => {
  const config = read(base);
  assertEquals(config.model, "ze-1.17");
  assertEquals(config.gcsafe, true);
  assertEquals(config.libraries.windows, ["ze_loader.dll"]);
  assertEquals([config.blocking.size, config.results.size, config.arguments.size], [0, 0, 0]);
});

test("readConfig() reads exceptions", () => {
  const config = read(`${base}
[blocking]
zeModuleCreate = "compiles"
zeInit = { reason = "loads drivers", form = "sync" }
[results]
zeFenceQueryStatus = ["ZE_RESULT_NOT_READY"]
[arguments.zeKernelSetArgumentValue]
pArgValue = { type = "buffer", bytes = 1, count = "argSize", nullable = true }
`);
  assertEquals(config.blocking.get("zeModuleCreate"), { reason: "compiles", form: "nonblocking" });
  assertEquals(config.blocking.get("zeInit"), { reason: "loads drivers", form: "sync" });
  assertEquals(config.results.get("zeFenceQueryStatus"), ["ZE_RESULT_NOT_READY"]);
  assertEquals(config.arguments.get("zeKernelSetArgumentValue")?.get("pArgValue"), {
    type: "buffer",
    bytes: 1,
    count: "argSize",
    nullable: true,
  });
});

test("readConfig() refuses unknown keys with the line", () => {
  refused(`gc_safe = true\n${base}`, "ze.toml:1", "unknown key `gc_safe`");
  refused(`${base}plan9 = ["x"]\n`, `ze.toml:${BASE_LINES + 1}`, "unknown key `plan9`");
  refused(`${base}[structs]\n`, `ze.toml:${BASE_LINES + 1}`, "unknown key `structs`");
  refused(
    `${base}[blocking]\nzeInit = { reason = "loads", default = "sync" }\n`,
    `ze.toml:${BASE_LINES + 2}`,
    "unknown key `default`",
  );
  refused(
    `${base}[arguments.zeMemFree]\n# a comment\nptr = { type = "buffer", length = 1 }\n`,
    `ze.toml:${BASE_LINES + 3}`,
    "unknown key `length`",
  );
});

test("readConfig() refuses unknown functions, arguments and results with the line", () => {
  refused(
    `${base}[blocking]\nzeModuleCreate = "compiles"\nzeModuleCraete = "compiles"\n`,
    `ze.toml:${BASE_LINES + 3}`,
    "no function `zeModuleCraete`",
  );
  refused(
    `${base}[results]\nzeNothing = ["ZE_RESULT_NOT_READY"]\n`,
    `ze.toml:${BASE_LINES + 2}`,
    "no function `zeNothing`",
  );
  refused(
    `${base}[results]\nzeFenceQueryStatus = ["ZE_RESULT_SOON"]\n`,
    `ze.toml:${BASE_LINES + 2}`,
    "no `ZE_RESULT_SOON`",
  );
  refused(
    `${base}[arguments.zeNothing]\nptr = { type = "buffer" }\n`,
    `ze.toml:${BASE_LINES + 1}`,
    "no function `zeNothing`",
  );
  refused(
    `${base}[arguments.zeMemFree]\npointer = { type = "buffer" }\n`,
    `ze.toml:${BASE_LINES + 2}`,
    "`zeMemFree` has no argument `pointer`",
  );
  refused(
    `${base}[arguments.zeMemFree]\nptr = { type = "buffer", count = "size" }\n`,
    `ze.toml:${BASE_LINES + 2}`,
    "`zeMemFree` has no argument `size` to count by",
  );
});

test("readConfig() refuses values that make no sense with the line", () => {
  refused(base.replace("true", '"yes"'), "ze.toml:2", "`gcsafe` must be true or false");
  refused(base.replace("ze_result_t", "ze_nothing_t"), "ze.toml:3", "no enum `ze_nothing_t`");
  refused(base.replace('["ze_loader.dll"]', "[]"), "ze.toml:7", "`library.windows` must be a list");
  refused(
    `${base}[blocking]\nzeInit = " "\n`,
    `ze.toml:${BASE_LINES + 2}`,
    "must be a string that is not empty",
  );
  refused(
    `${base}[results]\nzeDriverGetDefaultContext = ["ZE_RESULT_NOT_READY"]\n`,
    `ze.toml:${BASE_LINES + 2}`,
    "is not checked",
  );
  refused(
    `${base}[arguments.zeMemFree]\nhContext = { type = "buffer" }\n`,
    `ze.toml:${BASE_LINES + 2}`,
    "is no pointer",
  );
  refused(
    `${base}[arguments.zeMemFree]\nptr = { type = "view" }\n`,
    `ze.toml:${BASE_LINES + 2}`,
    '`type` must be "buffer" or "pointer"',
  );
});

test("readConfig() refuses what is no TOML", () => {
  const error = assertThrows(() => read(`${base}zeInit = \n`), ConfigError, "no TOML");
  assert(error.place.startsWith("ze.toml"), error.place);
});
