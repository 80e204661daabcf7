/**
 * Graphs: commands that are recorded once, with what orders them, and executed as a whole.
 *
 * @module
 */

import { type AppendOptions, commandEvents } from "./append/command.ts";
import { checkBoolean, checkOptions, checkOwned } from "./checks.ts";
import type { Context } from "./context.ts";
import { checkDevice, type Device } from "./device.ts";
import type { CommandQueueGroupProperties } from "./device_properties.ts";
import { ArgumentTypeError, HandleBusyError, UseAfterDisposeError, ZeError } from "./error.ts";
import { requireFunction } from "./features.ts";
import { GraphRecorder, RecordedUse } from "./graph_recorder.ts";
import { ImmediateCommandList } from "./immediate_command_list.ts";
import { nonblocking } from "./library.ts";
import { ZE_RECORD_REPLAY_GRAPH_EXT_NAME } from "./libze/constants.ts";
import {
  ze_command_queue_flag_t,
  ze_command_queue_mode_t,
  ze_record_replay_graph_ext_dump_mode_t,
  ze_result_t,
} from "./libze/enums_ze.ts";
import * as ze from "./libze/functions_ze.ts";
import {
  ze_command_queue_desc_t,
  ze_record_replay_graph_ext_dump_desc_t,
} from "./libze/structs_ze.ts";
import { enumValue, type NameOf } from "./names.ts";
import { queueGroup } from "./queue_group.ts";
import { type Holder, OwnedObject, Resource } from "./resource.ts";

/** What {@linkcode Graph.record} takes: as the lists are that the graph is to be executed in. */
export interface GraphOptions {
  /** The queue group; the first that computes by default. */
  readonly ordinal?: number;
  /** Whether each command begins after the one before it is over; true by default. */
  readonly inOrder?: boolean;
}

/** How much is written of a graph; see `ze_record_replay_graph_ext_dump_mode_t`. */
export type GraphDumpMode = NameOf<
  typeof ze_record_replay_graph_ext_dump_mode_t,
  "ZE_RECORD_REPLAY_GRAPH_EXT_DUMP_MODE"
>;

/**
 * Recorded commands. {@linkcode Graph.instantiate} makes them executable. It is
 * freed by `dispose`, `using` or `await using`, or with its context, together
 * with what was made from it.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeGraphCreateExt | Graph}.
 */
export class Graph extends OwnedObject {
  /** The context that it was recorded in. */
  readonly context: Context;
  /** The device that it is for. */
  readonly device: Device;
  /** The queue group of the lists that it can be executed in. */
  readonly queueGroup: CommandQueueGroupProperties;
  /** Whether they are in order. */
  readonly inOrder: boolean;
  /** What its commands use. Not part of the public interface. */
  readonly use: RecordedUse;

  private constructor(handle: bigint, list: bigint, recorder: GraphRecorder, use: RecordedUse) {
    const { context, device, queueGroup, inOrder } = recorder;
    const destroy = (graph: bigint): void => destroyRecording(graph, list, use);
    super(new Resource("Graph", handle, destroy, context.resource));
    this.context = context;
    this.device = device;
    this.queueGroup = queueGroup;
    this.inOrder = inOrder;
    this.use = use;
  }

