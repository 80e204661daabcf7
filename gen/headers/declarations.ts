/**
 * The declarations of the headers, sorted by kind and keyed by the names that
 * programs use.
 *
 * @module
 */

import type { Api, CType } from "../model.ts";
import { type AstNode, constantOf, membersOf, nameOf, typeOf } from "./ast.ts";
import { apiOfFile } from "./sources.ts";
import { scalarOf } from "./types.ts";

/** A declaration of the headers under the name that programs use. */
export interface Declared {
  name: string;
  api: Api;
  node: AstNode;
  /** The typedef that this one is another name of. */
  alias?: string;
}

/** The declarations of all headers, each list in header order. */
export interface Declarations {
  enums: Declared[];
  handles: Declared[];
  structs: Declared[];
  callbacks: Declared[];
  functions: Declared[];
  /** Flags typedef of each bit enum. */
  flags: Map<string, string>;
  types: Map<string, CType>;
}

/** Sorts what the AST declares; throws on a typedef of a kind that the model has no place for. */
export function collect(root: AstNode): Declarations {
  return new Collector(root).collect();
}

/** The value of each enumerator; one without an expression follows the one before it. */
export function enumValues(node: AstNode): { name: string; value: number; node: AstNode }[] {
  let next = 0;
  return membersOf(node, "EnumConstantDecl").map((constant) => {
    const value = Number(constantOf(constant) ?? next);
    if (!Number.isSafeInteger(value)) {
      throw new Error(
        `Found ${
          constantOf(constant)
        } as the value of ${constant.name}: expected an integer that a number can hold`,
      );
    }
    next = value + 1;
    return { name: constant.name ?? "", value, node: constant };
  });
}

class Collector {
  readonly #nodes: AstNode[];
  readonly #records = new Map<string, AstNode>();
  readonly #enums = new Map<string, AstNode>();
  readonly #result: Declarations = {
    enums: [],
    handles: [],
    structs: [],
    callbacks: [],
    functions: [],
    flags: new Map(),
    types: new Map(),
  };

  constructor(root: AstNode) {
    this.#nodes = (root.inner ?? []).filter((node) =>
      node.loc !== undefined && Object.keys(node.loc).length > 0 &&
      apiOfFile(nameOf(node).file) !== undefined
    );
  }

  collect(): Declarations {
    for (const node of this.#nodes) {
      // A struct has forward declarations; its tag is the same on all of them.
      if (node.kind === "RecordDecl" && node.completeDefinition) {
        this.#records.set(node.name ?? node.id, node);
      }
      if (node.kind === "EnumDecl") this.#enums.set(node.name ?? node.id, node);
    }
    for (const node of this.#nodes) {
      const api = apiOfFile(nameOf(node).file);
      if (api === undefined || node.name === undefined) continue;
      if (node.kind === "TypedefDecl") this.#typedef(node, node.name, api);
      if (node.kind === "FunctionDecl") {
        this.#result.functions.push({ name: node.name, api, node });
      }
    }
    this.#pairFlags();
    const order = new Map(this.#nodes.map((node, index) => [node.id, index]));
    // Forward declarations name a struct long before it is defined.
    this.#result.structs.sort((one, other) =>
      (order.get(one.node.id) ?? 0) - (order.get(other.node.id) ?? 0)
    );
    return this.#result;
  }

  #typedef(node: AstNode, name: string, api: Api): void {
    const { types } = this.#result;
    if (types.has(name)) return;
    const type = typeOf(node);
    const tag = type.decl?.name ?? type.decl?.id ?? "";
    switch (type.kind) {
      case "RecordType": {
        const record = this.#records.get(tag);
        if (record === undefined) throw unexpected(name, `the incomplete ${tag}`);
        const kind = record.tagUsed === "union" ? "union" : "struct";
        types.set(name, { kind, name });
        const recordApi = apiOfFile(nameOf(record).file) ?? api;
        this.#result.structs.push({ name, api: recordApi, node: record });
        return;
      }
      case "EnumType": {
        const enumeration = this.#enums.get(tag);
        if (enumeration === undefined) throw unexpected(name, `the unknown ${tag}`);
        types.set(name, { kind: "enum", name });
        this.#result.enums.push({ name, api, node: enumeration });
        return;
      }
      case "PointerType":
        this.#pointer(node, name, api, type);
        return;
      case "TypedefType":
        this.#renamed(name, api, type.decl?.name ?? "");
        return;
      default:
        throw unexpected(name, type.kind);
    }
  }

  #pointer(node: AstNode, name: string, api: Api, type: AstNode): void {
    const pointee = typeOf(type);
    if (pointee.kind.startsWith("Function")) {
      this.#result.types.set(name, { kind: "callback", name });
      this.#result.callbacks.push({ name, api, node });
      return;
    }
    if (
      pointee.kind !== "RecordType" ||
      this.#records.has(pointee.decl?.name ?? "")
    ) {
      throw unexpected(name, `a pointer to ${pointee.type?.qualType}`);
    }
    this.#result.types.set(name, { kind: "handle", name });
    this.#result.handles.push({ name, api, node });
  }

  #renamed(name: string, api: Api, original: string): void {
    const { types, handles, structs } = this.#result;
    const scalar = scalarOf(original);
    if (scalar?.kind === "scalar") {
      types.set(name, { ...scalar, alias: name });
      return;
    }
    const type = types.get(original);
    if (type?.kind === "handle") {
      const handle = handles.find((handle) => handle.name === original);
      if (handle === undefined) throw unexpected(name, original);
      types.set(name, { kind: "handle", name });
      handles.push({ ...handle, name, api, alias: original });
    } else if (type?.kind === "struct" || type?.kind === "union") {
      const struct = structs.find((struct) => struct.name === original);
      if (struct === undefined) throw unexpected(name, original);
      types.set(name, { kind: type.kind, name });
      structs.push({ ...struct, name, api, alias: original });
    } else throw unexpected(name, original);
  }

  /** `ze_init_flags_t` is a plain `uint32_t` in C; that its bits are `ze_init_flag_t` is in the names only. */
  #pairFlags(): void {
    const { types, enums, flags } = this.#result;
    for (const { name } of enums) {
      const set = name.replace(/_flag(_\w+)?_t$/, "_flags$1_t");
      const type = types.get(set);
      if (set === name || type?.kind !== "scalar") continue;
      if (type.name !== "uint32") throw unexpected(set, type.name);
      flags.set(name, set);
      types.set(set, { kind: "flags", name: set });
    }
    for (const [name, type] of types) {
      // The packed flags of ray tracing are a byte that struct fields use; they have no enum of their own.
      if (
        type.kind === "scalar" && type.name === "uint32" &&
        /_flags(_\w+)?_t$/.test(name)
      ) {
        throw new Error(
          `Found the flags type ${name} without the enum of its bits: expected ${
            name.replace("_flags", "_flag")
          }`,
        );
      }
    }
  }
}

function unexpected(name: string, found: string): Error {
  return new Error(
    `Found the typedef ${name} of ${found}: expected a scalar, an enum, a struct, a handle or a function pointer`,
  );
}
