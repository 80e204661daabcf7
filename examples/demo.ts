/**
 * Compiles a large module while a timer ticks, once off the JavaScript thread
 * and once blocking, and tells how the timer fared.
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
import { spirvModule } from "./spirv_module.ts";

const TICK_MILLISECONDS = 5;

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

function line(label: string, { milliseconds, ticks, longestGap }: Measurement): string {
  return `  ${label.padEnd(12)} compiled in ${
    (milliseconds / 1000).toFixed(2)
  } s; ${ticks} ticks of the ${TICK_MILLISECONDS} ms timer, longest gap ${
    longestGap.toFixed(longestGap < 100 ? 1 : 0)
  } ms`;
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
  console.log(`  module       ${kernels.length} kernels, ${spirv.byteLength} bytes of SPIR-V`);
  const nonblocking = await measure(async () => {
    await using _module = await Module.create(context, device, { spirv });
  });
  console.log(line("nonblocking", nonblocking));
  const blocking = await measure(() => {
    compileBlocking(context, device, spirv);
    return Promise.resolve();
  });
  console.log(`${line("blocking", blocking)}  <- the control`);
}

if (process.argv.includes("--probe")) {
  process.exit(isAvailable() ? 0 : 1);
}
await main();
