import { assert, assertEquals, assertThrows } from "@std/assert";
import { ArgumentTypeError } from "../mod.ts";
import type { FabricVertex } from "../src/fabric.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

const skip = noDevice || (!testDevice().supports("fabric") && "the device is in no fabric");

test("Device.fabricVertex is the device's place in the fabric", { skip }, () => {
  const vertex = testDevice().fabricVertex!;
  assertEquals(vertex.device, testDevice());
  const { type, remote, address } = vertex.properties;
  assertEquals([type, remote], ["device", false]);
  assertEquals(typeof address.bus, "number");
});

test("Driver.fabricVertices has the vertices of the devices", { skip }, () => {
  const { driver } = testDevice();
  const handles = driver.fabricVertices.map(({ handle }) => handle);
  assert(handles.includes(testDevice().fabricVertex!.handle));
});

test("FabricVertex.edgesTo() has the links to another vertex", { skip }, () => {
  const vertex = testDevice().fabricVertex!;
  for (const edge of vertex.edgesTo(vertex)) {
    assertEquals(typeof edge.properties.bandwidth, "number");
  }
  for (const part of vertex.subVertices) assertEquals(part.properties.type, "subdevice");
});

test("FabricVertex.edgesTo() refuses what is no vertex", { skip }, () => {
  const vertex = testDevice().fabricVertex!;
  assertThrows(
    () => vertex.edgesTo(testDevice() as unknown as FabricVertex),
    ArgumentTypeError,
    "other",
  );
});
