/**
 * TypeScript functions that native code calls, from the same thread and from others.
 */
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import { ArgumentRangeError, ArgumentTypeError, Callback, open, viewAt } from "../src/ffi/mod.ts";
import { bad, C_LIBRARY, fixture, noFixture, sleep } from "./support/fixture.ts";
import { test } from "./support/testing.ts";

const qsort = { parameters: ["buffer", "usize", "usize", "pointer"], result: "void" } as const;
const bsearch = {
  parameters: ["buffer", "buffer", "usize", "usize", "pointer"],
  result: "pointer",
} as const;
const comparison = { parameters: ["pointer", "pointer"], result: "i32" } as const;
const libc = open(C_LIBRARY, { qsort, bsearch });

function uint32At(address: bigint): number {
  const bytes = viewAt(address, 4);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}

test("qsort() sorts by a callback on the same thread", () => {
  const values = Uint32Array.from({ length: 500 }, (_, i) => (i * 7919) % 4_294_967_291);
  using ascending = new Callback(comparison, (a, b) => uint32At(a) < uint32At(b) ? -1 : 1);
  libc.functions.qsort(values, 500n, 4n, ascending.address);
  assertEquals(values, Uint32Array.from(values).sort());
});

test("a callback may itself call native code that calls back", () => {
  let innerCalls = 0;
  using inner = new Callback(comparison, () => (innerCalls++, 0));
  using outer = new Callback(comparison, (a, b) => {
    libc.functions.qsort(new Uint32Array(2), 2n, 4n, inner.address);
    return uint32At(a) - uint32At(b);
  });
  const values = Uint32Array.of(3, 1, 2);
  libc.functions.qsort(values, 3n, 4n, outer.address);
  assertEquals([...values], [1, 2, 3]);
  assert(innerCalls >= 2);
});

test("100,000 calls of a callback from optimized code come through", () => {
  let calls = 0;
  using callback = new Callback(comparison, (a, b) => (calls++, a < b ? -1 : 1));
  const [key, values] = [new Uint8Array(4), new Uint8Array(16)];
  const { bsearch } = libc.functions;
  const { address } = callback;
  while (calls < 100_000) bsearch(key, values, 4n, 4n, address);
  assert(calls >= 100_000);
});

test("what a callback throws goes to onError, and native code gets 0", () => {
  const errors: unknown[] = [];
  const failure = new Error("from the callback");
  using callback = new Callback(comparison, () => {
    throw failure;
  }, { onError: (error) => errors.push(error) });
  const values = Uint32Array.of(2, 1);
  libc.functions.qsort(values, 2n, 4n, callback.address);
  // 0 says that they are equal, so that they stay where they are.
  assertEquals([...values], [2, 1]);
  assertEquals(errors, [failure]);
});

test("a result of the wrong type or size goes to onError as well", () => {
  const errors: unknown[] = [];
  for (const result of [undefined, null, "1", 1n, {}, 2 ** 31, 0.5, NaN, Promise.resolve(1)]) {
    using callback = new Callback(comparison, () => bad(result), {
      onError: (error) => errors.push(error),
    });
    libc.functions.qsort(Uint32Array.of(2, 1), 2n, 4n, callback.address);
  }
  assertEquals(errors.length, 9);
  for (const error of errors) {
    assert(error instanceof ArgumentTypeError || error instanceof ArgumentRangeError);
    assertEquals([error.functionName, error.argument], ["Callback", "result"]);
  }
});

const typed = {
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u8: [0, 255],
  i64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [2n ** 53n + 1n, 2n ** 64n - 1n],
  f32: [0.5, -Infinity],
  f64: [Math.PI, NaN],
  bool: [true, false],
} as const;

