/**
 * `deno task test`: provisions what is missing, then runs every test under Deno and under Bun, on
 * Intel's driver, on the driver that computes on the CPU, and on a system without anything. With
 * ZE_TEST_DEVICE=host the tests run on this machine's own driver instead. Arguments are test files.
 *
 * @module
 */
import {
  buildWithAddressSanitizer,
  cpu,
  cpuAddressSanitizer,
  cpuOlderLoader,
  intel,
  minimal,
  provisionPlace,
  testCpuDriver,
  type TestPlace,
} from "../tests/devices/mod.ts";
import { parseJUnit, skipReason, type TestOutcome } from "./junit.ts";
import { type Equipment, resultsFolder, runProgram, thisMachine, type Where } from "./places.ts";
import { bunModules, findBun, findDeno } from "./runtimes.ts";
import { cacheForDeno } from "./standard_library.ts";
import { reasonOf, say } from "./workspace.ts";

/** What became of a suite, or of all of them. */
class Tally {
  passed = 0;
  failed = 0;
  skipped = 0;
  readonly failures: string[] = [];
  readonly reasons = new Map<string, number>();

  add(suite: string, outcomes: readonly TestOutcome[]): void {
    for (const outcome of outcomes) {
      this[outcome.result]++;
      if (outcome.result === "failed") this.failures.push(`${suite}: ${outcome.name}`);
      if (outcome.result === "skipped") this.skip(suite, skipReason(outcome));
    }
  }

  fail(suite: string, what: string): void {
    this.failed++;
    this.failures.push(`${suite}: ${what}`);
  }

  /** Notes a reason; the test itself is counted by the caller. */
  skip(suite: string, reason: string): void {
    const line = `${suite}: ${reason}`;
    this.reasons.set(line, (this.reasons.get(line) ?? 0) + 1);
  }

  /** The last line of the task. */
  summary(): string {
    const skipped = this.skipped > 0 ? `, ${this.skipped} skipped` : "";
    return `${this.passed} passed, ${this.failed} failed${skipped}`;
  }
}

const seconds = Number(Deno.env.get("ZE_TEST_TIMEOUT") ?? 600);
const tally = new Tally();

/** A runtime that is ready, or why it isn't. */
type Prepared = { title: string; equipment?: Equipment; reason?: string };

async function prepareDeno(): Promise<Prepared> {
  const runtime = findDeno();
  try {
    await cacheForDeno();
    return { title: runtime.title, equipment: { runtime } };
  } catch (error) {
    return { title: runtime.title, reason: reasonOf(error) };
  }
}

async function prepareBun(): Promise<Prepared> {
  try {
    const runtime = await findBun();
    const modules = await bunModules(runtime);
    return { title: runtime.title, equipment: { runtime, modules } };
  } catch (error) {
    return { title: "Bun", reason: reasonOf(error) };
  }
}

/** A place that is ready, or why it isn't. */
async function preparePlace(place: TestPlace): Promise<Where & { reason?: string }> {
  const { path, reason, env } = await provisionPlace(place);
  return { title: place.name, place, rootfs: path, env, reason };
}

async function runSuite(
  equipment: Equipment,
  where: Where,
  files: readonly string[],
): Promise<void> {
  const { runtime } = equipment;
  const suite = `${runtime.title} in ${where.title}`;
  const results = await Deno.makeTempDir({ prefix: "level-zero-" });
  try {
    const report = `${resultsFolder(where, results)}/report.xml`;
    const args = runtime.name === "deno"
      ? [`--junit-path=${report}`, ...files]
      : ["--reporter=junit", `--reporter-outfile=${report}`, ...files.map(asPath)];
    const ended = await runProgram(equipment, where, {
      kind: "test",
      args,
      results,
      timeout: seconds * 1000,
    });
    const written = await Deno.readTextFile(`${results}/report.xml`).catch(() => undefined);
    const outcomes = written === undefined ? [] : parseJUnit(written);
    const reported = outcomes.some((outcome) => outcome.result === "failed");
    tally.add(suite, outcomes);
    if (written === undefined) {
      tally.fail(suite, `${ended.ending} and left no report; see its output above`);
    } else if (ended.code !== 0 && !reported) {
      tally.fail(suite, `${ended.ending} although no test failed; see its output above`);
    }
  } finally {
    await Deno.remove(results, { recursive: true });
  }
}

