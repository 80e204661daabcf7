/**
 * Writes and reads one value of each kind that a struct's field may have.
 *
 * @module
 */

import { ArgumentRangeError, ArgumentTypeError } from "./errors.ts";
import type { Kind } from "./layout.ts";
import { addressOf, anchor } from "./memory.ts";

/** Where a value is written, for errors, and what must live as long as the struct. */
export class WriteContext {
  readonly struct: string;
  /** What the struct points to. */
  readonly kept: object[] = [];

  constructor(struct: string) {
    this.struct = struct;
  }

  /** Refuses a value for its type. */
  type(field: string, given: unknown, accepted: string): never {
    throw new ArgumentTypeError({ functionName: this.struct, argument: field, given, accepted });
  }

  /** Refuses a value for its size. */
  range(field: string, given: unknown, accepted: string): never {
    throw new ArgumentRangeError({ functionName: this.struct, argument: field, given, accepted });
  }
}

/** Writes and reads values of one kind. */
export interface Codec {
  readonly size: number;
  read(data: DataView, at: number): unknown;
  write(data: DataView, at: number, value: unknown, field: string, context: WriteContext): void;
}

/** Finds the codec of a struct by its name. */
export type StructCodecs = (name: string) => Codec;

function integer(
  size: number,
  low: number,
  high: number,
  read: Codec["read"],
  set: (data: DataView, at: number, value: number) => void,
): Codec {
  const accepted = `an integer from ${low} to ${high}`;
  return {
    size,
    read,
    write(data, at, value, field, context): void {
      if (typeof value !== "number") return context.type(field, value, accepted);
      if (!Number.isInteger(value) || value < low || value > high) {
        context.range(field, value, accepted);
      }
      set(data, at, value);
    },
  };
}

function wide(signed: boolean): Codec {
  const low = signed ? -(2n ** 63n) : 0n;
  const high = signed ? 2n ** 63n - 1n : 2n ** 64n - 1n;
  const accepted = `a bigint from ${low}n to ${high}n, or a safe integer`;
  return {
    size: 8,
    read: (data, at) => signed ? data.getBigInt64(at, true) : data.getBigUint64(at, true),
    write(data, at, value, field, context): void {
      if (typeof value !== "bigint" && typeof value !== "number") {
        return context.type(field, value, accepted);
      }
      if (typeof value === "number" && !Number.isSafeInteger(value)) {
        context.range(field, value, accepted);
      }
      const big = BigInt(value);
      if (big < low || big > high) context.range(field, value, accepted);
      data.setBigUint64(at, BigInt.asUintN(64, big), true);
    },
  };
}

function float(
  size: number,
  read: Codec["read"],
  set: (data: DataView, at: number, value: number) => void,
): Codec {
  return {
    size,
    read,
    write(data, at, value, field, context): void {
      if (typeof value !== "number") return context.type(field, value, "a number");
      set(data, at, value);
    },
  };
}

const SCALARS: Readonly<Record<string, Codec>> = {
  i8: integer(1, -128, 127, (d, at) => d.getInt8(at), (d, at, v) => d.setInt8(at, v)),
  u8: integer(1, 0, 255, (d, at) => d.getUint8(at), (d, at, v) => d.setUint8(at, v)),
  i16: integer(
    2,
    -32768,
    32767,
    (d, at) => d.getInt16(at, true),
    (d, at, v) => d.setInt16(at, v, true),
  ),
  u16: integer(
    2,
    0,
    65535,
    (d, at) => d.getUint16(at, true),
    (d, at, v) => d.setUint16(at, v, true),
  ),
  i32: integer(
    4,
    -2147483648,
    2147483647,
    (d, at) => d.getInt32(at, true),
    (d, at, v) => d.setInt32(at, v, true),
  ),
  u32: integer(
    4,
    0,
    4294967295,
    (d, at) => d.getUint32(at, true),
    (d, at, v) => d.setUint32(at, v, true),
  ),
  i64: wide(true),
  u64: wide(false),
  usize: wide(false),
  f32: float(4, (d, at) => d.getFloat32(at, true), (d, at, v) => d.setFloat32(at, v, true)),
  f64: float(8, (d, at) => d.getFloat64(at, true), (d, at, v) => d.setFloat64(at, v, true)),
  bool: {
    size: 1,
    read: (data, at) => data.getUint8(at) !== 0,
    write(data, at, value, field, context): void {
      if (typeof value !== "boolean") return context.type(field, value, "true or false");
      data.setUint8(at, value ? 1 : 0);
    },
  },
};

