/**
 * Which runtime this is.
 *
 * @module
 */

import type { Backend } from "./backend.ts";
import { bunBackend } from "./bun.ts";
import { denoBackend } from "./deno.ts";

/** The runtime's name; undefined where it has no FFI that is known here. */
export const runtime: "deno" | "bun" | undefined = "Bun" in globalThis
  ? "bun"
  : "Deno" in globalThis
  ? "deno"
  : undefined;

/** The backend of the runtime; throws where there is none. */
export function backend(): Backend {
  if (runtime === "bun") return bunBackend;
  if (runtime === "deno") return denoBackend;
  throw new Error("Native libraries can be called from Deno and from Bun only");
}
