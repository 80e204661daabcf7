/**
 * The struct codecs against the model's layouts, and how they take and refuse values.
 *
 * @module
 */

import { assert, assertEquals, assertInstanceOf, assertNotEquals, assertThrows } from "@std/assert";
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isOpaque, isUuidField, isUuidStruct } from "../gen/emit/structs.ts";
import type { ApiField, ApiModel, ApiStruct, CType } from "../gen/model.ts";
import {
  addressOf,
  ArgumentRangeError,
  ArgumentTypeError,
  cString,
  viewAt,
} from "../src/ffi/mod.ts";
import { readSignature } from "../src/ffi/signature.ts";
import { Layouts, type Struct } from "../src/ffi/struct.ts";
import * as libze from "../src/libze/mod.ts";
import * as tracing from "../src/libze/tracing.ts";
import { test } from "./support/testing.ts";

const {
  ze_device_ip_version_ext_t,
  ze_device_properties_t,
  ze_eu_count_ext_t,
  ze_fence_desc_t,
  ze_ipc_mem_handle_t,
  ze_module_constants_t,
  ze_module_desc_t,
  ze_module_program_exp_desc_t,
  ze_uuid_t,
  zes_fan_speed_table_t,
  zes_ras_state_t,
  zet_typed_value_t,
  zet_value_t,
} = libze;

const model = JSON.parse(
  readFileSync(new URL("../gen/api/ze-1.17.json", import.meta.url), "utf8"),
) as ApiModel;
const structs = new Map(model.structs.map((struct) => [struct.name, struct]));
const enumerators = new Map(
  model.enums.flatMap(({ values }) => values.map(({ name, value }) => [name, value])),
);
type AnyStruct = Struct<string, Record<string, unknown>, Record<string, unknown>>;
const codecs = { ...libze, ...tracing } as unknown as Record<string, AnyStruct>;

/** A value for a field, with the bytes that C has for it. */
interface Sample {
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

/** Bytes that differ from field to field, and whose high bits are set too. */
class Samples {
  #next = 1;

  bytes(size: number): Uint8Array {
    return Uint8Array.from({ length: size }, () => {
      this.#next = (this.#next * 73 + 41) % 251;
      return this.#next + 3;
    });
  }

  scalar(type: CType & { kind: "scalar" }): Sample {
    if (type.name === "bool" || type.alias === "ze_bool_t") {
      return { value: true, bytes: Uint8Array.of(1) };
    }
    if (type.name === "float") return ofFloat(new Float32Array([1.5 * this.bytes(1)[0]!]));
    if (type.name === "double") return ofFloat(new Float64Array([Math.PI * this.bytes(1)[0]!]));
    const bits = Number(/\d+/.exec(type.name)?.[0] ?? 64);
    const bytes = this.bytes(bits / 8);
    const unsigned = littleEndian(bytes);
    const big = type.name.startsWith("int") ? BigInt.asIntN(bits, unsigned) : unsigned;
    return { value: bits === 64 ? big : Number(big), bytes };
  }

  of(type: CType): Sample {
    switch (type.kind) {
      case "scalar":
        return this.scalar(type);
      case "enum":
      case "flags":
        return this.scalar({ kind: "scalar", name: "uint32" });
      case "handle":
      case "pointer":
      case "callback":
        return this.scalar({ kind: "scalar", name: "uint64" });
      case "array":
        return type.of.kind === "scalar" && type.of.name === "char"
          ? this.text(type.length)
          : this.array(type.of, type.length);
      case "struct":
      case "union": {
        const struct = structs.get(type.name)!;
        return isUuidStruct(struct) ? this.uuid() : this.struct(struct);
      }
      case "void":
        throw new Error("void has no values");
    }
  }

  text(size: number): Sample {
    const bytes = new Uint8Array(size);
    for (let i = 0; i < size - 1; i++) bytes[i] = 97 + (this.bytes(1)[0]! % 26);
    return { value: String.fromCharCode(...bytes.subarray(0, size - 1)), bytes };
  }

  array(of: CType, length: number): Sample {
    const samples = Array.from({ length }, () => this.of(of));
    return {
      value: samples.map(({ value }) => value),
      bytes: Uint8Array.from(samples.flatMap(({ bytes }) => [...bytes])),
    };
  }

  uuid(): Sample {
    const bytes = this.bytes(16);
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const parts = [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]];
    return { value: parts.map(([from, to]) => digits.slice(from, to)).join("-"), bytes };
  }