function bytesAt(data: DataView, at: number, length: number): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset + at, length);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function encode(value: string, field: string, context: WriteContext): Uint8Array {
  if (value.includes("\0")) context.type(field, value, "a string without NUL characters");
  return encoder.encode(value);
}

function text(length: number): Codec {
  return {
    size: length,
    read(data, at): string {
      const bytes = bytesAt(data, at, length);
      const end = bytes.indexOf(0);
      return decoder.decode(bytes.subarray(0, end < 0 ? length : end));
    },
    write(data, at, value, field, context): void {
      const accepted = `a string of at most ${length - 1} bytes in UTF-8`;
      if (typeof value !== "string") return context.type(field, value, accepted);
      const encoded = encode(value, field, context);
      if (encoded.length >= length) context.range(field, value, accepted);
      const bytes = bytesAt(data, at, length);
      bytes.fill(0);
      bytes.set(encoded);
    },
  };
}

function bytes(length: number): Codec {
  return {
    size: length,
    read: (data, at) => bytesAt(data, at, length).slice(),
    write(data, at, value, field, context): void {
      const accepted = `a Uint8Array of ${length} bytes`;
      if (!(value instanceof Uint8Array)) return context.type(field, value, accepted);
      if (value.length !== length) context.range(field, value, accepted);
      bytesAt(data, at, length).set(value);
    },
  };
}

const UUID_SIZE = 16;

const uuid: Codec = {
  size: UUID_SIZE,
  read(data, at): string {
    const digits = Array.from(
      bytesAt(data, at, UUID_SIZE),
      (byte) => byte.toString(16).padStart(2, "0"),
    ).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  },
  write(data, at, value, field, context): void {
    const accepted = "a UUID such as 8680a056-0c00-0000-0002-000000000000, or its 16 bytes";
    const target = bytesAt(data, at, UUID_SIZE);
    if (value instanceof Uint8Array) {
      if (value.length !== UUID_SIZE) context.range(field, value, accepted);
      target.set(value);
      return;
    }
    if (typeof value !== "string") return context.type(field, value, accepted);
    if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) {
      context.range(field, value, accepted);
    }
    const digits = value.replaceAll("-", "");
    for (let i = 0; i < UUID_SIZE; i++) {
      target[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
    }
  },
};

function array(element: Codec, length: number): Codec {
  return {
    size: element.size * length,
    read: (data, at) => Array.from({ length }, (_, i) => element.read(data, at + i * element.size)),
    write(data, at, value, field, context): void {
      const accepted = `an array of at most ${length} elements`;
      if (typeof value !== "object" || value === null || !("length" in value)) {
        return context.type(field, value, accepted);
      }
      const elements = Array.from(value as ArrayLike<unknown>);
      if (elements.length > length) context.range(field, value, accepted);
      bytesAt(data, at, element.size * length).fill(0);
      for (const [i, one] of elements.entries()) {
        element.write(data, at + i * element.size, one, `${field}[${i}]`, context);
      }
    },
  };
}

/** Puts values behind one another in memory of their own, and gives its address. */
function block(
  element: Codec,
  values: readonly unknown[],
  field: (index: number) => string,
  context: WriteContext,
): bigint {
  const memory = new Uint8Array(Math.max(1, element.size * values.length));
  const data = new DataView(memory.buffer);
  for (const [i, value] of values.entries()) {
    element.write(data, i * element.size, value, field(i), context);
  }
  context.kept.push(memory);
  return addressOf(memory);
}

