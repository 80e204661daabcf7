/**
 * Runs a script of the project's under Deno, with `@std/*` from wherever they can be had:
 * `script.ts [--both] FILE ARGUMENT…`. With `--both` Bun runs it too.
 *
 * @module
 */
import { type Equipment, runProgram, thisMachine } from "./places.ts";
import { bunModules, findBun, findDeno } from "./runtimes.ts";
import { say } from "./workspace.ts";

const both = Deno.args[0] === "--both";
const args = both ? Deno.args.slice(1) : Deno.args;
const equipments: Equipment[] = [{ runtime: findDeno() }];
if (both) {
  const runtime = await findBun();
  equipments.push({ runtime, modules: await bunModules(runtime) });
}
let code = 0;
for (const equipment of equipments) {
  if (both) say(equipment.runtime.title);
  const ended = await runProgram(equipment, thisMachine, { kind: "run", args });
  if (ended.code !== 0) {
    say(`${args[0]} ${ended.ending}`);
    code ||= ended.code;
  }
}
Deno.exit(code);
