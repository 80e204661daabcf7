/**
 * Nonblocking calls: one awaited alone, and 200 that sleep.
 *
 * @module
 */
import { nonblockingLimit, open } from "../src/ffi/mod.ts";
import { median, type Row, within } from "./report.ts";
import { bareNonblocking, C_LIBRARY } from "./runtime.ts";

/** Microseconds: the most that one may take where the runtime has no such calls. */
const LATENCY_LIMIT = 20;
/** Our own beside the runtime's: the most that it may take. */
const RATIO_LIMIT = 1.1;
const SLEEPS = 200;
const MILLISECONDS = 300;

type Nonblocking = (value: number) => Promise<unknown>;

async function latency(call: Nonblocking, value: number): Promise<number> {
  const start = performance.now();
  await call(value);
  return (performance.now() - start) * 1000;
}

/** Microseconds for a call awaited alone, by turns with the runtime's own if it has such. */
async function latencies(
  call: Nonblocking,
  bare: Nonblocking | undefined,
): Promise<{ measured: number; bare: number | undefined }> {
  const [times, bareTimes]: [number[], number[]] = [[], []];
  for (let i = 0; i < 3000; i++) {
    times.push(await latency(call, i));
    if (bare) bareTimes.push(await latency(bare, i));
  }
  const settled = (all: readonly number[]): number => median(all.slice(500));
  return { measured: settled(times), bare: bare && settled(bareTimes) };
}

/** Measures latency and how many calls run at once. */
export async function measureNonblocking(): Promise<Row[]> {
  const { functions } = open([C_LIBRARY], {
    htonl: { parameters: ["u32"], result: "u32", nonblocking: true },
    usleep: { parameters: ["u32"], result: "i32", nonblocking: true },
  });
  const first = performance.now();
  await functions.htonl(1);
  const firstTime = performance.now() - first;
  const own = await latencies((value) => functions.htonl(value), bareNonblocking("htonl", ["u32"]));
  const start = performance.now();
  await Promise.all(Array.from({ length: SLEEPS }, () => functions.usleep(MILLISECONDS * 1000)));
  const sleeps = performance.now() - start;
  const { backend, calls } = nonblockingLimit();
  const least = Math.ceil(SLEEPS / calls) * MILLISECONDS;
  return [
    {
      what: "a nonblocking call awaited alone",
      measured: `${own.measured.toFixed(1)} µs`,
      bare: own.bare === undefined ? "" : `${own.bare.toFixed(1)} µs`,
      budget: own.bare === undefined
        ? within(own.measured, LATENCY_LIMIT, " µs")
        : `${(own.measured / own.bare).toFixed(2)} times, ${
          within(own.measured / own.bare, RATIO_LIMIT, "")
        }`,
    },
    {
      what: "the first nonblocking call",
      measured: `${firstTime.toFixed(1)} ms`,
      bare: "",
      budget: "",
    },
    {
      what: `${SLEEPS} nonblocking sleeps of ${MILLISECONDS} ms, ${calls} at once (${backend})`,
      measured: `${sleeps.toFixed(0)} ms`,
      bare: `${least} ms`,
      budget: calls >= SLEEPS ? within(sleeps, 1000, " ms") : "",
    },
  ];
}
