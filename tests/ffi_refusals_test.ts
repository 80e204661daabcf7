/**
 * Arguments that no native function may get are refused before the call, with
 * an error that names the function and the argument.
 */
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type FunctionDescription,
  open,
  type ParameterDescription,
  type ParameterType,
} from "../src/ffi/mod.ts";
import { bad, C_LIBRARY } from "./support/fixture.ts";
import { test } from "./support/testing.ts";

/**
 * `rand` looks at no argument, and its next number tells whether it was called
 * in between; so it stands for a native function of any prototype.
 */
const seed = open(C_LIBRARY, {
  srand: { parameters: ["u32"], result: "void" },
  rand: { parameters: [], result: "i32" },
});

function firstRandom(): number {
  seed.functions.srand(7);
  const first = seed.functions.rand();
  seed.functions.srand(7);
  return first;
}

type Refusal = typeof ArgumentTypeError | typeof ArgumentRangeError;
type AnyFunction = (...args: unknown[]) => unknown;

/** Both forms of a function that must never be called with what it is given. */
function forms(parameters: readonly ParameterDescription[]): [string, AnyFunction][] {
  const description: FunctionDescription = { parameters, result: "i32", symbol: "rand" };
  const library = open(C_LIBRARY, { example: description });
  return [
    ["sync", library.sync("example") as AnyFunction],
    ["nonblocking", library.nonblocking("example") as AnyFunction],
  ];
}

/** That both forms refuse the arguments for the one that is named, calling nothing. */
async function refuses(
  parameters: readonly ParameterDescription[],
  args: readonly unknown[],
  error: Refusal,
  argument: string,
): Promise<ArgumentTypeError | ArgumentRangeError> {
  const expected = firstRandom();
  let last: unknown;
  for (const [form, call] of forms(parameters)) {
    const caught = await (async () => await call(...args))().catch((reason: unknown) => reason);
    assertInstanceOf<ArgumentTypeError | ArgumentRangeError>(caught, error, form);
    assertEquals(caught.functionName, "example");
    assertEquals(caught.argument, argument);
    assertStringIncludes(caught.message, `example: argument \`${argument}\``);
    assertStringIncludes(caught.message, caught.accepted);
    last = caught;
  }
  assertEquals(seed.functions.rand(), expected, "The native function was called");
  return last as ArgumentTypeError;
}

/** That both forms take the arguments. */
async function accepts(
  parameters: readonly ParameterDescription[],
  args: readonly unknown[],
): Promise<void> {
  for (const [, call] of forms(parameters)) {
    const expected = firstRandom();
    assertEquals(await call(...args), expected, "The native function was not called");
  }
}

const noNumber = [undefined, null, "1", 1n, true, {}, [1], () => 1, Symbol("s"), new Date(0)];
const noBigint = [undefined, null, 0, 1, NaN, "1", true, {}, [1n], () => 1n, new Uint8Array(8)];

const integers: Record<string, unknown[]> = {
  i8: [-129, 128, 0.5, NaN, Infinity, 2 ** 32, -(2 ** 53)],
  u8: [-1, 256, 0.5, NaN, -Infinity, 2 ** 32, 2 ** 40 + 1],
  i16: [-32769, 32768, 1.5, NaN, 2 ** 32],
  u16: [-1, 65536, 0.1, NaN, 2 ** 32 + 1],
  i32: [-(2 ** 31) - 1, 2 ** 31, 1e-9, NaN, 2 ** 32],
  u32: [-1, 2 ** 32, 0.5, NaN, Infinity, 2 ** 53],
};

for (const [type, outside] of Object.entries(integers)) {
  test(`${type}: what is no number is a type error, what does not fit a range error`, async () => {
    const parameters = [{ type: type as ParameterType, name: "value" }];
    for (const value of noNumber) await refuses(parameters, [value], ArgumentTypeError, "value");
    for (const value of outside) await refuses(parameters, [value], ArgumentRangeError, "value");
    await accepts(parameters, [-0]);
  });
}

const bigints: Record<string, bigint[]> = {
  i64: [-(2n ** 63n) - 1n, 2n ** 63n, 2n ** 64n, 2n ** 200n],
  isize: [-(2n ** 63n) - 1n, 2n ** 63n],
  u64: [-1n, 2n ** 64n, -(2n ** 63n), 2n ** 200n],
  usize: [-1n, 2n ** 64n],
  pointer: [-1n, 2n ** 64n],
};

