/**
 * The committed API model: its totals, its inner consistency, and facts known by heart.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import type { ApiModel, ApiStruct, CType } from "../gen/model.ts";
import { test } from "./support/testing.ts";

const model = JSON.parse(
  readFileSync(new URL("../gen/api/ze-1.17.json", import.meta.url), "utf8"),
) as ApiModel;
/** The loader's own functions word thread-safety in other ways and are not part of the specification. */
const specified = model.functions.filter(({ api }) => api !== "zel");
const structs = new Map(model.structs.map((struct) => [struct.name, struct]));
const enums = new Map(model.enums.map((one) => [one.name, one]));

function tally<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

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

test("every type that the model names is one of its own", () => {
  const names = {
    enum: new Set(model.enums.map(({ name }) => name)),
    flags: new Set(model.enums.map(({ flags }) => flags)),
    handle: new Set(model.handles.map(({ name }) => name)),
    struct: new Set(model.structs.filter((one) => one.kind === "struct").map(({ name }) => name)),
    union: new Set(model.structs.filter((one) => one.kind === "union").map(({ name }) => name)),
    callback: new Set(model.callbacks.map(({ name }) => name)),
  };
  const check = (type: CType, where: string): void => {
    switch (type.kind) {
      case "void":
      case "scalar":
        return;
      case "pointer":
        return check(type.to, where);
      case "array":
        return check(type.of, where);
      default:
        assert(names[type.kind].has(type.name), `Found no ${type.kind} ${type.name}, for ${where}`);
    }
  };
  for (const { name, fields } of model.structs) {
    for (const field of fields) check(field.type, `${name}.${field.name}`);
  }
  for (const { name, result, parameters } of [...model.callbacks, ...model.functions]) {
    check(result, name);
    for (const parameter of parameters) check(parameter.type, `${name}(${parameter.name})`);
  }
  for (const { name, alias } of [...model.handles, ...model.structs]) {
    assert(
      alias === undefined || names.handle.has(alias) || names.struct.has(alias),
      `Found no ${alias}, which ${name} renames`,
    );
  }
});

test("every name is in the model once", () => {
  const all = [
    ...model.constants,
    ...model.enums,
    ...model.enums.flatMap(({ values }) => values),
    ...model.handles,
    ...model.structs,
    ...model.callbacks,
    ...model.functions,
  ];
  const repeated = Object.entries(tally(all, ({ name }) => name)).filter(([, count]) => count > 1);
  assertEquals(repeated, []);
});

test("every field lies inside its struct, behind the one before", () => {
  for (const { name, kind, size, align, fields } of model.structs) {
    assertEquals(size % align, 0, `${name} has size ${size} at alignment ${align}`);
    let end = 0;
    for (const field of fields) {
      const place = `${name}.${field.name} at ${field.offset}, size ${field.size}`;
      assert(field.size > 0, place);
      assert(field.offset + field.size <= size, `${place}, in a struct of ${size}`);
      if (kind === "union") assertEquals(field.offset, 0, place);
      else assert(field.offset >= end, `${place}, where the field before ends at ${end}`);
      end = field.offset + field.size;
    }
  }
});

test("every field has the size of its type", () => {
  const sizes = new Map(Object.entries({
    int8: 1,
    uint8: 1,
    char: 1,
    bool: 1,
    int16: 2,
    uint16: 2,
    int32: 4,
    uint32: 4,
    float: 4,
    int64: 8,
    uint64: 8,
    size: 8,
    double: 8,
  }));
  const sizeOf = (type: CType): number | undefined => {
    switch (type.kind) {
      case "scalar":
        return sizes.get(type.name);
      case "enum":
      case "flags":
        return 4;
      case "struct":
      case "union":
        return structs.get(type.name)?.size;
      case "array":
        return type.length * (sizeOf(type.of) ?? NaN);
      case "void":
        return undefined;
      default:
        return 8;
    }
  };
  for (const { name, fields } of model.structs) {
    for (const field of fields) {
      assertEquals(field.size, sizeOf(field.type), `${name}.${field.name}`);
    }
  }
});

test("every structure type is an enumerator of the struct's own enum, used once", () => {
  const values: string[] = [];
  for (const { name, fields, stype, alias } of model.structs) {
    const field = fields[0];
    if (stype === undefined) continue;
    assertEquals(field?.type, { kind: "enum", name: stype.enum }, name);
    assert(
      enums.get(stype.enum)?.values.some((value) => value.name === stype.value),
      `Found no ${stype.value} in ${stype.enum}, for ${name}`,
    );
    if (alias === undefined) values.push(stype.value);
  }
  assertEquals(values.length, new Set(values).size);
});

