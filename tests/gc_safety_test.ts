/**
 * What the package is for: a wait of seconds in the driver, and a program that goes on meanwhile.
 * The control is the same program over the library as it is generated with `gcsafe = false`.
 */
import { assert, assertEquals, assertGreater, assertLess, assertThrows } from "@std/assert";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { emit, root } from "../gen/generate.ts";
import { evaluate, projectFile } from "./support/child.ts";
import { noExecution } from "./support/device.ts";
import { test } from "./support/testing.ts";

/** Milliseconds that the wait may last: nothing but the program signals the event. */
const TIMEOUT = 10_000;

/** What the program saw; all in milliseconds. */
interface Seen {
  /** The longest time in which no 5 ms timer ticked, while nothing waited. */
  readonly idleGap: number;
  /** The same during the wait. */
  readonly longestGap: number;
  /** From the start of the wait until all else was done. */
  readonly busy: number;
  /** From the event's signal to the end of the wait. */
  readonly ended: number;
  readonly result: unknown;
  readonly collected: number;
  readonly answer: string;
  readonly bytes: number;
}

/** A program that waits in one way and does all sorts of things meanwhile. */
function program(library: string, wait: string): string {
  return `
    import { readFile } from "node:fs/promises";
    import { createServer } from "node:http";
    import { drivers } from ${JSON.stringify(`${library}/mod.ts`)};
    import { zeEventHostSynchronize } from ${JSON.stringify(`${library}/src/libze/mod.ts`)};
    import { collectGarbage } from ${JSON.stringify(projectFile("tests/support/garbage.ts"))};
    import { Ticks } from ${JSON.stringify(projectFile("tests/support/ticks.ts"))};

    const context = drivers()[0].createContext();
    const event = context.createEvent();
    const server = createServer((_, response) => response.end("pong"));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

    const ticks = new Ticks();
    const sleep = (duration) => new Promise((resolve) => setTimeout(resolve, duration));

    let collected = 0;
    const registry = new FinalizationRegistry(() => collected++);
    const everythingElse = async () => {
      for (let round = 0; round < 5; round++) {
        for (let i = 0; i < 1000; i++) registry.register({ i }, i);
        await sleep(20);
        collectGarbage();
      }
      const { length: bytes } = await readFile(${JSON.stringify(fileURLToPath(import.meta.url))});
      const answer = await (await fetch("http://127.0.0.1:" + server.address().port)).text();
      await sleep(1000);
      return { bytes, answer };
    };

    // Once without a wait: what the runtime loads at first, and other programs' load.
    await everythingElse();
    ticks.takeLongestGap();
    await everythingElse();
    const idleGap = ticks.takeLongestGap();

    collected = 0;
    const begin = performance.now();
    const waiting = Promise.resolve(${wait});
    const { bytes, answer } = await everythingElse();
    const busy = performance.now() - begin;
    const signalled = performance.now();
    event.signal();
    const result = await waiting;
    const ended = performance.now() - signalled;
    const longestGap = ticks.takeLongestGap();
    ticks[Symbol.dispose]();
    server.close();
    console.log(
      JSON.stringify({ idleGap, longestGap, busy, ended, result, collected, answer, bytes }),
    );
  `;
}

/** What has to hold while something waits. */
function goesOn({ idleGap, longestGap, busy, ended, collected, answer, bytes }: Seen): void {
  assertLess(longestGap, Math.max(50, 2 * idleGap));
  assertLess(busy, TIMEOUT / 2);
  assertLess(ended, 20);
  assertGreater(collected, 0);
  assertEquals([answer, bytes], ["pong", readFileSync(new URL(import.meta.url)).length]);
}

const rawWait = `zeEventHostSynchronize(event.handle, ${TIMEOUT}n * 1000000n)`;

test("A wait of 10 s in the driver holds nothing up, and ends within 20 ms of the signal", {
  skip: noExecution,
  timeout: 120_000,
}, async () => {
  const seen = await evaluate<Seen>(program(projectFile("").replace(/\/$/, ""), rawWait));
  goesOn(seen);
  assertEquals(seen.result, 0);
});

test("So does a wait of the object API", { skip: noExecution, timeout: 120_000 }, async () => {
  const wait = `event.wait({ timeout: ${TIMEOUT} })`;
  const seen = await evaluate<Seen>(program(projectFile("").replace(/\/$/, ""), wait));
  goesOn(seen);
  assertEquals(seen.result, true);
});

test("The control: generated with `gcsafe = false`, the same wait holds everything up", {
  skip: noExecution,
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "level-zero-control-"));
  try {
    cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
    cpSync(join(root, "mod.ts"), join(folder, "mod.ts"));
    const toml = readFileSync(join(root, "ze.toml"), "utf8");
    assert(toml.includes("gcsafe = true"));
    const config = join(folder, "ze.toml");
    writeFileSync(config, toml.replace("gcsafe = true", "gcsafe = false"));
    for (const { name, text } of emit(config)) {
      writeFileSync(join(folder, "src", "libze", name), text);
    }
    const seen = await evaluate<Seen>(program(pathToFileURL(folder).href, rawWait), {
      timeout: 60_000,
    });
    assertGreater(seen.longestGap, 0.9 * TIMEOUT);
    assertGreater(seen.busy, 0.9 * TIMEOUT);
    // ZE_RESULT_NOT_READY: the signal came when the wait was long over.
    assertEquals(seen.result, 1);
    assertThrows(() => goesOn(seen));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
