/**
 * Commands that call back into this program.
 *
 * @module
 */

import type { Commands } from "../commands.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "../error.ts";
import { Event } from "../event.ts";
import { Callback } from "../ffi/mod.ts";
import { PendingHostFunction } from "../host_functions.ts";
import { has, sync } from "../library.ts";
import { type AppendOptions, type Calls, type Command, commandEvents } from "./command.ts";

const EXTENSION = "ZE_extension_host_function";

/**
 * The driver's thread is not held up by the event loop: what it calls only
 * notes that the function is due. The commands that follow wait for an event,
 * the gate, which is signalled when the function has returned. So the function
 * is outside the driver, where the specification allows no Level Zero calls.
 */
export function appendHostFunction(
  list: Commands,
  callback: () => unknown,
  options: AppendOptions | undefined,
): Command {
  const functionName = "zeCommandListAppendHostFunction";
  if (typeof callback !== "function") {
    throw new ArgumentTypeError({
      functionName,
      argument: "callback",
      given: callback,
      accepted: "a function",
    });
  }
  const events = commandEvents(list, functionName, options);
  if (!has(functionName)) {
    throw new UnsupportedFeatureError(
      functionName,
      EXTENSION,
      "Have the command signal an event, and wait for that.",
    );
  }
  const { executesOnce } = list;
  const gate = Event.create(list.context, { signalScope: "host" });
  const { handle: gateHandle } = gate;
  const pending = new PendingHostFunction(list.context, gate.resource);
  const native = new Callback(
    { parameters: ["usize"], result: "void" },
    // A task of its own: this one may have the driver's thread waiting.
    () => void setTimeout(run, 0),
    { anyThread: true },
  );
  async function run(): Promise<void> {
    try {
      await callback();
    } catch (error) {
      reportError(error);
    } finally {
      if (executesOnce) pending.end();
      // The work waits for it, so that the event still exists, whatever was disposed.
      sync.zeEventHostSignal(gateHandle);
    }
  }
  let appended: "no" | "in part" | "yes" = "no";
  function* steps(calls: Calls, handle: bigint): Generator<unknown, void> {
    const { signalHandle, waitFor: { length }, waitHandles } = events;
    const gates = BigUint64Array.of(gateHandle);
    yield calls[functionName](handle, native.address, 0n, null, 0n, length, waitHandles);
    appended = "in part";
    yield calls.zeCommandListAppendBarrier(handle, executesOnce ? signalHandle : 0n, 1, gates);
    if (!executesOnce) {
      // Shut for the next execution before anyone learns that this one has come so far.
      yield calls.zeCommandListAppendEventReset(handle, gateHandle);
      if (signalHandle) yield calls.zeCommandListAppendSignalEvent(handle, signalHandle);
    }
    appended = "yes";
  }
  return {
    functionName,
    events,
    resources: [gate.resource],
    owned: [{
      [Symbol.dispose](): void {
        pending.end();
        gate.dispose();
        // If not all could be appended, the driver may still call it.
        if (appended !== "in part") native.close();
      },
    }],
    call: (calls, handle) => inTurn(steps(calls, handle)),
  };
}

/** Takes the steps one after the other; where one gives a Promise, the next comes after it. */
function inTurn(steps: Generator<unknown, void>): unknown {
  for (let step = steps.next(); !step.done; step = steps.next()) {
    if (step.value instanceof Promise) return step.value.then(() => inTurn(steps));
  }
  return undefined;
}
