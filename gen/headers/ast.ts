/**
 * clang's JSON AST: the part of its shape that the reader uses, and where each
 * declaration stands in the headers.
 *
 * @module
 */

/** A place in a source; clang leaves out `file` where it is that of the place printed before. */
export interface AstLocation {
  offset?: number;
  file?: string;
  spellingLoc?: AstLocation;
  expansionLoc?: AstLocation;
}

/** A node of the AST: a declaration, a type or an expression. */
export interface AstNode {
  id: string;
  kind: string;
  name?: string;
  loc?: AstLocation;
  range?: { begin: AstLocation; end: AstLocation };
  type?: { qualType: string };
  value?: string;
  tagUsed?: string;
  completeDefinition?: boolean;
  isBitfield?: boolean;
  variadic?: boolean;
  decl?: { id: string; kind: string; name?: string };
  inner?: AstNode[];
}

/** A place in a header. `offset` is in bytes. */
export interface Place {
  file: string;
  offset: number;
}

/** Fills in the `file` that clang left out, going through the places in the order it printed them. */
export function restoreFiles(root: AstNode): void {
  let file = "";
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
      return;
    }
    const record = value as Record<string, unknown>;
    if (typeof record.offset === "number") {
      if (typeof record.file === "string") file = record.file;
      else record.file = file;
      return;
    }
    for (const key of Object.keys(record)) {
      if (key !== "includedFrom") visit(record[key]);
    }
  };
  visit(root);
}

function placeOf(
  location: AstLocation | undefined,
  node: AstNode,
): Place {
  const place = location?.expansionLoc ?? location;
  if (place?.file === undefined || place.offset === undefined) {
    throw new Error(
      `Found no source location on the ${node.kind} ${node.name ?? node.id}`,
    );
  }
  return { file: place.file, offset: place.offset };
}

/** Where the name of a declaration stands. */
export function nameOf(node: AstNode): Place {
  return placeOf(node.loc, node);
}

/** Where a declaration begins. */
export function beginOf(node: AstNode): Place {
  return placeOf(node.range?.begin, node);
}

/** Where the last token of a declaration begins. */
export function endOf(node: AstNode): Place {
  return placeOf(node.range?.end, node);
}

/** The members of one kind, such as `FieldDecl`. */
export function membersOf(node: AstNode, kind: string): AstNode[] {
  return (node.inner ?? []).filter((member) => member.kind === kind);
}

/** The type that a typedef names, past the nodes that only say how it was written. */
export function typeOf(node: AstNode): AstNode {
  let type = (node.inner ?? []).find((inner) => inner.kind.endsWith("Type"));
  while (type?.kind === "ElaboratedType" || type?.kind === "ParenType") {
    type = type.inner?.[0];
  }
  if (type === undefined) {
    throw new Error(`Found no type on the ${node.kind} ${node.name ?? ""}`);
  }
  return type;
}

/** The integer that clang evaluated for an expression, if it stands on the node or right below it. */
export function constantOf(node: AstNode): string | undefined {
  for (const inner of node.inner ?? []) {
    if (inner.kind === "ConstantExpr") return inner.value;
    const value = constantOf(inner);
    if (value !== undefined) return value;
  }
  return undefined;
}
