import { assert, assertEquals, assertMatch } from "@std/assert";
import { drivers } from "../mod.ts";
import { noDevice } from "./support/device.ts";
import { test } from "./support/testing.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test("Driver.apiVersion is a version of the specification", { skip: noDevice }, () => {
  const { major, minor } = drivers()[0]!.apiVersion;
  assertEquals(major, 1);
  assert(minor >= 0 && minor < 1000);
});

test("Driver.properties tells UUID and version", { skip: noDevice }, () => {
  const { uuid, driverVersion, ...more } = drivers()[0]!.properties;
  assertMatch(uuid, UUID);
  assert(Number.isInteger(driverVersion));
  assertEquals(more, {});
});

test("Driver.extensions lists names and versions", { skip: noDevice }, () => {
  for (const { name, version } of drivers()[0]!.extensions) {
    assertMatch(name, /^ZE[A-Z]*_[A-Za-z0-9_]+$/);
    assert(version.major >= 1);
  }
});

test("Driver.ipcProperties has flags by name", { skip: noDevice }, () => {
  for (const flag of drivers()[0]!.ipcProperties.flags) assertMatch(flag, /^[a-z_]+$/);
});

test("Driver.devices gives the same objects each time", { skip: noDevice }, () => {
  const driver = drivers()[0]!;
  assert(driver.devices[0] === driver.devices[0]);
  assert(driver.devices[0]!.driver === driver);
  assertEquals(typeof driver.handle, "bigint");
});
