/**
 * `deno task gen`: what is committed is what it makes, and follows from the model and `ze.toml`.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, ConfigError, readConfig } from "../gen/config.ts";
import { valuesOf } from "../gen/emit/declarations.ts";
import { BANNER } from "../gen/emit/file.ts";
import { indexModel } from "../gen/emit/model_index.ts";
import { emitAll } from "../gen/emit/module.ts";
import { generate } from "../gen/generate.ts";
import type { ApiModel } from "../gen/model.ts";
import { Signatures } from "../src/ffi/signature.ts";
import * as libze from "../src/libze/mod.ts";
import { gcsafe, libraries, symbols } from "../src/libze/symbols.ts";
import * as tracing from "../src/libze/tracing.ts";
import { runtime, test } from "./support/testing.ts";

const configPath = fileURLToPath(new URL("../ze.toml", import.meta.url));
const folder = fileURLToPath(new URL("../src/libze/", import.meta.url));
const configText = readFileSync(configPath, "utf8");
const model = JSON.parse(
  readFileSync(new URL("../gen/api/ze-1.17.json", import.meta.url), "utf8"),
) as ApiModel;
const index = indexModel(model);
const config = readConfig(configText, "ze.toml", model);
const signatures = new Signatures(symbols);
const exported: Record<string, unknown> = { ...libze, ...tracing };

/** Only Deno can format what is generated. */
const needsDeno = { skip: runtime !== "deno" && "deno fmt formats what is generated" } as const;

