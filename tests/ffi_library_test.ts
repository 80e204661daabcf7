/**
 * Opening a library, asking it for symbols, and closing it.
 */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ArgumentTypeError,
  Callback,
  LibraryClosedError,
  LibraryNotFoundError,
  MissingSymbolError,
  open,
} from "../src/ffi/mod.ts";
import { bad, C_LIBRARY, sleep, usleep } from "./support/fixture.ts";
import { test } from "./support/testing.ts";

const getpid = { parameters: [], result: "i32" } as const;
const absent = { parameters: ["u32"], result: "u32", optional: true } as const;

test("open() takes the first library that can be had", () => {
  const { path } = open(["libno_such_library.so.1", ...C_LIBRARY], { getpid });
  assert(C_LIBRARY.includes(path), path);
});

test("open() tells every name that it tried, and what the system said to each", () => {
  const names = ["libno_such_library.so.1", "/no/such/folder/library.so"];
  const error = assertThrows(() => open(names, {}), LibraryNotFoundError);
  assertEquals(error.name, "LibraryNotFoundError");
  assertEquals(error.tried, names);
  assertEquals(error.reasons.length, 2);
  for (const [i, name] of names.entries()) {
    assert(error.reasons[i]!.startsWith(`${name}: `), error.reasons[i]);
    assertStringIncludes(error.message, error.reasons[i]!);
  }
});