  /**
   * Records the commands that `record` appends to the list that it is given.
   * The caller disposes the graph, or the context does.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandListBeginCaptureIntoGraphExt | zeCommandListBeginCaptureIntoGraphExt}.
   *
   * @throws {UnsupportedFeatureError} Without the extension `ZE_extension_record_replay_graph`.
   * @throws {ArgumentTypeError | ArgumentRangeError} If an option does not fit.
   * @throws {ZeError} If the driver refuses; some commands can't be recorded.
   * @throws {unknown} What `record` throws; there is no graph then.
   */
  static record(
    context: Context,
    device: Device,
    record: (list: GraphRecorder) => void,
    options: GraphOptions = {},
  ): Graph {
    const functionName = "Graph.record";
    const { handle: contextHandle } = context;
    checkDevice(functionName, "device", device, context);
    if (typeof record !== "function") {
      const accepted = "a function that appends to the list that it is given";
      throw new ArgumentTypeError({ functionName, argument: "record", given: record, accepted });
    }
    checkOptions(functionName, options, ["ordinal", "inOrder"]);
    const group = queueGroup(functionName, device, options.ordinal);
    const inOrder = checkBoolean(functionName, "options.inOrder", options.inOrder, true);
    requireFunction(
      functionName,
      context.driver,
      "zeGraphCreateExt",
      ZE_RECORD_REPLAY_GRAPH_EXT_NAME,
    );
    // What `record` does may release the context, whose list is captured meanwhile.
    context.resource.hold(RECORDING);
    try {
      const handle = new BigUint64Array(1);
      ze.zeGraphCreateExt(contextHandle, null, handle);
      const graph = handle[0]!;
      const use = new RecordedUse();
      let list = 0n;
      let recorder: GraphRecorder;
      try {
        list = createList(contextHandle, device, group, inOrder);
        recorder = new GraphRecorder(list, context, device, group, inOrder, use);
        capture(graph, recorder, record);
      } catch (error) {
        destroyRecording(graph, list, use);
        throw error;
      }
      return new Graph(graph, list, recorder, use);
    } finally {
      context.resource.unhold(RECORDING);
    }
  }

  /** Whether there are no commands in it. */
  get isEmpty(): boolean {
    let result: number;
    try {
      result = ze.zeGraphIsEmptyExt(this.handle);
    } catch (error) {
      if (!(error instanceof ZeError)) throw error;
      result = error.code;
    }
    const { ZE_RESULT_QUERY_TRUE, ZE_RESULT_QUERY_FALSE } = ze_result_t;
    // Drivers from before the extension was finished have other numbers for them.
    if (result === ZE_RESULT_QUERY_TRUE || result === 0x7fff0000) return true;
    if (result === ZE_RESULT_QUERY_FALSE || result === 0x7fff0001) return false;
    throw new ZeError("zeGraphIsEmptyExt", result);
  }

  /**
   * Makes the commands executable. That can take long, so it runs on another
   * thread. It is disposed by the caller, or with the graph.
   *
   * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeGraphInstantiateExt | zeGraphInstantiateExt}.
   *
   * @throws {ZeError} If the driver refuses.
   */
  async instantiate(): Promise<ExecutableGraph> {
    const handle = new BigUint64Array(1);
    return await this.resource.use(async (graph) => {
      await nonblocking.zeGraphInstantiateExt(graph, null, handle);
      return new ExecutableGraph(handle[0]!, this);
    });
  }

  /**
   * Writes the graph to a file, in the language DOT of Graphviz.
   *
   * @param path Of the file.
   * @param mode How much of it; `detailed` by default.
   * @throws {ArgumentTypeError} If the path is no text, or there is no such mode.
   * @throws {ZeError} If it can't be written.
   */
  async dumpContents(path: string, mode: GraphDumpMode = "detailed"): Promise<void> {
    const functionName = "Graph.dumpContents";
    if (typeof path !== "string" || path === "" || path.includes("\0")) {
      const accepted = "the path of a file";
      throw new ArgumentTypeError({ functionName, argument: "path", given: path, accepted });
    }
    const description = ze_record_replay_graph_ext_dump_desc_t.create({
      mode: enumValue(
        ze_record_replay_graph_ext_dump_mode_t,
        "ZE_RECORD_REPLAY_GRAPH_EXT_DUMP_MODE",
        mode,
        { functionName, argument: "mode" },
      ),
    });
    const text = new TextEncoder().encode(`${path}\0`);
    await this.resource.use((graph) =>
      nonblocking.zeGraphDumpContentsExt(graph, text, description)
    );
  }
}

/** Keeps a context for as long as it takes to record. */
const RECORDING: Holder = { poll: () => {}, drain: () => {} };

/** The list that commands are recorded from is an immediate one of its own. */
function createList(
  context: bigint,
  device: Device,
  group: CommandQueueGroupProperties,
  inOrder: boolean,
): bigint {
  const description = ze_command_queue_desc_t.create({
    ordinal: group.ordinal,
    mode: ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
    flags: inOrder ? ze_command_queue_flag_t.ZE_COMMAND_QUEUE_FLAG_IN_ORDER : 0,
  });
  const list = new BigUint64Array(1);
  ze.zeCommandListCreateImmediate(context, device.handle, description, list);
  return list[0]!;
}

