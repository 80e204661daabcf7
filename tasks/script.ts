/**
 * Runs a script of the project's under Deno, with `@std/*` from wherever they can be had:
 * `script.ts [--both] [--device] FILE ARGUMENT…`. With `--both` Bun runs it too; with `--device` it
 * runs where a Level Zero device computes, as far as one can be had.
 *
 * @module
 */
import { cpu } from "../tests/devices/mod.ts";
import { findDevices } from "./find_device.ts";
import { type Equipment, runProgram, thisMachine } from "./places.ts";
import { bunModules, findBun, findDeno } from "./runtimes.ts";
import { say } from "./workspace.ts";

const args = [...Deno.args];
/** Whether this task was given a flag, before the script. */
function takeFlag(flag: string): boolean {
  if (args[0] !== flag) return false;
  args.shift();
  return true;
}
const both = takeFlag("--both");
const [where = thisMachine] = takeFlag("--device") ? await findDevices([cpu]) : [];
const equipments: Equipment[] = [{ runtime: findDeno() }];
if (both) {
  const runtime = await findBun();
  equipments.push({ runtime, modules: await bunModules(runtime) });
}
let code = 0;
for (const equipment of equipments) {
  if (both) say(equipment.runtime.title);
  const ended = await runProgram(equipment, where, { kind: "run", args });
  if (ended.code !== 0) {
    say(`${args[0]} ${ended.ending}`);
    code ||= ended.code;
  }
}
Deno.exit(code);
