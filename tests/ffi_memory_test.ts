/**
 * Memory that native code and TypeScript share: addresses of views, views at
 * addresses, text at addresses, and what is kept alive for them.
 */
import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import {
  addressOf,
  anchor,
  ArgumentRangeError,
  ArgumentTypeError,
  cString,
  open,
  viewAt,
} from "../src/ffi/mod.ts";
import { bad, C_LIBRARY } from "./support/fixture.ts";
import { collectGarbage, untilCollected } from "./support/garbage.ts";
import { test } from "./support/testing.ts";

const { functions } = open(C_LIBRARY, {
  malloc: { parameters: ["usize"], result: "pointer" },
  free: { parameters: ["pointer"], result: "void" },
  memset: { parameters: ["pointer", "i32", "usize"], result: "pointer" },
  strlen: { parameters: ["pointer"], result: "usize" },
});

test("addressOf() is the first byte of the view, which native code can write to", () => {
  const bytes = new Uint8Array(16);
  functions.memset(addressOf(bytes) + 4n, 0xab, 3n);
  assertEquals([...bytes.subarray(3, 8)], [0, 0xab, 0xab, 0xab, 0]);
  assertEquals(addressOf(bytes.subarray(5)) - addressOf(bytes), 5n);
  assertEquals(addressOf(new DataView(bytes.buffer, 7)) - addressOf(bytes), 7n);
  assertEquals(typeof addressOf(new Uint8Array(new SharedArrayBuffer(8))), "bigint");
});

test("addressOf() stays what it was, also once the buffer is looked at", () => {
  // An engine may keep small arrays elsewhere until their buffer is asked for.
  const small = Array.from({ length: 100 }, () => new Uint32Array(2));
  const addresses = small.map(addressOf);
  collectGarbage();
  for (const [i, view] of small.entries()) {
    assertEquals(view.buffer.byteLength, 8);
    assertEquals(addressOf(view), addresses[i]);
    functions.memset(addresses[i]!, i, 4n);
    assertEquals(view[0], i * 0x01010101);
  }
});

test("addressOf() refuses what has no lasting address", () => {
  for (const value of [null, undefined, 5, new ArrayBuffer(8), [1], {}]) {
    assertThrows(() => addressOf(bad(value)), ArgumentTypeError);
  }
  const resizable = new ArrayBuffer(8, { maxByteLength: 16 });
  assertThrows(() => addressOf(new Uint8Array(resizable)), ArgumentTypeError, "resizable");
  for (const view of [new Uint8Array(8), new DataView(new ArrayBuffer(8))]) {
    structuredClone(view.buffer, { transfer: [view.buffer] });
    assertThrows(() => addressOf(view), ArgumentTypeError, "detached");
  }
});

test("viewAt() shows native memory without a copy, again and again", () => {
  const address = functions.malloc(64n);
  assertNotEquals(address, 0n);
  try {
    for (let round = 0; round < 20; round++) {
      functions.memset(address, round, 64n);
      const [whole, part] = [viewAt(address, 64), viewAt(address + 8n, 8)];
      assert(whole.every((byte) => byte === round));
      whole[8] = 99;
      assertEquals(part[0], 99);
      assertEquals([whole.byteLength, part.byteLength], [64, 8]);
      assertEquals(addressOf(part), address + 8n);
      // What the engine does with such a view must not free the memory.
      if (round % 5 === 0) collectGarbage();
    }
  } finally {
    functions.free(address);
  }
});

test("viewAt() of no bytes is empty", () => {
  assertEquals(viewAt(1n, 0).byteLength, 0);
});

test("viewAt() and cString() refuse what is no address or no length", () => {
  for (const address of [0, 1, null, undefined, "1", {}]) {
    assertThrows(() => viewAt(bad(address), 8), ArgumentTypeError);
    assertThrows(() => cString(bad(address)), ArgumentTypeError);
  }
  for (const address of [0n, -1n, 2n ** 64n]) {
    assertThrows(() => viewAt(address, 8), ArgumentRangeError);
    assertThrows(() => cString(address), ArgumentRangeError);
  }
  for (const length of [-1, 1.5, NaN, Infinity, 2 ** 53, bad("8"), bad(8n)]) {
    assertThrows(() => viewAt(4096n, length));
  }
});

test("cString() reads UTF-8 up to its NUL byte, or to a length", () => {
  const text = new TextEncoder().encode("Grüße, 世界\0rest\0");
  const address = addressOf(text);
  assertEquals(functions.strlen(address), 15n);
  assertEquals(cString(address), "Grüße, 世界");
  assertEquals(cString(address, 100), "Grüße, 世界");
  assertEquals(cString(address, 2), "Gr");
  assertEquals(cString(address, 0), "");
  assertEquals(cString(addressOf(new Uint8Array(1))), "");
});

test("cString() never throws for bytes that are no UTF-8", () => {
  const bytes = Uint8Array.of(0x41, 0xff, 0xc3, 0x42, 0);
  assertEquals(cString(addressOf(bytes)), "A\ufffd\ufffdB");
  assertEquals(cString(addressOf(bytes), 5), "A\ufffd\ufffdB");
});

test("anchor() keeps what it is given as long as the owner, and no longer", async () => {
  const create = (): { owner: Uint8Array; kept: WeakRef<object> } => {
    const [owner, kept] = [new Uint8Array(16), new Uint8Array(1024)];
    anchor(owner.subarray(8), kept);
    anchor(owner, { another: kept });
    return { owner, kept: new WeakRef(kept) };
  };
  const held = Array.from({ length: 20 }, create);
  const dropped = Array.from({ length: 20 }, () => create().kept);
  await untilCollected(dropped);
  assertEquals(held.filter(({ kept }) => kept.deref()).length, 20);
  assertEquals(held.length, held.filter(({ owner }) => owner.byteLength === 16).length);
});