function signaturesFor(changed: Config): Signatures {
  const file = emitAll(index, changed).find(({ name }) => name === "symbols.ts")!;
  return new Signatures(/export const symbols: string = `([^`]+)`/.exec(file.text)![1]!);
}

function nonblockingOf(all: Signatures): string[] {
  return all.names().filter((name) => all.get(name)!.description.nonblocking).sort();
}

test("generate() makes what is committed, twice the same, within 5 seconds", needsDeno, () => {
  const start = performance.now();
  const made = generate(configPath);
  const milliseconds = performance.now() - start;
  const committed = new Map(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  const differing = [...new Set([...made.keys(), ...committed.keys()])]
    .filter((name) => made.get(name) !== committed.get(name));
  assertEquals(differing, [], "Run `deno task gen`");
  assertEquals([...generate(configPath)], [...made]);
  assert(milliseconds < 5000, `It took ${milliseconds} ms`);
});

test("generate() refuses a configuration with the line", needsDeno, () => {
  const place = mkdtempSync(join(tmpdir(), "gen-test-"));
  try {
    const path = join(place, "other.toml");
    writeFileSync(
      path,
      configText.replace("\n[blocking]\n", '\n[blocking]\nzeNothing = "waits"\n'),
    );
    const line = configText.split("\n").indexOf("[blocking]") + 2;
    assertThrows(
      () => generate(path),
      ConfigError,
      `other.toml:${line}: the model has no function`,
    );
  } finally {
    rmSync(place, { recursive: true });
  }
});

test("generated files begin with a banner that names version and revision", () => {
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), "utf8");
    assert(text.startsWith(`${BANNER} from Level Zero 1.17 (v1.17-r1.17.24) and ze.toml.`), name);
  }
});

test("libze exports every function of the model", () => {
  const missing = model.functions.filter(({ name }) => typeof exported[name] !== "function");
  assertEquals(missing.map(({ name }) => name), []);
  assertEquals(signatures.names(), model.functions.map(({ name }) => name));
});

test("libze exports every enum with its values", () => {
  for (const one of model.enums) {
    const wanted = Object.fromEntries(valuesOf(one).map(({ name, value }) => [name, value]));
    assertEquals(exported[one.name], wanted, one.name);
  }
});

test("libze exports every constant and struct", () => {
  for (const { name, value, wide } of model.constants) {
    assertEquals(exported[name], wide ? BigInt(value) : value, name);
  }
  const structs = model.structs.filter(({ name }) =>
    (exported[name] as { name?: string } | undefined)?.name !== name
  );
  assertEquals(structs.map(({ name }) => name), []);
});

test("libze has sync and nonblocking forms of every function", () => {
  for (const { name } of model.functions) {
    assert(name in libze.sync && name in libze.nonblocking, name);
  }
  assert(!("zeNothing" in libze.sync), "sync has zeNothing");
});

test("symbols have the parameters of the model, in their order", () => {
  for (const { name, parameters } of model.functions) {
    const { description, flatten } = signatures.get(name)!;
    if (flatten) continue;
    const names = description.parameters.map((p) => typeof p === "string" ? p : p.name);
    assertEquals(names, parameters.map((p) => p.name), name);
    assertEquals(description.optional, true);
  }
});

test("symbols accept success, and the results that ze.toml lists", () => {
  for (const { name, result } of model.functions) {
    const { accepts } = signatures.get(name)!.description;
    if (result.kind !== "enum" || result.name !== "ze_result_t") {
      assertEquals(accepts, undefined, name);
      continue;
    }
    const others = (config.results.get(name) ?? []).map((one) => index.enumerators.get(one)!);
    assertEquals(accepts, [0, ...others].sort((a, b) => a - b), name);
  }
  assertEquals(signatures.get("zeEventHostSynchronize")!.description.accepts, [0, 1]);
  assertEquals(signatures.get("zeInit")!.description.accepts, [0]);
});

test("symbols take what pointers point to by the rule and by ze.toml", () => {
  const parameter = (name: string, i: number): unknown =>
    signatures.get(name)!.description.parameters[i];
  assertEquals(parameter("zeDeviceGet", 2), {
    name: "phDevices",
    type: "buffer",
    byteLength: 8,
    count: 1,
    nullable: true,
  });
  assertEquals(parameter("zeModuleCreate", 2), {
    name: "desc",
    type: "buffer",
    byteLength: 56,
    nullable: false,
  });
  assertEquals(parameter("zeMemFree", 1), { name: "ptr", type: "pointer", exclusive: true });
  assertEquals(parameter("zeKernelSetArgumentValue", 3), {
    name: "pArgValue",
    type: "buffer",
    byteLength: 1,
    count: 2,
    nullable: true,
  });
  assertEquals(parameter("zeCommandListAppendWriteGlobalTimestamp", 1), {
    name: "dstptr",
    type: "pointer",
  });
});

test("nonblocking functions are those that ze.toml lists as such", () => {
  const listed = [...config.blocking].filter(([, { form }]) => form === "nonblocking");
  assertEquals(gcsafe, config.gcsafe);
  assertEquals(nonblockingOf(signatures), listed.map(([name]) => name).sort());
  for (const name of ["zeModuleCreate", "zeEventHostSynchronize", "zeDeviceSynchronize"]) {
    assert(signatures.get(name)!.description.nonblocking, name);
  }
  for (const name of ["zeInit", "zeEventQueryStatus", "zeKernelSetArgumentValue"]) {
    assert(!signatures.get(name)!.description.nonblocking, name);
  }
});

test("every function with a timeout is nonblocking", () => {
  const waits = model.functions.filter(({ parameters }) =>
    parameters.some(({ name, type }) => name === "timeout" && type.kind === "scalar")
  ).map(({ name }) => name);
  assertEquals(waits.length, 7);
  assertEquals(waits.filter((name) => !signatures.get(name)!.description.nonblocking), []);
});

test("gcsafe = false makes no function nonblocking", () => {
  const changed = { ...config, gcsafe: false };
  assertEquals(nonblockingOf(signaturesFor(changed)), []);
  const functions = emitAll(index, changed).filter(({ name }) => name.startsWith("functions_"));
  for (const { name, text } of functions) assert(!text.includes("Promise<"), name);
  const usual = emitAll(index, config).find(({ name }) => name === "functions_ze.ts")!;
  assertMatch(usual.text, /zeModuleCreate: \([^)]*\) => Promise<ze_result_t>/);
});

test("libraries are the loader's names", () => {
  assertEquals(libraries, { ...config.libraries });
});
