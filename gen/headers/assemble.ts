/**
 * The model put together from the declarations, clang's answers and the comments.
 *
 * @module
 */

import type {
  ApiCallback,
  ApiConstant,
  ApiEnum,
  ApiField,
  ApiFunction,
  ApiModel,
  ApiParameter,
  ApiStruct,
} from "../model.ts";
import { type AstNode, beginOf, endOf, membersOf, nameOf, typeOf } from "./ast.ts";
import { linkChains, type StructComments } from "./chains.ts";
import { Clang, findHeaders, includeLines } from "./clang.ts";
import { deprecatedSince, isDeprecated, parameterMark, readMarks } from "./comments.ts";
import { collect, type Declarations, type Declared, enumValues } from "./declarations.ts";
import { extensionFinder } from "./extensions.ts";
import { constant, isText, type Macro, Probes, readMacros } from "./probes.ts";
import { Sources } from "./sources.ts";
import { isStructureTypeEnum, type StructureType, tagStructs } from "./structure_types.ts";
import { classify } from "./thread_safety.ts";
import { parseType } from "./types.ts";

/** Reads the headers of an include folder into the model. */
export function readHeaders(program: string, includeFolder: string): ApiModel {
  const clang = new Clang(program, includeFolder);
  const includes = includeLines(findHeaders(includeFolder));
  const macros = readMacros(clang.macros(includes));
  return new Assembler(collect(clang.ast(includes)), macros)
    .assemble(clang, includes);
}

class Assembler {
  readonly #declarations: Declarations;
  readonly #macros: Macro[];
  readonly #sources = new Sources();

  constructor(declarations: Declarations, macros: Macro[]) {
    this.#declarations = declarations;
    this.#macros = macros;
  }

  assemble(clang: Clang, includes: string): ApiModel {
    const answers = this.#probe(clang, includes);
    const constants = this.#macros.map((macro) => constant(macro, answers.get(macro.name) ?? ""));
    const enums = this.#declarations.enums.map((one) => this.#enum(one));
    const structs = this.#declarations.structs.map((one) => this.#struct(one, answers));
    const functions = this.#functions(constants);
    tagStructs(structs, this.#structureTypes());
    linkChains(structs, functions, this.#structComments());
    const [specVersion, revision] = this.#versions(enums);
    return {
      specVersion,
      revision,
      constants,
      enums,
      handles: this.#declarations.handles.map(({ name, api, alias }) =>
        alias === undefined ? { name, api } : { name, api, alias }
      ),
      structs,
      callbacks: this.#declarations.callbacks.map((one) => this.#callback(one)),
      functions,
    };
  }

  #probe(clang: Clang, includes: string): Map<string, string> {
    const probes = new Probes();
    for (const macro of this.#macros) {
      if (isText(macro)) probes.text(macro.name, macro.name);
      else probes.integer(macro.name, macro.name);
    }
    for (const { name, node } of this.#declarations.structs) {
      probes.integer(`size of ${name}`, `sizeof(${name})`);
      probes.integer(`alignment of ${name}`, `_Alignof(${name})`);
      for (const field of membersOf(node, "FieldDecl")) {
        const member = `${name}.${field.name}`;
        probes.integer(`offset of ${member}`, `offsetof(${name}, ${field.name})`);
        probes.integer(`size of ${member}`, `sizeof(((${name} *)0)->${field.name})`);
      }
    }
    return probes.answer(clang, includes);
  }

  #enum({ name, api, node }: Declared): ApiEnum {
    const flags = this.#declarations.flags.get(name);
    const values = enumValues(node).map(({ name, value, node }) => {
      const place = nameOf(node);
      const deprecated = isDeprecated(this.#sources.trailingComment(place)) ||
        this.#sources.pointsAbove(place).some(isDeprecated);
      return deprecated ? { name, value, deprecated } : { name, value };
    });
    return { name, api, ...flags !== undefined && { flags }, values };
  }

