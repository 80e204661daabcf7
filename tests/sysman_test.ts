import {
  assertEquals,
  assertGreater,
  assertLess,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { ArgumentTypeError, type Device, UnsupportedFeatureError, ZeError } from "../mod.ts";
import { ze_result_t } from "../src/libze/enums_ze.ts";
import { loaderVersion } from "../src/library.ts";
import { SysmanDevice, sysmanDevice } from "../src/sysman.ts";
import { buildLibrary, noCompiler } from "./support/c_compiler.ts";
import { evaluate, projectFile, runScript } from "./support/child.ts";
import { noDevice, noIntelCompiler, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

const UNSUPPORTED_FEATURE = ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;

const PRELUDE = `
  import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
  import { SysmanDevice, sysmanDevice } from ${JSON.stringify(projectFile("src/sysman.ts"))};
  const device = drivers()[0].devices[0];
  const caught = (work) => {
    try {
      return work();
    } catch ({ name, message }) {
      return { name, message };
    }
  };
  const print = (out) =>
    console.log(JSON.stringify(out, (_, value) => typeof value === "bigint" ? Number(value) : value));
`;

/** What statements print on a loader with a sysman device, and the calls that reached it. */
async function onFake(
  statements: string,
  env: Record<string, string> = {},
  ...flags: string[]
): Promise<{ out: Record<string, unknown>; calls: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "level-zero-sysman-"));
  const file = join(folder, "calls");
  try {
    const loader = buildLibrary("fake_sysman.c", ...flags);
    const out = await evaluate<Record<string, unknown>>(PRELUDE + statements, {
      env: { ZE_LOADER_PATH: loader, FAKE_CALLS: file, ZES_ENABLE_SYSMAN: undefined, ...env },
    });
    const calls = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    return { out, calls: calls.filter((call) => call.startsWith("zes")) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("sysmanDevice() finds the device by its UUID, once", { skip: noCompiler }, async () => {
  const { out, calls } = await onFake(`
    const sysman = sysmanDevice(device);
    print({
      handles: [device.handle, sysman.handle],
      same: sysmanDevice(device) === sysman && sysman.device === device,
      vendor: sysman.properties.vendorName,
      parts: sysman.properties.numSubdevices,
      state: sysman.state,
      processes: sysman.processes,
    });`);
  assertEquals(out, {
    handles: [0x2001, 0x8001],
    same: true,
    vendor: "Nobody",
    parts: 2,
    state: { reset: ["wedged"], repaired: "performed" },
    processes: [{ processId: 4711, memSize: 1 << 20, sharedSize: 0, engines: ["compute"] }],
  });
  assertEquals(calls, [
    "zesInit",
    // For the count, and for the drivers.
    "zesDriverGet",
    "zesDriverGet",
    "zesDriverGetDeviceByUuidExp",
    "zesDeviceGetProperties",
    "zesDeviceGetProperties",
  ]);
});

test("A core device where a sysman one is wanted is a TypeError, and nothing is called", {
  skip: noCompiler,
}, async () => {
  const { out, calls } = await onFake(`
    print({
      member: caught(() => Reflect.get(SysmanDevice.prototype, "properties", device)).name,
      handle: caught(() => new SysmanDevice(device.handle, device, 0x7001n)).name,
    });`);
  assertEquals(out, { member: "TypeError", handle: "ArgumentTypeError" });
  assertEquals(calls, []);
});

test("sysmanDevice() of a loader without zesInit tells of ZES_ENABLE_SYSMAN", {
  skip: noCompiler,
}, async () => {
  const { out, calls } = await onFake(
    `print(caught(() => sysmanDevice(device)));`,
    {},
    "-DNO_ZES_INIT",
  );
  assertEquals(out["name"], "MissingSymbolError");
  assertStringIncludes(String(out["message"]), "ZES_ENABLE_SYSMAN=1");
  assertEquals(calls, []);
});

test("sysmanDevice() warns once if ZES_ENABLE_SYSMAN is set as well", {
  skip: noCompiler,
}, async () => {
  const { stderr, stdout } = await runScript(
    `${PRELUDE}
    const again = caught(() => sysmanDevice(device));
    print([again.name, caught(() => sysmanDevice(device)).name]);`,
    {
      env: {
        ZE_LOADER_PATH: noCompiler ? "" : buildLibrary("fake_sysman.c"),
        ZES_ENABLE_SYSMAN: "1",
        FAKE_ZES_INIT: "0x78000001",
      },
    },
  );
  assertEquals(JSON.parse(stdout), Array(2).fill("ZE_RESULT_ERROR_UNINITIALIZED"));
  assertEquals(stderr.match(/ZES_ENABLE_SYSMAN=1 is set/g)?.length, 1);
});

test("sysmanDevice() of a driver that offers it only with hardware tells so", {
  skip: noIntelCompiler,
}, () => {
  const error = assertThrows(() => sysmanDevice(testDevice()), ZeError);
  assertEquals(error.functionName, "zesInit");
  assertStringIncludes(error.hint, "rights");
});

test("sysmanDevice() does not call a loader that would crash", {
  skip: noDevice || (process.env["ZE_TEST_DEVICE"] !== "cpu" && "needs ZE_TEST_DEVICE=cpu"),
}, () => {
  const ask = (): unknown => sysmanDevice(testDevice());
  if (Number(loaderVersion()!.split(".")[1]) < 22) {
    assertThrows(ask, UnsupportedFeatureError, "loader of 1.22");
  } else {
    // This one asks the driver, which has no system management.
    const error = assertThrows(ask, ZeError);
    assertEquals(error.code, UNSUPPORTED_FEATURE);
  }
});

test("sysmanDevice() refuses what is no core device", { skip: noDevice }, () => {
  for (const wrong of [undefined, testDevice().handle, { handle: 1n }]) {
    assertThrows(() => sysmanDevice(wrong as unknown as Device), ArgumentTypeError, "device");
  }
  const device = testDevice();
  assertThrows(() => new SysmanDevice(0n, device, 1n), ArgumentTypeError, "handle");
  const core = device.driver.handle;
  assertThrows(() => new SysmanDevice(1n, device, core), ArgumentTypeError, "driver");
});

test("waitForEvents() tells of what was registered, when it happens, and the program goes on", {
  skip: noCompiler,
}, async () => {
  for (const flags of [[], ["-DNO_LISTEN_EX"]]) {
    const { out, calls } = await onFake(
      `
      const sysman = sysmanDevice(device);
      let ticks = 0;
      const timer = setInterval(() => ticks++, 5);
      sysman.registerEvents(["temp_critical", "device_detach"]);
      const begin = performance.now();
      const events = await sysman.waitForEvents();
      const milliseconds = performance.now() - begin;
      clearInterval(timer);
      const again = await sysman.waitForEvents({ timeout: 20 });
      print({ events, milliseconds, ticks, again });`,
      { FAKE_EVENT_MS: "300" },
      ...flags,
    );
    assertEquals(out["events"], ["device_detach", "temp_critical"]);
    assertEquals(out["again"], []);
    assertGreater(Number(out["milliseconds"]), 290);
    assertLess(Number(out["milliseconds"]), 2000);
    assertGreater(Number(out["ticks"]), 20);
    const listens = new Set(calls.filter((call) => call.startsWith("zesDriverEventListen")));
    assertEquals([...listens], [`zesDriverEventListen${flags.length === 0 ? "Ex" : ""}`]);
  }
});

test("waitForEvents() is ended by an AbortSignal, and no event is lost by that", {
  skip: noCompiler,
}, async () => {
  const { out } = await onFake(
    `
    const sysman = sysmanDevice(device);
    sysman.registerEvents(["freq_throttled"]);
    const abort = new AbortController();
    const waiting = sysman.waitForEvents({ signal: abort.signal });
    const busy = await sysman.waitForEvents().catch(({ name }) => name);
    await new Promise((resolve) => setTimeout(resolve, 180));
    abort.abort(new Error("enough"));
    const reason = await waiting.catch(({ message }) => message);
    // It happens while the call on the other thread, which nobody waits for, is still listening.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const events = await sysman.waitForEvents({ timeout: 1000 });
    const wrong = caught(() => sysman.registerEvents(["sunshine"]));
    print({ busy, reason, events, wrong: wrong.name });`,
    { FAKE_EVENT_MS: "300" },
  );
  assertEquals(out, {
    busy: "HandleBusyError",
    reason: "enough",
    events: ["freq_throttled"],
    wrong: "ArgumentTypeError",
  });
});
