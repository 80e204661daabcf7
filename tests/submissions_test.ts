import { assert, assertEquals, assertMatch } from "@std/assert";
import { Resource } from "../src/resource.ts";
import { Submissions } from "../src/submissions.ts";
import { noExecution } from "./support/device.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

/** A list whose work ends when `end` is called, and which notes what is destroyed. */
class Work {
  readonly destroyed: string[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #over = false;
  readonly resource = this.make("list");
  readonly submissions = new Submissions({
    resource: this.resource,
    finished: () => this.#over,
    wait: () => this.#ended.promise,
  });

  make(name: string): Resource {
    return new Resource(name, 1n, () => this.destroyed.push(name));
  }

  async end(): Promise<void> {
    this.#over = true;
    this.#ended.resolve();
    await this.#ended.promise;
    for (let i = 0; i < 5; i++) await Promise.resolve();
  }
}

test("What the device works with is destroyed when the work has ended", async () => {
  const work = new Work();
  const [memory, event] = [work.make("memory"), work.make("event")];
  assertEquals(work.submissions.add([memory]), 1);
  assertEquals(work.submissions.add([memory, event]), 2);
  memory.release();
  assertEquals([work.destroyed, memory.held, work.submissions.pending], [[], true, true]);
  await work.end();
  assertEquals([work.destroyed, memory.held, work.submissions.pending], [["memory"], false, false]);
  event.release();
  assertEquals(work.destroyed, ["memory", "event"]);
});

test("What only older work used is destroyed while newer work goes on", async () => {
  const work = new Work();
  const [older, both] = [work.make("older"), work.make("both")];
  const first = work.submissions.add([older, both]);
  work.submissions.add([both]);
  older.release();
  both.release();
  work.submissions.completed(first);
  assertEquals(work.destroyed, ["older"]);
  await work.end();
  assertEquals(work.destroyed, ["older", "both"]);
});

test("What exists for a submission alone is disposed after it", () => {
  const work = new Work();
  const dispose = (name: string): Disposable => ({
    [Symbol.dispose]: () => void work.destroyed.push(name),
  });
  const first = work.submissions.add([], [dispose("a"), dispose("b")]);
  work.submissions.add([], [dispose("c")]);
  work.submissions.completed(first);
  assertEquals(work.destroyed, ["a", "b"]);
});

test("A list that is released is destroyed after its work, and what it uses before it", async () => {
  const work = new Work();
  const memory = work.make("memory");
  work.submissions.add([memory]);
  memory.release();
  work.resource.release();
  assertEquals(work.destroyed, []);
  await work.end();
  assertEquals(work.destroyed, ["memory", "list"]);
});

test("Work that does not end is told of, as nobody could say why nothing goes on", {
  skip: noExecution,
}, async () => {
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (text: string): void => void warnings.push(text);
  try {
    await using bench = new Bench();
    const { context, device } = bench;
    const go = context.createEvent();
    const list = context.createImmediateCommandList(device).appendBarrier({ waitFor: [go] });
    const memory = context.alloc.host(8);
    list.appendMemoryFill(memory, 1);
    const start = performance.now();
    const disposed = memory[Symbol.asyncDispose]();
    const again = setTimeout(() => go.signal(), 5500);
    await disposed;
    clearTimeout(again);
    assert(performance.now() - start > 5000);
  } finally {
    console.warn = warn;
  }
  const told = warnings.filter((text) => text.includes("has not ended"));
  assertEquals(told.length, 1);
  assertMatch(told[0]!, /^ImmediateCommandList: its work has not ended 5 s after/);
});
