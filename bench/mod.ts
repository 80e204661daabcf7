/**
 * What the adapter costs: checked calls beside the runtime's bare ones,
 * nonblocking calls, and the start of a program; and what objects cost, where
 * there is a device. Run by `deno task bench`, or under either runtime by itself.
 *
 * @module
 */
import { compareCalls } from "./calls.ts";
import { type Row, table } from "./report.ts";
import { measureNonblocking } from "./nonblocking.ts";
import { compareObjects } from "./objects.ts";
import { compareStart } from "./start.ts";

const rows: Row[] = [
  ...compareCalls(),
  ...await measureNonblocking(),
  await compareStart(),
  ...await compareObjects(),
];
console.log(table(rows));
