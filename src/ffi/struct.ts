/**
 * C structs in views: made from plain objects, read to plain objects.
 *
 * @module
 */

import { type Codec, codecOf, WriteContext } from "./codec.ts";
import { ArgumentRangeError, ArgumentTypeError } from "./errors.ts";
import { type Layout, readLayout } from "./layout.ts";
import { anchor } from "./memory.ts";

declare const structName: unique symbol;

/** A view of any kind over a struct; `Name` is known to the type checker only. */
export type BufferOf<Name extends string> = ArrayBufferView & { readonly [structName]?: Name };

/** The bytes of a struct (or of an array of them) as {@linkcode Struct.create} makes them. */
export type StructView<Name extends string> = Uint8Array<ArrayBuffer> & {
  readonly [structName]?: Name;
};

/**
 * What a pointer field takes: a view, which then lives as long as the struct;
 * an address, whose memory is the caller's to keep; or null.
 */
export type Pointer = ArrayBufferView | bigint | null;

/** What `pNext` takes: a struct, several that are linked in this order, an address, or null. */
export type Chain<Name extends string> =
  | StructView<Name>
  | readonly StructView<Name>[]
  | bigint
  | null;

/**
 * A UUID as text or as 16 bytes. The text has the bytes in the order of memory,
 * as Vulkan, OpenCL and SYCL print them.
 */
export type Uuid = string | Uint8Array;

interface Field {
  readonly name: string;
  readonly offset: number;
  readonly codec: Codec;
}

/** Writes and reads the fields of one struct or union. */
class FieldsCodec implements Codec {
  readonly size: number;
  readonly layout: Layout;
  readonly fields: readonly Field[];
  readonly #byName: ReadonlyMap<string, Field>;

  constructor(layout: Layout, layouts: Layouts) {
    this.layout = layout;
    this.size = layout.size;
    this.fields = layout.fields.map(({ name, offset, kind }) => ({
      name,
      offset,
      codec: codecOf(kind, (struct) => layouts.codec(struct)),
    }));
    this.#byName = new Map(this.fields.map((field) => [field.name, field]));
  }

  read(data: DataView, at: number): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const { name, offset, codec } of this.fields) {
      values[name] = codec.read(data, at + offset);
    }
    return values;
  }

  /** Writes `stype` and the fields given; `field` is the struct's own path, empty at the top. */
  write(data: DataView, at: number, value: unknown, field: string, context: WriteContext): void {
    const { name, stype, union } = this.layout;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return context.type(field || "fields", value, `an object with fields of ${name}`);
    }
    if (stype !== undefined) data.setUint32(at, stype, true);
    let members = 0;
    for (const [key, one] of Object.entries(value)) {
      if (one === undefined) continue;
      const path = field ? `${field}.${key}` : key;
      const known = this.#byName.get(key);
      if (!known) {
        return context.type(path, one, `left out: ${name} has no field of that name`);
      }
      if (union && ++members > 1) {
        return context.type(path, one, `left out: of the union ${name} only one member can be set`);
      }
      known.codec.write(data, at + known.offset, one, path, context);
    }
  }
}

/**
 * Makes, writes and reads one kind of struct or union. `Read` is the plain
 * object that it is read to, `Init` the one that it is made from.
 */
export class Struct<Name extends string, Read, Init> {
  /** The C name. */
  readonly name: Name;
  readonly #layouts: Layouts;
  #known: FieldsCodec | undefined;

  /** Nothing is looked up before the struct is used. */
  constructor(name: Name, layouts: Layouts) {
    this.name = name;
    this.#layouts = layouts;
  }

