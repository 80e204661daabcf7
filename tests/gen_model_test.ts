/**
 * The committed API model: its totals, and facts known by heart.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { ApiModel, ApiStruct } from "../gen/model.ts";
import { apiModel as model, tally } from "./support/api_model.ts";
import { test } from "./support/testing.ts";

/** The loader's own functions word thread-safety in other ways and are not part of the specification. */
const specified = model.functions.filter(({ api }) => api !== "zel");
const structs = new Map(model.structs.map((struct) => [struct.name, struct]));
const enums = new Map(model.enums.map((one) => [one.name, one]));

function structNamed(name: string): ApiStruct {
  const struct = structs.get(name);
  assert(struct, `Found no struct ${name} in the model`);
  return struct;
}

function layoutOf(name: string): [field: string, offset: number, size: number][] {
  return structNamed(name).fields.map((field) => [field.name, field.offset, field.size]);
}

test("model is of the specification 1.17", () => {
  assertEquals(model.specVersion, "1.17");
  assertEquals(model.revision, "v1.17-r1.17.24");
});

test("model has every declaration of the headers", () => {
  assertEquals(tally(model.functions, ({ api }) => api), {
    ze: 248,
    zes: 157,
    zet: 69,
    zer: 4,
    zel: 269,
  });
  assertEquals(tally(model.structs, ({ api }) => api), { ze: 313, zes: 95, zet: 37, zel: 136 });
  assertEquals(tally(model.enums, ({ api }) => api), { ze: 153, zes: 64, zet: 29, zel: 4 });
  assertEquals(tally(model.handles, ({ api }) => api), { ze: 23, zes: 19, zet: 16, zel: 1 });
  assertEquals(tally(model.callbacks, ({ api }) => api), { ze: 124, zel: 134 });
  assertEquals(tally(model.constants, ({ api }) => api), { ze: 67, zes: 24, zet: 27, zel: 2 });
});

test("model has each wording of thread-safety as often as the headers", () => {
  assertEquals(tally(specified, ({ threadSafety }) => threadSafety.wording), {
    "may": 303,
    "must-not-same": 71,
    "may-not-same": 9,
    "this-must-not-same": 4,
    "must-not-plain": 1,
    "should-not": 1,
    "this-may-same": 9,
    "may-same": 5,
    "may-as-long-as": 1,
    "silent": 74,
  });
  const silent = specified.filter(({ threadSafety }) => threadSafety.wording === "silent");
  assertEquals(tally(silent, ({ api }) => api), { ze: 33, zes: 4, zet: 33, zer: 4 });
});

test("model has each exclusive scope as often as the headers", () => {
  assertEquals(tally(specified, ({ threadSafety }) => threadSafety.exclusive), {
    "command list": 40,
    "kernel": 7,
    "pointer": 4,
    "tracer": 4,
    "metric tracer": 4,
    "event pool": 3,
    "device": 3,
    "IPC handle": 2,
    "builder": 2,
    "parallel operation": 2,
    "query": 2,
    "context": 1,
    "command queue": 1,
    "event": 1,
    "fence": 1,
    "image": 1,
    "module": 1,
    "build log": 1,
    "sampler": 1,
    "physical memory": 1,
    "semaphore": 1,
    "metric streamer": 1,
    "query pool": 1,
    // zeModuleDynamicLink and zesRasClearStateExp, which name nothing in the usual form.
    "import module": 1,
    "global": 1,
  });
});

test("model says how the loader's functions may be called", () => {
  const wordings = model.functions.filter(({ name }) => name.startsWith("zel")).map((one) =>
    [one.name, one.threadSafety.wording] as const
  ).filter(([, wording]) => wording.includes("thread-safe"));
  assertEquals(wordings, [
    ["zelGetLoaderVersion", "thread-safe"],
    ["zelLoaderTranslateHandle", "thread-safe"],
    ["zelSetDriverTeardown", "thread-safe"],
    ["zelSetDelayLoaderContextTeardown", "not-thread-safe"],
    ["zelLoaderContextTeardown", "not-thread-safe"],
    ["zelEnableTracingLayer", "thread-safe"],
    ["zelCheckIsLoaderInTearDown", "thread-safe"],
    ["zelGetTracingLayerState", "thread-safe"],
  ]);
});

