import { assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "./support/testing.ts";

const SRC = new URL("../src/", import.meta.url);

/** The modules that each module of `src/` needs when it is evaluated: imports of types are not. */
function runtimeImports(): Map<string, string[]> {
  const imports = new Map<string, string[]>();
  for (const path of readdirSync(SRC, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".ts")) continue;
    const file = new URL(path.replaceAll("\\", "/"), SRC);
    const text = readFileSync(file, "utf8");
    const found: string[] = [];
    const statement = /^(?:import|export)\s+(type\s)?([^;"]*?)\bfrom\s+"(\.[^"]+)";/gm;
    for (const [, type, names, specifier] of text.matchAll(statement)) {
      const listed = names!.match(/^\{([^}]*)\}/)?.[1]?.split(",").map((name) => name.trim());
      const typesOnly = listed?.every((name) => name === "" || name.startsWith("type "));
      if (!type && !typesOnly) found.push(new URL(specifier!, file).href);
    }
    imports.set(file.href, found);
  }
  return imports;
}

/** The modules of a cycle in the order of import; none if there is no cycle. */
function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (module: string): string[] => {
    const start = path.indexOf(module);
    if (start >= 0) return [...path.slice(start), module];
    if (done.has(module)) return [];
    path.push(module);
    for (const next of imports.get(module) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    done.add(module);
    return [];
  };
  for (const module of imports.keys()) {
    const cycle = visit(module);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

// In a cycle it depends on who is imported first whether `extends` finds its class.
test("Any module of src/ can be imported first: there are no import cycles", () => {
  const imports = runtimeImports();
  assertEquals(imports.size > 50, true);
  assertEquals(findCycle(imports).map((module) => module.slice(SRC.href.length)), []);
});

test("A cycle is found", () => {
  const imports = new Map([["a", ["b"]], ["b", ["c", "d"]], ["c", []], ["d", ["b"]]]);
  assertEquals(findCycle(imports), ["b", "d", "b"]);
});
