/**
 * Where the loader is looked for, and loaders that are older than the headers.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { libraries } from "../src/libze/symbols.ts";
import { buildLibrary, noCompiler } from "./support/c_compiler.ts";
import { type ChildOptions, evaluate, projectFile, runScript } from "./support/child.ts";
import { runtime, test } from "./support/testing.ts";

const mod = JSON.stringify(projectFile("mod.ts"));
const libze = JSON.stringify(projectFile("src/libze/mod.ts"));

/** A script that prints whether there is a device, and else the error of `init()`. */
const probe = `
  import { init, isAvailable } from ${mod};
  const available = isAvailable();
  let error = null;
  try {
    init();
  } catch ({ name, message, tried }) {
    error = { name, message, tried };
  }
  console.log(JSON.stringify({ available, error }));`;

interface Probed {
  readonly available: boolean;
  readonly error: { name: string; message: string; tried?: string[] } | null;
}

/** Probes with a folder in which a loader has just the names given. */
async function withLoaderNamed(
  names: readonly string[],
  body: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "level-zero-loader-"));
  try {
    for (const name of names) await copyFile(buildLibrary("fake_loader.c"), join(folder, name));
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inFolder(folder: string): ChildOptions {
  return { env: { LD_LIBRARY_PATH: folder, ZE_LOADER_PATH: undefined } };
}

const anywhere: ChildOptions = { env: { ZE_LOADER_PATH: undefined, LD_LIBRARY_PATH: undefined } };
const hasLoader = (await evaluate<Probed>(probe, anywhere)).error?.name !== "LoaderNotFoundError";

test("A folder with libze_loader.so.1 alone will do", { skip: noCompiler }, async () => {
  await withLoaderNamed(["libze_loader.so.1"], async (folder) => {
    const { available, error } = await evaluate<Probed>(probe, inFolder(folder));
    assertEquals({ available, error }, { available: true, error: null });
  });
});

test("The name that every package has comes before the one that only -dev packages have", () => {
  assertEquals(libraries.linux, ["libze_loader.so.1", "libze_loader.so"]);
});

test("Without a loader, init() lists the names it tried, and importing does no harm", {
  skip: hasLoader && "this machine has a loader",
}, async () => {
  const { available, error } = await evaluate<Probed>(probe, anywhere);
  assertEquals(available, false);
  assertEquals(error!.name, "LoaderNotFoundError");
  assertEquals(error!.tried, ["libze_loader.so.1", "libze_loader.so"]);
  assertStringIncludes(error!.message, "cannot open shared object file");
  assertStringIncludes(error!.message, "Install it");
});

test("A loader whose dependency is missing is not reported as missing itself", {
  skip: noCompiler,
}, async () => {
  await withLoaderNamed([], async (folder) => {
    const needed = join(folder, "libneeded.so");
    await copyFile(buildLibrary("fake_loader.c"), needed);
    const loader = buildLibrary(
      "fake_loader.c",
      "-DNEEDS",
      "-L" + folder,
      "-Wl,--no-as-needed",
      needed,
    );
    await rm(needed);
    const { error } = await evaluate<Probed>(probe, { env: { ZE_LOADER_PATH: loader } });
    assertEquals(error!.name, "LoaderNotFoundError");
    assertStringIncludes(error!.message, "a library that it needs is not");
    await rm(loader);
  });
});

const notDeno: string | false = runtime === "deno" ? false : "Bun has no permissions";

test("Without --allow-ffi, Deno's own error comes through, with a hint", {
  skip: notDeno,
}, async () => {
  const script = `
    import { init, isAvailable } from ${mod};
    const available = isAvailable();
    try {
      init();
    } catch (error) {
      const { name, message } = error;
      const isDenos = error instanceof Deno.errors.NotCapable;
      console.log(JSON.stringify({ available, name, message, isDenos }));
    }`;
  const failure = await evaluate<Record<string, unknown>>(script, {
    denoPermissions: ["--allow-read"],
  });
  assertEquals(failure["name"], "NotCapable");
  assertEquals(failure["isDenos"], true);
  assertEquals(failure["available"], false);
  assertStringIncludes(String(failure["message"]), "--allow-ffi");
});

test("--allow-ffi for the loader's path alone is enough", {
  skip: notDeno || noCompiler,
}, async () => {
  await withLoaderNamed(["libze_loader.so.1"], async (folder) => {
    const { available, error } = await evaluate<Probed>(probe, {
      ...inFolder(folder),
      denoPermissions: [
        `--allow-ffi=${join(folder, "libze_loader.so.1")}`,
        "--allow-env=LD_LIBRARY_PATH",
        "--allow-read",
      ],
    });
    assertEquals({ available, error }, { available: true, error: null });
  });
});

const olderLoaders = process.env["ZE_OLDER_LOADERS"]?.split(":") ?? [];

test("Loaders of older releases work, up to the functions that they lack", {
  skip: olderLoaders.length === 0 &&
    "ZE_OLDER_LOADERS names none, as `deno task test` does in its own Debian",
}, async () => {
  for (const loader of olderLoaders) {
    const found = await evaluate<Record<string, unknown>>(
      `
      import { drivers } from ${mod};
      import * as libze from ${libze};
      const device = drivers()[0]?.devices[0]?.name;
      const missing = Object.keys(libze)
        .filter((name) => /^ze[str]?[A-Z]/.test(name) && !libze.has(name));
      let error;
      try {
        await libze[missing[0]](...new Array(libze[missing[0]].length).fill(1n));
      } catch ({ name, symbol, loaderVersion, message }) {
        error = { name, symbol, loaderVersion, message };
      }
      console.log(JSON.stringify({
        missing,
        error,
        device,
      }));`,
      { env: { ZE_LOADER_PATH: loader } },
    );
    const missing = found["missing"] as string[];
    const error = found["error"] as Record<string, string>;
    assert(missing.length > 0, `${loader} lacks nothing`);
    assertEquals(error["name"], "MissingSymbolError");
    assertEquals(error["symbol"], missing[0]);
    assertMatch(error["loaderVersion"]!, /^1\.\d+\.\d+$/);
    assertEquals(typeof found["device"], "string");
    // Debian 12 has 1.8, from before zeInitDrivers.
    if (error["loaderVersion"]!.startsWith("1.8.")) {
      assertEquals(missing.length, 189);
      assert(missing.includes("zeInitDrivers"));
    }
  }
});

test(
  "Importing the package opens nothing and asks for no permission",
  { skip: notDeno },
  async () => {
    const { code, stderr } = await runScript(`import ${mod}; import ${libze};`, {
      denoPermissions: [],
    });
    assertEquals({ code, stderr }, { code: 0, stderr: "" });
  },
);
