/**
 * Every C type through the adapter and back: what goes in comes out, and in the
 * same JavaScript type whatever the value.
 */
import { assertEquals, assertStrictEquals } from "@std/assert";
import { addressOf, open } from "../src/ffi/mod.ts";
import { readSignature } from "../src/ffi/signature.ts";
import { C_LIBRARY, C_MATH_LIBRARY, fixture, noFixture } from "./support/fixture.ts";
import { test } from "./support/testing.ts";

type Scalar = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "isize" | "usize";
type AnyFunction = (...args: unknown[]) => unknown;

interface Identity<T> {
  readonly symbol: string;
  readonly parameters: readonly [T, "u64", "usize"];
  readonly result: T;
}

/** `memcpy` of no bytes gives back its first argument, whatever that is. */
function identity<const T extends Scalar | "pointer" | "bool">(type: T): Identity<T> {
  return { symbol: "memcpy", parameters: [type, "u64", "usize"], result: type };
}

const libc = open(C_LIBRARY, {
  i8: identity("i8"),
  u8: identity("u8"),
  i16: identity("i16"),
  u16: identity("u16"),
  i32: identity("i32"),
  u32: identity("u32"),
  i64: identity("i64"),
  u64: identity("u64"),
  isize: identity("isize"),
  usize: identity("usize"),
  pointer: identity("pointer"),
  bool: identity("bool"),
  buffer: { symbol: "memcpy", parameters: ["buffer", "buffer", "usize"], result: "pointer" },
  memcpy: { parameters: ["buffer", "buffer", "usize"], result: "pointer" },
  llabs: { parameters: ["i64"], result: "i64" },
  getpid: { parameters: [], result: "i32" },
  strlen: { parameters: [{ type: "buffer", nullable: false }], result: "usize" },
  free: { parameters: ["pointer"], result: "void" },
});

const libm = open(C_MATH_LIBRARY, {
  copysign: { parameters: ["f64", "f64"], result: "f64" },
  copysignf: { parameters: ["f32", "f32"], result: "f32" },
  ldexp: { parameters: ["f64", "i32"], result: "f64" },
});

