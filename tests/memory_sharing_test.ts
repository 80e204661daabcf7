/**
 * Memory that is shared between processes and with other APIs.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import process from "node:process";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  type Context,
  type Device,
  UnsupportedFeatureError,
  UseAfterDisposeError,
  ZeError,
} from "../mod.ts";
import { externalStructs } from "../src/external_memory.ts";
import { has } from "../src/library.ts";
import {
  ze_external_memory_export_desc_t,
  ze_external_memory_import_fd_t,
} from "../src/libze/structs_ze.ts";
import { evaluate, projectFile } from "./support/child.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { bad } from "./support/fixture.ts";
import { test } from "./support/testing.ts";

const skip = noDevice;
const expected = process.env["ZE_TEST_DEVICE"];
const noIpc = skip || (expected === "cpu" && "the cpu driver shares no memory");
const noRefusal = skip ||
  (expected !== "cpu" && "needs ZE_TEST_DEVICE=cpu, whose driver shares no memory");

function makeContext(): Context {
  return testDevice().driver.createContext();
}

test("Context.createIpcHandle() makes bytes that openIpcMemory() opens", { skip: noIpc }, () => {
  using context = makeContext();
  using other = makeContext();
  using memory = context.alloc.device(Float32Array, 1024);
  using handle = context.createIpcHandle(memory);
  assertEquals([handle.bytes.length, handle.memory === memory], [64, true]);
  const opened = other.openIpcMemory(handle.bytes, { type: Float32Array });
  assertEquals(opened.length, opened.byteLength / 4);
  assert(opened.length > 0 && opened.type === Float32Array && opened.context === other);
  assertThrows(() => opened.view, ArgumentTypeError);
  opened.dispose();
  assertThrows(
    () => other.openIpcMemory(handle.bytes, { length: 2 ** 40 }),
    ArgumentRangeError,
    "options.length",
  );
});

test("Another process opens memory by the bytes of its handle", { skip: noIpc }, async () => {
  using context = makeContext();
  using memory = context.alloc.device(4096);
  using handle = context.createIpcHandle(memory);
  const script = `
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    using context = drivers()[0].createContext();
    using memory = context.openIpcMemory(new Uint8Array(${JSON.stringify([...handle.bytes])}));
    console.log(memory.byteLength);`;
  assertEquals(await evaluate<number>(script), 4096);
});

test("IpcMemoryHandle.fileDescriptor leads back to the handle", {
  skip: noIpc || (!has("zeMemGetFileDescriptorFromIpcHandleExp") && "the loader is too old"),
}, () => {
  using context = makeContext();
  using memory = context.alloc.device(4096);
  using handle = context.createIpcHandle(memory);
  const { fileDescriptor } = handle;
  assert(fileDescriptor >= 0);
  assertEquals(context.ipcHandleOfFileDescriptor(fileDescriptor), handle.bytes);
});

test("IpcMemoryHandle is disposed with its memory", { skip: noIpc }, () => {
  using context = makeContext();
  const memory = context.alloc.device(4096);
  const handle = context.createIpcHandle(memory);
  memory.dispose();
  assertEquals(handle.disposed, true);
  assertThrows(() => handle.bytes, UseAfterDisposeError, "IpcMemoryHandle");
  assertThrows(() => context.createIpcHandle(memory), UseAfterDisposeError, "Memory");
});

test("Context.openIpcMemory() refuses what is no handle", { skip: noIpc }, () => {
  using context = makeContext();
  for (const wrong of [new Uint8Array(63), new Uint16Array(32), "handle", undefined]) {
    assertThrows(() => context.openIpcMemory(bad(wrong)), ArgumentTypeError, "64 bytes");
  }
  const unknown = new Uint8Array(64).fill(0xff);
  assertThrows(() => context.openIpcMemory(unknown), ZeError);
  assertThrows(() => context.openIpcMemory(unknown, { flags: [bad("fast")] }), ArgumentTypeError);
  assertThrows(() => context.openIpcMemory(unknown, { length: 0 }), ArgumentRangeError);
  assertThrows(() => context.ipcHandleOfFileDescriptor(12345), ZeError);
  assertThrows(() => context.ipcHandleOfFileDescriptor(-1), ArgumentRangeError);
});

test("Context.createIpcHandle() refuses what can't be shared", { skip }, () => {
  using context = makeContext();
  using other = makeContext();
  using shared = context.alloc.shared(4096);
  using foreign = other.alloc.device(4096);
  assertThrows(() => context.createIpcHandle(shared), ArgumentTypeError, "shared memory");
  assertThrows(() => context.createIpcHandle(foreign), ArgumentTypeError, "another context");
  assertThrows(() => context.createIpcHandle(bad(shared.address)), ArgumentTypeError, "Memory");
});

test("Sharing between processes is refused where the driver has none", { skip: noRefusal }, () => {
  using context = makeContext();
  using memory = context.alloc.device(4096);
  for (
    const use of [
      () => context.createIpcHandle(memory),
      () => context.openIpcMemory(new Uint8Array(64)),
      () => context.ipcHandleOfFileDescriptor(3),
    ]
  ) assertThrows(use, UnsupportedFeatureError, "Driver.ipcProperties");
});

test("Memory.atomicAccess is set and told, or refused", { skip }, () => {
  using context = makeContext();
  using memory = context.alloc.shared(4096);
  try {
    memory.atomicAccess = ["device_atomics"];
    assertEquals(memory.atomicAccess, ["device_atomics"]);
  } catch (error) {
    assert(error instanceof ZeError || error instanceof UnsupportedFeatureError);
  }
  using host = context.alloc.host(4096);
  assertThrows(() => host.atomicAccess, UnsupportedFeatureError, "shared memory");
  if (has("zeMemSetAtomicAccessAttributeExp")) {
    assertThrows(() => memory.atomicAccess = [bad("atomics")], ArgumentTypeError);
  }
});

test("External memory is refused where the device has none", { skip }, () => {
  using context = makeContext();
  const { memoryAllocationExportTypes } = testDevice().externalMemoryProperties;
  if (memoryAllocationExportTypes.length > 0) return;
  const imported = { fileDescriptor: 3, type: "dma_buf" } as const;
  for (
    const allocate of [
      () => context.alloc.device(4096, { exportable: ["opaque_fd"] }),
      () => context.alloc.host(4096, { exportable: ["dma_buf"] }),
      () => context.alloc.device(4096, { imported }),
    ]
  ) assertThrows(allocate, UnsupportedFeatureError, "externalMemoryProperties");
  using memory = context.alloc.device(4096, { exportable: [] });
  assertThrows(() => memory.exportFileDescriptor("dma_buf"), ArgumentTypeError, "`exportable`");
  assertThrows(() => memory.exportFileDescriptor(bad("file")), ArgumentTypeError, '"opaque_fd"');
});

/** A device that can do everything. */
const capable = bad({
  externalMemoryProperties: {
    memoryAllocationImportTypes: ["dma_buf"],
    memoryAllocationExportTypes: ["dma_buf", "opaque_fd"],
  },
}) as Device;

test("External memory is described to the driver as its structs have it", () => {
  const imported = { fileDescriptor: 7, type: "dma_buf" } as const;
  const structs = externalStructs("f", [capable], {
    exportable: ["dma_buf", "opaque_fd"],
    imported,
  });
  assertEquals(ze_external_memory_export_desc_t.read(structs[0]!).flags, 3);
  const { flags, fd } = ze_external_memory_import_fd_t.read(structs[1]!);
  assertEquals([flags, fd], [2, 7]);
  for (
    const [options, type] of [
      [{ exportable: "dma_buf" }, ArgumentTypeError],
      [{ exportable: ["win32"] }, ArgumentTypeError],
      [{ imported: { ...imported, fileDescriptor: -1 } }, ArgumentRangeError],
      [{ imported: { ...imported, fileDescriptor: "3" } }, ArgumentTypeError],
      [{ imported: { ...imported, type: "opaque_fd" } }, UnsupportedFeatureError],
      [{ imported: 3 }, ArgumentTypeError],
    ] as [object, new (...args: never[]) => Error][]
  ) assertThrows(() => externalStructs("f", [capable], options), type);
});
