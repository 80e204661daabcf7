import { assertEquals } from "@std/assert";
import { ze_device_property_flag_t, ze_device_type_t } from "../src/libze/enums_ze.ts";
import { enumName, flagNames, nearestName } from "../src/names.ts";
import { test } from "./support/testing.ts";

test("enumName() is the C name without its prefix", () => {
  assertEquals(enumName(ze_device_type_t, "ZE_DEVICE_TYPE", 1), "gpu");
  assertEquals(enumName(ze_device_type_t, "ZE_DEVICE_TYPE", 4), "mca");
});

test("enumName() of a value that is newer than the constants is its number", () => {
  assertEquals(enumName(ze_device_type_t, "ZE_DEVICE_TYPE", 77), "unknown_0x4d");
  assertEquals(enumName(ze_device_type_t, "ZE_DEVICE_TYPE", 0x7fffffff), "unknown_0x7fffffff");
});

test("flagNames() lists the bits that are set, the highest one included", () => {
  const names = (value: number): readonly string[] =>
    flagNames(ze_device_property_flag_t, "ZE_DEVICE_PROPERTY_FLAG", value);
  assertEquals(names(0), []);
  assertEquals(names(0b1011), ["integrated", "subdevice", "ondemandpaging"]);
  assertEquals(names(0x80000000), ["unknown_0x80000000"]);
  assertEquals(flagNames({ TEST_FLAG_LAST: 0x80000000 }, "TEST_FLAG", 0x80000000), ["last"]);
});

test("nearestName() finds a misspelling and nothing that is far", () => {
  const names = ["vector_add", "vector_scale", "reduce"];
  assertEquals(nearestName("vectoradd", names), "vector_add");
  assertEquals(nearestName("Vector_Scale", names), "vector_scale");
  assertEquals(nearestName("zzz", names), undefined);
  assertEquals(nearestName("x", []), undefined);
});
