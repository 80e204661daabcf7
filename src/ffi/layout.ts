/**
 * Reads struct layouts that are written as one line of text each.
 *
 * A line is `name size tag field…`, where the tag is the value of `stype`,
 * `union`, or `-`, and a field is `offset:kind:name`. A kind is one of the
 * adapter's scalars, `next` (a `pNext`), `uuid`, `text[n]`, `bytes[n]`,
 * `@struct`, any of these with `[n]` behind for an array, or `*` and a kind (or
 * `void`, `text`) for a pointer.
 *
 * @module
 */

/** A field's kind, read. */
export type Kind =
  | { readonly kind: "scalar"; readonly type: string }
  | { readonly kind: "next" | "uuid" | "void" }
  | { readonly kind: "text" | "bytes"; readonly length: number }
  | { readonly kind: "struct"; readonly name: string }
  | { readonly kind: "array"; readonly of: Kind; readonly length: number }
  | { readonly kind: "pointer"; readonly to: Kind };

/** One field. */
export interface LayoutField {
  readonly name: string;
  readonly offset: number;
  readonly kind: Kind;
}

/** A struct or union. */
export interface Layout {
  readonly name: string;
  readonly size: number;
  /** The value that `stype` has; undefined without one. */
  readonly stype: number | undefined;
  readonly union: boolean;
  readonly fields: readonly LayoutField[];
}

function readKind(text: string): Kind {
  if (text.startsWith("*")) return { kind: "pointer", to: readKind(text.slice(1)) };
  const array = /^(.+)\[(\d+)\]$/.exec(text);
  if (array) {
    const [, of, digits] = array;
    const length = Number(digits);
    return of === "text" || of === "bytes"
      ? { kind: of, length }
      : { kind: "array", of: readKind(of!), length };
  }
  if (text.startsWith("@")) return { kind: "struct", name: text.slice(1) };
  if (text === "next" || text === "uuid" || text === "void") return { kind: text };
  if (text === "text") return { kind: "text", length: 0 };
  return { kind: "scalar", type: text };
}

/** Reads one line. */
export function readLayout(line: string): Layout {
  const [name, size, tag, ...fields] = line.split(" ");
  return {
    name: name!,
    size: Number(size),
    stype: tag === "union" || tag === "-" ? undefined : Number(tag),
    union: tag === "union",
    fields: fields.map((field) => {
      const [offset, kind, fieldName] = field.split(":");
      return { name: fieldName!, offset: Number(offset), kind: readKind(kind!) };
    }),
  };
}
