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

function bind({ path, symbol, parameters, result }: WorkerCall): Native {
  const key = `${path}\0${symbol}\0${parameters}\0${result}`;
  let native = functions.get(key);
  if (!native) {
    native = bunFfi().dlopen(path, { [symbol]: { args: [...parameters], returns: result } })
      .symbols[symbol]!;
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
