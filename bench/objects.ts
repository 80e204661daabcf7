/**
 * What the object API adds to the calls of the raw layer, on a device.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import {
  type Device,
  drivers,
  type Event,
  type ImmediateCommandList,
  isAvailable,
  type Kernel,
} from "../mod.ts";
import { nonblocking, sync, ze_group_count_t } from "../src/libze/mod.ts";
import { median, type Row, within } from "./report.ts";

/** The most that a launch and wait may cost, in those of the raw layer. */
const LAUNCH_LIMIT = 1.25;
const SIGNALLED_LIMIT = 2;
const ROUNDS = 101;
const LAUNCHES = 100;
const WAITS = 1000;
const FOREVER = 2n ** 64n - 1n;

type Work = () => void | Promise<unknown>;

/** Microseconds for one of them. */
async function time(work: Work, count: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const result = work();
    if (result) await result;
  }
  return (performance.now() - start) * 1000 / count;
}

/** By turns, so that both have the machine as it is. */
async function compare(what: string, objects: Work, raw: Work): Promise<Row> {
  const rounds: { objects: number; raw: number }[] = [];
  for (let round = -20; round < ROUNDS; round++) {
    const first = round % 2 === 0 ? await time(objects, LAUNCHES) : NaN;
    const rawTime = await time(raw, LAUNCHES);
    const times = {
      objects: round % 2 === 0 ? first : await time(objects, LAUNCHES),
      raw: rawTime,
    };
    // The first rounds are for the engine, which compiles what it sees often.
    if (round >= 0) rounds.push(times);
  }
  const ratio = median(rounds.map((times) => times.objects / times.raw));
  return {
    what,
    measured: `${median(rounds.map((times) => times.objects)).toFixed(1)} µs`,
    bare: `${median(rounds.map((times) => times.raw)).toFixed(1)} µs`,
    budget: `${ratio.toFixed(2)} times, ${within(ratio, LAUNCH_LIMIT, "")}`,
  };
}

async function launches(list: ImmediateCommandList, kernel: Kernel): Promise<Row[]> {
  const groups = ze_group_count_t.create({ groupCountX: 1, groupCountY: 1, groupCountZ: 1 });
  const { handle } = list;
  const { handle: kernelHandle } = kernel;
  const launch = (): void =>
    void sync.zeCommandListAppendLaunchKernel(handle, kernelHandle, groups, 0n, 0, null);
  return [
    await compare("an empty kernel: launch, wait on this thread", () => {
      list.appendLaunchKernel(kernel, 1).synchronizeSync();
    }, () => {
      launch();
      sync.zeCommandListHostSynchronize(handle, FOREVER);
    }),
    await compare(
      "an empty kernel: launch, await",
      () => list.appendLaunchKernel(kernel, 1).synchronize(),
      () => {
        launch();
        return nonblocking.zeCommandListHostSynchronize(handle, FOREVER);
      },
    ),
  ];
}

async function waits(event: Event): Promise<Row> {
  event.signal();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await time(() => event.wait(), WAITS));
  const measured = median(times);
  return {
    what: "wait() on an event that is signalled",
    measured: `${measured.toFixed(2)} µs`,
    bare: "",
    budget: within(measured, SIGNALLED_LIMIT, " µs"),
  };
}

function firstDevice(): Device | undefined {
  if (!isAvailable()) return undefined;
  return drivers().flatMap((driver) => driver.devices)[0];
}

/** Measures launches and waits, on the first device. */
export async function compareObjects(): Promise<Row[]> {
  const device = firstDevice();
  if (!device) {
    return [{ what: "launches and waits: SKIPPED, no device", measured: "", bare: "", budget: "" }];
  }
  await using context = device.driver.createContext();
  const spirv = readFileSync(new URL("../tests/kernels/basic.spv", import.meta.url));
  const module = await context.createModule(device, { spirv });
  const kernel = (await module.kernel("empty")).setGroupSize(1);
  const list = context.createImmediateCommandList(device);
  return [...await launches(list, kernel), await waits(context.createEvent())];
}