const values = {
  i8: [0, 1, -1, -128, 127],
  u8: [0, 1, 128, 255],
  i16: [0, -1, -32768, 32767],
  u16: [0, 32768, 65535],
  i32: [0, -1, -(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 31, 2 ** 32 - 1],
  i64: [0n, 1n, -1n, -(2n ** 53n) - 1n, -(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 1n, 2n ** 32n - 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n],
  isize: [0n, -1n, -(2n ** 63n), 2n ** 63n - 1n],
  usize: [0n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 64n - 1n],
  pointer: [0n, 1n, 2n ** 47n - 1n, 2n ** 53n + 1n, 2n ** 64n - 1n],
  bool: [true, false],
} as const;

for (const [type, list] of Object.entries(values) as [keyof typeof values, readonly unknown[]][]) {
  test(`${type}: its extremes come back as they went in, sync and nonblocking`, async () => {
    const sync = libc.sync(type) as AnyFunction;
    const nonblocking = libc.nonblocking(type) as AnyFunction;
    for (const value of list) {
      assertStrictEquals(sync(value, 0n, 0n), value);
      assertStrictEquals(await nonblocking(value, 0n, 0n), value);
    }
  });
}

for (const type of ["i8", "u8", "i16", "u16", "i32", "u32"] as const) {
  test(`${type}: an integer that the engine holds as a float is the same integer`, async () => {
    const [seven] = new Float64Array([7]);
    assertStrictEquals(libc.sync(type)(seven!, 0n, 0n), 7);
    assertStrictEquals(await libc.nonblocking(type)(seven!, 0n, 0n), 7);
  });
}

const floats = [0, -0, 1.5, -Math.PI, Infinity, -Infinity, NaN, 5e-324, Number.MAX_VALUE];

test("f64: NaN, infinities, -0 and the smallest number come back, sync and nonblocking", async () => {
  for (const value of floats) {
    assertStrictEquals(libm.functions.copysign(value, value), value);
    assertStrictEquals(await libm.nonblocking("copysign")(value, value), value);
  }
});

test("f32: values come back rounded to single precision, sync and nonblocking", async () => {
  for (const value of [...floats, 0.1, 2 ** 24 + 1, 1e39]) {
    assertStrictEquals(libm.functions.copysignf(value, value), Math.fround(value));
    assertStrictEquals(await libm.nonblocking("copysignf")(value, value), Math.fround(value));
  }
});

test("floats and integers keep to their own registers", async () => {
  assertEquals(libm.functions.ldexp(0.75, -3), 0.09375);
  assertEquals(await libm.nonblocking("ldexp")(-0.75, 12), -3072);
});

test("a negative i64 is computed with as such", async () => {
  assertEquals(libc.functions.llabs(-(2n ** 62n)), 2n ** 62n);
  assertEquals(await libc.nonblocking("llabs")(-5n), 5n);
});

test("no parameters, and void results", async () => {
  assertEquals(await libc.nonblocking("getpid")(), libc.functions.getpid());
  assertStrictEquals(libc.functions.free(0n), undefined);
  assertStrictEquals(await libc.nonblocking("free")(0n), undefined);
});

test("buffer: a view of any kind points to its own first byte", async () => {
  const { buffer } = libc.functions;
  const bytes = new ArrayBuffer(64);
  const start = addressOf(new Uint8Array(bytes));
  const views = [
    new Uint8Array(bytes, 5),
    new Int16Array(bytes, 2, 3),
    new Float64Array(bytes, 8),
    new BigUint64Array(bytes, 16, 1),
    new DataView(bytes, 7),
    new Uint8Array(bytes).subarray(9, 12),
  ];
  for (const view of views) {
    assertEquals(buffer(view, null, 0n), start + BigInt(view.byteOffset));
    const other = await libc.nonblocking("buffer")(view, null, 0n);
    assertEquals(other, start + BigInt(view.byteOffset));
  }
});

test("buffer: null and an empty view are NULL, as addressOf says", async () => {
  const { buffer } = libc.functions;
  const empty = [
    new Uint8Array(0),
    new Uint8Array(8).subarray(3, 3),
    new DataView(new ArrayBuffer(0)),
  ];
  for (const view of [null, ...empty]) {
    assertEquals(buffer(view, null, 0n), 0n);
    assertEquals(await libc.nonblocking("buffer")(view, null, 0n), 0n);
    if (view) assertEquals(addressOf(view), 0n);
  }
});

test("buffer: the callee reads one view and writes another, each at its offset", async () => {
  const source = Uint8Array.of(0, 1, 2, 3, 4, 5);
  const target = new Uint8Array(8);
  libc.functions.memcpy(target.subarray(2), source.subarray(1), 3n);
  assertEquals([...target], [0, 0, 1, 2, 3, 0, 0, 0]);
  await libc.nonblocking("memcpy")(new DataView(target.buffer, 6), source.subarray(4), 2n);
  assertEquals([...target], [0, 0, 1, 2, 3, 0, 4, 5]);
});

test("buffer: shared memory is taken as well", async () => {
  const text = new Uint8Array(new SharedArrayBuffer(8));
  text.set([65, 66, 67]);
  assertEquals(libc.functions.strlen(text), 3n);
  assertEquals(await libc.nonblocking("strlen")(text.subarray(1)), 2n);
});

test("prototypes that C tells apart only by view or address do not mix", async () => {
  // The order matters: what is made for the first must not serve the second.
  const bytes = Uint8Array.of(65, 66, 0);
  assertEquals(await libc.nonblocking("u64")(5n, 0n, 0n), 5n);
  assertEquals(await libc.nonblocking("buffer")(bytes, null, 0n), addressOf(bytes));
  assertEquals(await libc.nonblocking("pointer")(addressOf(bytes), 0n, 0n), addressOf(bytes));
});

const spread = {
  parameters: [
    "buffer",
    "buffer",
    ...["u8", "f32", "i16", "f64", "u32", "f32", "i64", "f64", "i8", "f32"] as const,
    ...["u64", "f64", "u16", "f32", "bool", "f64", "f32", "f64", "i32"] as const,
  ],
  result: "f64",
} as const;

test("21 parameters of mixed types, more than registers hold", { skip: noFixture }, async () => {
  const library = open(fixture(), { spread });
  for (const call of [library.functions.spread, library.nonblocking("spread")]) {
    const integers = new BigInt64Array(9);
    const numbers = new Float64Array(10);
    const first = [integers, numbers, 255, 0.5, -32768, Math.PI, 2 ** 32 - 1, -1.5] as const;
    const second = [-(2n ** 63n), 1e300, -128, 2.5, 2n ** 63n, -1e-300, 65535, 3.5] as const;
    const sum = await call(...first, ...second, true, -7.25, 4.5, 1000.5, -(2 ** 31));
    assertEquals(sum, 1000.5 - 2 ** 31);
    const expected = [255n, -32768n, 4294967295n, -(2n ** 63n), -128n, -(2n ** 63n), 65535n, 1n];
    assertEquals([...integers], [...expected, -(2n ** 31n)]);
    assertEquals([...numbers], [0.5, Math.PI, -1.5, 1e300, 2.5, -1e-300, 3.5, -7.25, 4.5, 1000.5]);
  }
});

test("only the bits of the result's type count", { skip: noFixture }, async () => {
  const narrow = <const T extends Scalar | "bool">(result: T) =>
    ({ parameters: ["i64"], result }) as const;
  const library = open(fixture(), {
    narrow_i8: narrow("i8"),
    narrow_u8: narrow("u8"),
    narrow_i16: narrow("i16"),
    narrow_u16: narrow("u16"),
    narrow_i32: narrow("i32"),
    narrow_u32: narrow("u32"),
    narrow_bool: narrow("bool"),
  });
  const expected = {
    narrow_i8: -2,
    narrow_u8: 0xfe,
    narrow_i16: -2,
    narrow_u16: 0xfffe,
    narrow_i32: -2,
    narrow_u32: 0xfffffffe,
    narrow_bool: false,
  } as const;
  for (const [name, value] of Object.entries(expected)) {
    const key = name as keyof typeof expected;
    assertStrictEquals<unknown>(library.sync(key)(0x7ffffffffffffffen), value);
    assertStrictEquals<unknown>(await library.nonblocking(key)(0x7ffffffffffffffen), value);
  }
});

test("small integers are extended by their sign", { skip: noFixture }, async () => {
  const widen = <const T extends Scalar>(type: T) =>
    ({ parameters: [type], result: "i64" }) as const;
  const library = open(fixture(), {
    widen_i8: widen("i8"),
    widen_u8: widen("u8"),
    widen_i16: widen("i16"),
    widen_u16: widen("u16"),
    widen_i32: widen("i32"),
    widen_u32: widen("u32"),
    widen_f32: { parameters: ["f32"], result: "f64" },
  });
  const cases = [
    ["widen_i8", -128],
    ["widen_u8", 255],
    ["widen_i16", -32768],
    ["widen_u16", 65535],
    ["widen_i32", -(2 ** 31)],
    ["widen_u32", 2 ** 32 - 1],
  ] as const;
  for (const [name, value] of cases) {
    assertEquals(library.sync(name)(value), BigInt(value));
    assertEquals(await library.nonblocking(name)(value), BigInt(value));
  }
  assertEquals(library.functions.widen_f32(0.1), Math.fround(0.1));
  assertEquals(await library.nonblocking("widen_f32")(0.1), Math.fround(0.1));
});

test("structs by value go where C expects them", { skip: noFixture }, async () => {
  const line = "by_value u64 before:u32 pair:struct[16] factor:f64 triple:struct[24] after:u64";
  const { description, flatten } = readSignature(line);
  const library = open(fixture(), { by_value: description });
  const pair = BigUint64Array.of(0xffffffff00000002n, 3n);
  const triple = BigUint64Array.of(100n, 1000n, 10000n);
  const args = flatten!([1, pair, 4.5, triple, 2n ** 62n]) as never[];
  const expected = 1n + 2n + 3n + 4n + 11100n + 2n ** 62n;
  assertEquals(library.sync("by_value")(...args), expected);
  assertEquals(await library.nonblocking("by_value")(...args), expected);
});