test("model has four specified functions that return no ze_result_t", () => {
  const others = specified.filter(({ result }) =>
    result.kind !== "enum" || result.name !== "ze_result_t"
  );
  assertEquals(others.map(({ name, result }) => [name, result]), [
    ["zeDriverGetDefaultContext", { kind: "handle", name: "ze_context_handle_t" }],
    ["zerTranslateDeviceHandleToIdentifier", { kind: "scalar", name: "uint32" }],
    ["zerTranslateIdentifierToDeviceHandle", { kind: "handle", name: "ze_device_handle_t" }],
    ["zerGetDefaultContext", { kind: "handle", name: "ze_context_handle_t" }],
  ]);
});

test("model has the layout of known structs", () => {
  assertEquals(layoutOf("ze_module_desc_t"), [
    ["stype", 0, 4],
    ["pNext", 8, 8],
    ["format", 16, 4],
    ["inputSize", 24, 8],
    ["pInputModule", 32, 8],
    ["pBuildFlags", 40, 8],
    ["pConstants", 48, 8],
  ]);
  assertEquals(structNamed("ze_module_desc_t").size, 56);
  assertEquals(layoutOf("ze_group_count_t"), [
    ["groupCountX", 0, 4],
    ["groupCountY", 4, 4],
    ["groupCountZ", 8, 4],
  ]);
  assertEquals(structNamed("zet_value_t").kind, "union");
  assertEquals(layoutOf("zet_typed_value_t"), [["type", 0, 4], ["value", 8, 8]]);
  assertEquals(structNamed("ze_device_properties_t").fields.find(({ name }) => name === "name"), {
    name: "name",
    type: { kind: "array", of: { kind: "scalar", name: "char" }, length: 256 },
    offset: 112,
    size: 256,
    direction: "out",
    optional: false,
  });
});

test("model has the comment facts of known functions", () => {
  const named = (name: string): ApiModel["functions"][number] | undefined =>
    model.functions.find((one) => one.name === name);
  assertEquals(named("zeDeviceGet")?.parameters[2], {
    name: "phDevices",
    type: {
      kind: "pointer",
      to: { kind: "handle", name: "ze_device_handle_t" },
      const: false,
    },
    direction: "inout",
    optional: true,
    count: "*pCount",
  });
  assertEquals(named("zeModuleDestroy")?.parameters[0]?.release, true);
  assertEquals(named("zeInit")?.deprecated, "1.10");
  assertEquals(named("zesPowerGetLimits")?.deprecated, "");
  assertEquals(named("zeInitDrivers")?.deprecated, undefined);
  assertEquals(named("zeImageViewCreateExp")?.extension, "ZE_experimental_image_view");
  assertEquals(named("zeImageViewCreateExt")?.extension, "ZE_extension_image_view");
  assertEquals(named("zeDeviceGet")?.extension, undefined);
  assertEquals(named("zelRegisterTeardownCallback")?.parameters.map((one) => one.direction), [
    "in",
    "out",
    "out",
  ]);
  assertEquals(tally(model.functions, (one) => one.deprecated), {
    "": 28,
    "1.10": 2,
    "1.16": 3,
    "1.17": 1,
  });
});

test("model has the values of known constants and enumerators", () => {
  const constant = (name: string): unknown =>
    model.constants.find((one) => one.name === name)?.value;
  assertEquals(constant("ZE_MAX_IPC_HANDLE_SIZE"), 64);
  assertEquals(constant("ZE_RTAS_EXT_NAME"), "ZE_extension_rtas");
  assertEquals(constant("ZES_DIAG_LAST_TEST_INDEX"), 0xffffffff);
  assertEquals(constant("ZES_SCHED_WATCHDOG_DISABLE"), "18446744073709551615");
  const value = (type: string, name: string): number | undefined =>
    enums.get(type)?.values.find((one) => one.name === name)?.value;
  assertEquals(value("ze_result_t", "ZE_RESULT_ERROR_UNINITIALIZED"), 0x78000001);
  assertEquals(value("ze_init_flag_t", "ZE_INIT_FLAG_VPU_ONLY"), 2);
  assertEquals(value("ze_api_version_t", "ZE_API_VERSION_CURRENT"), 0x10011);
  assertEquals(value("zel_handle_type_t", "ZEL_HANDLE_PHYSICAL_MEM"), 13);
  assertEquals(enums.get("ze_init_flag_t")?.flags, "ze_init_flags_t");
});
