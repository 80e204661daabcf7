/**
 * Medians, and the table that they are shown in.
 *
 * @module
 */

/** One line of the table. */
export interface Row {
  /** What was measured. */
  readonly what: string;
  /** With the package. */
  readonly measured: string;
  /** Without it; empty if there is nothing to compare with. */
  readonly bare: string;
  /** The limit that was set for it, and whether it is kept. */
  readonly budget: string;
}

/** The middle one of the values, or the upper of the two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

/** Says whether a value is within its budget. */
export function within(value: number, limit: number, unit: string): string {
  return `${value <= limit ? "within" : "ABOVE"} ${limit}${unit}`;
}

/** The rows as text. */
export function table(rows: readonly Row[]): string {
  const heads: Row = { what: "", measured: "with the package", bare: "bare", budget: "budget" };
  const keys = ["what", "measured", "bare", "budget"] as const;
  const widths = keys.map((key) => Math.max(...[heads, ...rows].map((row) => row[key].length)));
  return [heads, ...rows]
    .map((row) => keys.map((key, i) => row[key].padEnd(widths[i]!)).join("  ").trimEnd())
    .join("\n");
}
