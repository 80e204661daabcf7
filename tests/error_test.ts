import { assert, assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import {
  InvalidSpirvError,
  KernelNotFoundError,
  LibraryNotFoundError,
  LoaderNotFoundError,
  MissingSymbolError,
  ModuleBuildError,
  resultName,
  UseAfterDisposeError,
  ZeError,
} from "../src/error.ts";
import { ze_result_t } from "../src/libze/enums_ze.ts";
import { test } from "./support/testing.ts";

test("ZeError tells the function, the code, its name and what to do", () => {
  const error = new ZeError("zeMemAllocDevice", 0x70000003);
  assertEquals(error.functionName, "zeMemAllocDevice");
  assertEquals(error.code, 0x70000003);
  assertEquals(error.name, "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY");
  assertEquals(error.description, undefined);
  assertStringIncludes(
    error.message,
    "zeMemAllocDevice failed with ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY (0x70000003).",
  );
  assertStringIncludes(error.message, error.hint);
});

test("ZeError has the driver's own words where there are any", () => {
  const error = new ZeError("zeInit", 0x78000004, { description: "flags are wrong" });
  assertEquals(error.description, "flags are wrong");
  assertStringIncludes(error.message, "The driver says: flags are wrong");
});

test("ZeError has a hint for every code there is", () => {
  for (const [name, code] of Object.entries(ze_result_t)) {
    const error = new ZeError("zeInit", code);
    assert(error.hint.length > 10, name);
    assertEquals(resultName(error.code), error.name);
  }
});

test("ZeError of a code that is newer than the constants shows its number", () => {
  assertStringIncludes(new ZeError("zeInit", 0x79000000).message, "ze_result_t 0x79000000");
});

test("ModuleBuildError is a ZeError with the whole log", () => {
  const log = "error: undefined variable\n".repeat(500);
  const error = new ModuleBuildError(0x70000004, log);
  assertInstanceOf(error, ZeError);
  assertEquals(error.buildLog, log);
  assertStringIncludes(error.message, log);
  assertStringIncludes(new ModuleBuildError(0x70000004, "").hint, "spirv-val");
});

test("LoaderNotFoundError lists every path tried with its reason", () => {
  const cause = new LibraryNotFoundError("", ["liba.so", "libb.so"], ["no such file", "bad ELF"]);
  const error = new LoaderNotFoundError(cause, "Install it.");
  assertInstanceOf(error, LibraryNotFoundError);
  assertEquals(error.tried, ["liba.so", "libb.so"]);
  assertStringIncludes(error.message, "tried liba.so: no such file");
  assertStringIncludes(error.message, "tried libb.so: bad ELF");
  assertStringIncludes(error.message, "Install it.");
});

test("Every error has its class's name and a hint", () => {
  const errors = [
    new MissingSymbolError("zeInitDrivers", "libze_loader.so.1", "1.8.12", "Update the loader."),
    new InvalidSpirvError("it is empty", "Compile it."),
    new UseAfterDisposeError("Module"),
    new KernelNotFoundError("a", ["b"], 0x78000011),
  ];
  for (const error of errors) {
    assertEquals(error.name, error.constructor.name);
    assert(error.hint.length > 0);
  }
  assertStringIncludes(
    errors[0]!.message,
    "libze_loader.so.1 (version 1.8.12) has no symbol zeInitDrivers",
  );
});
