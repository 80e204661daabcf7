/**
 * Functions described by lines of text, and structs that are passed by value.
 *
 * @module
 */

import { assertEquals, assertThrows } from "@std/assert";
import { ArgumentRangeError } from "../src/ffi/mod.ts";
import { readSignature } from "../src/ffi/signature.ts";
import { test } from "./support/testing.ts";

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
