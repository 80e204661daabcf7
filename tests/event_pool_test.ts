import {
  assert,
  assertEquals,
  assertLessOrEqual,
  assertNotEquals,
  assertRejects,
  assertThrows,
} from "@std/assert";
import process from "node:process";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  HandleBusyError,
  UnsupportedFeatureError,
  UseAfterDisposeError,
  ZeError,
} from "../mod.ts";
import type { Context } from "../src/context.ts";
import { Event } from "../src/event.ts";
import { EventPool, type EventPoolOptions } from "../src/event_pool.ts";
import { poolHandle } from "../src/event_properties.ts";
import { has } from "../src/library.ts";
import { ze_result_t } from "../src/libze/enums_ze.ts";
import { noDevice, noExecution, testDevice } from "./support/device.ts";
import { runScript } from "./support/child.ts";
import { projectFile } from "./support/child.ts";
import { Bench } from "./support/kernels.ts";
import { test } from "./support/testing.ts";

const UNSUPPORTED_FEATURE = ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;

/** Runs with a context for all devices. */
async function withContext(body: (context: Context) => unknown): Promise<void> {
  await using context = testDevice().driver.createContext();
  await body(context);
}

const noIpc = noDevice || (!testDevice().driver.ipcProperties.flags.includes("event_pool") &&
  "the driver shares no event pools");
const noCounters = noDevice ||
  (!testDevice().supports("counter_based_events") && "the driver has no counter-based events");

test("EventPool makes as many events as it has places for", { skip: noDevice }, async () => {
  await withContext((context) => {
    using pool = context.createEventPool({ count: 3 });
    const events = [pool.createEvent(), pool.createEvent({ index: 2 }), pool.createEvent()];
    assertEquals([pool.count, pool.used, new Set(events.map(({ handle }) => handle)).size], [
      3,
      3,
      3,
    ]);
    assert(events.every((event) => event.pool === pool));
    assertThrows(() => pool.createEvent(), HandleBusyError, "all 3 places");
    assertThrows(() => pool.createEvent({ index: 1 }), HandleBusyError, "place 1");
    events[1]!.dispose();
    assertEquals(pool.used, 2);
    using again = pool.createEvent();
    again.signal();
    assertEquals([events[0]!.signalled, again.signalled], [false, true]);
  });
});

test("EventPool.dispose() disposes its events", { skip: noDevice }, async () => {
  await withContext((context) => {
    const pool = context.createEventPool({ count: 2 });
    const event = pool.createEvent();
    pool.dispose();
    assertThrows(() => event.signal(), UseAfterDisposeError, "Event was disposed");
    assertThrows(() => pool.createEvent(), UseAfterDisposeError, "EventPool");
  });
});

test("EventPool tells its flags", { skip: noDevice }, async () => {
  await withContext((context) => {
    const pools = [
      context.createEventPool({ count: 1 }),
      context.createEventPool({ count: 1, hostVisible: false, timestamps: true }),
      context.createEventPool({ count: 1, timestamps: "host", devices: [testDevice()] }),
    ];
    if (!has("zeEventPoolGetFlags")) return;
    assertEquals(pools.map(({ flags }) => flags), [
      ["host_visible"],
      ["kernel_timestamp"],
      ["host_visible", "kernel_mapped_timestamp"],
    ]);
    assertEquals(pools.map(({ timestamps }) => timestamps), [false, "device", "host"]);
  });
});

test("Event.properties tells the scopes", { skip: noDevice }, async () => {
  await withContext((context) => {
    if (!has("zeEventGetSignalScope")) return;
    using pool = context.createEventPool({ count: 2 });
    const { signalScope, waitScope } = pool.createEvent().properties;
    assertEquals([signalScope, waitScope], [["host"], ["host"]]);
    const event = pool.createEvent({ signalScope: "device", waitScope: "none" });
    assertEquals([event.signalScope, event.waitScope], ["device", "none"]);
    assertEquals([event.properties.signalScope, event.properties.waitScope], [["device"], []]);
    assertEquals(poolHandle(event.handle), pool.handle);
  });
});

