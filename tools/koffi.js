/**
 * What the same calls cost with koffi under Node.js: in JavaScript, as Node.js 20 takes no other.
 *
 * @module
 */
import koffi from "koffi";
import process from "node:process";

const library = koffi.load(process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6");
const htonl = library.func("uint32_t htonl(uint64_t value)");
const nonblocking = (value) =>
  new Promise((resolve, reject) =>
    htonl.async(value, (error, result) => error ? reject(error) : resolve(result))
  );
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const CALLS = 20_000;
const handle = 0x7f0123456780n;
const calls = [];
for (let round = 0; round < 200; round++) {
  const start = performance.now();
  for (let i = 0; i < CALLS; i++) htonl(handle);
  calls.push((performance.now() - start) * 1e6 / CALLS);
}
const latencies = [];
for (let i = 0; i < 3000; i++) {
  const start = performance.now();
  await nonblocking(BigInt(i));
  latencies.push((performance.now() - start) * 1000);
}
console.log(`Node.js ${process.versions.node}, koffi ${koffi.version}`);
console.log(`a call: handle -> u32             ${median(calls.slice(50)).toFixed(1)} ns`);
console.log(`an async call awaited alone       ${median(latencies.slice(500)).toFixed(1)} µs`);
