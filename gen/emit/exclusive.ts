/**
 * Which argument a function must have to itself, by the headers' words on
 * threads.
 *
 * @module
 */

import type { ApiFunction, ApiParameter } from "../model.ts";

/**
 * Objects that are used by many at once, so that silence can't mean that they
 * are not: a debug session is read from while its threads are resumed.
 */
const SHARED = /_(driver|device|context|event|debug_session|diag)_handle_t$/;

/** The words of the headers, where the C name differs from them. */
const WORDS: Readonly<Record<string, string>> = {
  builder: "rtas_builder",
  semaphore: "external_semaphore",
  query: "metric_query",
  "query pool": "metric_query_pool",
  "physical memory": "physical_mem",
  "build log": "module_build_log",
  "parallel operation": "rtas_parallel_operation",
};

function isHandleOf(parameter: ApiParameter, words: string): boolean {
  const { type } = parameter;
  if (type.kind !== "handle") return false;
  const name = WORDS[words] ?? words.replaceAll(" ", "_");
  return new RegExp(`^z\\w+?_${name}(_exp|_ext)?_handle_t$`).test(type.name);
}

/** The parameter whose argument no two calls may have at once; undefined if there is none. */
export function exclusiveParameter(one: ApiFunction): ApiParameter | undefined {
  const { wording, exclusive } = one.threadSafety;
  const [first] = one.parameters;
  if (exclusive === "pointer") {
    return one.parameters.find(({ type }) => type.kind === "pointer" && type.to.kind === "void");
  }
  if (exclusive !== undefined) return one.parameters.find((p) => isHandleOf(p, exclusive));
  if (wording !== "silent" || one.api === "zel" || first?.type.kind !== "handle") return undefined;
  return SHARED.test(first.type.name) ? undefined : first;
}
