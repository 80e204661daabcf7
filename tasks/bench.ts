/**
 * Measures under Deno and Bun, where a Level Zero device computes as far as one can be had; and
 * koffi's calls under Node.js beside them, where that is there.
 *
 * @module
 */
import { cpu } from "../tests/devices/mod.ts";
import { findDevices } from "./find_device.ts";
import { type Equipment, runProgram, thisMachine } from "./places.ts";
import { bunModules, findBun, findDeno, koffiFolder } from "./runtimes.ts";
import { run, say } from "./workspace.ts";

const bun = await findBun();
const equipments: Equipment[] = [
  { runtime: findDeno() },
  { runtime: bun, modules: await bunModules(bun) },
];
const [where = thisMachine] = await findDevices([cpu]);
let failed = false;
for (const equipment of equipments) {
  say(equipment.runtime.title);
  const ended = await runProgram(equipment, where, { kind: "run", args: ["bench/mod.ts"] });
  if (ended.code === 0) continue;
  failed = true;
  say(`bench/mod.ts ${ended.ending}`);
}
try {
  const folder = await koffiFolder(bun);
  say("Node.js with koffi, to compare with");
  await run(["node", "koffi.js"], { cwd: folder, output: "show" });
} catch (error) {
  say(`SKIPPED koffi: ${error instanceof Error ? error.message : error}`);
}
if (failed) Deno.exit(1);
