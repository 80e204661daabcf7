/**
 * `deno task demo`: runs examples/demo.ts under Deno and under Bun, on this machine's Level Zero
 * device, or where there is none on the driver that computes on the CPU and on Intel's without its
 * hardware, in root file systems.
 *
 * @module
 */
import { cpu, intel } from "../tests/devices/mod.ts";
import { findDevices } from "./find_device.ts";
import { type Equipment, runProgram } from "./places.ts";
import { findBun, findDeno } from "./runtimes.ts";
import { say } from "./workspace.ts";

const DEMO = "examples/demo.ts";

async function main(args: readonly string[]): Promise<number> {
  const places = await findDevices([cpu, intel]);
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
