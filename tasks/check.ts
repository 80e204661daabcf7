/**
 * `deno task check`: format, lint, the types of both runtimes, and whether what is generated is
 * current. Every step runs, whatever became of the ones before.
 *
 * @module
 */
import { bunModules, findBun } from "./runtimes.ts";
import { denoFlags } from "./standard_library.ts";
import { exists, projectRoot, reasonOf, run, type RunResult, say } from "./workspace.ts";

const deno = Deno.execPath();

/** Those of the project's parts that are there. */
async function present(...paths: string[]): Promise<string[]> {
  const there = await Promise.all(paths.map((path) => exists(`${projectRoot}/${path}`)));
  return paths.filter((_, index) => there[index]);
}

async function denoTypes(): Promise<RunResult> {
  const parts = await present("mod.ts", "src", "gen", "tests", "tasks", "examples", "bench");
  return await run([deno, "check", "--quiet", ...await denoFlags(), ...parts], { output: "show" });
}

/** TypeScript's own compiler, with Bun's types, over what runs under Bun. */
async function bunTypes(): Promise<RunResult> {
  const bun = await findBun();
  const { folder, configuration } = await bunModules(bun);
  const paths: Record<string, string[]> =
    JSON.parse(await Deno.readTextFile(configuration)).compilerOptions.paths;
  const parts = await present("mod.ts", "src", "gen", "tests", "examples", "bench");
  const file = `${folder}/check-${Deno.pid}.json`;
  await Deno.writeTextFile(
    file,
    JSON.stringify({
      extends: `${projectRoot}/tsconfig.json`,
      compilerOptions: {
        paths: Object.fromEntries(
          Object.entries(paths).map(([name, to]) => [name, to.map((path) => `${folder}/${path}`)]),
        ),
        types: ["bun"],
        typeRoots: [`${folder}/node_modules/@types`],
      },
      include: parts.map((part) => `${projectRoot}/${part}`),
      // These belong to the tasks, which run under Deno only.
      exclude: [`${projectRoot}/tests/devices`],
    }),
  );
  try {
    return await run([bun.path, `${folder}/node_modules/typescript/lib/tsc.js`, "-p", file], {
      output: "show",
    });
  } finally {
    await Deno.remove(file);
  }
}

async function generated(): Promise<RunResult> {
  return await run([
    deno,
    "run",
    "-A",
    "--no-check",
    ...await denoFlags(),
    "gen/main.ts",
    "--check",
  ], {
    output: "show",
  });
}

const steps: [string, () => Promise<RunResult>][] = [
  ["format (deno fmt)", () => run([deno, "fmt", "--check", "--quiet"], { output: "show" })],
  ["lint (deno lint)", () => run([deno, "lint", "--quiet"], { output: "show" })],
  ["types of Deno (deno check)", denoTypes],
  ["types of Bun (tsc)", bunTypes],
  ["generated code is current (deno task gen --check)", generated],
];

const failed: string[] = [];
for (const [title, step] of steps) {
  const start = Date.now();
  let ending: string | undefined;
  try {
    const result = await step();
    if (result.code !== 0) ending = result.ending;
  } catch (error) {
    ending = reasonOf(error);
  }
  if (ending) failed.push(title);
  const time = `${((Date.now() - start) / 1000).toFixed(1)} s`;
  say(ending ? `FAILED ${title}, ${time}: ${ending}` : `ok ${title}, ${time}`);
}
say(failed.length > 0 ? `check failed: ${failed.join("; ")}` : "check passed");
Deno.exit(failed.length > 0 ? 1 : 0);
