/**
 * `deno task demo`: runs examples/demo.ts under Deno and under Bun, on this machine's Level Zero
 * device, or on Intel's driver in a root file system where there is none.
 *
 * @module
 */
import { intel, provisionPlace } from "../tests/devices/mod.ts";
import { type Equipment, runProgram, thisMachine, type Where } from "./places.ts";
import { findBun, findDeno } from "./runtimes.ts";
import { say } from "./workspace.ts";

const DEMO = "examples/demo.ts";

async function findPlace(): Promise<Where | undefined> {
  const probe = await runProgram({ runtime: findDeno() }, thisMachine, {
    kind: "run",
    args: [DEMO, "--probe"],
    output: "keep",
    timeout: 60_000,
  });
  if (probe.code === 0) return thisMachine;
  say("no Level Zero device here; taking Intel's driver without its hardware");
  const { path } = await provisionPlace(intel);
  return path ? { title: intel.recipe.name, place: intel, rootfs: path } : undefined;
}

async function main(args: readonly string[]): Promise<number> {
  const where = await findPlace();
  if (!where) {
    console.error("The demo has no Level Zero device to run on; the lines above say why");
    return 1;
  }
  const equipments: Equipment[] = [{ runtime: findDeno() }, { runtime: await findBun() }];
  let code = 0;
  for (const equipment of equipments) {
    say(`${equipment.runtime.title} on ${where.place?.about ?? where.title}`);
    const ended = await runProgram(equipment, where, { kind: "run", args: [DEMO, ...args] });
    if (ended.code !== 0) {
      say(`${equipment.runtime.title} ${ended.ending}`);
      code = 1;
    }
  }
  return code;
}

Deno.exit(await main(Deno.args));
