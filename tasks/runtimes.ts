/**
 * Finds the two runtimes, and fetches Bun and the packages it needs where they are missing.
 *
 * @module
 */
import {
  cacheRoot,
  digest,
  exists,
  projectRoot,
  reasonOf,
  run,
  runOrThrow,
  say,
  toolVersions,
} from "./workspace.ts";
import { offlineToml, standardLibrary } from "./standard_library.ts";

/** A runtime's program. */
export interface Runtime {
  /** Which of the two. */
  readonly name: "deno" | "bun";
  /** For a person: "Deno 2.9.6". */
  readonly title: string;
  /** The program's path. */
  readonly path: string;
}

/** The Deno that runs this task. */
export function findDeno(): Runtime {
  return { name: "deno", title: `Deno ${Deno.version.deno}`, path: Deno.execPath() };
}

/** The folder where Deno keeps what it fetches. */
export async function denoDirectory(): Promise<string> {
  const output = await runOrThrow([Deno.execPath(), "info", "--json", "--no-config"], {
    env: { NO_COLOR: "1" },
  });
  return JSON.parse(output.slice(output.indexOf("{"))).denoDir;
}

/** Bun: `ZE_BUN`, the one on PATH, the project's own, or the pinned one fetched through Deno. */
export async function findBun(): Promise<Runtime> {
  const given = Deno.env.get("ZE_BUN");
  if (given) {
    const version = await versionOf(given);
    if (version) return bunRuntime(given, version);
    throw new Error(
      `ZE_BUN is "${given}", which does not answer to --version. Correct it or unset it`,
    );
  }
  const pinned = (await toolVersions()).bun!;
  const candidates = [
    ...(Deno.env.get("PATH") ?? "").split(Deno.build.os === "windows" ? ";" : ":")
      .filter((folder) => folder.startsWith("/")).map((folder) => `${folder}/bun`),
    ...["", "/tools"].map((folder) => `${projectRoot}${folder}/node_modules/bun/bin/bun.exe`),
  ];
  for (const candidate of candidates) {
    const version = await exists(candidate) ? await versionOf(candidate) : undefined;
    if (!version) continue;
    if (isOlder(version, pinned)) {
      say(`${candidate} is Bun ${version}; the project needs ${pinned} or newer`);
      continue;
    }
    // A link would not lead to the program inside a root file system.
    return bunRuntime(await Deno.realPath(candidate), version);
  }
  return await fetchBun(pinned);
}

function bunRuntime(path: string, version: string): Runtime {
  return { name: "bun", title: `Bun ${version}`, path };
}

function isOlder(version: string, than: string): boolean {
  const [actual, wanted] = [version, than].map((text) => text.split(/[.-]/).map(Number));
  for (let index = 0; index < 3; index++) {
    if (actual![index] !== wanted![index]) return actual![index]! < wanted![index]!;
  }
  return false;
}

