/**
 * A checked synchronous call beside the runtime's own, with the same arguments.
 *
 * @module
 */
import { open } from "../src/ffi/mod.ts";
import { median, type Row, within } from "./report.ts";
import { bareCalls, C_LIBRARY, type Call } from "./runtime.ts";

/** The most that a checked call may cost, in bare ones. */
const LIMIT = 1.3;
/** The most nanoseconds that it may cost more: what oneAPI.jl's change cost. */
const ADDED_LIMIT = 5;
const ROUNDS = 501;
const CALLS = 20_000;

/** `htonl` does next to nothing, and looks at its first argument only. */
const symbol = "htonl";

const cases = [
  { what: "handle -> u32", types: ["u64"], args: "handle" },
  {
    what: "handle, u32, buffer, usize -> u32",
    types: ["u64", "u32", "buffer", "usize"],
    args: "handle, 4, buffer, 64n",
  },
  {
    what: "handle, buffer[4], buffer[8*count] -> u32",
    types: ["u64", "buffer", "buffer"],
    args: "handle, count, buffer",
  },
] as const;

const handle = 0x7f0123456780n;
const buffer = new BigUint64Array(8);
const count = Uint32Array.of(8);

let loops = 0;

/**
 * A loop that calls one function. The number makes its text unlike any other's,
 * as engines share what they learn of a function with all of the same text.
 */
function loopOver(args: string): (call: Call) => number {
  return new Function(
    "handle",
    "buffer",
    "count",
    `/* ${loops++} */ return (call) => {
      let sum = 0;
      for (let i = 0; i < ${CALLS}; i++) sum ^= call(${args});
      return sum;
    };`,
  )(handle, buffer, count);
}

function time(loop: (call: Call) => number, call: Call): number {
  const start = performance.now();
  loop(call);
  return (performance.now() - start) * 1e6 / CALLS;
}

/** Measures each kind of call, checked and bare by turns. */
export function compareCalls(): Row[] {
  return cases.map(({ what, types, args }) => {
    const library = open([C_LIBRARY], {
      call: {
        symbol,
        result: "u32",
        parameters: types.map((type, i) =>
          type === "u64"
            ? { type: "pointer", nullable: false }
            : type !== "buffer"
            ? type
            : i === 1
            ? { type, byteLength: 4 }
            : types.length === 3
            ? { type, byteLength: 8, count: 1 }
            : { type, byteLength: 64 }
        ),
      },
    });
    const checked = library.functions.call as Call;
    const bare = bareCalls(symbol, types);
    const [checkedLoop, bareLoop] = [loopOver(args), loopOver(args)];
    for (let i = 0; i < 60; i++) time(checkedLoop, checked), time(bareLoop, bare);
    const rounds = Array.from({ length: ROUNDS }, (_, i) => {
      // Whoever goes second finds the caches warm.
      const first = i % 2 === 0 ? time(checkedLoop, checked) : NaN;
      const bareTime = time(bareLoop, bare);
      return { checkedTime: i % 2 === 0 ? first : time(checkedLoop, checked), bareTime };
    });
    const ratio = median(rounds.map((round) => round.checkedTime / round.bareTime));
    const added = median(rounds.map((round) => round.checkedTime - round.bareTime));
    return {
      what: `a checked call: ${what}`,
      measured: `${median(rounds.map((round) => round.checkedTime)).toFixed(1)} ns`,
      bare: `${median(rounds.map((round) => round.bareTime)).toFixed(1)} ns`,
      budget: `${ratio.toFixed(2)} times, ${within(ratio, LIMIT, "")}; ${
        added.toFixed(1)
      } ns more, ${within(added, ADDED_LIMIT, "")}`,
    };
  });
}
