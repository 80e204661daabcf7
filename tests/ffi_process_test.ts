/**
 * What a program does that makes nonblocking calls: it ends when nothing is
 * pending, waits when something is, and survives what its Workers leave behind.
 */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { type ChildOptions, type ChildResult, projectFile, runScript } from "./support/child.ts";
import { runtime, test } from "./support/testing.ts";

const adapter = JSON.stringify(projectFile("src/ffi/mod.ts"));

const prologue = `
import { nonblockingLimit, open } from ${adapter};
const library = open(["libc.so.6", "/usr/lib/libSystem.B.dylib"], {
  usleep: { parameters: ["u32"], result: "i32", nonblocking: true },
  memset: { parameters: ["buffer", "i32", "usize"], result: "pointer", nonblocking: true },
});
const { usleep, memset } = library.functions;
`;

/** The ways in which calls are made on this runtime. */
const ways: [string, ChildOptions][] = runtime === "deno" ? [["Deno's threads", {}]] : [
  ["threads", { env: { ZE_BUN_WORKERS: undefined } }],
  ["Workers", { env: { ZE_BUN_WORKERS: "1" } }],
];

async function timed(
  source: string,
  options: ChildOptions,
): Promise<ChildResult & { milliseconds: number }> {
  const start = performance.now();
  const result = await runScript(source, options);
  return { ...result, milliseconds: performance.now() - start };
}

function assertEnded({ code, signal, stderr, stdout }: ChildResult, lines: string[]): void {
  assertEquals({ code, signal }, { code: 0, signal: null }, stdout + stderr);
  assertEquals(stdout.trim().split("\n"), lines, stderr);
}

for (const [way, options] of ways) {
  test(`${way}: a program ends soon after its last call, though threads idle`, async () => {
    const result = await timed(`${prologue} await usleep(1000); console.log("end");`, options);
    assertEnded(result, ["end"]);
    assertLess(result.milliseconds, 3000);
  });

  test(`${way}: a program waits for a call that nobody awaits`, async () => {
    const result = await timed(
      `${prologue} usleep(700_000).then(() => console.log("called back")); console.log("end");`,
      options,
    );
    assertEnded(result, ["end", "called back"]);
    assertGreater(result.milliseconds, 700);
  });

  test(`${way}: a program ends whose library is open and was never called`, async () => {
    const result = await timed(
      `${prologue} usleep; library.sync("usleep"); console.log(1);`,
      options,
    );
    assertEnded(result, ["1"]);
  });

  test(`${way}: process.exit() during a call ends the program at once, with its code`, async () => {
    const result = await timed(
      `${prologue}
      import process from "node:process";
      for (let i = 0; i < 20; i++) usleep(3_000_000);
      setTimeout(() => process.exit(7), 100);`,
      options,
    );
    assertEquals([result.code, result.signal], [7, null], result.stderr);
    assertLess(result.milliseconds, 2900);
  });

  test(`${way}: an uncaught error during a call is reported as such`, async () => {
    const { code, signal, stderr } = await timed(
      `${prologue} usleep(300_000); setTimeout(() => { throw new Error("mine"); }, 50);`,
      options,
    );
    assertEquals([code, signal], [1, null], stderr);
    assert(stderr.includes("mine"), stderr);
  });

  test(`${way}: several Workers of the program call at the same time`, async () => {
    const result = await timed(
      workers(
        `
        await Promise.all(Array.from({ length: 50 }, (_, i) => usleep(i * 1000)));
        library.close();
        postMessage("done");
      `,
        `
        await Promise.all(Array.from({ length: 4 }, async () => {
          const worker = start();
          await answer(worker);
          worker.terminate();
        }));
        await usleep(1000);
        console.log("end");
      `,
      ),
      options,
    );
    assertEnded(result, ["end"]);
  });

  test(`${way}: a Worker that is terminated during calls does not take the program with it`, async () => {
    const result = await timed(
      workers(
        `
        for (let i = 0; i < 20; i++) usleep(200_000 + i * 1000).then(() => postMessage("late"));
        for (let i = 0; i < 5; i++) usleep(1000);
        setTimeout(() => postMessage("started"), 50);
      `,
        `
        for (let round = 0; round < 3; round++) {
          const worker = start();
          console.log(await answer(worker));
          worker.terminate();
          await sleep(round === 1 ? 20 : 400);
        }
        await usleep(400_000);
        console.log("end");
      `,
      ),
      options,
    );
    assertEnded(result, ["started", "started", "started", "end"]);
  });

  test(`${way}: calls that had not begun when their Worker was terminated are never made`, async () => {
    const result = await timed(
      workers(
        `
        onmessage = ({ data }) => {
          for (let i = 0; i < nonblockingLimit().calls; i++) usleep(500_000);
          memset(new Uint8Array(data), 7, 8n);
          setTimeout(() => postMessage("started"), 50);
        };
        postMessage("ready");
      `,
        `
        const shared = new Uint8Array(new SharedArrayBuffer(8));
        const worker = start();
        await answer(worker);
        worker.postMessage(shared.buffer);
        await answer(worker);
        worker.terminate();
        await sleep(1000);
        console.log(shared[0]);
      `,
      ),
      options,
    );
    assertEnded(result, ["0"]);
  });
}

/** A program with Workers of the given source; `start` makes one. */
function workers(worker: string, main: string): string {
  return `${prologue}
    import { writeFileSync } from "node:fs";
    const file = new URL("./worker.ts", import.meta.url);
    writeFileSync(file, ${JSON.stringify(prologue + worker)});
    const start = () => new Worker(file, { type: "module" });
    const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const answer = (worker) => new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
    ${main}`;
}

test("a callback's error that nobody takes is reported, and native code goes on", async () => {
  const { code, stdout, stderr } = await runScript(`
    import { Callback, open } from ${adapter};
    const { qsort } = open(["libc.so.6", "/usr/lib/libSystem.B.dylib"], {
      qsort: { parameters: ["buffer", "usize", "usize", "pointer"], result: "void" },
    }).functions;
    globalThis.addEventListener?.("error", (event) => event.preventDefault());
    const callback = new Callback({ parameters: ["pointer", "pointer"], result: "i32" }, () => {
      throw new Error("from a callback");
    });
    qsort(new Uint32Array(2), 2n, 4n, callback.address);
    console.log("native code returned");
  `);
  assert(stdout.includes("native code returned"), `${code} ${stdout}${stderr}`);
});