for (const [type, outside] of Object.entries(bigints)) {
  test(`${type}: a number is never taken for a bigint, and nothing is wrapped around`, async () => {
    const parameters = [{ type: type as ParameterType, name: "value" }];
    for (const value of noBigint) await refuses(parameters, [value], ArgumentTypeError, "value");
    for (const value of outside) await refuses(parameters, [value], ArgumentRangeError, "value");
  });
}

test("pointer: a handle may have any of 64 bits, and is never negative", async () => {
  const parameters = [{ type: "pointer", nullable: false }] as const;
  for (const value of [1n, 2n ** 47n, 2n ** 63n + 5n, 2n ** 64n - 1n]) {
    await accepts(parameters, [value]);
  }
  for (const value of [-1n, -(2n ** 63n)]) {
    await refuses(parameters, [value], ArgumentRangeError, "0");
  }
  for (const value of noBigint) await refuses(parameters, [value], ArgumentTypeError, "0");
});

test("pointer: 0n is refused where the description says so, and nowhere else", async () => {
  await accepts([{ type: "pointer" }], [0n]);
  await refuses([{ type: "pointer", nullable: false }], [0n], ArgumentRangeError, "0");
  await accepts([{ type: "pointer", nullable: false }], [1n]);
});

test("f32, f64: any number is taken, nothing else", async () => {
  for (const type of ["f32", "f64"] as const) {
    for (const value of noNumber) await refuses([{ type }], [value], ArgumentTypeError, "0");
    for (const value of [NaN, -Infinity, 1e300, -0]) await accepts([{ type }], [value]);
  }
});

test("bool: only true and false are taken", async () => {
  for (const value of [undefined, null, 0, 1, "true", 1n, {}]) {
    await refuses([{ type: "bool", name: "on" }], [value], ArgumentTypeError, "on");
  }
});

test("a wrong argument is named among right ones, and a missing one is refused", async () => {
  const parameters = (["u32", "u64", "buffer", "bool"] as const).map((type, i) => ({
    type,
    name: `p${i}`,
  }));
  const right = [1, 1n, new Uint8Array(1), true];
  await accepts(parameters, right);
  for (let i = 0; i < right.length; i++) {
    const args = [...right];
    args[i] = undefined as never;
    await refuses(parameters, args, ArgumentTypeError, `p${i}`);
  }
  await refuses(parameters, right.slice(0, 3), ArgumentTypeError, "p3");
});

test("buffer: what is no view is refused, an ArrayBuffer and an array included", async () => {
  for (const size of [0, 4]) {
    const parameters = [{ type: "buffer", name: "data", byteLength: size }] as const;
    for (const value of [undefined, 0, 0n, "text", [1, 2], new ArrayBuffer(8), {}, true]) {
      await refuses(parameters, [value], ArgumentTypeError, "data");
    }
    await accepts(parameters, [null]);
    await accepts(parameters, [new Uint8Array(4)]);
  }
});

test("buffer: undefined is refused after a view that is too large to be remembered", () => {
  const library = open(C_LIBRARY, { strlen: { parameters: ["buffer"], result: "usize" } });
  assertEquals(library.functions.strlen(new Uint8Array(100_000)), 0n);
  assertThrows(() => library.functions.strlen(bad(undefined)), ArgumentTypeError);
});

test("buffer: null is refused where it is not nullable", async () => {
  const parameters = [{ type: "buffer", name: "data", nullable: false }] as const;
  await refuses(parameters, [null], ArgumentTypeError, "data");
});

test("buffer: a view that is too short is a range error with the bytes that are needed", async () => {
  const parameters = [{ type: "buffer", name: "data", byteLength: 8 }] as const;
  for (const view of [new Uint8Array(7), new Uint8Array(64).subarray(60), new Uint8Array(0)]) {
    const { message } = await refuses(parameters, [view], ArgumentRangeError, "data");
    assertStringIncludes(message, `a Uint8Array of ${view.byteLength} bytes`);
    assertStringIncludes(message, "at least 8 bytes");
  }
  await refuses(parameters, [new DataView(new ArrayBuffer(7))], ArgumentRangeError, "data");
  await accepts(parameters, [new DataView(new ArrayBuffer(9), 1)]);
});

const counters: [string, ParameterDescription, (count: number) => unknown][] = [
  ["a u32", { type: "u32" }, (count) => count],
  ["a usize", { type: "usize" }, BigInt],
  ["a u32 pointed to", { type: "buffer", byteLength: 4 }, (count) => Uint32Array.of(count)],
  [
    "a u64 pointed to",
    { type: "buffer", byteLength: 8 },
    (count) => BigUint64Array.of(BigInt(count)),
  ],
];

