/**
 * What errors tell of the machine. Each answers with "not known" rather than
 * asking the user for a permission.
 *
 * @module
 */

import { backend } from "./runtime.ts";

/** An environment variable; undefined if it is unset or may not be read. */
export function environment(name: string): string | undefined {
  return backend().environment(name);
}

/** The names of the files in a folder; undefined if that can't be told. */
export function list(folder: string): string[] | undefined {
  return backend().list(folder);
}

/** Whether this process may read and write the file; undefined if that can't be told. */
export function accessible(file: string): boolean | undefined {
  return backend().accessible(file);
}

/** The operating system, as `linux`, `windows` or `darwin`. */
export function platform(): string {
  return backend().platform;
}
