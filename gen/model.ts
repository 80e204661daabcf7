/**
 * The API model: what `gen/api/ze-*.json` holds, and what the generator works
 * from. It is read off the Level Zero headers by `deno task gen:model`, and it
 * holds facts only: names, types, layouts, and the parts of the header comments
 * that have a fixed form. No sentence of the headers is in it.
 *
 * @module
 */

/** A header family: core, sysman, tools, runtime and the loader's own. */
export type Api = "ze" | "zes" | "zet" | "zer" | "zel";

/** A C scalar after typedefs are followed. `size` is `size_t`, `char` is signed. */
export type ScalarName =
  | "int8"
  | "uint8"
  | "int16"
  | "uint16"
  | "int32"
  | "uint32"
  | "int64"
  | "uint64"
  | "size"
  | "float"
  | "double"
  | "char"
  | "bool";

/** A C type, with typedefs followed except where the name carries meaning. */
export type CType =
  | { kind: "void" }
  /** `alias` is the typedef it was written as, such as `ze_bool_t`. */
  | { kind: "scalar"; name: ScalarName; alias?: string }
  /** `name` is the typedef, such as `ze_result_t`, `ze_init_flags_t`, `ze_driver_handle_t`. */
  | {
    kind: "enum" | "flags" | "handle" | "struct" | "union" | "callback";
    name: string;
  }
  /** A `void*`, a `char*`, a pointer to a handle, … */
  | { kind: "pointer"; to: CType; const: boolean }
  | { kind: "array"; of: CType; length: number };

/** A macro with a value; those with parameters are left out. */
export interface ApiConstant {
  name: string;
  api: Api;
  value: number | string;
  /** `value` is the decimal digits of an integer that a JavaScript number cannot hold. */
  wide?: boolean;
}

/** One enumerator; aliases of an earlier value are kept. */
export interface ApiEnumValue {
  name: string;
  /** As C has it: `-1` and 0xffffffff are distinct. */
  value: number;
  /** A later spelling that the header keeps for old programs. */
  deprecated?: boolean;
}

/** An enum, or the bits of a flags type. */
export interface ApiEnum {
  /** The typedef, such as `ze_result_t` or `ze_init_flag_t`. */
  name: string;
  api: Api;
  /** The typedef of the combined bits, such as `ze_init_flags_t`, if it is a bit set. */
  flags?: string;
  values: ApiEnumValue[];
}

/** A handle type. */
export interface ApiHandle {
  name: string;
  api: Api;
  /** The handle type that this one is another name of (`zet_driver_handle_t` is `ze_driver_handle_t`). */
  alias?: string;
}

/** Where data flows: read off the `[in]`, `[out]`, `[in,out]` marks. */
export type Direction = "in" | "out" | "inout";

/** One member of a struct or union. */
export interface ApiField {
  name: string;
  type: CType;
  /** In bytes from the start of the struct. */
  offset: number;
  /** In bytes. */
  size: number;
  direction: Direction;
  optional: boolean;
  /** How many elements a pointer refers to, by another field's name; see {@linkcode ApiParameter.count}. */
  count?: string;
}

/** A struct or union with the layout the C compiler gives it (LP64). */
export interface ApiStruct {
  name: string;
  api: Api;
  kind: "struct" | "union";
  size: number;
  align: number;
  fields: ApiField[];
  /** The `ze_structure_type_t` (or zes_, zet_) enumerator this struct is tagged with. */
  stype?: { enum: string; value: string };
  /** The structs whose `pNext` may point to this one, where the header says so. */
  extends?: string[];
  /** Another struct this typedef renames (`zet_typed_value_t` style aliases). */
  alias?: string;
}

/** A function pointer type. */
export interface ApiCallback {
  name: string;
  api: Api;
  result: CType;
  parameters: { name: string; type: CType }[];
}

/** One parameter of a function. */
export interface ApiParameter {
  name: string;
  type: CType;
  direction: Direction;
  optional: boolean;
  /** How many elements a pointer refers to: the text of `[range(0, X)]`'s X, such as `*pCount`. */
  count?: string;
  /** `[release]`: the handle is invalid after the call. */
  release?: boolean;
}

/**
 * How the header words thread-safety, by exact form; see `classify` in
 * `gen/headers/thread_safety.ts` for the wordings. The last two are the loader's own.
 */
export type ThreadSafetyWording =
  | "may"
  | "must-not-same"
  | "may-not-same"
  | "this-must-not-same"
  | "must-not-plain"
  | "should-not"
  | "this-may-same"
  | "may-same"
  | "may-as-long-as"
  | "silent"
  | "thread-safe"
  | "not-thread-safe";

/** What the header lets other threads do during a call. */
export interface ThreadSafety {
  wording: ThreadSafetyWording;
  /** What no other thread may use meanwhile, such as `command list`; absent if any thread may call. */
  exclusive?: string;
}

/** One exported function. */
export interface ApiFunction {
  name: string;
  api: Api;
  result: CType;
  parameters: ApiParameter[];
  threadSafety: ThreadSafety;
  /** The spec version that brought it, such as `1.0`; absent where the headers do not tell. */
  since?: string;
  /** The spec version that deprecated it, such as `1.10`; empty if the header only marks it. */
  deprecated?: string;
  /** The extension that it belongs to, as the value of its `…_NAME` constant. */
  extension?: string;
}

/** Everything that the headers declare. */
export interface ApiModel {
  /** Such as `1.17`. */
  specVersion: string;
  /** The headers' revision, such as `v1.17-r1.17.24`. */
  revision: string;
  constants: ApiConstant[];
  enums: ApiEnum[];
  handles: ApiHandle[];
  structs: ApiStruct[];
  callbacks: ApiCallback[];
  functions: ApiFunction[];
}