  field(struct: ApiStruct, field: ApiField): Sample {
    if (isUuidField(struct, field)) return this.uuid();
    if (isOpaque(struct) && field.type.kind === "array") {
      const bytes = this.bytes(field.size);
      return { value: bytes, bytes };
    }
    if (field.name === "stype" && struct.stype) {
      const value = enumerators.get(struct.stype.value)!;
      return { value, bytes: new Uint8Array(Uint32Array.of(value).buffer) };
    }
    return this.of(field.type);
  }

  /** Of a union, its last member. */
  struct(struct: ApiStruct): Sample {
    const bytes = new Uint8Array(struct.size);
    const value: Record<string, unknown> = {};
    const fields = struct.kind === "union" ? struct.fields.slice(-1) : struct.fields;
    for (const field of fields) {
      const sample = this.field(struct, field);
      assertEquals(sample.bytes.length, field.size, `${struct.name}.${field.name}`);
      value[field.name] = sample.value;
      bytes.set(sample.bytes, field.offset);
    }
    return { value, bytes };
  }
}

function ofFloat(array: Float32Array | Float64Array): Sample {
  return { value: array[0], bytes: new Uint8Array(array.buffer as ArrayBuffer) };
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
}

/** What was written has to be in what is read; a union is read as all its members. */
function assertContains(read: unknown, written: unknown, path: string): void {
  if (typeof written !== "object" || written === null || written instanceof Uint8Array) {
    return assertEquals(read, written, path);
  }
  for (const [key, value] of Object.entries(written)) {
    assertContains((read as Record<string, unknown>)[key], value, `${path}.${key}`);
  }
}

function codecOf(name: string): AnyStruct {
  const codec = codecs[name];
  assert(codec, `libze has no ${name}`);
  return codec;
}

test("every struct has the size, offsets and stype of the model", () => {
  for (const struct of model.structs) {
    const codec = codecOf(struct.name);
    assertEquals(codec.size, struct.size, struct.name);
    assertEquals(
      codec.offsets,
      Object.fromEntries(struct.fields.map(({ name, offset }) => [name, offset])),
      struct.name,
    );
    assertEquals(codec.stype, struct.stype && enumerators.get(struct.stype.value), struct.name);
  }
});

test("every struct writes each field where C has it, and reads it back", () => {
  for (const struct of model.structs) {
    const { value, bytes } = new Samples().struct(struct);
    const codec = codecOf(struct.name);
    const view = codec.create(value as Record<string, unknown>);
    assertEquals([...view], [...bytes], struct.name);
    assertContains(codec.read(bytes), value, struct.name);
  }
});

test("every member of a union is written and read by itself", () => {
  for (const struct of model.structs.filter(({ kind }) => kind === "union")) {
    for (const field of struct.fields) {
      const alone = { ...struct, fields: [field] };
      const { value, bytes } = new Samples().struct(alone);
      const codec = codecOf(struct.name);
      const view = codec.create(value as Record<string, unknown>);
      assertEquals([...view], [...bytes], `${struct.name}.${field.name}`);
      assertContains(codec.read(bytes), value, `${struct.name}.${field.name}`);
    }
  }
});

