/**
 * The committed API model: whether it holds together.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { apiModel as model, tally } from "./support/api_model.ts";
import type { ApiStruct, CType } from "../gen/model.ts";
import { test } from "./support/testing.ts";

const structs = new Map(model.structs.map((struct) => [struct.name, struct]));
const enums = new Map(model.enums.map((one) => [one.name, one]));

function structNamed(name: string): ApiStruct {
  const struct = structs.get(name);
  assert(struct, `Found no struct ${name} in the model`);
  return struct;
}

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