async function versionOf(path: string): Promise<string | undefined> {
  try {
    const result = await run([path, "--version"], { timeout: 10_000 });
    const version = result.output.trim();
    return result.code === 0 && /^\d+\.\d+\.\d+/.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Bun's program is a plain file in an npm package, so no npm script has to run for it. */
async function fetchBun(version: string): Promise<Runtime> {
  const packageName = await bunPackage();
  const folder = `${cacheRoot}/bun-${version}`;
  const file = Deno.build.os === "windows" ? "bun.exe" : "bun";
  const path = `${folder}/${file}`;
  if (await exists(path)) return bunRuntime(path, version);
  say(`fetching Bun ${version} (npm package ${packageName}, about 40 MB)`);
  const specifier = `npm:${packageName}@${version}`;
  const unfit = (error: unknown): Error =>
    new Error(
      `Could not get Bun ${version} through ${specifier}: ${reasonOf(error)}. ` +
        `Install Bun, or set ZE_BUN to its path`,
      { cause: error },
    );
  try {
    await Deno.mkdir(folder, { recursive: true });
    await runOrThrow([
      Deno.execPath(),
      "cache",
      "--no-config",
      "--no-lock",
      "--node-modules-dir=none",
      specifier,
    ], { cwd: folder });
    const found = await findInside(`${await denoDirectory()}/npm`, packageName, version, file);
    await Deno.copyFile(found, `${path}.${Deno.pid}`);
    await Deno.chmod(`${path}.${Deno.pid}`, 0o755);
    await Deno.rename(`${path}.${Deno.pid}`, path);
  } catch (error) {
    throw unfit(error);
  }
  const actual = await versionOf(path);
  if (!actual) throw unfit(new Error(`${path} does not run on this machine`));
  return bunRuntime(path, actual);
}

/** Below npm/ there is one folder per registry. */
async function findInside(
  npmCache: string,
  packageName: string,
  version: string,
  file: string,
): Promise<string> {
  for await (const registry of Deno.readDir(npmCache)) {
    const path = `${npmCache}/${registry.name}/${packageName}/${version}/bin/${file}`;
    if (await exists(path)) return path;
  }
  throw new Error(`${packageName}/${version}/bin/${file} is nowhere in ${npmCache}`);
}

async function bunPackage(): Promise<string> {
  const { os, arch } = Deno.build;
  const architecture = arch === "aarch64" ? "aarch64" : "x64";
  let suffix = "";
  if (os === "linux" && architecture === "x64") {
    const processor = await Deno.readTextFile("/proc/cpuinfo").catch(() => "avx2");
    // Bun's usual build needs AVX2.
    if (!/\bavx2\b/.test(processor)) suffix = "-baseline";
  }
  return `@oven/bun-${os}-${architecture}${suffix}`;
}

/** A folder with the packages that tests, generator and type check need under Bun. */
export interface BunModules {
  /** The folder; everything in it is told relative to it. */
  readonly folder: string;
  /** The tsconfig in it that says where `@std/*` are. */
  readonly configuration: string;
}

/** Installs those packages into the cache folder, once per set of versions. */
export async function bunModules(bun: Runtime): Promise<BunModules> {
  const source = await standardLibrary();
  const versions = await toolVersions();
  const dependencies: Record<string, string> = {
    typescript: versions.typescript!,
    "@types/bun": versions["@types/bun"]!,
  };
  const files: Record<string, string> = {};
  // A path leads to a file of ours, from which a package is found as usual, by its exports.
  if (source === "jsr") {
    for (const name of ["assert", "toml"]) {
      dependencies[`@jsr/std__${name}`] = "^1";
      files[`${name}.ts`] = `export * from "@jsr/std__${name}";\n`;
    }
  } else {
    const [, name, version] = (await offlineToml()).match(/^npm:(.+)@(.+)$/)!;
    dependencies[name!] = version!;
    files["toml.ts"] = `export * from "${name}";\n`;
    files["assert.ts"] = await Deno.readTextFile(`${projectRoot}/tests/offline/assert.ts`);
  }
  const paths = { "@std/assert": ["./assert.ts"], "@std/toml": ["./toml.ts"] };
  files["package.json"] = JSON.stringify({ private: true, type: "module", dependencies }, null, 2);
  files["tsconfig.json"] = JSON.stringify({ compilerOptions: { paths } }, null, 2);
  const folder = await installed("modules", "Bun", bun, files);
  return { folder, configuration: `${folder}/tsconfig.json` };
}

/** A folder with the koffi that the benchmarks compare with, which runs under Node.js. */
export async function koffiFolder(bun: Runtime): Promise<string> {
  const dependencies = { koffi: (await toolVersions()).koffi! };
  return await installed("koffi", "Node.js", bun, {
    "package.json": JSON.stringify({ private: true, type: "module", dependencies }, null, 2),
    "koffi.js": await Deno.readTextFile(`${projectRoot}/tools/koffi.js`),
  });
}

/** A folder in the cache with these files, one of which is a package.json, and what that needs. */
async function installed(
  what: string,
  forWhom: string,
  bun: Runtime,
  files: Record<string, string>,
): Promise<string> {
  files["bunfig.toml"] = await Deno.readTextFile(`${projectRoot}/bunfig.toml`);
  const folder = `${cacheRoot}/${what}-${await digest(JSON.stringify(files))}`;
  if (await exists(folder)) return folder;
  const names = Object.keys(JSON.parse(files["package.json"]!).dependencies);
  say(`installing ${names.join(", ")} for ${forWhom}`);
  const temporary = `${folder}.${Deno.pid}`;
  await Deno.mkdir(temporary, { recursive: true });
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${temporary}/${name}`, text);
    }
    await runOrThrow([bun.path, "install", "--ignore-scripts", "--no-save", "--no-progress"], {
      cwd: temporary,
      env: { BUN_INSTALL_CACHE_DIR: `${temporary}/.install` },
    });
    await Deno.remove(`${temporary}/.install`, { recursive: true }).catch(() => {});
    await Deno.rename(temporary, folder);
  } catch (error) {
    await Deno.remove(temporary, { recursive: true }).catch(() => {});
    // Another run may have been faster.
    if (await exists(folder)) return folder;
    throw new Error(
      `Could not install packages for ${forWhom}: ${reasonOf(error)}. ` +
        `Check that the npm registry can be reached`,
      { cause: error },
    );
  }
  return folder;
}
