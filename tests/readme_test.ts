/**
 * The programs in the README, as they stand there.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { readFile } from "node:fs/promises";
import { projectFile, runScript } from "./support/child.ts";
import { noExecution } from "./support/device.ts";
import { test } from "./support/testing.ts";

/** The program of the README that begins so, with its imports and its file found. */
async function program(beginning: string): Promise<string> {
  const text = await readFile(new URL(projectFile("README.md")), "utf8");
  const found = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)]
    .map(([, code]) => code!)
    .find((code) => code.startsWith(beginning));
  if (!found) throw new Error(`The README has no program that begins with ${beginning}`);
  return found
    .replaceAll('"@ze/level-zero"', JSON.stringify(projectFile("mod.ts")))
    .replaceAll(
      '"vector_add.spv"',
      JSON.stringify(new URL(projectFile("examples/kernels/vector_add.spv")).pathname),
    );
}

test("README: vectors are added by a session", { skip: noExecution }, async () => {
  const { stdout, stderr } = await runScript(await program("import { Session }"));
  assertEquals(stderr, "");
  assertMatch(stdout, /11, 22, 33/);
});

test("README: vectors are added piece by piece", { skip: noExecution }, async () => {
  const code = await program("import { drivers }");
  const path = projectFile("examples/kernels/vector_add.spv");
  const { stdout, stderr } = await runScript(`
    import { readFileSync } from "node:fs";
    const spirv = readFileSync(new URL(${JSON.stringify(path)}));
    ${code}
  `);
  assertEquals(stderr, "");
  assertMatch(stdout, /11,\s+22,\s+33,\s+44[^]*\d+ ns/);
});
