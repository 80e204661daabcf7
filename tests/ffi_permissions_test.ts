/**
 * Deno's permissions: what it refuses stays its own error, and a library that
 * is allowed by its full path is found by its bare name.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { evaluate, projectFile } from "./support/child.ts";
import { runtime, test } from "./support/testing.ts";

const skip = runtime === "bun"
  ? "Bun has no permissions"
  : process.platform !== "linux" && "The library's path is read from /proc";

/** Where this process has its C library from. */
function cLibrary(): string {
  const [path] = /\/\S*\/libc\.so\.6/.exec(readFileSync("/proc/self/maps", "utf8"))!;
  return path;
}

const script = (main: string): string => `
import { open } from ${JSON.stringify(projectFile("src/ffi/mod.ts"))};
const description = {
  getpid: { parameters: [], result: "i32" },
  usleep: { parameters: ["u32"], result: "i32", nonblocking: true },
  no_such_symbol: { parameters: [], result: "void", optional: true },
};
const outcome = {};
const caught = (work) => {
  try {
    work();
    return undefined;
  } catch (error) {
    return { name: error.name, message: error.message };
  }
};
${main}
console.log(JSON.stringify(outcome));
`;

interface Caught {
  readonly name: string;
  readonly message: string;
}

test("without --allow-ffi Deno's own error comes through, with a hint", { skip }, async () => {
  for (const name of ["libc.so.6", "libno_such_library.so.1", "/no/such/library.so"]) {
    const { error, own } = await evaluate<{ error: Caught; own: boolean }>(
      script(`
        outcome.error = caught(() => open([${JSON.stringify(name)}], description));
        try { open([${JSON.stringify(name)}], {}) } catch (error) {
          outcome.own = error instanceof Deno.errors.NotCapable;
        }
      `),
      // With no flag at all, Deno's own child_process adds one that allows everything.
      { denoPermissions: ["--allow-env=ZE_NOTHING"] },
    );
    assert(own, `${error.name} is not Deno's own`);
    assertEquals(error.name, "NotCapable");
    assertStringIncludes(error.message, "--allow-ffi=PATH");
  }
});

test("importing the package asks for no permission", { skip }, async () => {
  const result = await evaluate(
    `import ${JSON.stringify(projectFile("mod.ts"))}; console.log("1");`,
    { denoPermissions: ["--deny-ffi", "--deny-env", "--deny-read", "--deny-run", "--deny-sys"] },
  );
  assertEquals(result, 1);
});

const everything = `
  const { path, functions, has, close, sync } = (() => {
    const library = open(["libc.so.6"], description);
    return { path: library.path, functions: library.functions,
      has: (name) => library.has(name), close: () => library.close(),
      sync: (name) => library.sync(name) };
  })();
  outcome.path = path;
  outcome.pid = functions.getpid();
  outcome.same = sync("getpid")() === outcome.pid;
  outcome.slept = await functions.usleep(1000);
  outcome.has = [has("getpid"), has("no_such_symbol")];
  outcome.missing = caught(() => functions.no_such_symbol()).name;
  const pending = functions.usleep(20_000);
  close();
  outcome.closed = caught(() => functions.getpid()).name;
  outcome.afterClose = await pending;
`;

interface Everything {
  readonly path: string;
  readonly pid: number;
}

for (const others of [[], ["--allow-read"], ["--allow-env"]]) {
  const flags = others.length ? `, with ${others}` : "";
  test(`a library that is allowed by its full path is found by its bare name${flags}`, {
    skip,
  }, async () => {
    const path = cLibrary();
    const { pid, path: opened, ...rest } = await evaluate<Everything>(script(everything), {
      denoPermissions: [`--allow-ffi=${path}`, ...others],
    });
    assert(pid > 0);
    assertStringIncludes(opened, "/libc.so.6");
    assertEquals(rest as unknown, {
      same: true,
      slept: 0,
      has: [true, false],
      missing: "MissingSymbolError",
      closed: "LibraryClosedError",
      afterClose: 0,
    });
  });
}

test("a folder that is allowed is enough", { skip }, async () => {
  const { pid } = await evaluate<Everything>(script(everything), {
    denoPermissions: [`--allow-ffi=${dirname(cLibrary())}`],
  });
  assert(pid > 0);
});

test("a library that is allowed says nothing of another one", { skip }, async () => {
  const { error } = await evaluate<{ error: Caught }>(
    script(`outcome.error = caught(() => open(["libm.so.6"], {}));`),
    { denoPermissions: [`--allow-ffi=${cLibrary()}`] },
  );
  assertEquals(error.name, "NotCapable");
});

test("with --allow-ffi alone the bare name is the system's to find", { skip }, async () => {
  const { path } = await evaluate<Everything>(script(everything), {
    denoPermissions: ["--allow-ffi"],
  });
  assertEquals(path, "libc.so.6");
});

test("a library in a folder of LD_LIBRARY_PATH is found, if that may be read", {
  skip,
}, async () => {
  const path = cLibrary();
  const { path: opened } = await evaluate<Everything>(script(everything), {
    denoPermissions: [`--allow-ffi=${path}`, "--allow-env=LD_LIBRARY_PATH"],
    env: { LD_LIBRARY_PATH: `/no/such/folder:${dirname(path)}` },
  });
  assertEquals(opened, path);
});