  #struct(
    { name, api, node, alias }: Declared,
    answers: Map<string, string>,
  ): ApiStruct {
    const answer = (key: string): number => Number(answers.get(key));
    const fields = membersOf(node, "FieldDecl").map((field): ApiField => {
      if (field.isBitfield || field.name === undefined) {
        throw new Error(
          `Found a bit-field or an unnamed member in ${name}: expected named members with an offset in bytes`,
        );
      }
      const member = `${name}.${field.name}`;
      const marks = readMarks(this.#sources.trailingComment(nameOf(field)));
      return {
        name: field.name,
        type: this.#type(field),
        offset: answer(`offset of ${member}`),
        size: answer(`size of ${member}`),
        direction: marks.direction,
        optional: marks.optional,
        ...marks.count !== undefined && { count: marks.count },
      };
    });
    return {
      name,
      api,
      kind: node.tagUsed === "union" ? "union" : "struct",
      size: answer(`size of ${name}`),
      align: answer(`alignment of ${name}`),
      fields,
      ...alias !== undefined && { alias },
    };
  }

  #callback({ name, api, node }: Declared): ApiCallback {
    const [result, ...types] = typeOf(typeOf(node)).inner ?? [];
    if (result === undefined) {
      throw new Error(`Found no result type on ${name}: expected a function type`);
    }
    const names = this.#callbackParameterNames(node, types.length);
    return {
      name,
      api,
      result: this.#type(result),
      parameters: types.map((type, index) => ({
        name: names[index] ?? "",
        type: this.#type(type),
      })),
    };
  }

  /** The AST has a function pointer's types only; the names are in the text of its declaration. */
  #callbackParameterNames(node: AstNode, count: number): string[] {
    if (count === 0) return [];
    const { file, offset } = nameOf(node);
    const text = this.#sources.text(file).slice(offset, endOf(node).offset);
    const list = text.slice(text.indexOf("(") + 1).replace(/\/\/.*$/gm, "");
    const names = list.split(",").map((parameter) => parameter.match(/[\s*](\w+)\s*$/)?.[1] ?? "");
    if (names.length !== count || names.includes("")) {
      throw new Error(
        `Found the parameters "${list}" of ${node.name}: expected ${count} with names`,
      );
    }
    return names;
  }

  #functions(constants: ApiConstant[]): ApiFunction[] {
    const extensionOf = extensionFinder(
      this.#sources,
      this.#macros.filter(isText),
      this.#declarations.functions.map(({ node }) => nameOf(node)),
    );
    return this.#declarations.functions.map(({ name, api, node }) => {
      const points = this.#sources.pointsAbove(beginOf(node));
      const deprecated = deprecatedSince(points);
      const macro = extensionOf(nameOf(node));
      const extension = constants.find((one) => one.name === macro)?.value;
      const type = node.type?.qualType ?? "";
      return {
        name,
        api,
        result: parseType(type.slice(0, type.indexOf("(")), this.#declarations.types),
        parameters: membersOf(node, "ParmVarDecl").map((parameter) =>
          this.#parameter(parameter, points)
        ),
        threadSafety: classify(name, points),
        ...deprecated !== undefined && { deprecated },
        ...typeof extension === "string" && { extension },
      };
    });
  }

  #parameter(node: AstNode, points: string[]): ApiParameter {
    const name = node.name ?? "";
    const type = this.#type(node);
    const trailing = this.#sources.trailingComment(nameOf(node));
    const comment = trailing.trim().startsWith("[") ? trailing : parameterMark(points, name);
    const marks = readMarks(comment);
    // The loader leaves some pointers unmarked: such a call may read and write what they refer to.
    if (comment === "" && type.kind === "pointer" && !type.const) {
      marks.direction = "inout";
    }
    return { name, type, ...marks };
  }

  #type(node: AstNode): ApiField["type"] {
    return parseType(node.type?.qualType ?? "", this.#declarations.types);
  }

  #structureTypes(): StructureType[] {
    return this.#declarations.enums.filter(isStructureTypeEnum).flatMap(
      ({ name, node }) =>
        enumValues(node).map((value) => ({
          enum: name,
          value: value.name,
          comment: this.#sources.trailingComment(nameOf(value.node)),
        })),
    );
  }

  #structComments(): Map<string, StructComments> {
    return new Map(
      this.#declarations.structs.map(({ name, node }) => [name, {
        points: this.#sources.pointsAbove(beginOf(node)),
        fields: membersOf(node, "FieldDecl").map((field) =>
          this.#sources.trailingComment(nameOf(field))
        ),
      }]),
    );
  }

  #versions(enums: ApiEnum[]): [specVersion: string, revision: string] {
    const version = enums.find(({ name }) => name === "ze_api_version_t")
      ?.values.find(({ name }) => name === "ZE_API_VERSION_CURRENT")?.value;
    const core = this.#declarations.functions[0];
    const revision = core && this.#sources.text(nameOf(core.node).file)
      .match(/@version (\S+)/)?.[1];
    if (version === undefined || revision === undefined) {
      throw new Error(
        "Found no ZE_API_VERSION_CURRENT or no @version in ze_api.h: expected both",
      );
    }
    return [`${version >> 16}.${version & 0xffff}`, revision];
  }
}
