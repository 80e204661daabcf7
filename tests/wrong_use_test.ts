/**
 * Thousands of wrong calls, each refused by an error with a type, before anything native is
 * called; and the right call goes well after each.
 */
import { assert, assertEquals } from "@std/assert";
import {
  ArgumentRangeError,
  ArgumentTypeError,
  CommandListStateError,
  HandleBusyError,
  InvalidSpirvError,
  KernelNotFoundError,
  UseAfterDisposeError,
} from "../mod.ts";
import { noExecution } from "./support/device.ts";
import { test } from "./support/testing.ts";
import { wrongUses } from "./support/wrong_uses.ts";
import type { Use } from "./support/wrong_values.ts";

const COUNT = 10_000;
const SEED = 20261206;

const EXPECTED = [
  ArgumentRangeError,
  ArgumentTypeError,
  CommandListStateError,
  HandleBusyError,
  InvalidSpirvError,
  KernelNotFoundError,
  UseAfterDisposeError,
];

/** The same numbers in each run: integers from 0, below a limit. */
function numbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    // Numerical Recipes' generator; its high bits are the better ones.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * limit);
  };
}

/** What it throws or rejects with; undefined if it does neither. */
async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}

function describe(value: unknown): string {
  try {
    return JSON.stringify(
      value,
      (_, part) => typeof part === "bigint" ? `${part}n` : part,
    ) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function rightArguments(use: Use): unknown[] {
  return use.parameters.map((parameter) => parameter.right);
}

test(`${COUNT} random wrong uses are refused, and the right one goes well after each`, {
  skip: noExecution,
  timeout: 300_000,
}, async () => {
  const random = numbers(SEED);
  const { uses, refused, synchronize, end } = await wrongUses();
  const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
  /** Each once with what was wrong about it, so that all can be put right at once. */
  const problems = new Set<string>();
  const seen = new Map<string, number>();
  const check = (name: string, failure: unknown): void => {
    if (EXPECTED.some((type) => failure instanceof type)) {
      const { name } = failure as Error;
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return;
    }
    problems.add(`${name}: ${failure === undefined ? "is accepted" : failure}`);
  };
  for (let i = 0; i < COUNT; i++) {
    if (random(5) === 0) {
      const { name, call } = pick(refused);
      check(name, await failureOf(call));
      continue;
    }
    const use = pick(uses);
    const index = pick([...use.parameters.keys()].filter((i) => use.parameters[i]!.wrong.length));
    const args = rightArguments(use);
    args[index] = pick(use.parameters[index]!.wrong);
    check(
      `${use.name}, argument ${index} = ${describe(args[index])}`,
      await failureOf(() => use.call(...args)),
    );
    const right = use.instead ?? ((): unknown => use.call(...rightArguments(use)));
    const failure = await failureOf(right);
    if (failure !== undefined) problems.add(`${use.name}, all right: ${failure}`);
    if (i % 100 === 0) await synchronize();
  }
  await end();
  assertEquals([...problems].sort(), []);
  assert(
    ["ArgumentTypeError", "ArgumentRangeError", "UseAfterDisposeError", "HandleBusyError"]
      .every((name) => (seen.get(name) ?? 0) > 100),
    describe([...seen]),
  );
});
