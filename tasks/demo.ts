/**
 * `deno task demo`: runs examples/demo.ts under Deno and under Bun, on this machine's Level Zero
 * device, or where there is none on the driver that computes on the CPU and on Intel's without its
 * hardware, in root file systems.
 *
 * @module
 */
import { cpu, intel, provisionPlace } from "../tests/devices/mod.ts";
import { type Equipment, runProgram, thisMachine, type Where } from "./places.ts";
import { findBun, findDeno } from "./runtimes.ts";
import { say } from "./workspace.ts";

const DEMO = "examples/demo.ts";

/** This machine, or else a device that computes and one whose compiler takes its time. */
async function findPlaces(): Promise<Where[]> {
  const probe = await runProgram({ runtime: findDeno() }, thisMachine, {
    kind: "run",
    args: [DEMO, "--probe"],
    output: "keep",
    timeout: 60_000,
  });
  if (probe.code === 0) return [thisMachine];
  say("no Level Zero device here; taking one that computes on the CPU, and Intel's compiler");
  const found: Where[] = [];
  for (const place of [cpu, intel]) {
    const { path, reason, env } = await provisionPlace(place);
    if (reason) say(`${place.recipe.name} can't be had: ${reason}`);
    else found.push({ title: place.recipe.name, place, rootfs: path, env });
  }
  return found;
}

async function main(args: readonly string[]): Promise<number> {
  const places = await findPlaces();
  if (places.length === 0) {
    console.error("The demo has no Level Zero device to run on; the lines above say why");
    return 1;
  }
  const equipments: Equipment[] = [{ runtime: findDeno() }, { runtime: await findBun() }];
  let code = 0;
  for (const where of places) {
    say(where.place?.about ?? where.title);
    for (const equipment of equipments) {
      const ended = await runProgram(equipment, where, { kind: "run", args: [DEMO, ...args] });
      if (ended.code !== 0) {
        say(`${equipment.runtime.title} ${ended.ending}`);
        code = 1;
      }
    }
  }
  return code;
}

Deno.exit(await main(Deno.args));
