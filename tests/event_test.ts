import {
  assert,
  assertEquals,
  assertGreaterOrEqual,
  assertLess,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { ArgumentTypeError, HandleBusyError, UseAfterDisposeError } from "../mod.ts";
import type { Context } from "../src/context.ts";
import { Event, type EventOptions } from "../src/event.ts";
import { noDevice, noExecution, testDevice } from "./support/device.ts";
import { sleep } from "./support/fixture.ts";
import { collectGarbage } from "./support/garbage.ts";
import { test } from "./support/testing.ts";

/** Runs with a context for all devices. */
async function withContext(body: (context: Context) => unknown): Promise<void> {
  await using context = testDevice().driver.createContext();
  await body(context);
}

test("Event.signal() and reset() turn `signalled` on and off", { skip: noDevice }, async () => {
  await withContext((context) => {
    using event = context.createEvent();
    assert(event instanceof Event && event.context === context);
    assertEquals(event.signalled, false);
    event.signal();
    assertEquals(event.signalled, true);
    event.reset();
    assertEquals(event.signalled, false);
  });
});

test("Event.wait() ends when the event is signalled", { skip: noExecution }, async () => {
  await withContext(async (context) => {
    using event = context.createEvent();
    const wait = event.wait();
    let over = false;
    void wait.then(() => over = true);
    await sleep(20);
    assertEquals(over, false);
    event.signal();
    assertEquals(await wait, true);
  });
});

test("Event.wait() of a signalled event is true", { skip: noDevice }, async () => {
  await withContext(async (context) => {
    using event = context.createEvent();
    event.signal();
    assertEquals(await event.wait(), true);
    assertEquals(await event.wait({ timeout: 0 }), true);
    assertEquals(event.waitSync(), true);
  });
});

test("Event.wait() gives false after the timeout", { skip: noExecution }, async () => {
  await withContext(async (context) => {
    using event = context.createEvent();
    assertEquals(await event.wait({ timeout: 0 }), false);
    const start = performance.now();
    assertEquals(await event.wait({ timeout: 30 }), false);
    assertGreaterOrEqual(performance.now() - start, 29);
    assertEquals(event.waitSync(5), false);
  });
});

test("Event.wait() rejects with an AbortSignal's reason", { skip: noExecution }, async () => {
  await withContext(async (context) => {
    using event = context.createEvent();
    const reason = new Error("enough");
    const controller = new AbortController();
    const wait = event.wait({ signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    assertEquals(await assertRejects(() => wait), reason);
    assertEquals(await assertRejects(() => event.wait({ signal: controller.signal })), reason);
  });
});

test("Event.dispose() ends waits, and destroys the event after them", {
  skip: noExecution,
}, async () => {
  await withContext(async (context) => {
    const event = context.createEvent();
    const wait = event.wait();
    await sleep(5);
    const start = performance.now();
    const rejected = assertRejects(() => wait, UseAfterDisposeError, "Event was disposed");
    event.dispose();
    await rejected;
    // It does not stay in the driver until its slice of time is over.
    assertLess(performance.now() - start, 25);
    await assertRejects(() => event.wait(), UseAfterDisposeError);
    assertThrows(() => event.signal(), UseAfterDisposeError);
    assertThrows(() => event.signalled, UseAfterDisposeError);
  });
});

test("Context.dispose() ends the waits for its events", { skip: noExecution }, async () => {
  const context = testDevice().driver.createContext();
  const waits = [context.createEvent(), context.createEvent()].map((event) => event.wait());
  const rejected = waits.map((wait) => assertRejects(() => wait, UseAfterDisposeError));
  await context[Symbol.asyncDispose]();
  await Promise.all(rejected);
});

test("Event.reset() of an event that is waited for is refused", { skip: noExecution }, async () => {
  await withContext(async (context) => {
    using event = context.createEvent();
    const wait = event.wait();
    assertThrows(() => event.reset(), HandleBusyError, "zeEventHostReset: the event is waited for");
    event.signal();
    await wait;
    event.reset();
    assertEquals(event.signalled, false);
  });
});

test("Event.wait() is not collected with its event", { skip: noExecution }, async () => {
  await withContext(async (context) => {
    const wait = context.createEvent().wait({ timeout: 30 });
    for (let i = 0; i < 5; i++) {
      collectGarbage();
      await sleep(1);
    }
    assertEquals(await wait, false);
  });
});

for (
  const [options, text] of [
    [{ signalScope: "world" }, '"subdevice"'],
    [{ waitScope: 4 }, "options.waitScope"],
    [{ timestamps: "yes" }, '"host"'],
    [{ hostVisible: 1 }, "options.hostVisible"],
    [{ devices: [] }, "options.devices"],
    [{ devices: [{ handle: 1n }] }, "options.devices[0]"],
    [{ index: 1 }, "options.index"],
    [null, "options"],
  ] as const
) {
  test(`Context.createEvent() refuses ${JSON.stringify(options, toText)}`, {
    skip: noDevice,
  }, async () => {
    await withContext((context) => {
      assertThrows(
        () => context.createEvent(options as unknown as EventOptions),
        ArgumentTypeError,
        text,
      );
    });
  });
}

function toText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