/** The `cpu` driver's own program counts as one test. */
async function runDriverTests(where: (Where & { reason?: string }) | undefined): Promise<void> {
  if (!where) return;
  const suite = "the cpu driver's own tests";
  if (where.reason) {
    tally.skipped++;
    return tally.skip(suite, `cpu can't be had: ${where.reason}`);
  }
  say(suite);
  const ended = await testCpuDriver(where.rootfs);
  if (ended.code === 0) tally.passed++;
  else tally.fail(suite, `${ended.ending}; see its output above`);
}

/** Which of the files that were asked for are run there, all if none were; undefined: none. */
function filesFor(
  place: TestPlace | undefined,
  files: readonly string[],
): readonly string[] | undefined {
  if (!place?.files || files.length === 0) return place?.files ?? files;
  const common = files.filter((file) => place.files!.includes(file.replace(/^\.\//, "")));
  return common.length > 0 ? common : undefined;
}

/** Bun takes an argument without "./" for a part of a name. */
function asPath(file: string): string {
  return file.startsWith("/") || file.startsWith("./") ? file : `./${file}`;
}

async function main(files: readonly string[]): Promise<number> {
  const start = Date.now();
  const onHost = Deno.env.get("ZE_TEST_DEVICE") === "host";
  const runtimes = [await prepareDeno(), await prepareBun()];
  const places: (Where & { reason?: string })[] = onHost
    ? [thisMachine]
    : await Promise.all([intel, cpu, minimal].map(preparePlace));
  const [, computing] = places;
  if (computing?.rootfs) {
    // A root file system has two loaders, and AddressSanitizer; this machine is tested as it is.
    const { rootfs } = computing;
    const reason = await buildWithAddressSanitizer(rootfs);
    places.splice(
      2,
      0,
      { title: cpuOlderLoader.name, place: cpuOlderLoader, rootfs },
      { title: cpuAddressSanitizer.name, place: cpuAddressSanitizer, rootfs, reason },
    );
  }
  // What does not need the place that is missing is tested here.
  if (places[0]!.reason) places.push(thisMachine);
  say(`ready after ${Math.round((Date.now() - start) / 1000)} s`);
  for (const where of places) {
    for (const { title, equipment, reason } of runtimes) {
      const suite = `${title} in ${where.title}`;
      if (!equipment) {
        tally.fail(suite, reason ?? "not available");
      } else if (where.reason) {
        tally.skipped++;
        tally.skip(suite, `the whole suite, because ${where.title} can't be had: ${where.reason}`);
      } else {
        const chosen = filesFor(where.place, files);
        if (!chosen) continue;
        say(`${suite}${where.place ? `: ${where.place.about}` : ""}`);
        await runSuite(equipment, where, chosen);
      }
    }
  }
  if (files.length === 0) await runDriverTests(places.find(({ place }) => place === cpu));
  console.log();
  for (const [line, count] of tally.reasons) console.log(`skipped ${count} in ${line}`);
  for (const failure of tally.failures) console.log(`FAILED ${failure}`);
  say(`all of it took ${Math.round((Date.now() - start) / 1000)} s`);
  if (tally.passed === 0 && tally.failed === 0) console.log("NOTHING RAN, which is no success");
  console.log(tally.summary());
  return tally.failed > 0 || tally.passed === 0 ? 1 : 0;
}

Deno.exit(await main(Deno.args.filter((argument) => argument !== "--")));
