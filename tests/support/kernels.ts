/**
 * The test kernels, on the first device.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import type { Context, Device, Kernel, Module } from "../../mod.ts";
import { noExecution, testDevice } from "./device.ts";
import { test } from "./testing.ts";

/** The SPIR-V of `tests/kernels/<name>.cl`. */
export function testSpirv(name: string): Uint8Array {
  return readFileSync(new URL(`../kernels/${name}.spv`, import.meta.url));
}

/** Runs so many groups of a kernel to their end. */
export async function runKernel(kernel: Kernel, x = 1, y = 1, z = 1): Promise<void> {
  using list = kernel.context.createImmediateCommandList(kernel.module.device);
  list.appendLaunchKernel(kernel, [x, y, z]);
  await list.synchronize();
}

/** A context with its device, and kernels of `tests/kernels/basic.cl`. */
export class Bench implements AsyncDisposable {
  /** The first device. */
  readonly device: Device = testDevice();
  /** A context for all of its driver's devices. */
  readonly context: Context = this.device.driver.createContext();
  #module: Promise<Module> | undefined;

  /** A kernel of `tests/kernels/basic.cl`. */
  async kernel(name: string): Promise<Kernel> {
    this.#module ??= this.context.createModule(this.device, { spirv: testSpirv("basic") });
    return await (await this.#module).kernel(name);
  }

  /** Frees all of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.context[Symbol.asyncDispose]();
  }
}

/** Registers a test that has a bench for itself; skipped where nothing computes. */
export function benchTest(name: string, body: (bench: Bench) => Promise<void>): void {
  test(name, { skip: noExecution, timeout: 120_000 }, async () => {
    await using bench = new Bench();
    await body(bench);
  });
}
