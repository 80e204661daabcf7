/**
 * How the headers word thread-safety.
 *
 * @module
 */

import type { ThreadSafety, ThreadSafetyWording } from "../model.ts";

interface Rule {
  wording: ThreadSafetyWording;
  pattern: RegExp;
  /** What the call excludes others from where the sentence names nothing. */
  exclusive?: string;
  /** The sentence permits, so what it names is not exclusive. */
  permits?: boolean;
}

// Prohibitions come first: "may **not**" has "may" in it. Bold marks are kept,
// as some sentences differ in nothing else.
const RULES: Rule[] = [
  {
    wording: "must-not-same",
    pattern: /The application must \*\*not\*\* call this function from simultaneous threads/,
  },
  {
    wording: "may-not-same",
    pattern: /This function may \*\*not\*\* be called from simultaneous threads/,
  },
  {
    wording: "this-must-not-same",
    pattern: /This function must not be called from simultaneous threads/,
  },
  {
    wording: "must-not-plain",
    pattern: /The application must not call this function from simultaneous threads/,
  },
  {
    wording: "should-not",
    pattern: /The application should not call this function from simultaneous threads/,
    exclusive: "global",
  },
  {
    wording: "may-as-long-as",
    pattern: /The application may call this function from simultaneous threads as long as/,
    exclusive: "import module",
  },
  {
    wording: "this-may-same",
    pattern: /This function may be called from simultaneous threads with the same/,
    permits: true,
  },
  {
    wording: "may-same",
    pattern: /The application may call this function from simultaneous threads with the same/,
    permits: true,
  },
  {
    wording: "may",
    pattern: /The application may call this function from simultaneous threads/,
    permits: true,
  },
  {
    wording: "not-thread-safe",
    pattern: /(?:function is|it is) not thread-safe/i,
    exclusive: "loader",
  },
  {
    wording: "thread-safe",
    pattern: /function is (?:[\w-]+ and )?thread-safe|safe to call from multiple threads/i,
    permits: true,
  },
];

/** What the points of a function's comment say about other threads; throws on a sentence of a new form. */
export function classify(name: string, points: string[]): ThreadSafety {
  for (const rule of RULES) {
    const point = points.find((point) => rule.pattern.test(point));
    if (point === undefined) continue;
    if (rule.permits) return { wording: rule.wording };
    const exclusive = rule.exclusive ?? scopeOf(point);
    if (exclusive === undefined) {
      throw new Error(
        `Found no "with the same …" in what the header says about threads for ${name}: "${point}"`,
      );
    }
    return { wording: rule.wording, exclusive };
  }
  const unknown = points.find((point) => /simultaneous threads/i.test(point));
  if (unknown !== undefined) {
    throw new Error(
      `Found a new wording of thread-safety on ${name}: "${unknown}"; expected one of gen/headers/thread_safety.ts`,
    );
  }
  return { wording: "silent" };
}

function scopeOf(point: string): string | undefined {
  return point.match(/with the same ([^,.]+)/)?.[1]?.trim().replace(/^Kernel\b/, "kernel")
    .replace(/(?<!IPC) handle$/, "");
}