for (const [type, values] of Object.entries(typed)) {
  test(`${type}: goes into a callback and out of it unchanged; 0 if it throws`, {
    skip: noFixture,
  }, () => {
    const name = `call_${type}`;
    const library = open(fixture(), {
      [name]: { parameters: ["pointer", type as "u64"], result: type as "u64" },
    });
    const call = library.sync(name);
    const description = { parameters: [type as "u64"], result: type as "u64" } as const;
    for (const value of values) {
      const seen: unknown[] = [];
      using callback = new Callback(description, (given) => (seen.push(given), given));
      assertStrictEquals<unknown>(call(callback.address, value as bigint), value);
      assertStrictEquals(seen[0], value);
    }
    let thrown: unknown;
    using throwing = new Callback(description, () => {
      throw new Error("none");
    }, { onError: (error) => thrown = error });
    const zero = type === "bool" ? false : typeof values[0] === "bigint" ? 0n : 0;
    assertStrictEquals<unknown>(call(throwing.address, values[0] as bigint), zero);
    assertInstanceOf(thrown, Error);
  });
}

test("an integer that the engine holds as a float comes out of a callback", {
  skip: noFixture,
}, () => {
  const { functions } = open(fixture(), {
    call_i32: { parameters: ["pointer", "i32"], result: "i32" },
  });
  const description = { parameters: ["i32"], result: "i32" } as const;
  using seven = new Callback(description, () => new Float64Array([7])[0]!);
  assertEquals(functions.call_i32(seven.address, 1), 7);
  using zero = new Callback(description, () => -0);
  assertEquals(functions.call_i32(zero.address, 1), 0);
});

const notice = { parameters: ["u64", "f64", "i32", "u8"], result: "void" } as const;
const notify = { parameters: ["pointer", "u64"], result: "i32", nonblocking: true } as const;

test("a callback for any thread runs on this one, in order, with every argument", {
  skip: noFixture,
}, async () => {
  const { functions } = open(fixture(), { notify_from_thread: notify });
  const seen: unknown[][] = [];
  const callback = new Callback(notice, (...args) => void seen.push(args), { anyThread: true });
  assertEquals(await functions.notify_from_thread(callback.address, 50n), 0);
  for (let i = 0; i < 100 && seen.length < 50; i++) await sleep(5);
  callback.close();
  callback.close();
  const expected = Array.from({ length: 50 }, (_, i) => [
    2n ** 53n + 1n + BigInt(i),
    0.5 * i,
    0 - i,
    200 + i,
  ]);
  assertEquals(seen, expected);
});

test("what a callback for any thread throws goes to onError", { skip: noFixture }, async () => {
  const { functions } = open(fixture(), { notify_from_thread: notify });
  const errors: unknown[] = [];
  using callback = new Callback(notice, () => {
    throw new Error("none");
  }, { anyThread: true, onError: (error) => errors.push(error) });
  await functions.notify_from_thread(callback.address, 3n);
  for (let i = 0; i < 100 && errors.length < 3; i++) await sleep(5);
  assertEquals(errors.length, 3);
});

test("a callback for any thread can't have a result", () => {
  const error = assertThrows(
    () => new Callback(comparison, () => 0, { anyThread: true }),
    ArgumentTypeError,
  );
  assertEquals(error.argument, "description.result");
});

test("a callback for any thread gets no pointers: their target may be gone", () => {
  for (const type of ["pointer", "buffer"] as const) {
    for (const parameter of [type, { type, name: "params" }] as const) {
      const error = assertThrows(
        () =>
          new Callback({ parameters: ["u32", parameter], result: "void" }, () => {}, {
            anyThread: true,
          }),
        ArgumentTypeError,
      );
      assertEquals([error.argument, error.given], ["description.parameters[1]", type]);
    }
  }
  using _ = new Callback({ parameters: ["usize"], result: "void" }, () => {}, { anyThread: true });
});

test("a closed callback gives no address, and closing twice is fine", () => {
  const callback = new Callback(comparison, () => 0);
  assert(callback.address > 0n);
  callback.close();
  callback[Symbol.dispose]();
  assertThrows(() => callback.address, Error, "closed");
});

test("closing a callback inside itself waits until native code has left", async () => {
  const callback: Callback<typeof comparison> = new Callback(comparison, () => {
    callback.close();
    return 0;
  });
  libc.functions.qsort(new Uint32Array(16), 16n, 4n, callback.address);
  await sleep(1);
  assertThrows(() => callback.address, Error, "closed");
});