test("create() fills in stype and leaves the rest zero", () => {
  const view = ze_fence_desc_t.create();
  assertEquals(view.length, 24);
  assertEquals(ze_fence_desc_t.read(view), {
    stype: libze.ze_structure_type_t.ZE_STRUCTURE_TYPE_FENCE_DESC,
    pNext: 0n,
    flags: 0,
  });
  const { ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES } = libze.ze_structure_type_t;
  const other = ze_device_properties_t.create({ stype: ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES });
  assertEquals(ze_device_properties_t.read(other).stype, ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
});

test("create() fills in stype of structs inside and of structs pointed to", () => {
  const layouts = new Layouts(`
inner 24 7 0:u32:stype 8:next:pNext 16:u32:value
outer 40 9 0:u32:stype 8:@inner:inner 32:*@inner:pInner
`);
  const outer: AnyStruct = layouts.struct("outer");
  const read = outer.read(outer.create({ inner: { value: 1 }, pInner: { value: 2 } }));
  assertEquals(read.inner, { stype: 7, pNext: 0n, value: 1 });
  const inner: AnyStruct = layouts.struct("inner");
  assertEquals(inner.read(viewAt(read.pInner as bigint, 24)), { stype: 7, pNext: 0n, value: 2 });
});

test("array() and readAll() handle structs in a row", () => {
  const view = ze_fence_desc_t.array(3);
  assertEquals(view.length, 72);
  ze_fence_desc_t.write(view, { flags: 5 }, 24);
  const all = ze_fence_desc_t.readAll(view);
  assertEquals(all.map(({ flags }) => flags), [0, 5, 0]);
  assertEquals(all.map(({ stype }) => stype), Array(3).fill(ze_fence_desc_t.stype));
  assertEquals(ze_fence_desc_t.readAll(view, 2).length, 2);
  assertEquals(ze_fence_desc_t.read(view, 24).flags, 5);
});

test("write() leaves the fields that are not given", () => {
  const view = ze_device_properties_t.create({ vendorId: 1, deviceId: 2 });
  ze_device_properties_t.write(view, { deviceId: 3 });
  const { vendorId, deviceId } = ze_device_properties_t.read(view);
  assertEquals([vendorId, deviceId], [1, 3]);
});

test("read() works within a larger view", () => {
  const bytes = new Uint8Array(64);
  ze_fence_desc_t.write(bytes.subarray(8), { flags: 9 });
  assertEquals(bytes[8 + ze_fence_desc_t.offsets.flags], 9);
  assertEquals(ze_fence_desc_t.read(new DataView(bytes.buffer, 8)).flags, 9);
});

test("text fields are UTF-8 up to the NUL byte", () => {
  const view = ze_device_properties_t.create({ name: "Größe 𝄞" });
  assertEquals(ze_device_properties_t.read(view).name, "Größe 𝄞");
  ze_device_properties_t.write(view, { name: "x" });
  assertEquals(ze_device_properties_t.read(view).name, "x");
  view.fill(65, 112);
  assertEquals(ze_device_properties_t.read(view).name, "A".repeat(256));
});

test("UUIDs are text in the order of memory", () => {
  const text = "8680a056-0c00-0000-0002-0000000000ff";
  const view = ze_uuid_t.create({ id: text.toUpperCase() });
  assertEquals([...view.subarray(0, 6)], [0x86, 0x80, 0xa0, 0x56, 0x0c, 0]);
  assertEquals(view[15], 255);
  assertEquals(ze_uuid_t.read(view), { id: text });
  assertEquals(
    ze_device_properties_t.read(ze_device_properties_t.create({ uuid: view })).uuid,
    text,
  );
});

test("IPC handles are bytes, copied", () => {
  const data = Uint8Array.from({ length: 64 }, (_, i) => i);
  const view = ze_ipc_mem_handle_t.create({ data });
  const read = ze_ipc_mem_handle_t.read(view);
  view.fill(0);
  assertEquals(read.data, data);
});

test("arrays may be shorter than the field", () => {
  const view = zes_ras_state_t.create({ category: [1n, 2] });
  assertEquals(zes_ras_state_t.read(view).category, [1n, 2n, 0n, 0n, 0n, 0n, 0n]);
  const table = zes_fan_speed_table_t.create({ numPoints: 1, table: [{ temperature: 40 }] });
  const { numPoints, table: points } = zes_fan_speed_table_t.read(table);
  assertEquals([numPoints, points.length, points[0]!.temperature], [1, 32, 40]);
});

test("unions take one member and are read as all", () => {
  const view = zet_typed_value_t.create({ value: { fp64: 1 } });
  const { value } = zet_typed_value_t.read(view);
  assertEquals([value.fp64, value.ui64, value.ui32], [1, 0x3ff0000000000000n, 0]);
  const error = assertThrows(() => zet_value_t.create({ ui32: 1, b8: true }), ArgumentTypeError);
  assertEquals(error.argument, "b8");
});

test("pointers take strings, views, addresses, fields and arrays", () => {
  const spirv = Uint8Array.of(3, 2, 35, 7);
  const value = new Uint32Array([77]);
  const view = ze_module_desc_t.create({
    inputSize: spirv.length,
    pInputModule: spirv,
    pBuildFlags: "-ze-opt-level=2 ü",
    pConstants: { numConstants: 2, pConstantIds: [5, 6], pConstantValues: [value, null] },
  });
  const read = ze_module_desc_t.read(view);
  assertEquals(read.inputSize, 4n);
  assertEquals(read.pInputModule, addressOf(spirv));
  assertEquals(cString(read.pBuildFlags), "-ze-opt-level=2 ü");
  const constants = ze_module_constants_t.read(
    viewAt(read.pConstants, ze_module_constants_t.size),
  );
  assertEquals(constants.numConstants, 2);
  assertEquals([...viewAt(constants.pConstantIds, 8)], [5, 0, 0, 0, 6, 0, 0, 0]);
  const values = new DataView(viewAt(constants.pConstantValues, 16).slice().buffer);
  assertEquals(values.getBigUint64(0, true), addressOf(value));
  assertEquals(values.getBigUint64(8, true), 0n);

  const again = ze_module_desc_t.create({ pInputModule: 0x1234n, pBuildFlags: null });
  assertEquals(ze_module_desc_t.read(again).pInputModule, 0x1234n);
  assertEquals(ze_module_desc_t.read(again).pBuildFlags, 0n);
});

test("pointers take arrays of strings and of structs", () => {
  const view = ze_module_program_exp_desc_t.create({
    count: 2,
    inputSizes: [1, 2n],
    pInputModules: [Uint8Array.of(1), Uint8Array.of(1, 2)],
    pBuildFlags: ["-a", "-b"],
    pConstants: [{ numConstants: 1 }, null],
  });
  const read = ze_module_program_exp_desc_t.read(view);
  const word = (address: bigint, i: number): bigint =>
    new DataView(viewAt(address, 16).slice().buffer).getBigUint64(8 * i, true);
  assertEquals([word(read.inputSizes, 0), word(read.inputSizes, 1)], [1n, 2n]);
  assertEquals(cString(word(read.pBuildFlags, 0)), "-a");
  assertEquals(cString(word(read.pBuildFlags, 1)), "-b");
  assertEquals([...viewAt(word(read.pInputModules, 1), 2)], [1, 2]);
  const first = viewAt(word(read.pConstants, 0), ze_module_constants_t.size);
  assertEquals(ze_module_constants_t.read(first).numConstants, 1);
  assertEquals(word(read.pConstants, 1), 0n);
});

test("pNext takes a struct, or several and links them", () => {
  const version = ze_device_ip_version_ext_t.create();
  const one = ze_device_properties_t.create({ pNext: version });
  assertEquals(ze_device_properties_t.read(one).pNext, addressOf(version));

  const units = ze_eu_count_ext_t.create();
  const chained = ze_device_properties_t.create({ pNext: [version, units] });
  assertEquals(ze_device_properties_t.read(chained).pNext, addressOf(version));
  assertEquals(ze_device_ip_version_ext_t.read(version).pNext, addressOf(units));
  assertEquals(ze_eu_count_ext_t.read(units).pNext, 0n);

  assertEquals(ze_fence_desc_t.read(ze_fence_desc_t.create({ pNext: 8n })).pNext, 8n);
  assertEquals(ze_fence_desc_t.read(ze_fence_desc_t.create({ pNext: null })).pNext, 0n);
  const linked = assertThrows(
    () => ze_device_properties_t.create({ pNext: [version, units] }),
    ArgumentTypeError,
  );
  assertEquals(linked.argument, "pNext[0]");
  // @ts-expect-error: the model knows that this struct does not extend the other.
  ze_device_properties_t.create({ pNext: ze_fence_desc_t.create() });
});

/** Collects garbage for certain; both runtimes hide how. */
function collectGarbage(): void {
  const { Bun } = globalThis as { Bun?: { gc(synchronous: boolean): void } };
  if (Bun) return Bun.gc(true);
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

test("what a struct points to lives as long as the struct", async () => {
  const create = (): { view: Uint8Array; input: WeakRef<Uint8Array> } => {
    const input = new Uint8Array(64);
    return {
      view: ze_module_desc_t.create({ pInputModule: input, pConstants: {} }),
      input: new WeakRef(input),
    };
  };
  const kept = Array.from({ length: 50 }, create);
  const dropped = Array.from({ length: 50 }, () => create().input);
  for (let round = 0; round < 5; round++) {
    // A WeakRef holds its target until the job that made it is over.
    await new Promise((resolve) => setTimeout(resolve, 1));
    collectGarbage();
  }
  for (const { view, input } of kept) {
    const alive = input.deref();
    assert(alive, "The view that the struct points to was collected");
    assertEquals(ze_module_desc_t.read(view).pInputModule, addressOf(alive));
  }
  const collected = dropped.filter((input) => !input.deref()).length;
  assert(collected > 0, "What no struct points to any more was not collected");
});

test("wrong fields are refused with their names", () => {
  const refused = (
    create: () => unknown,
    error: new (...parameters: never[]) => ArgumentTypeError | ArgumentRangeError,
    argument: string,
  ): void => {
    const { functionName, argument: actual } = assertThrows(create, error);
    assertEquals(actual, argument);
    assertNotEquals(functionName, "");
  };
  const bad = (value: unknown): never => value as never;
  refused(() => ze_fence_desc_t.create(bad({ flag: 1 })), ArgumentTypeError, "flag");
  refused(() => ze_fence_desc_t.create(bad(3)), ArgumentTypeError, "fields");
  refused(() => ze_fence_desc_t.create({ flags: bad("1") }), ArgumentTypeError, "flags");
  refused(() => ze_fence_desc_t.create({ flags: bad(1n) }), ArgumentTypeError, "flags");
  for (const flags of [-1, 2 ** 32, 0.5, NaN]) {
    refused(() => ze_fence_desc_t.create({ flags }), ArgumentRangeError, "flags");
  }
  for (const inputSize of [-1n, 2n ** 64n, 2 ** 53, 0.5, -1]) {
    refused(() => ze_module_desc_t.create({ inputSize }), ArgumentRangeError, "inputSize");
  }
  refused(() => zet_value_t.create({ b8: bad(1) }), ArgumentTypeError, "b8");
  refused(() => zet_value_t.create({ fp32: bad("1") }), ArgumentTypeError, "fp32");
  const name = "ü".repeat(128);
  refused(() => ze_device_properties_t.create({ name }), ArgumentRangeError, "name");
  refused(() => ze_device_properties_t.create({ name: "a\0b" }), ArgumentTypeError, "name");
  refused(() => ze_device_properties_t.create({ uuid: "12" }), ArgumentRangeError, "uuid");
  refused(
    () => ze_ipc_mem_handle_t.create({ data: new Uint8Array(3) }),
    ArgumentRangeError,
    "data",
  );
  refused(
    () => zes_ras_state_t.create({ category: Array(8).fill(1n) }),
    ArgumentRangeError,
    "category",
  );
  refused(
    () => zes_fan_speed_table_t.create({ table: [{ speed: { speed: bad("x") } }] }),
    ArgumentTypeError,
    "table[0].speed.speed",
  );
  refused(
    () => ze_module_desc_t.create({ pConstants: { numConstants: -1 } }),
    ArgumentRangeError,
    "pConstants.numConstants",
  );
  refused(
    () => ze_module_desc_t.create({ pInputModule: bad("text") }),
    ArgumentTypeError,
    "pInputModule",
  );
  refused(() => ze_fence_desc_t.create({ pNext: bad({}) }), ArgumentTypeError, "pNext");
  refused(() => ze_fence_desc_t.read(new Uint8Array(23)), ArgumentRangeError, "view");
  refused(() => ze_fence_desc_t.read(new Uint8Array(32), 16), ArgumentRangeError, "view");
  refused(() => ze_fence_desc_t.read(bad([])), ArgumentTypeError, "view");
  refused(() => ze_fence_desc_t.array(-1), ArgumentRangeError, "count");
});

test("errors name the struct, the field, the value and what is accepted", () => {
  const error = assertThrows(() => ze_fence_desc_t.create({ flags: -1 }), ArgumentRangeError);
  assertInstanceOf(error, RangeError);
  assertEquals(
    error.message,
    "ze_fence_desc_t: argument `flags` is -1, but must be an integer from 0 to 4294967295",
  );
});

test("structs by value are taken apart as the calling convention says", () => {
  const handle = Uint8Array.from({ length: 64 }, (_, i) => i);
  const words = [...new BigUint64Array(handle.buffer)];
  const line = "open u32=0 hContext:u64 hDevice:u64 handle:struct[64] flags:u32 pptr:buffer[8]";
  const pptr = new BigUint64Array(1);
  const args = [1n, 2n, handle, 3, pptr];
  // Six registers, two of them unused, and the struct on the stack.
  assertEquals(readSignature(line, "sysv").flatten!(args), [1n, 2n, 3, pptr, 0n, 0n, ...words]);
  assertEquals(readSignature(line, "aapcs").flatten!(args), args);
  assertEquals(readSignature(line, "pointer").flatten!(args), args);

  // More than 16 bytes go to the stack, even where enough registers are free.
  const medium = "get u32=0 uuid:struct[24] flags:u32";
  assertEquals(
    readSignature(medium, "sysv").flatten!([handle, 7]),
    [7, 0n, 0n, 0n, 0n, 0n, ...words.slice(0, 3)],
  );

  const small = "resume u32=0 hDebug:u64 thread:struct[16] count:u32 pValues:buffer[8*count]";
  const thread = handle.subarray(16, 32);
  for (const convention of ["sysv", "aapcs"] as const) {
    const { description, flatten } = readSignature(small, convention);
    assertEquals(flatten!([1n, thread, 4, pptr]), [1n, words[2], words[3], 4, pptr]);
    assertEquals(description.parameters.map((p) => typeof p === "string" ? p : p.count), [
      undefined,
      undefined,
      undefined,
      undefined,
      3,
    ]);
  }
  assertThrows(
    () => readSignature(line, "sysv").flatten!([1n, 2n, new Uint8Array(63), 3, pptr]),
    ArgumentRangeError,
  );
});
