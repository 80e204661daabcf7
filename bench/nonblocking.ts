/**
 * Nonblocking calls: one awaited alone, and 200 that sleep.
 *
 * @module
 */
import { nonblockingLimit, open } from "../src/ffi/mod.ts";
import { median, type Row, within } from "./report.ts";
import { C_LIBRARY } from "./runtime.ts";

const SLEEPS = 200;
const MILLISECONDS = 300;

/** Measures latency and how many calls run at once. */
export async function measureNonblocking(): Promise<Row[]> {
  const { functions } = open([C_LIBRARY], {
    htonl: { parameters: ["u32"], result: "u32", nonblocking: true },
    usleep: { parameters: ["u32"], result: "i32", nonblocking: true },
  });
  const first = performance.now();
  await functions.htonl(1);
  const firstTime = performance.now() - first;
  const times: number[] = [];
  for (let i = 0; i < 3000; i++) {
    const start = performance.now();
    await functions.htonl(i);
    times.push((performance.now() - start) * 1000);
  }
  const start = performance.now();
  await Promise.all(Array.from({ length: SLEEPS }, () => functions.usleep(MILLISECONDS * 1000)));
  const sleeps = performance.now() - start;
  const { backend, calls } = nonblockingLimit();
  const least = Math.ceil(SLEEPS / calls) * MILLISECONDS;
  return [
    {
      what: "a nonblocking call awaited alone",
      measured: `${median(times.slice(500)).toFixed(1)} µs`,
      bare: "",
      budget: "",
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