function capture(
  graph: bigint,
  recorder: GraphRecorder,
  record: (list: GraphRecorder) => void,
): void {
  const { handle: list } = recorder;
  try {
    ze.zeCommandListBeginCaptureIntoGraphExt(list, graph, null);
    try {
      const result: unknown = record(recorder);
      if (result instanceof Promise) {
        result.catch(() => {});
        throw new ArgumentTypeError({
          functionName: "Graph.record",
          argument: "record",
          given: record,
          accepted: "a function that does not wait: recording ends when it returns",
        });
      }
    } finally {
      ze.zeCommandListEndGraphCaptureExt(list, null, new BigUint64Array(1));
    }
  } finally {
    recorder.dispose();
  }
}

/** The driver may ask a graph for the list that it was recorded from. */
function destroyRecording(graph: bigint, list: bigint, use: RecordedUse): void {
  try {
    ze.zeGraphDestroyExt(graph);
  } finally {
    if (list !== 0n) ze.zeCommandListDestroy(list);
    use.free();
  }
}

/**
 * A graph that can be executed, one execution at a time. It is freed by
 * `dispose`, `using` or `await using`, or with its graph; while it is executed,
 * when that is over.
 *
 * See {@link https://oneapi-src.github.io/level-zero-spec/level-zero/latest/search.html?q=zeCommandListAppendGraphExt | zeCommandListAppendGraphExt}.
 */
export class ExecutableGraph extends OwnedObject {
  /** The graph that it was made from. */
  readonly graph: Graph;
  /** The context of the graph. */
  readonly context: Context;
  /** The list that it was appended to last. */
  #list: ImmediateCommandList | undefined;

  /** Takes over a handle; use {@linkcode Graph.instantiate}. */
  constructor(handle: bigint, graph: Graph) {
    const destroy = (it: bigint): void => void ze.zeExecutableGraphDestroyExt(it);
    super(new Resource("ExecutableGraph", handle, destroy, graph.resource));
    this.graph = graph;
    this.context = graph.context;
  }

  /**
   * Has the commands executed by a list, which has to be as the one that they
   * were recorded for: asynchronous, of the same queue group, in order or not.
   *
   * @throws {ArgumentTypeError} If the list is none, or another kind of list.
   * @throws {HandleBusyError} If it is being executed, other than before in the same list.
   * @throws {UseAfterDisposeError} If something that the commands use was disposed.
   */
  appendTo(list: ImmediateCommandList, options?: AppendOptions): void {
    const functionName = "zeCommandListAppendGraphExt";
    const { handle: executable, graph, context } = this;
    checkOwned(functionName, "list", list, ImmediateCommandList, context);
    const fits = list.device === graph.device && list.inOrder === graph.inOrder &&
      list.queueGroup.ordinal === graph.queueGroup.ordinal && list.mode === "asynchronous";
    if (!fits) {
      throw new ArgumentTypeError({
        functionName,
        argument: "list",
        given: list,
        accepted: `an asynchronous list of queue group ${graph.queueGroup.ordinal} of the device, ${
          graph.inOrder ? "in order" : "not in order"
        }, as the graph was recorded for`,
      }, "another kind of list");
    }
    const events = commandEvents(list, functionName, options);
    for (const { released, what } of graph.use.resources) {
      if (released) throw new UseAfterDisposeError(`${what} that the graph uses`);
    }
    // In order, an execution begins when the one before it is over.
    if ((list !== this.#list || !list.inOrder) && this.resource.pollHeld()) {
      throw new HandleBusyError(
        functionName,
        "the graph is being executed",
        "Await the list's synchronize(), or instantiate the graph once more.",
      );
    }
    list.append({
      functionName,
      events,
      resources: [this.resource, ...graph.use.resources],
      call: (calls, handle) =>
        calls.zeCommandListAppendGraphExt(
          handle,
          executable,
          null,
          events.signalHandle,
          events.waitFor.length,
          events.waitHandles,
        ),
    });
    for (const event of graph.use.signals) event.noteSignal();
    this.#list = list;
  }
}
