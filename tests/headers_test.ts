/**
 * The committed API model against the real headers: as a C compiler sees them, as clang reads them
 * anew, and as releases before this one had them.
 *
 * Needs the headers (`ZE_HEADERS`, or `/usr/include` if they are of the model's revision), a C
 * compiler (`CC`, `cc`, `gcc` or `clang`), and for some tests clang (`CLANG`). Folders with older
 * headers are listed in `ZE_OLDER_HEADERS`, with colons between them.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { readHeaders } from "../gen/headers/assemble.ts";
import { findClang, findHeaders, includeLines } from "../gen/headers/clang.ts";
import { format } from "../gen/headers/output.ts";
import type { ApiModel, ApiStruct, CType } from "../gen/model.ts";
import { test } from "./support/testing.ts";

const SYSTEM_FOLDER = "/usr/include";
const MODEL_FILE = new URL("../gen/api/ze-1.17.json", import.meta.url);
const modelText = readFileSync(MODEL_FILE, "utf8");
const model = JSON.parse(modelText) as ApiModel;

function revisionIn(folder: string): string | undefined {
  const file = join(folder, "level_zero/ze_api.h");
  if (!existsSync(file)) return undefined;
  return readFileSync(file, "latin1").match(/@version (\S+)/)?.[1];
}

const systemRevision = revisionIn(SYSTEM_FOLDER);
// A folder that is asked for is used as it is, so that a wrong one fails and is not skipped.
const headers = process.env.ZE_HEADERS ??
  (systemRevision === model.revision ? SYSTEM_FOLDER : undefined);
const older = [
  ...(process.env.ZE_OLDER_HEADERS ?? "").split(delimiter).filter((folder) => folder !== ""),
  ...systemRevision !== undefined && systemRevision !== model.revision ? [SYSTEM_FOLDER] : [],
];
const compiler = (process.env.CC ? [process.env.CC] : ["cc", "gcc", "clang"]).find((name) =>
  spawnSync(name, ["--version"]).status === 0
);
const clang = findClang();

const noHeaders = headers === undefined &&
  `no Level Zero headers ${model.revision}: ${SYSTEM_FOLDER} has ${
    systemRevision ?? "none"
  } and ZE_HEADERS is not set`;
const noCompiler = compiler === undefined && "no C compiler: neither CC nor cc, gcc or clang runs";
const noClang = clang === undefined && "no clang: neither CLANG nor a clang on the path runs";

const SCALARS = {
  int8: "int8_t",
  uint8: "uint8_t",
  int16: "int16_t",
  uint16: "uint16_t",
  int32: "int32_t",
  uint32: "uint32_t",
  int64: "int64_t",
  uint64: "uint64_t",
  size: "size_t",
  float: "float",
  double: "double",
  char: "char",
  bool: "bool",
} as const;

/** Writes a declaration of `inner` in C; without `inner`, the type's name. */
function declare(type: CType, inner = "", constant = false): string {
  const qualifier = constant ? "const " : "";
  switch (type.kind) {
    case "pointer":
      return declare(type.to, `*${qualifier}${inner}`, type.const);
    case "array":
      return declare(type.of, `${inner}[${type.length}]`, constant);
    case "void":
      return `${qualifier}void ${inner}`;
    case "scalar":
      return `${qualifier}${type.alias ?? SCALARS[type.name]} ${inner}`;
    default:
      return `${qualifier}${type.name} ${inner}`;
  }
}

function declareList(parameters: { name: string; type: CType }[]): string {
  return parameters.map(({ name, type }) => declare(type, name)).join(", ") || "void";
}