for (const [what, counter, value] of counters) {
  test(`buffer: its length is told by ${what}, before it or behind`, async () => {
    const list = (count: number): ParameterDescription => ({
      type: "buffer",
      name: "list",
      byteLength: 8,
      count,
    });
    for (const count of [0, 1, 3]) {
      const view = new BigUint64Array(count);
      await accepts([counter, list(0)], [value(count), view]);
      await accepts([list(1), counter], [view, value(count)]);
      await refuses([counter, list(0)], [value(count + 1), view], ArgumentRangeError, "list");
      await refuses([list(1), counter], [view, value(count + 1)], ArgumentRangeError, "list");
    }
    await accepts([counter, list(0)], [value(0), null]);
    await refuses([counter, list(0)], [value(1), null], ArgumentTypeError, "list");
    await refuses([counter, list(0)], [value(4e9), new Uint8Array(8)], ArgumentRangeError, "list");
  });
}

test("buffer: where the count is NULL, nothing is written to the list", async () => {
  const parameters = [
    { type: "buffer", byteLength: 4 },
    { type: "buffer", byteLength: 8, count: 0 },
  ] as const;
  await accepts(parameters, [null, new Uint8Array(0)]);
  await accepts(parameters, [null, null]);
});

test("buffer: views of resizable and growable buffers are refused", async () => {
  const resizable = new ArrayBuffer(8, { maxByteLength: 16 });
  const shared = SharedArrayBuffer as unknown as new (
    length: number,
    options: { maxByteLength: number },
  ) => SharedArrayBuffer;
  const growable = new shared(8, { maxByteLength: 16 });
  for (const byteLength of [0, 4]) {
    const parameters = [{ type: "buffer", name: "data", byteLength }] as const;
    for (
      const view of [
        new Uint8Array(resizable),
        new DataView(resizable, 0, 8),
        new Uint8Array(growable),
      ]
    ) {
      const { message } = await refuses(parameters, [view], ArgumentTypeError, "data");
      assertStringIncludes(message, "resizable");
    }
  }
});

const viewTypes: [string, (buffer: ArrayBuffer) => ArrayBufferView][] = [
  ["Uint8Array", (buffer) => new Uint8Array(buffer)],
  ["DataView", (buffer) => new DataView(buffer)],
  ["BigUint64Array", (buffer) => new BigUint64Array(buffer)],
];

for (const [name, make] of viewTypes) {
  test(`buffer: a ${name} is refused once its buffer is detached, also if it was accepted before`, () => {
    for (const parameter of [{}, { byteLength: 8 }, { byteLength: 8, count: 1 }]) {
      for (const size of [16, 100_000]) {
        const parameters = [{ type: "buffer", ...parameter }, { type: "u32" }] as const;
        for (const [form, call] of forms(parameters)) {
          const buffer = new ArrayBuffer(size);
          const view = make(buffer);
          const [first, second] = [make(new ArrayBuffer(size)), view];
          if (form === "sync") { for (let i = 0; i < 3; i++) call(second, 1); }
          structuredClone(buffer, { transfer: [buffer] });
          const expected = firstRandom();
          for (const count of [1, 0]) {
            const error = assertThrows(() => call(view, count), ArgumentTypeError);
            assertStringIncludes(error.message, "detached");
          }
          assertEquals(seed.functions.rand(), expected);
          if (form === "sync") call(first, 1);
        }
      }
    }
  });
}

test("errors are TypeError or RangeError, and hold the value that was given", async () => {
  const type = await refuses([{ type: "u64" }], ["17"], ArgumentTypeError, "0");
  assert(type instanceof TypeError);
  assertEquals([type.name, type.given], ["ArgumentTypeError", "17"]);
  const range = await refuses([{ type: "u64" }], [-1n], ArgumentRangeError, "0");
  assert(range instanceof RangeError);
  assertEquals([range.name, range.given], ["ArgumentRangeError", -1n]);
  assertEquals(
    range.message,
    "example: argument `0` is -1n, but must be a bigint from 0n to 2n ** 64n - 1n",
  );
});

test("values that resist being described are refused all the same", async () => {
  const thrower = new Proxy({}, {
    get: () => {
      throw new Error("not to be looked at");
    },
  });
  for (const value of [Object.create(null), Symbol("s"), "x".repeat(10_000), thrower]) {
    const { message } = await refuses([{ type: "u32" }], [value], ArgumentTypeError, "0");
    assert(message.length < 300);
  }
});
