/**
 * The test kernels, on the first device.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import process from "node:process";
import type { Context, Device, Kernel, Module } from "../../mod.ts";
import { noDevice, testDevice } from "./device.ts";

/** Why tests that look at what the device computed are skipped; false if it computes. */
export const noExecution: string | false = noDevice ||
  (process.env["ZE_TEST_DEVICE"] === "intel" && "Intel's driver without hardware executes nothing");

/** The SPIR-V of `tests/kernels/<name>.cl`. */
export function testSpirv(name: string): Uint8Array {
  return readFileSync(new URL(`../kernels/${name}.spv`, import.meta.url));
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