/** Compiles a C source after the headers and, if wanted, runs it; returns what it prints. */
function compile(source: string, run: boolean): string {
  assert(headers !== undefined && compiler !== undefined);
  const folder = mkdtempSync(join(tmpdir(), "level-zero-model-"));
  try {
    const file = join(folder, "check.c");
    const program = join(folder, "check");
    writeFileSync(file, includeLines(findHeaders(headers)) + source);
    const output = run ? ["-o", program] : ["-fsyntax-only"];
    const options = ["-std=c11", "-w", "-I", headers, ...output, file];
    const compiled = spawnSync(compiler, options, { encoding: "utf8" });
    assertEquals(compiled.status, 0, `${compiler} says:\n${compiled.stderr.slice(0, 4000)}`);
    if (!run) return "";
    const ran = spawnSync(program, [], { encoding: "utf8", maxBuffer: 1 << 26 });
    assertEquals(ran.status, 0, `The program built from the model ended with ${ran.status}`);
    return ran.stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the model says, and the C expression that says the same of the headers. */
interface Claim {
  about: string;
  expression: string;
  value: number | string;
}

function claimsOfStruct({ name, size, align, fields }: ApiStruct): Claim[] {
  return [
    { about: `size of ${name}`, expression: `sizeof(${name})`, value: size },
    { about: `alignment of ${name}`, expression: `_Alignof(${name})`, value: align },
    ...fields.flatMap((field) => {
      const about = `${name}.${field.name}`;
      const member = `((${name} *)0)->${field.name}`;
      const type = declare(field.type);
      return [
        {
          about: `offset of ${about}`,
          expression: `offsetof(${name}, ${field.name})`,
          value: field.offset,
        },
        { about: `size of ${about}`, expression: `sizeof(${member})`, value: field.size },
        {
          about: `whether ${about} is ${type}`,
          expression: `__builtin_types_compatible_p(__typeof__(${member}), ${type})`,
          value: 1,
        },
      ];
    }),
  ];
}

function claimsOfModel(): Claim[] {
  return [
    ...model.structs.flatMap(claimsOfStruct),
    ...model.enums.flatMap(({ name, flags, values }) => [
      { about: `size of ${name}`, expression: `sizeof(${name})`, value: 4 },
      ...flags === undefined
        ? []
        : [{ about: `size of ${flags}`, expression: `sizeof(${flags})`, value: 4 }],
      ...values.map((one) => ({ about: one.name, expression: one.name, value: one.value })),
    ]),
    ...model.constants.map(({ name, value, wide }) => ({
      about: name,
      expression: name,
      // The program prints integers as signed, and this one fills all 64 bits.
      value: wide ? BigInt.asIntN(64, BigInt(value)).toString() : value,
    })),
  ];
}

/** A program that prints one line per claim: the value that the headers have. */
function programOf(claims: Claim[]): string {
  const isText = new Set(
    model.constants.filter(({ value, wide }) => typeof value === "string" && !wide)
      .map(({ name }) => name),
  );
  const rows = claims.map(({ about, expression }) =>
    isText.has(about) ? `{0, ${expression}},` : `{(long long)(${expression}), 0},`
  );
  return `#include <stdio.h>
static const struct { long long value; const char *text; } rows[] = {
${rows.join("\n")}
};
int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].text) puts(rows[i].text);
    else printf("%lld\\n", rows[i].value);
  }
  return 0;
}
`;
}

test("headers under test are of the model's revision", { skip: noHeaders }, () => {
  assertEquals(revisionIn(headers ?? ""), model.revision);
});

test(
  "layouts and values of the model are the C compiler's",
  { skip: noHeaders || noCompiler },
  () => {
    const claims = claimsOfModel();
    const found = compile(programOf(claims), true).trimEnd().split("\n");
    assertEquals(found.length, claims.length);
    const wrong = claims.flatMap(({ about, value }, index) =>
      String(value) === found[index] ? [] : [`${about}: model ${value}, headers ${found[index]}`]
    );
    assertEquals(wrong, []);
  },
);

test("prototypes of the model are the C compiler's", { skip: noHeaders || noCompiler }, () => {
  // C takes a second declaration of a function only if it agrees with the first.
  compile(
    [
      ...model.callbacks.map(({ name, result, parameters }) => {
        const type = declare(result, `(*)(${declareList(parameters)})`);
        return `_Static_assert(__builtin_types_compatible_p(${name}, ${type}), "${name}");`;
      }),
      ...model.functions.map(({ name, result, parameters }) =>
        `${declare(result, `${name}(${declareList(parameters)})`)};`
      ),
      ...model.handles.map(({ name, alias }) =>
        alias === undefined
          ? `_Static_assert(sizeof(${name}) == sizeof(void *), "${name}");`
          : `typedef ${alias} ${name};`
      ),
    ].join("\n"),
    false,
  );
});

test("headers read anew give the committed model", { skip: noHeaders || noClang }, () => {
  assert(headers !== undefined && clang !== undefined);
  const expected = modelText.split("\n");
  const found = format(readHeaders(clang, headers)).split("\n");
  const at = found.findIndex((line, index) => line !== expected[index]);
  assertEquals(
    [found.length, at === -1 ? "" : found[at]],
    [expected.length, at === -1 ? "" : expected[at]],
    `gen/api differs at line ${at + 1}; run deno task gen:model`,
  );
});

/** What of the older headers is otherwise today, and why that is right. */
const CHANGES: ReadonlyMap<string, string> = new Map([
  [
    "ze_device_properties_t has another structure type",
    "1.17 deprecates the first in favour of ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2",
  ],
  [
    "ZE_PHYSICAL_MEM_FLAG_TBD is gone",
    "a placeholder of 1.4, whose bit is ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_DEVICE today",
  ],
  [
    "ZE_FABRIC_VERTEX_EXP_TYPE_SUBEVICE is gone",
    "a slip of 1.4, now spelled ZE_FABRIC_VERTEX_EXP_TYPE_SUBDEVICE",
  ],
]);

function byName<Item extends { name: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.name, item]));
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Compares each item of an older list with its namesake of today. */
function compare<Item extends { name: string }>(
  before: readonly Item[],
  now: readonly Item[],
  differences: (before: Item, now: Item) => string[],
): string[] {
  const today = byName(now);
  return before.flatMap((item) => {
    const namesake = today.get(item.name);
    return namesake === undefined ? [`${item.name} is gone`] : differences(item, namesake);
  });
}