test("open() tells that a file is no library", () => {
  const folder = mkdtempSync(join(tmpdir(), "level-zero-test-"));
  try {
    const file = join(folder, "library.so");
    writeFileSync(file, "This is text, and no library at all, however long it is made.".repeat(9));
    const error = assertThrows(() => open([file], {}), LibraryNotFoundError);
    assertStringIncludes(error.reasons[0]!, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("open() with no name finds nothing", () => {
  assertEquals(assertThrows(() => open([], {}), LibraryNotFoundError).tried, []);
});

test("open() refuses a library that lacks a function which is not optional", () => {
  const description = { getpid, no_such_symbol: { parameters: [], result: "void" } } as const;
  const error = assertThrows(() => open(C_LIBRARY, description), MissingSymbolError);
  assertEquals(error.symbol, "no_such_symbol");
  assertStringIncludes(error.message, error.library);
});

test("an optional function that is missing throws when it is called, and not before", async () => {
  const library = open(C_LIBRARY, { getpid, no_such_symbol: absent });
  const { no_such_symbol } = library.functions;
  for (let i = 0; i < 2; i++) {
    const error = assertThrows(() => no_such_symbol(1), MissingSymbolError);
    assertEquals([error.symbol, error.library], ["no_such_symbol", library.path]);
  }
  const nonblocking = library.nonblocking("no_such_symbol");
  await assertRejects(async () => await nonblocking(1), MissingSymbolError);
  assert(library.functions.getpid() > 0);
});

test("a missing symbol can be made an error of one's own", () => {
  const library = open(C_LIBRARY, { no_such_symbol: absent }, {
    onMissing: (symbol, path) => new RangeError(`${symbol} of ${path}`),
  });
  const error = assertThrows(() => library.functions.no_such_symbol(1), RangeError);
  assertEquals(error.message, `no_such_symbol of ${library.path}`);
});

test("has() looks a symbol up, described or not, under the name that C has for it", () => {
  const renamed = { ...getpid, symbol: "getpid" } as const;
  const library = open(C_LIBRARY, { processId: renamed, no_such_symbol: absent });
  assertEquals(
    ["processId", "getpid", "strlen", "no_such_symbol", "toString", ""].map((s) => library.has(s)),
    [true, true, true, false, false, false],
  );
  assertEquals(library.functions.processId(), library.sync("processId")());
});

test("a function that is not described can't be asked for", () => {
  const library = open(C_LIBRARY, { getpid });
  assertThrows(() => library.sync(bad("strlen")), MissingSymbolError);
});

test("functions are made once, and listed by name", () => {
  const library = open(C_LIBRARY, { getpid, usleep });
  assertEquals(Object.keys(library.functions), ["getpid", "usleep"]);
  assert(library.functions.getpid === library.functions.getpid);
  assert(library.functions.getpid === library.sync("getpid"));
  assert(library.functions.usleep === library.nonblocking("usleep"));
});

test("results that are not accepted go to onFailure, once they are there", async () => {
  const failures: unknown[][] = [];
  const labs = { symbol: "abs", parameters: ["i32"], result: "i32", accepts: [0, 7] } as const;
  const library = open(C_LIBRARY, { labs, plain: { ...labs, accepts: undefined } }, {
    onFailure(...failure): never {
      failures.push(failure);
      throw new RangeError(`failed with ${failure[1]}`);
    },
  });
  const nonblocking = library.nonblocking("labs");
  assertEquals([library.functions.labs(-7), library.functions.labs(0)], [7, 0]);
  assertEquals(await nonblocking(-7), 7);
  assertThrows(() => library.functions.labs(-3), RangeError, "failed with 3");
  await assertRejects(() => nonblocking(-4), RangeError, "failed with 4");
  assertEquals(failures, [["labs", 3, false], ["labs", 4, true]]);
  assertEquals(library.inFlight, 0);
});

test("close() refuses calls from then on, through functions already held too", async () => {
  const library = open(C_LIBRARY, { getpid, usleep, strlen: absent });
  const { getpid: held, usleep: heldNonblocking } = library.functions;
  held();
  library.close();
  library.close();
  assertThrows(() => held(), LibraryClosedError);
  await assertRejects(async () => await heldNonblocking(1), LibraryClosedError);
  assertThrows(() => library.functions.strlen(1), LibraryClosedError);
  assertThrows(() => library.sync("strlen"), LibraryClosedError);
  assertThrows(() => library.has("strlen"), LibraryClosedError);
  const error = assertThrows(() => held(), LibraryClosedError);
  assertStringIncludes(error.message, library.path);
});

test("close() checks arguments no less, so errors do not depend on it", () => {
  const library = open(C_LIBRARY, { usleep });
  const call = library.sync("usleep");
  library.close();
  assertThrows(() => call(bad("x")), ArgumentTypeError);
});

test("close() lets calls in flight come to their end", async () => {
  const library = open(C_LIBRARY, { usleep });
  const calls = Array.from({ length: 60 }, (_, i) => library.functions.usleep(20_000 + i));
  assertEquals(library.inFlight, 60);
  library.close();
  assertThrows(() => library.has("usleep"), LibraryClosedError);
  assertEquals(await Promise.all(calls), calls.map(() => 0));
  assertEquals(library.inFlight, 0);
});

test("close() in one library leaves another of the same name open", async () => {
  const [first, second] = [
    open(C_LIBRARY, { getpid, usleep }),
    open(C_LIBRARY, { getpid, usleep }),
  ];
  first.functions.getpid();
  const pending = second.functions.usleep(30_000);
  first.close();
  assert(second.functions.getpid() > 0);
  assertEquals(await pending, 0);
});

const qsort = { parameters: ["buffer", "usize", "usize", "pointer"], result: "void" } as const;
const comparison = { parameters: ["pointer", "pointer"], result: "i32" } as const;

test("close() inside a callback waits until native code has left", async () => {
  const library = open(C_LIBRARY, { qsort, getpid });
  let calls = 0;
  const callback = new Callback(comparison, () => {
    if (calls++ === 0) {
      library.close();
      callback.close();
      assertThrows(() => library.sync("getpid"), LibraryClosedError);
    }
    return 0;
  });
  library.functions.qsort(new Uint32Array(8), 8n, 4n, callback.address);
  assert(calls > 1, "qsort went on after the library was closed");
  await sleep(1);
  assertThrows(() => library.functions.qsort(bad(null), 0n, 0n, 0n), LibraryClosedError);
});

test("wrong arguments of a nonblocking call are thrown at once: no Promise is there to forget", () => {
  const library = open(C_LIBRARY, { usleep });
  assertThrows(() => library.functions.usleep(bad("1")), ArgumentTypeError);
  assertEquals(library.inFlight, 0);
});