test("Context.createEvent() shares pools that grow, and uses places again", {
  skip: noDevice || (!has("zeEventGetEventPool") && "the loader can't tell an event's pool"),
}, async () => {
  await withContext((context) => {
    const events = Array.from({ length: 100 }, () => context.createEvent());
    const pools = new Set(events.map(({ handle }) => poolHandle(handle)));
    // Of 32, 64 and 128 places.
    assertEquals(pools.size, 3);
    assertEquals(new Set(events.map(({ handle }) => handle)).size, 100);
    using timed = context.createEvent({ timestamps: true });
    assert(!pools.has(poolHandle(timed.handle)));
    for (let round = 0; round < 10; round++) {
      for (const event of events.splice(0)) event.dispose();
      for (let i = 0; i < 224; i++) events.push(context.createEvent());
      for (const { handle } of events) assert(pools.has(poolHandle(handle)));
    }
  });
});

test("Event without `hostVisible` is the device's alone", { skip: noDevice }, async () => {
  await withContext(async (context) => {
    using event = context.createEvent({ hostVisible: false });
    await assertRejects(() => event.wait(), UnsupportedFeatureError, "hostVisible");
    const calls = [
      () => event.signalled,
      () => event.signal(),
      () => event.reset(),
      () => event.waitSync(0),
    ];
    for (const call of calls) assertThrows(call, UnsupportedFeatureError, "hostVisible");
  });
});

test("A counter-based event begins anew with each append that signals it", {
  skip: noExecution || noCounters,
}, async () => {
  await using bench = new Bench();
  const { context, device } = bench;
  const list = context.createImmediateCommandList(device);
  const memory = context.alloc.shared(Uint32Array, 1);
  const [fill, spin] = [await bench.kernel("fill"), await bench.kernel("spin")];
  spin.args(memory, 20_000_000).setGroupSize(1);
  fill.args(memory, 0).setGroupSize(1);
  using event = context.createEvent({ counterBased: true });
  assert(event.counterBased);
  for (let value = 1; value <= 3; value++) {
    fill.args(memory, value);
    list.appendLaunchKernel(spin, 1).appendLaunchKernel(fill, 1, { signal: event });
    assertEquals(event.signalled, false);
    assertEquals(await event.wait(), true);
    assertEquals(memory.view[0], value);
  }
});

test("A counter-based event is only signalled by commands, and never reset", {
  skip: noCounters,
}, async () => {
  await withContext((context) => {
    using pool = context.createEventPool({ count: 1, counterBased: "immediate" });
    for (const event of [context.createEvent({ counterBased: true }), pool.createEvent()]) {
      assertThrows(() => event.signal(), UnsupportedFeatureError, "not counter-based");
      assertThrows(() => event.reset(), UnsupportedFeatureError, "not counter-based");
      assertThrows(() => event.ipcBytes, UnsupportedFeatureError);
    }
    using ordinary = context.createEvent();
    assertThrows(() => ordinary.counter, UnsupportedFeatureError, "counter-based");
    assertThrows(() => ordinary.ipcBytes, UnsupportedFeatureError, "counter-based");
    assertThrows(() => context.createEvent({ ipc: true }), ArgumentTypeError, "options.ipc");
    const graph = { graphExternal: true };
    assertThrows(() => context.createEvent(graph), ArgumentTypeError, "options.graphExternal");
  });
});

test("Event.counter is where a counter-based event counts", {
  skip: noCounters || (!has("zeEventCounterBasedGetDeviceAddress") && "the loader is too old"),
}, async () => {
  await using bench = new Bench();
  using event = bench.context.createEvent({ counterBased: true, timestamps: "host" });
  const list = bench.context.createImmediateCommandList(bench.device);
  list.appendBarrier({ signal: event });
  if (process.env["ZE_TEST_DEVICE"] === "cpu") {
    // It counts nowhere that an address could tell.
    const error = assertThrows(() => event.counter, ZeError);
    assertEquals(error.code, UNSUPPORTED_FEATURE);
    return;
  }
  const { address, completionValue } = event.counter;
  assertNotEquals(address, 0n);
  if (!noExecution) assertLessOrEqual(1n, completionValue);
  assertEquals(event.properties.counterBasedFlags ?? ["host_visible"], ["host_visible"]);
});

