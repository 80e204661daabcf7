/**
 * Where programs that need a Level Zero device run: on this machine if it has one, or else where
 * one can be made.
 *
 * @module
 */
import { provisionPlace, type TestPlace } from "../tests/devices/mod.ts";
import { runProgram, thisMachine, type Where } from "./places.ts";
import { findDeno } from "./runtimes.ts";
import { say } from "./workspace.ts";

/** This machine, or else those of the places that can be had; says why if one can't. */
export async function findDevices(places: readonly TestPlace[]): Promise<Where[]> {
  const probe = await runProgram({ runtime: findDeno() }, thisMachine, {
    kind: "run",
    args: ["examples/demo.ts", "--probe"],
    output: "keep",
    timeout: 60_000,
  });
  if (probe.code === 0) return [thisMachine];
  say(`no Level Zero device here; taking ${places.map(({ about }) => about).join(", and ")}`);
  const found: Where[] = [];
  for (const place of places) {
    const { path, reason, env } = await provisionPlace(place);
    if (reason) say(`${place.name} can't be had: ${reason}`);
    else found.push({ title: place.name, place, rootfs: path, env });
  }
  return found;
}
