import { assertEquals } from "@std/assert";
import { evaluate, projectFile } from "./support/child.ts";
import { noIntelCompiler } from "./support/device.ts";
import { test } from "./support/testing.ts";

/** Has Intel's driver see a device of two tiles. */
const TWO_TILES = { CreateMultipleSubDevices: "2", ZE_FLAT_DEVICE_HIERARCHY: "COMPOSITE" };

test("The parts of a device are devices of their own", { skip: noIntelCompiler }, async () => {
  const found = await evaluate<Record<string, unknown>>(
    `
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    const device = drivers()[0].devices[0];
    const [first, second] = device.subDevices;
    const { flags, subdeviceId } = second.properties;
    await using context = device.driver.createContext();
    using memory = context.alloc.device(Float32Array, 16, { device: second });
    console.log(JSON.stringify({
      parts: device.subDevices.length,
      same: device.subDevices[0] === first,
      supports: [device.supports("sub_devices"), first.supports("sub_devices")],
      root: [first.rootDevice === device, device.rootDevice === undefined],
      isPart: [flags.includes("subdevice"), subdeviceId],
      peers: [first.canAccessPeer(second), Array.isArray(first.p2pProperties(second).flags)],
      memory: memory.device === second,
      vertex: first.fabricVertex?.device === first,
    }));`,
    { env: TWO_TILES },
  );
  assertEquals(found, {
    parts: 2,
    same: true,
    supports: [true, false],
    root: [true, true],
    isPart: [true, 1],
    peers: [true, true],
    memory: true,
    vertex: true,
  });
});

test("A context for one part of a device takes no other", { skip: noIntelCompiler }, async () => {
  const found = await evaluate<unknown>(
    `
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    const device = drivers()[0].devices[0];
    const [first, second] = device.subDevices;
    await using context = device.driver.createContext({ devices: [first] });
    const caught = [];
    for (const other of [second, device]) {
      try {
        context.createSampler(other);
      } catch ({ name, argument }) {
        caught.push([name, argument]);
      }
    }
    console.log(JSON.stringify(caught));`,
    { env: TWO_TILES },
  );
  assertEquals(found, Array(2).fill(["ArgumentTypeError", "device"]));
});
