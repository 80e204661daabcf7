import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  UnsupportedFeatureError,
  UseAfterDisposeError,
} from "../mod.ts";
import { CommandList } from "../src/command_list.ts";
import { Graph } from "../src/graph.ts";
import type { GraphRecorder } from "../src/graph_recorder.ts";
import { ImmediateCommandList } from "../src/immediate_command_list.ts";
import { noDevice, testDevice } from "./support/device.ts";
import { withContext } from "./support/images.ts";
import { test } from "./support/testing.ts";

const skip = noDevice || (!testDevice().supports("graphs") && "the driver has no graphs");

test("Graph.record() records commands, and instantiate() makes them executable", {
  skip,
}, async () => {
  await withContext(async (context) => {
    const device = testDevice();
    using from = context.alloc.shared(Uint32Array, 256, { device });
    using to = context.alloc.shared(Uint32Array, 256, { device });
    using graph = Graph.record(context, device, (list) => {
      list.appendMemoryFill(from, 7).appendMemoryCopy(to, from);
    });
    assertEquals(graph.isEmpty, false);
    using executable = await graph.instantiate();
    using list = ImmediateCommandList.create(context, device);
    executable.appendTo(list);
    executable.appendTo(list);
    await list.synchronize();
  });
});

test("Graph.isEmpty tells of a graph without commands", { skip }, async () => {
  await withContext((context) => {
    using graph = Graph.record(context, testDevice(), () => {});
    assertEquals(graph.isEmpty, true);
  });
});

test("Graph.dumpContents() writes a file for Graphviz", { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "level-zero-graph-"));
  try {
    await withContext(async (context) => {
      using memory = context.alloc.device(Uint8Array, 64, { device: testDevice() });
      using graph = Graph.record(context, testDevice(), (list) => {
        list.appendMemoryFill(memory, 1);
      });
      const path = join(folder, "graph.dot");
      await graph.dumpContents(path);
      assertStringIncludes(readFileSync(path, "utf8"), "digraph");
      await assertRejects(() => graph.dumpContents(""), ArgumentTypeError, "path");
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("Graph.dispose() disposes what was made executable", { skip }, async () => {
  await withContext(async (context) => {
    const graph = Graph.record(context, testDevice(), (list) => void list.appendBarrier());
    const executable = await graph.instantiate();
    graph.dispose();
    assertEquals([graph.disposed, executable.disposed], [true, true]);
    using list = ImmediateCommandList.create(context, testDevice());
    assertThrows(() => executable.appendTo(list), UseAfterDisposeError, "ExecutableGraph");
  });
});

test("ExecutableGraph.appendTo() refuses memory that is gone, and other lists", {
  skip,
}, async () => {
  await withContext(async (context) => {
    const device = testDevice();
    const memory = context.alloc.device(Uint8Array, 64, { device });
    using graph = Graph.record(context, device, (list) => void list.appendMemoryFill(memory, 1));
    using executable = await graph.instantiate();
    using unordered = ImmediateCommandList.create(context, device, { inOrder: false });
    assertThrows(() => executable.appendTo(unordered), ArgumentTypeError, "another kind");
    using regular = CommandList.create(context, device);
    assertThrows(() => executable.appendTo(regular as never), ArgumentTypeError, "list");
    memory.dispose();
    using list = ImmediateCommandList.create(context, device);
    assertThrows(() => executable.appendTo(list), UseAfterDisposeError, "Memory");
  });
});

test("Graph.record() that fails leaves nothing behind", { skip }, async () => {
  await withContext((context) => {
    let recorder: GraphRecorder | undefined;
    assertThrows(
      () =>
        Graph.record(context, testDevice(), (list) => {
          recorder = list;
          throw new Error("no more");
        }),
      Error,
      "no more",
    );
    assertThrows(() => recorder!.appendBarrier(), UseAfterDisposeError, "GraphRecorder");
    assertThrows(
      () => Graph.record(context, testDevice(), async () => await Promise.resolve()),
      ArgumentTypeError,
      "does not wait",
    );
  });
});

test("Context.dispose() while a graph is recorded is waited for", { skip }, () => {
  const context = testDevice().driver.createContext();
  assertThrows(
    () => Graph.record(context, testDevice(), () => context.dispose()),
    UseAfterDisposeError,
    "Context",
  );
});

test("Graph.record() refuses what does not fit", { skip: noDevice }, async () => {
  await withContext((context) => {
    const record = (...rest: unknown[]) => () =>
      (Graph.record as (...all: unknown[]) => Graph)(context, ...rest);
    assertThrows(record({ handle: 1n }, () => {}), ArgumentTypeError, "device");
    assertThrows(record(testDevice(), undefined), ArgumentTypeError, "record");
    assertThrows(record(testDevice(), () => {}, { ordinal: 99 }), ArgumentRangeError, "ordinal");
    assertThrows(record(testDevice(), () => {}, { order: true }), ArgumentTypeError, "order");
  });
});

test("Graph.record() of a driver without graphs says so", {
  skip: noDevice || (testDevice().supports("graphs") && "the driver has graphs"),
}, async () => {
  await withContext((context) => {
    let called = false;
    const error = assertThrows(
      () => Graph.record(context, testDevice(), () => void (called = true)),
      UnsupportedFeatureError,
    );
    assertEquals([error.functionName, called], ["Graph.record", false]);
    assert(error.hint.length > 0);
  });
});
