/**
 * The inside of a Worker that makes native calls; see `bun_workers.ts`.
 *
 * @module
 */

import { bunFfi, type Native } from "./bun_api.ts";
import type { WorkerAnswer, WorkerCall } from "./bun_workers.ts";

interface WorkerScope {
  onmessage: (event: MessageEvent<WorkerCall>) => void;
  postMessage(answer: WorkerAnswer): void;
}

const scope = globalThis as unknown as WorkerScope;
const functions = new Map<string, Native>();

function bind({ address, parameters, result }: WorkerCall): Native {
  const key = `${address} ${parameters} ${result}`;
  let native = functions.get(key);
  if (!native) {
    const definition = { args: [...parameters], returns: result, ptr: address };
    native = bunFfi().linkSymbols({ native: definition }).symbols.native!;
    functions.set(key, native);
  }
  return native;
}

scope.onmessage = ({ data }) => {
  try {
    scope.postMessage({ value: bind(data)(...data.args) });
  } catch (error) {
    scope.postMessage({ error: String(error) });
  }
};