test("Another process opens a pool by the bytes of its handle", {
  skip: noIpc || noExecution,
}, async () => {
  await using context = testDevice().driver.createContext();
  using pool = context.createEventPool({ count: 4, ipc: true });
  using event = pool.createEvent({ index: 1 });
  using handle = pool.createIpcHandle();
  const { code, stderr } = await runScript(`
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    import { EventPool } from ${JSON.stringify(projectFile("src/event_pool.ts"))};
    using context = drivers()[0].createContext();
    using pool = EventPool.open(context, new Uint8Array([${handle.bytes}]), { count: 4 });
    using event = pool.createEvent({ index: 1 });
    event.signal();
    if (!event.signalled) throw new Error("not signalled");
  `);
  assertEquals([code, stderr], [0, ""]);
  assertEquals(event.disposed, false);
  handle.dispose();
  assertThrows(() => handle.bytes, UseAfterDisposeError, "IpcEventPoolHandle");
});

test("EventPool.open() opens a pool of this process too", { skip: noIpc }, async () => {
  await withContext((context) => {
    using pool = context.createEventPool({ count: 2, ipc: true });
    using handle = pool.createIpcHandle();
    using opened = EventPool.open(context, handle.bytes, { count: 2 });
    const event = opened.createEvent({ index: 1 });
    assertEquals([opened.ipc, event.ipc, event.pool], [true, true, opened]);
  });
});

test("EventPool.createIpcHandle() refuses where pools are not shared", {
  skip: noDevice,
}, async () => {
  await withContext((context) => {
    const pool = context.createEventPool({ count: 1 });
    assertThrows(() => pool.createIpcHandle(), UnsupportedFeatureError, "ipc: true");
    const bad = (value: unknown) => value as Uint8Array;
    for (const bytes of [bad(undefined), new Uint8Array(63), bad("handle")]) {
      assertThrows(() => EventPool.open(context, bytes, { count: 1 }), ArgumentTypeError, "bytes");
      assertThrows(() => Event.open(context, bytes), ArgumentTypeError, "bytes");
    }
    if (!noIpc) return;
    const shared = context.createEventPool({ count: 1, ipc: true });
    assertThrows(() => shared.createIpcHandle(), UnsupportedFeatureError, "ipcProperties");
    const bytes = new Uint8Array(64);
    assertThrows(() => EventPool.open(context, bytes, { count: 1 }), UnsupportedFeatureError);
  });
});

for (
  const [options, error, text] of [
    [{ count: 0 }, ArgumentRangeError, "options.count"],
    [{ count: 1.5 }, ArgumentRangeError, "options.count"],
    [{ count: "4" }, ArgumentTypeError, "options.count"],
    [undefined, ArgumentTypeError, "options.count"],
    [{ count: 1, ipc: 1 }, ArgumentTypeError, "options.ipc"],
    [{ count: 1, counterBased: "both" }, ArgumentTypeError, "options.counterBased"],
    [{ count: 1, size: 1 }, ArgumentTypeError, "options.size"],
  ] as [unknown, new (...args: never[]) => Error, string][]
) {
  test(`Context.createEventPool() refuses ${JSON.stringify(options)}`, {
    skip: noDevice,
  }, async () => {
    await withContext((context) => {
      const given = options as unknown as EventPoolOptions;
      assertThrows(() => context.createEventPool(given), error, text);
    });
  });
}

test("EventPool.createEvent() refuses a place that it has not", { skip: noDevice }, async () => {
  await withContext((context) => {
    using pool = context.createEventPool({ count: 2 });
    assertThrows(() => pool.createEvent({ index: 2 }), ArgumentRangeError, "options.index");
    assertThrows(() => pool.createEvent({ index: -1 }), ArgumentRangeError, "options.index");
    assertEquals(pool.used, 0);
  });
});
