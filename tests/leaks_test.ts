/**
 * Objects that are collected undisposed, in processes of their own: what they print is what users
 * see.
 */
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { ArgumentTypeError, onLeak } from "../mod.ts";
import { evaluate, projectFile, runScript } from "./support/child.ts";
import { noDevice, noExecution } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { test } from "./support/testing.ts";

/** What the console says when the objects that `make` makes are collected. */
async function warnings(make: string, env: Record<string, string> = {}): Promise<string> {
  const script = `
    import { drivers, onLeak } from ${JSON.stringify(projectFile("mod.ts"))};
    import { collectGarbage } from ${JSON.stringify(projectFile("tests/support/garbage.ts"))};
    const device = drivers().flatMap((driver) => driver.devices)[0];
    const context = device.driver.createContext();
    function make() { ${make} }
    for (let i = 0; i < 3; i++) make();
    for (let i = 0; i < 20; i++) {
      collectGarbage();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    context.dispose();
  `;
  const { code, stdout, stderr } = await runScript(script, { env });
  assertEquals([code, stdout], [0, ""]);
  return stderr;
}

test("The first object of a kind that is collected undisposed is warned of", {
  skip: noDevice,
}, async () => {
  const text = await warnings("context.alloc.host(16); context.createEventPool({ count: 1 });");
  const lines = text.trim().split("\n").sort();
  assertEquals(lines.length, 2);
  assertMatch(lines[0]!, /^A Memory was collected without dispose\(\).* Set ZE_TRACK_LEAKS=1/);
  assertMatch(lines[1]!, /^An EventPool was collected without dispose\(\)/);
});

test("Small objects may be left to what they were made from", { skip: noDevice }, async () => {
  assertEquals(await warnings("context.createEvent();"), "");
});

test("With ZE_TRACK_LEAKS=1 each is told of, with the place where it was made", {
  skip: noDevice,
}, async () => {
  const text = await warnings("context.createEvent();", { ZE_TRACK_LEAKS: "1" });
  const [before, ...told] = text.split("An Event was collected without dispose()");
  assertEquals([before, told.length], ["", 3]);
  for (const leak of told) assertMatch(leak, /It was made:\n(.*\n)*.*\bmake\b.*script\.ts/);
});

test("onLeak() has a handler told instead", { skip: noDevice }, async () => {
  const text = await warnings(`
    onLeak(({ what, created }) => console.error(what, String(created)));
    context.createEvent();
  `);
  assertEquals(text, "Event undefined\n".repeat(3));
});

test("Whatever is made and forgotten is collected", { skip: noExecution }, async () => {
  const script = `
    import { drivers, onLeak } from ${JSON.stringify(projectFile("mod.ts"))};
    import { collectGarbage } from ${JSON.stringify(projectFile("tests/support/garbage.ts"))};
    import { readFileSync } from "node:fs";
    const device = drivers().flatMap((driver) => driver.devices)[0];
    const spirv = readFileSync(new URL(${JSON.stringify(projectFile("tests/kernels/basic.spv"))}));
    const context = device.driver.createContext();
    const module = await context.createModule(device, { spirv });
    const pool = context.createEventPool({ count: 64 });
    const queue = context.createCommandQueue(device);
    const makers = {
      Context: () => device.driver.createContext(),
      Module: () => context.createModule(device, { spirv }),
      Kernel: () => module.kernel("empty"),
      Event: () => context.createEvent(),
      "Event of a pool": () => pool.createEvent(),
      "Event that was waited for": async () => {
        const event = context.createEvent();
        await event.wait({ timeout: 1 });
        return event;
      },
      EventPool: () => context.createEventPool({ count: 1 }),
      CommandQueue: () => context.createCommandQueue(device),
      CommandList: () => context.createCommandList(device).appendBarrier().close(),
      ImmediateCommandList: () => context.createImmediateCommandList(device),
      "ImmediateCommandList that worked": async () => {
        const list = context.createImmediateCommandList(device).appendBarrier();
        await list.synchronize();
        return list;
      },
      Fence: () => queue.createFence(),
      Sampler: () => context.createSampler(device),
      Image: () => context.createImage(device, {
        type: "2d", format: { layout: "8_8_8_8", type: "unorm" }, width: 4, height: 4,
      }),
      Memory: () => context.alloc.host(16),
      "Memory with a view": () => {
        const memory = context.alloc.shared(Uint32Array, 16, { device });
        memory.view[0] = memory.subarray(1).view[0];
        return memory;
      },
    };
    const kept = [];
    for (const [kind, make] of Object.entries(makers)) {
      let leaks = 0;
      onLeak(({ what }) => leaks += kind.split(" ")[0] === what ? 1 : 0);
      await (async () => { for (let i = 0; i < 10; i++) await make(); })();
      for (let round = 0; round < 100 && leaks < 5; round++) {
        collectGarbage();
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      if (leaks < 5) kept.push(kind);
    }
    console.log(JSON.stringify(kept));
  `;
  assertEquals(await evaluate(script), []);
});

test("onLeak() refuses what is no function", () => {
  for (const handler of [null, 1, {}]) {
    assertThrows(() => onLeak(bad(handler)), ArgumentTypeError, "`handler`");
  }
});
