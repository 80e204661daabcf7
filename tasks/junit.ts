/**
 * Reads the JUnit reports of `deno test` and `bun test`.
 *
 * @module
 */

/** What became of one test. */
export interface TestOutcome {
  /** Its name, with those of the groups it is in. */
  readonly name: string;
  /** How it went. */
  readonly result: "passed" | "failed" | "skipped";
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};

/** Lists the tests of a report; both runtimes escape `<` and `>` everywhere. */
export function parseJUnit(report: string): TestOutcome[] {
  const cases = report.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g);
  return Array.from(cases, ([, attributes, content]) => {
    const name = attributes!.match(/\bname="([^"]*)"/)?.[1] ?? "";
    const body = content ?? "";
    const failed = /<(failure|error)\b/.test(body);
    return {
      name: unescape(name),
      result: failed ? "failed" : /<skipped\b/.test(body) ? "skipped" : "passed",
    };
  });
}

function unescape(text: string): string {
  return text.replace(/&(#x?[0-9a-fA-F]+|\w+);/g, (whole, entity: string) => {
    if (entity.startsWith("#x")) return String.fromCodePoint(parseInt(entity.slice(2), 16));
    if (entity.startsWith("#")) return String.fromCodePoint(Number(entity.slice(1)));
    return ENTITIES[entity] ?? whole;
  });
}

/** The reason that `tests/support/testing.ts` puts into the name of a skipped test. */
export function skipReason(outcome: TestOutcome): string {
  return outcome.name.match(/\[skipped: (.*)\]$/s)?.[1] ?? `no reason given (${outcome.name})`;
}