  get #codec(): FieldsCodec {
    return this.#known ??= this.#layouts.codec(this.name);
  }

  /** In bytes. */
  get size(): number {
    return this.#codec.size;
  }

  /** The value of its `stype` field; undefined for a struct without one. */
  get stype(): number | undefined {
    return this.#codec.layout.stype;
  }

  /** The fields' offsets in bytes. */
  get offsets(): { readonly [Field in keyof Read & string]: number } {
    return Object.fromEntries(
      this.#codec.fields.map(({ name, offset }) => [name, offset]),
    ) as { readonly [Field in keyof Read & string]: number };
  }

  /**
   * A new struct: `stype` filled in, the fields given, and zero elsewhere. What
   * it points to lives as long as it does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If a field is unknown or its value is not accepted.
   */
  create(init?: Init): StructView<Name> {
    const view = new Uint8Array(this.size);
    this.write(view, init);
    return view;
  }

  /** As {@linkcode Struct.create}, `count` times in a row, all from the same fields. */
  array(count: number, init?: Init): StructView<Name> {
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new ArgumentRangeError({
        functionName: `${this.name}.array`,
        argument: "count",
        given: count,
        accepted: "an integer from 0",
      });
    }
    const view = new Uint8Array(this.size * count);
    for (let i = 0; i < count; i++) this.write(view, init, i * this.size);
    return view;
  }

  /**
   * Writes `stype` and the fields given at an offset of a view, and leaves the
   * other bytes. What they point to lives as long as the view's buffer does.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If a field is unknown, its value is not
   * accepted, or the view is too short.
   */
  write(view: ArrayBufferView, init?: Init, offset = 0): void {
    const data = this.#data("write", view, offset);
    const context = new WriteContext(this.name);
    this.#codec.write(data, 0, init ?? {}, "", context);
    if (context.kept.length > 0) anchor(view, ...context.kept);
  }

  /**
   * Reads the struct at an offset of a view to a plain object. A union is read
   * as all its members.
   *
   * @throws {ArgumentTypeError | ArgumentRangeError} If the view is none, or too short.
   */
  read(view: ArrayBufferView, offset = 0): Read {
    // The layout that the codec works from and the interface `Read` come from one model.
    return this.#codec.read(this.#data("read", view, offset), 0) as Read;
  }

  /** Reads as many structs in a row as `count` says, or as the view has room for. */
  readAll(view: ArrayBufferView, count?: number): Read[] {
    const { size } = this;
    const length = count ?? Math.floor(view.byteLength / size);
    return Array.from({ length }, (_, i) => this.read(view, i * size));
  }

  #data(method: string, view: ArrayBufferView, offset: number): DataView {
    const { size } = this;
    if (
      ArrayBuffer.isView(view) && Number.isSafeInteger(offset) && offset >= 0 &&
      view.byteLength - offset >= size
    ) {
      return new DataView(view.buffer, view.byteOffset + offset, size);
    }
    const problem = {
      functionName: `${this.name}.${method}`,
      argument: "view",
      given: view,
      accepted: `a view with at least ${size} bytes from offset ${offset} on`,
    };
    throw ArrayBuffer.isView(view)
      ? new ArgumentRangeError(problem)
      : new ArgumentTypeError(problem);
  }
}

/** A text with the layout of one struct a line, each read when its struct is first used. */
export class Layouts {
  readonly #text: string;
  readonly #others: Layouts | undefined;
  readonly #codecs = new Map<string, FieldsCodec>();

  /** The text has a line break before the first line and after the last; `others` are referred to. */
  constructor(text: string, others?: Layouts) {
    this.#text = text;
    this.#others = others;
  }

  /** The struct of that name, which nothing is read for yet. */
  struct<Name extends string, Read, Init>(name: Name): Struct<Name, Read, Init> {
    return new Struct(name, this);
  }

  /** @internal */
  codec(name: string): FieldsCodec {
    const known = this.#codecs.get(name);
    if (known) return known;
    const start = this.#text.indexOf(`\n${name} `) + 1;
    if (start === 0) {
      if (this.#others) return this.#others.codec(name);
      throw new Error(`There is no layout of ${name}`);
    }
    const line = this.#text.slice(start, this.#text.indexOf("\n", start));
    const codec = new FieldsCodec(readLayout(line), this);
    this.#codecs.set(name, codec);
    return codec;
  }
}