test("only base structs have an stype field and no structure type", () => {
  const untagged = model.structs.filter(({ fields, stype }) =>
    fields[0]?.name === "stype" && stype === undefined
  );
  assertEquals(untagged.map(({ name }) => name), [
    "ze_base_cb_params_t",
    "ze_base_properties_t",
    "ze_base_desc_t",
    "zes_base_properties_t",
    "zes_base_desc_t",
    "zes_base_config_t",
    "zes_base_capability_t",
    "zet_base_properties_t",
    "zet_base_desc_t",
  ]);
});

test("only retired enumerators and one of a plain struct tag no struct", () => {
  const used = new Set(model.structs.map(({ stype }) => stype?.value));
  const unused = model.enums.filter(({ name }) => name.endsWith("_structure_type_t"))
    .flatMap(({ values }) => values)
    .filter(({ name }) => !used.has(name) && !name.endsWith("_FORCE_UINT32"));
  assertEquals(unused.map(({ name, deprecated }) => [name, deprecated ?? false]), [
    ["ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES", true],
    // zes_uuid_t has no stype field.
    ["ZES_STRUCTURE_TYPE_DEVICE_UUID", false],
    ["ZET_STRUCTURE_TYPE_GLOBAL_METRICS_TIMESTAMPS_EXP_PROPERTIES", true],
    ["ZET_STRUCTURE_TYPE_METRICS_CALCULATE_EXP_DESC", true],
    ["ZEL_STRUCTURE_TYPE_TRACER_EXP_DESC", true],
  ]);
});

test("structure types that do not follow their struct's name are those of the headers", () => {
  const stype = (name: string): string | undefined => structNamed(name).stype?.value;
  assertEquals(stype("ze_device_properties_t"), "ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2");
  assertEquals(
    stype("ze_context_power_saving_hint_exp_desc_t"),
    "ZE_STRUCTURE_TYPE_POWER_SAVING_HINT_EXP_DESC",
  );
  assertEquals(
    stype("ze_event_pool_counter_based_exp_desc_t"),
    "ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC",
  );
  assertEquals(
    stype("zet_export_dma_buf_exp_properties_t"),
    "ZET_STRUCTURE_TYPE_EXPORT_DMA_EXP_PROPERTIES",
  );
  assertEquals(
    stype("ze_kernel_max_group_size_properties_ext_t"),
    stype("ze_kernel_max_group_size_ext_properties_t"),
  );
});

test("every struct that is extended has a pNext, and so have its extensions", () => {
  const extensions = model.structs.filter((one) => one.extends !== undefined);
  assertEquals(extensions.length, 61);
  for (const { name, fields, extends: targets } of extensions) {
    for (
      const [one, members] of [
        [name, fields] as const,
        ...targets?.map((target) => [target, structNamed(target).fields] as const) ?? [],
      ]
    ) {
      assert(members.some((field) => field.name === "pNext"), `Found no pNext in ${one}`);
    }
  }
  assertEquals(structNamed("ze_external_memory_import_fd_t").extends, [
    "ze_device_mem_alloc_desc_t",
    "ze_host_mem_alloc_desc_t",
    "ze_physical_mem_desc_t",
    "ze_image_desc_t",
  ]);
  assertEquals(structNamed("zes_oem_serial_id_ext_properties_t").extends, [
    "zes_device_properties_t",
  ]);
});

test("every count of a pointer names another parameter or field", () => {
  const lists = [
    ...model.functions.map(({ name, parameters }) => [name, parameters] as const),
    ...model.structs.map(({ name, fields }) => [name, fields] as const),
  ];
  const unresolved = lists.flatMap(([owner, members]) => {
    const names = members.map(({ name }) => name);
    return members.filter(({ count }) =>
      count !== undefined && !names.includes(count.replace(/^\*/, ""))
    ).map(({ name, count }) => `${owner} ${name} ${count}`);
  });
  assertEquals(unresolved, [
    // Counted by a parameter of the function that takes the struct.
    "ze_event_query_kernel_timestamps_results_ext_properties_t pKernelTimestampsBuffer *pCount",
    "ze_event_query_kernel_timestamps_results_ext_properties_t pSynchronizedTimestampsBuffer *pCount",
  ]);
});

test("model holds no sentence of the headers", () => {
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit(model);
  // The longest text with a space is a scope such as "parallel operation".
  assertEquals(texts.filter((text) => text.split(" ").length > 2), []);
});
