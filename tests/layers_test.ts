/**
 * The layers keep to themselves: what a file imports, and which of them knows
 * a runtime. ARCHITECTURE.md has the reasons.
 */
import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "./support/testing.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The files of a folder and of those in it, relative to the project's folder. */
function filesIn(folder: string): string[] {
  return (readdirSync(`${root}/${folder}`, { recursive: true }) as string[])
    .map((file) => posix.join(folder, file.replaceAll("\\", "/")))
    .filter((file) => file.endsWith(".ts"))
    .sort();
}

/** The text of a file without its comments and what is inside of its strings. */
function codeOf(text: string): string {
  return text.replace(
    /\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g,
    (match) => match.startsWith("`") ? match : match.startsWith("/") ? "" : '""',
  );
}

/** What a file imports or re-exports; files as paths from the project's folder. */
function importsOf(file: string): string[] {
  const text = readFileSync(`${root}/${file}`, "utf8").replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
  const found = text.matchAll(/\bfrom\s*"([^"]+)"|(?<!\.)\bimport\s*\(?\s*"([^"]+)"/g);
  return [...found].map(([, from, plain]) => from ?? plain!).map((specifier) =>
    specifier.startsWith(".") ? posix.join(dirname(file), specifier) : specifier
  );
}

/** What the files of a layer may import: folders end in a slash. */
const layers: [layer: string, files: string[], allowed: string[]][] = [
  ["src/ffi/", filesIn("src/ffi"), ["src/ffi/"]],
  ["src/libze/", filesIn("src/libze"), [
    "src/libze/",
    "src/ffi/",
    "src/error.ts",
    "src/library.ts",
  ]],
  ["src/", filesIn("src").filter((file) => !/^src\/(ffi|libze)\//.test(file)), ["src/"]],
  ["mod.ts", ["mod.ts"], ["src/"]],
];

for (const [layer, files, allowed] of layers) {
  test(`${layer} imports ${allowed.join(", ")} and nothing else`, () => {
    assert(files.length > 0);
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => !allowed.some((path) => imported.startsWith(path)))
        .map((imported) => `${file} imports ${imported}`)
    );
    assertEquals(wrong, []);
  });
}

test("the package has no dependency: every import is a file of its own", () => {
  const wrong = ["mod.ts", ...filesIn("src")].flatMap((file) =>
    importsOf(file).filter((imported) => !imported.endsWith(".ts"))
  );
  assertEquals(wrong, []);
});

test("only src/ffi/ knows the runtimes", () => {
  const known = /\bDeno\b|\bBun\b|bun:|node:|\bprocess(\.\w|\[)|\brequire\b|\bnavigator\b/;
  const wrong = ["mod.ts", ...filesIn("src")].filter((file) => {
    const text = readFileSync(`${root}/${file}`, "utf8");
    return !file.startsWith("src/ffi/") &&
      (known.test(codeOf(text)) || importsOf(file).some((name) => /^(bun|node):/.test(name)));
  });
  assertEquals(wrong, []);
});

test("inside src/ffi/ each runtime is known to its own files", () => {
  for (const file of filesIn("src/ffi")) {
    const code = codeOf(readFileSync(`${root}/${file}`, "utf8"));
    if (!/\/(deno|runtime)\.ts$/.test(file)) assert(!/\bDeno\./.test(code), `${file} uses Deno`);
    if (!/\/bun\w*\.ts$/.test(file)) {
      assert(!/\bBun\.|\bprocess\.|bun:ffi/.test(code), `${file} uses Bun`);
    }
  }
});

test("mod.ts only re-exports, and says what from", () => {
  const code = codeOf(readFileSync(`${root}/mod.ts`, "utf8")).trim();
  const rest = code.replace(/export (type )?(\{[^}]*\}|\* as \w+) from "";/g, "").trim();
  assertEquals(rest, "");
});
