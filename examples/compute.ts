/**
 * Kernels run on a device, through the C API: shared memory, an immediate
 * command list, and a wait that leaves the event loop alone.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import type { Context, Device, Kernel } from "../mod.ts";
import { viewAt } from "../src/ffi/mod.ts";
import * as ze from "../src/libze/mod.ts";

const { ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS } = ze.ze_command_queue_mode_t;
const FOR_EVER = 2n ** 64n - 1n;

function kernelFile(name: string): Uint8Array {
  return readFileSync(new URL(`../tests/kernels/${name}.spv`, import.meta.url));
}

/** Memory that both the host and the device use; its address, and a view for the host. */
function allocateShared(context: Context, device: Device, byteLength: number): SharedMemory {
  const address = new BigUint64Array(1);
  ze.zeMemAllocShared(
    context.handle,
    ze.ze_device_mem_alloc_desc_t.create(),
    ze.ze_host_mem_alloc_desc_t.create(),
    BigInt(byteLength),
    64n,
    device.handle,
    address,
  );
  return {
    address: address[0]!,
    bytes: viewAt(address[0]!, byteLength),
    [Symbol.dispose]: () => void ze.zeMemFree(context.handle, address[0]!),
  };
}

interface SharedMemory extends Disposable {
  readonly address: bigint;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An argument's bytes: a pointer or a 64-bit integer. */
function setArgument(kernel: Kernel, index: number, value: bigint): void {
  ze.zeKernelSetArgumentValue(kernel.handle, index, 8n, new BigUint64Array([value]));
}

/** Launches a kernel on an immediate command list of its own, and gives the list to wait on. */
function launch(context: Context, device: Device, kernel: Kernel, groups: number): bigint {
  const list = new BigUint64Array(1);
  const description = ze.ze_command_queue_desc_t.create({
    mode: ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
  });
  ze.zeCommandListCreateImmediate(context.handle, device.handle, description, list);
  const count = ze.ze_group_count_t.create({ groupCountX: groups, groupCountY: 1, groupCountZ: 1 });
  ze.zeCommandListAppendLaunchKernel(list[0]!, kernel.handle, count, 0n, 0, null);
  return list[0]!;
}

/** Adds two vectors on the device; gives how many sums differ from TypeScript's. */
export async function vectorAdd(
  context: Context,
  device: Device,
  length: number,
): Promise<{ readonly wrong: number; readonly last: number }> {
  await using module = await context.createModule(device, { spirv: kernelFile("vector_add") });
  using kernel = await module.kernel("vector_add");
  const groupSize = 64;
  ze.zeKernelSetGroupSize(kernel.handle, groupSize, 1, 1);
  using a = allocateShared(context, device, length * 4);
  using b = allocateShared(context, device, length * 4);
  using sum = allocateShared(context, device, length * 4);
  const [left, right, sums] = [a, b, sum].map(({ bytes }) => new Int32Array(bytes.buffer));
  for (let i = 0; i < length; i++) {
    left![i] = i;
    right![i] = 3 * i + 1;
  }
  [a, b, sum].forEach(({ address }, index) => setArgument(kernel, index, address));
  const list = launch(context, device, kernel, length / groupSize);
  await ze.zeCommandListHostSynchronize(list, FOR_EVER);
  ze.zeCommandListDestroy(list);
  let wrong = 0;
  for (let i = 0; i < length; i++) if (sums![i] !== left![i]! + right![i]!) wrong++;
  return { wrong, last: sums![length - 1]! };
}

/** Starts a kernel that keeps one work-item busy, to be waited for in either form. */
export async function spin(
  context: Context,
  device: Device,
  rounds: bigint,
  wait: (list: bigint) => unknown,
): Promise<void> {
  await using module = await context.createModule(device, { spirv: kernelFile("basic") });
  using kernel = await module.kernel("spin");
  ze.zeKernelSetGroupSize(kernel.handle, 1, 1, 1);
  using out = allocateShared(context, device, 4);
  setArgument(kernel, 0, out.address);
  setArgument(kernel, 1, rounds);
  const list = launch(context, device, kernel, 1);
  await wait(list);
  ze.zeCommandListDestroy(list);
}

/** Waits on another thread; the event loop goes on. */
export function waitNonblocking(list: bigint): Promise<unknown> {
  return ze.nonblocking.zeCommandListHostSynchronize(list, FOR_EVER);
}

/** The control: waits on this thread, and holds up everything else. */
export function waitBlocking(list: bigint): unknown {
  return ze.sync.zeCommandListHostSynchronize(list, FOR_EVER);
}
