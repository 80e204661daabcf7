/**
 * The struct codecs against the model's layouts: every field of every struct.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { isOpaque, isUuidField, isUuidStruct } from "../gen/emit/structs.ts";
import type { ApiField, ApiStruct, CType } from "../gen/model.ts";
import type { Struct } from "../src/ffi/struct.ts";
import * as libze from "../src/libze/mod.ts";
import * as tracing from "../src/libze/tracing.ts";
import { apiModel as model } from "./support/api_model.ts";
import { test } from "./support/testing.ts";

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
