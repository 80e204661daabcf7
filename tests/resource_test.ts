import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { UseAfterDisposeError } from "../src/error.ts";
import { Resource } from "../src/resource.ts";
import { nonblocking, ze_result_t } from "../src/libze/mod.ts";
import { noExecution, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

/** A family of resources that writes down in which order they are destroyed. */
function family(): { log: string[]; make: (name: string, parent?: Resource) => Resource } {
  const log: string[] = [];
  return {
    log,
    make: (name, parent) => new Resource(name, 7n, () => void log.push(name), parent),
  };
}

test("Resource.release() destroys once", () => {
  const { log, make } = family();
  const context = make("context");
  assertEquals(context.handle, 7n);
  context.release();
  context.release();
  assertEquals(log, ["context"]);
  assertThrows(() => context.handle, UseAfterDisposeError, "context");
});

test("Resource.release() destroys what was made from it first, newest first", () => {
  const { log, make } = family();
  const context = make("context");
  const module = make("module", context);
  make("first kernel", module);
  make("second kernel", module);
  make("event pool", context);
  context.release();
  assertEquals(log, ["event pool", "second kernel", "first kernel", "module", "context"]);
});

test("Resource.release() of a child takes it out of the parent", () => {
  const { log, make } = family();
  const context = make("context");
  make("module", context).release();
  context.release();
  assertEquals(log, ["module", "context"]);
});

test("Resource.release() waits for calls that use the handle, the parent for its children", async () => {
  const { log, make } = family();
  const context = make("context");
  const module = make("module", context);
  let finish = (): void => {};
  const call = module.use(() => new Promise<void>((resolve) => finish = resolve));
  context.release();
  assertEquals(log, []);
  const destroyed = context.releaseAsync();
  finish();
  await call;
  await destroyed;
  assertEquals(log, ["module", "context"]);
});

test("Resource.use() after release rejects", async () => {
  const context = family().make("context");
  context.release();
  await assertRejects(() => context.use(() => Promise.resolve()), UseAfterDisposeError);
});

test("A child of a released parent is destroyed at once", () => {
  const { log, make } = family();
  const context = make("context");
  context.release();
  assertThrows(() => make("module", context), UseAfterDisposeError, "context");
  assertEquals(log, ["context", "module"]);
});

test("Resource.release() passes on what the driver says, and does not try again", async () => {
  let calls = 0;
  const context = new Resource("context", 1n, () => {
    calls++;
    throw new Error("device lost");
  });
  assertThrows(() => context.release(), Error, "device lost");
  context.release();
  await assertRejects(() => context.releaseAsync(), Error, "device lost");
  assertEquals(calls, 1);
});

test("An owner that is collected releases its resource", async () => {
  let destroyed = false;
  const abandon = (): void => {
    const resource = new Resource("context", 1n, () => destroyed = true);
    resource.watch({ padding: new Array(1000).fill(0) });
  };
  abandon();
  const litter: unknown[] = [];
  for (let i = 0; i < 500 && !destroyed; i++) {
    // Collection can't be asked for in both runtimes: enough is made that it happens.
    for (let j = 0; j < 200; j++) litter.push(new Array(1000).fill(j));
    if (litter.length > 20_000) litter.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assertEquals(destroyed, true);
});

test("A handle that a call of the C API has is destroyed after the call", {
  skip: noExecution,
}, async () => {
  await using context = testDevice().driver.createContext();
  const event = context.createEvent();
  const ended: string[] = [];
  const waiting = nonblocking.zeEventHostSynchronize(event.handle, 100_000_000n).then((result) => {
    ended.push("call");
    return result;
  });
  event.dispose();
  assertThrows(() => event.handle, UseAfterDisposeError);
  await event[Symbol.asyncDispose]();
  ended.push("event");
  // Nothing signalled it; a driver that had lost it would have said or done something else.
  assertEquals(await waiting, ze_result_t.ZE_RESULT_NOT_READY);
  assertEquals(ended, ["call", "event"]);
});
