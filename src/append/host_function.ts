/**
 * Commands that call back into this program.
 *
 * @module
 */

import type { Commands } from "../commands.ts";
import { ArgumentTypeError, UnsupportedFeatureError } from "../error.ts";
import { Callback } from "../ffi/mod.ts";
import { has } from "../library.ts";
import { type AppendOptions, type Command, commandEvents } from "./command.ts";

const EXTENSION = "ZE_extension_host_function";

export function appendHostFunction(
  list: Commands,
  callback: () => void,
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
  const native = new Callback(
    { parameters: ["pointer"], result: "void" },
    () => callback(),
    { anyThread: true },
  );
  return {
    functionName,
    events,
    resources: [],
    owned: [native],
    call: (calls, handle) =>
      calls.zeCommandListAppendHostFunction(
        handle,
        native.address,
        0n,
        null,
        events.signalHandle,
        events.waitFor.length,
        events.waitHandles,
      ),
  };
}