function structDifferences(before: ApiStruct, now: ApiStruct): string[] {
  const { name } = before;
  const differences = compare(
    before.fields,
    now.fields,
    (one, other) =>
      sameJson([one.type, one.offset, one.size], [other.type, other.offset, other.size])
        ? []
        : [`${one.name} has another type or place`],
  ).map((text) => `${name}: ${text}`);
  if (before.size !== now.size || before.align !== now.align) {
    differences.push(`${name} has another size or alignment`);
  }
  if (!sameJson(before.stype, now.stype)) {
    differences.push(`${name} has another structure type`);
  }
  return differences;
}

/** The newest version that a header knows may only grow. */
function valueDifferences(
  before: { name: string; value: number | string },
  now: { name: string; value: number | string },
): string[] {
  const grows = /_VERSION_CURRENT(_M)?$/.test(before.name);
  return before.value === now.value || (grows && now.value > before.value)
    ? []
    : [`${before.name} was ${before.value} and is ${now.value}`];
}

function differencesFrom(before: ApiModel): string[] {
  const signatures = (one: ApiModel["callbacks"][number], other: typeof one): string[] =>
    sameJson(
        [one.result, one.parameters.map(({ name, type }) => [name, type])],
        [other.result, other.parameters.map(({ name, type }) => [name, type])],
      )
      ? []
      : [`${one.name} has another signature`];
  return [
    ...compare(before.constants, model.constants, valueDifferences),
    ...compare(before.enums, model.enums, (one, other) => [
      ...compare(one.values, other.values, valueDifferences),
      ...one.flags === other.flags ? [] : [`${one.name} has other flags`],
    ]),
    ...compare(
      before.handles,
      model.handles,
      (one, other) => one.alias === other.alias ? [] : [`${one.name} is another handle`],
    ),
    ...compare(before.structs, model.structs, structDifferences),
    ...compare(before.callbacks, model.callbacks, signatures),
    ...compare(before.functions, model.functions, signatures),
  ];
}

const noOlder = older.length === 0 && "no older Level Zero headers: ZE_OLDER_HEADERS is not set";

for (const [index, folder] of older.entries()) {
  test(
    `older headers ${revisionIn(folder) ?? index} are a subset of the model`,
    { skip: noClang },
    () => {
      assert(clang !== undefined);
      const unexplained = differencesFrom(readHeaders(clang, folder)).filter((difference) =>
        !CHANGES.has(difference)
      );
      assertEquals(unexplained, []);
    },
  );
}
if (noOlder) test("older headers are a subset of the model", { skip: noOlder }, () => {});
