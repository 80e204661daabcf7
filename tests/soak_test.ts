import { assertLess } from "@std/assert";
import { evaluate, projectFile } from "./support/child.ts";
import { noExecution } from "./support/device.ts";
import { test } from "./support/testing.ts";

/** Twenty times as much is what `deno task soak` does. */
const [LAUNCHES, ALLOCATIONS] = [50_000, 5000];

/** How resident memory grows in a process of its own, where nothing else makes it grow. */
function growthOf(launches: number, allocations: number, leak = ""): Promise<number> {
  return evaluate<number>(
    `
    import { drivers } from ${JSON.stringify(projectFile("mod.ts"))};
    import { soak } from ${JSON.stringify(projectFile("bench/soak.ts"))};
    const device = drivers().flatMap((driver) => driver.devices)[0];
    const leaks = [];
    const onProgress = () => { ${leak} };
    const options = { device, launches: ${launches}, allocations: ${allocations}, onProgress };
    const { growth } = await soak(options);
    console.log(growth);
  `,
    { timeout: 120_000 },
  );
}

test(`${LAUNCHES} launches and ${ALLOCATIONS} allocations grow resident memory by less than 5%`, {
  skip: noExecution,
  timeout: 150_000,
}, async () => {
  assertLess(await growthOf(LAUNCHES, ALLOCATIONS), 0.05);
});

test(
  "A leak of a tenth of that would be seen",
  { skip: noExecution, timeout: 60_000 },
  async () => {
    const growth = await growthOf(1000, 100, "leaks.push(new Uint8Array(4 * 2 ** 20).fill(1));");
    assertLess(0.05, growth);
  },
);
