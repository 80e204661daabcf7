/**
 * Adds vectors on the device and compares with TypeScript; then waits for a
 * kernel and compiles a large module while a timer ticks, each once off the
 * JavaScript thread and once blocking, and tells how the timer fared.
 *
 *     deno run -A examples/demo.ts
 *     bun examples/demo.ts
 *
 * With `--probe` it only tells by its exit code whether there is a device.
 *
 * @module
 */

import process from "node:process";
import { type Context, type Device, drivers, isAvailable, Module } from "../mod.ts";
import { sync, ze_module_desc_t, ze_module_format_t, zeModuleDestroy } from "../src/libze/mod.ts";
import { spin, vectorAdd, waitBlocking, waitNonblocking } from "./compute.ts";
import { spirvModule } from "./spirv_module.ts";

const TICK_MILLISECONDS = 5;
/** Long enough that the kernel keeps a processor busy for seconds. */
const SPIN_ROUNDS = 1_000_000_000n;
/** Intel's driver without hardware compiles kernels and executes none. */
const computes = process.env["ZE_TEST_DEVICE"] !== "intel";

/** How a compile went. */
interface Measurement {
  readonly milliseconds: number;
  readonly ticks: number;
  readonly longestGap: number;
}

/** Runs the work while a timer ticks. */
async function measure(work: () => Promise<unknown>): Promise<Measurement> {
  const tick = (): void => {
    const now = performance.now();
    longestGap = Math.max(longestGap, now - last);
    last = now;
    ticks++;
  };
  let ticks = 0;
  let longestGap = 0;
  const start = performance.now();
  let last = start;
  const timer = setInterval(tick, TICK_MILLISECONDS);
  await work();
  const milliseconds = performance.now() - start;
  // A timer that was held up ticks once more before it is counted.
  await new Promise((resolve) => setTimeout(resolve, 2 * TICK_MILLISECONDS));
  clearInterval(timer);
  return { milliseconds, ticks, longestGap };
}

/** The compile as it is without this package's threads: it returns when the driver does. */
function compileBlocking(context: Context, device: Device, spirv: Uint8Array): void {
  const module = new BigUint64Array(1);
  const description = ze_module_desc_t.create({
    format: ze_module_format_t.ZE_MODULE_FORMAT_IL_SPIRV,
    inputSize: BigInt(spirv.byteLength),
    pInputModule: spirv,
  });
  sync.zeModuleCreate(context.handle, device.handle, description, module, null);
  zeModuleDestroy(module[0]!);
}

function report(
  what: string,
  nonblocking: Measurement,
  blocking: Measurement,
): void {
  const line = (form: string, { milliseconds, ticks, longestGap }: Measurement): string =>
    `    ${form.padEnd(12)} ${(milliseconds / 1000).toFixed(2)} s; ${
      String(ticks).padStart(4)
    } ticks of the ${TICK_MILLISECONDS} ms timer, longest gap ${
      longestGap.toFixed(longestGap < 100 ? 1 : 0)
    } ms`;
  console.log(`  ${what}`);
  console.log(line("nonblocking", nonblocking));
  console.log(`${line("blocking", blocking)}  <- the control`);
}

/** Real results, and a wait of seconds. */
async function compute(context: Context, device: Device): Promise<void> {
  const length = 1 << 20;
  const { wrong, last } = await vectorAdd(context, device, length);
  console.log(
    `  vector_add   ${length} sums, the last one ${last}: ${
      wrong === 0 ? "all as TypeScript has them" : `${wrong} WRONG`
    }`,
  );
  if (wrong > 0) process.exitCode = 1;
  report(
    "waiting for a kernel",
    await measure(() => spin(context, device, SPIN_ROUNDS, waitNonblocking)),
    await measure(() => spin(context, device, SPIN_ROUNDS, waitBlocking)),
  );
}

async function main(): Promise<void> {
  const driver = drivers().find(({ devices }) => devices.length > 0);
  if (!driver) throw new Error("There is a Level Zero driver, but no device");
  const device = driver.devices[0]!;
  const kernels = Array.from({ length: 150 }, (_, i) => `kernel_${i}`);
  const spirv = spirvModule({ kernels, steps: 1, step: "costly" });
  await using context = driver.createContext();

  const { major, minor } = driver.apiVersion;
  const { bun, deno } = process.versions as { bun?: string; deno?: string };
  console.log(`${bun ? `Bun ${bun}` : `Deno ${deno}`}, Level Zero ${major}.${minor}`);
  console.log(`  device       ${device.name} (${device.type})`);
  if (computes) await compute(context, device);
  report(
    `compiling ${kernels.length} kernels, ${spirv.byteLength} bytes of SPIR-V`,
    await measure(async () => {
      await using _module = await Module.create(context, device, { spirv });
    }),
    await measure(() => Promise.resolve(compileBlocking(context, device, spirv))),
  );
}

if (process.argv.includes("--probe")) {
  process.exit(isAvailable() ? 0 : 1);
}
await main();
