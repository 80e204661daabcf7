/**
 * Handles that no two calls may have at the same time.
 */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { addressOf, HandleBusyError, open } from "../src/ffi/mod.ts";
import { readSignature } from "../src/ffi/signature.ts";
import { symbols } from "../src/libze/symbols.ts";
import { C_LIBRARY, sleep } from "./support/fixture.ts";
import { test } from "./support/testing.ts";

const semaphore = { type: "pointer", name: "semaphore", nullable: false, exclusive: true } as const;
const libc = open(C_LIBRARY, {
  sem_init: { parameters: ["pointer", "i32", "u32"], result: "i32" },
  sem_post: { parameters: ["pointer"], result: "i32" },
  sem_trywait: { parameters: [semaphore], result: "i32" },
  sem_wait: { parameters: [semaphore], result: "i32", nonblocking: true },
});
const { sem_init, sem_post, sem_trywait, sem_wait } = libc.functions;

/** A semaphore that nobody has posted, which a wait blocks on for real. */
function makeSemaphore(): { readonly address: bigint; readonly memory: Uint8Array } {
  const memory = new Uint8Array(64);
  sem_init(addressOf(memory), 0, 0);
  return { address: addressOf(memory), memory };
}

test("A synchronous call on a handle that another thread has to itself throws", async () => {
  const { address } = makeSemaphore();
  const wait = sem_wait(address);
  const error = assertThrows(() => sem_trywait(address), HandleBusyError, "sem_trywait");
  assertStringIncludes(error.message, "`semaphore` is in use by sem_wait on another thread");
  // Another handle, and a function that does not need the handle to itself, are free.
  assertEquals(sem_trywait(makeSemaphore().address), -1);
  sem_post(address);
  await wait;
  assertEquals(sem_trywait(address), -1);
});

test("A nonblocking call on such a handle waits for its turn", async () => {
  const { address } = makeSemaphore();
  const order: number[] = [];
  const waits = [1, 2, 3].map((i) => sem_wait(address).then(() => order.push(i)));
  for (let i = 0; i < 3; i++) {
    sem_post(address);
    await sleep(5);
  }
  await Promise.all(waits);
  assertEquals(order, [1, 2, 3]);
  assertEquals(sem_trywait(address), -1);
});

test("A signature says which argument a call has to itself", () => {
  const { description } = readSignature("zeKernelDestroy u32=0 hKernel:handle!");
  const [parameter] = description.parameters;
  assert(typeof parameter === "object" && parameter.exclusive && parameter.nullable === false);
});

test("The generated functions have an argument to themselves where the headers say so", () => {
  const exclusive = (name: string): string[] =>
    symbols.split("\n").filter((line) => line.startsWith(`${name} `))
      .flatMap((line) => [...line.matchAll(/(\w+):\w+!/g)].map(([, argument]) => argument!));
  assertEquals(exclusive("zeCommandListClose"), ["hCommandList"]);
  assertEquals(exclusive("zeMemFreeExt"), ["ptr"]);
  assertEquals(exclusive("zetMetricStreamerOpen"), ["hDevice"]);
  // Many may wait for an event; of a graph the headers say nothing, which is no permission.
  assertEquals(exclusive("zeEventHostSynchronize"), []);
  assertEquals(exclusive("zeGraphInstantiateExt"), ["hGraph"]);
});