const address = SCALARS.u64!;

/** What a pointer takes besides an address and a view, given what it points to. */
function pointerWords(to: Kind): string {
  const words = ["an address as a bigint", "a view", "null"];
  if (to.kind === "text") words.push("a string");
  if (to.kind === "struct") words.push(`the fields of a ${to.name}`);
  if (to.kind !== "text" && to.kind !== "void") words.push("an array of what it points to");
  return words.join(", ");
}

function pointer(to: Kind, structs: StructCodecs): Codec {
  let target: Codec | undefined;
  const targetCodec = (): Codec => target ??= codecOf(to, structs);
  const plain = (value: unknown, field: string, context: WriteContext): bigint => {
    if (value === null) return 0n;
    if (ArrayBuffer.isView(value)) {
      context.kept.push(value);
      return addressOf(value);
    }
    if (typeof value === "string" && to.kind === "text") {
      const encoded = encode(value, field, context);
      const memory = new Uint8Array(encoded.length + 1);
      memory.set(encoded);
      context.kept.push(memory);
      return addressOf(memory);
    }
    if (Array.isArray(value) && to.kind !== "text" && to.kind !== "void") {
      return block(targetCodec(), value, (i) => `${field}[${i}]`, context);
    }
    if (typeof value === "object" && to.kind === "struct") {
      return block(targetCodec(), [value], () => field, context);
    }
    return context.type(field, value, pointerWords(to));
  };
  return {
    size: 8,
    read: address.read,
    write(data, at, value, field, context): void {
      address.write(
        data,
        at,
        typeof value === "bigint" ? value : plain(value, field, context),
        field,
        context,
      );
    },
  };
}

/** Where `pNext` is in every struct that has one. */
const NEXT_OFFSET = 8;

/** Links views one behind another through their `pNext`. */
function link(views: readonly Uint8Array[], field: string, context: WriteContext): void {
  for (const [i, view] of views.entries()) {
    const next = views[i + 1];
    if (!next) break;
    const data = new DataView(view.buffer, view.byteOffset, view.byteLength);
    if (data.getBigUint64(NEXT_OFFSET, true) !== 0n) {
      context.type(`${field}[${i}]`, view, "a struct without a pNext of its own");
    }
    data.setBigUint64(NEXT_OFFSET, addressOf(next), true);
    anchor(view, next);
  }
}

const next: Codec = {
  size: 8,
  read: address.read,
  write(data, at, value, field, context): void {
    const accepted = "a struct made by `create`, an array of such, an address as a bigint, or null";
    if (typeof value === "bigint") return address.write(data, at, value, field, context);
    const views: unknown[] = value === null ? [] : Array.isArray(value) ? value : [value];
    for (const [i, view] of views.entries()) {
      if (!(view instanceof Uint8Array) || view.byteLength < NEXT_OFFSET + 8) {
        context.type(Array.isArray(value) ? `${field}[${i}]` : field, view, accepted);
      }
    }
    const checked = views as Uint8Array[];
    link(checked, field, context);
    const first = checked[0];
    if (first) context.kept.push(first);
    data.setBigUint64(at, first ? addressOf(first) : 0n, true);
  },
};

/** The codec of a kind. */
export function codecOf(kind: Kind, structs: StructCodecs): Codec {
  switch (kind.kind) {
    case "scalar": {
      const codec = SCALARS[kind.type];
      if (!codec) throw new Error(`There is no scalar type ${kind.type}`);
      return codec;
    }
    case "next":
      return next;
    case "uuid":
      return uuid;
    case "text":
      return text(kind.length);
    case "bytes":
      return bytes(kind.length);
    case "struct":
      return structs(kind.name);
    case "array":
      return array(codecOf(kind.of, structs), kind.length);
    case "pointer":
      return pointer(kind.to, structs);
    case "void":
      throw new Error("void has no values");
  }
}
