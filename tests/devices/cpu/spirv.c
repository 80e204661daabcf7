/*
 * What a SPIR-V module says about its kernels. PoCL gives neither the kinds nor the sizes of the
 * arguments of a kernel that came as SPIR-V, and takes a structure of any size for one.
 */
#define _GNU_SOURCE
#include "cpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_WORDS = 5, MAGIC = 0x07230203, MAGIC_SWAPPED = 0x03022307 };
enum {
  OP_ENTRY_POINT = 15, OP_EXECUTION_MODE = 16, OP_TYPE_BOOL = 20, OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22, OP_TYPE_VECTOR = 23, OP_TYPE_IMAGE = 25, OP_TYPE_SAMPLER = 26,
  OP_TYPE_ARRAY = 28, OP_TYPE_STRUCT = 30, OP_TYPE_POINTER = 32, OP_CONSTANT = 43,
  OP_SPEC_CONSTANT_TRUE = 48, OP_SPEC_CONSTANT_FALSE = 49, OP_SPEC_CONSTANT = 50,
  OP_FUNCTION = 54, OP_FUNCTION_PARAMETER = 55, OP_FUNCTION_END = 56, OP_VARIABLE = 59,
  OP_DECORATE = 71,
};
enum { EXECUTION_MODEL_KERNEL = 6 };
enum {
  MODE_LOCAL_SIZE = 17, MODE_LOCAL_SIZE_HINT = 18, MODE_VECTOR_TYPE_HINT = 30,
  MODE_SUBGROUP_SIZE = 35,
};
enum { DECORATION_SPEC_ID = 1, DECORATION_PACKED = 10, DECORATION_LINKAGE = 41 };
enum { LINKAGE_EXPORT = 0 };
enum { STORAGE_WORKGROUP = 4, STORAGE_CROSS_WORKGROUP = 5, STORAGE_FUNCTION = 7 };

struct reader {
  const uint32_t *words;
  size_t count;
  uint32_t bound;
  // Where each id is defined, as an offset in words; 0 if it isn't.
  uint32_t *definitions;
  bool *packed;
};

static uint32_t opcode(const uint32_t *instruction) { return instruction[0] & 0xffff; }
static uint32_t length(const uint32_t *instruction) { return instruction[0] >> 16; }

static const uint32_t *definition(const struct reader *reader, uint32_t id) {
  if (id >= reader->bound || reader->definitions[id] == 0) return NULL;
  return reader->words + reader->definitions[id];
}

// The word of an instruction that holds the id it defines; 0 for those that matter not here.
static uint32_t result_word(uint32_t op) {
  switch (op) {
    case OP_TYPE_BOOL: case OP_TYPE_INT: case OP_TYPE_FLOAT: case OP_TYPE_VECTOR:
    case OP_TYPE_IMAGE: case OP_TYPE_SAMPLER: case OP_TYPE_ARRAY: case OP_TYPE_STRUCT:
    case OP_TYPE_POINTER:
      return 1;
    case OP_CONSTANT: case OP_SPEC_CONSTANT_TRUE: case OP_SPEC_CONSTANT_FALSE:
    case OP_SPEC_CONSTANT: case OP_FUNCTION: case OP_VARIABLE:
      return 2;
    default:
      return 0;
  }
}

struct layout {
  size_t size, alignment;
};

static size_t round_up(size_t size, size_t alignment) {
  return alignment ? (size + alignment - 1) / alignment * alignment : size;
}

// The size of a type in memory; 0 if it can't be told. `depth` stops a module that is its own part.
static struct layout layout_of(const struct reader *reader, uint32_t type, int depth) {
  const struct layout unknown = {0, 1};
  const uint32_t *at = definition(reader, type);
  if (!at || depth > 32) return unknown;
  switch (opcode(at)) {
    case OP_TYPE_BOOL: return (struct layout){1, 1};
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
      if (length(at) < 3) return unknown;
      return (struct layout){at[2] / 8, at[2] / 8};
    case OP_TYPE_POINTER: return (struct layout){8, 8};
    case OP_TYPE_VECTOR: {
      if (length(at) < 4) return unknown;
      struct layout element = layout_of(reader, at[2], depth + 1);
      // A vector of three takes the place of one of four.
      size_t size = element.size * (at[3] == 3 ? 4 : at[3]);
      return (struct layout){size, size};
    }
    case OP_TYPE_ARRAY: {
      if (length(at) < 4) return unknown;
      struct layout element = layout_of(reader, at[2], depth + 1);
      const uint32_t *count = definition(reader, at[3]);
      if (!count || opcode(count) != OP_CONSTANT || length(count) < 4) return unknown;
      return (struct layout){element.size * count[3], element.alignment};
    }
    case OP_TYPE_STRUCT: {
      struct layout whole = {0, 1};
      for (uint32_t i = 2; i < length(at); i++) {
        struct layout member = layout_of(reader, at[i], depth + 1);
        if (member.size == 0) return unknown;
        if (reader->packed[type]) member.alignment = 1;
        whole.size = round_up(whole.size, member.alignment) + member.size;
        if (member.alignment > whole.alignment) whole.alignment = member.alignment;
      }
      whole.size = round_up(whole.size, whole.alignment);
      return whole;
    }
    default: return unknown;
  }
}

static struct spirv_argument argument_of(const struct reader *reader, uint32_t type) {
  const uint32_t *at = definition(reader, type);
  if (!at) return (struct spirv_argument){ARGUMENT_VALUE, 0};
  if (opcode(at) == OP_TYPE_IMAGE) return (struct spirv_argument){ARGUMENT_IMAGE, 8};
  if (opcode(at) == OP_TYPE_SAMPLER) return (struct spirv_argument){ARGUMENT_SAMPLER, 8};
  if (opcode(at) != OP_TYPE_POINTER || length(at) < 4) {
    return (struct spirv_argument){ARGUMENT_VALUE, layout_of(reader, type, 0).size};
  }
  switch (at[2]) {
    case STORAGE_WORKGROUP: return (struct spirv_argument){ARGUMENT_LOCAL, 0};
    case STORAGE_FUNCTION:
      // A structure by value comes as a pointer to the kernel's own copy.
      return (struct spirv_argument){ARGUMENT_VALUE, layout_of(reader, at[3], 0).size};
    default: return (struct spirv_argument){ARGUMENT_POINTER, 8};
  }
}

// A string literal's copy, or null if it does not end within the instruction.
static char *literal(const uint32_t *words, const uint32_t *end) {
  size_t room = (size_t)(end - words) * 4;
  const char *text = (const char *)words;
  return room > 0 && memchr(text, 0, room) ? strdup(text) : NULL;
}

static const char *add_kernel(struct spirv *spirv, const uint32_t *at) {
  struct spirv_kernel *larger =
      realloc(spirv->kernels, (spirv->kernel_count + 1) * sizeof *larger);
  if (!larger) return "out of memory";
  spirv->kernels = larger;
  struct spirv_kernel *kernel = &larger[spirv->kernel_count];
  *kernel = (struct spirv_kernel){.id = at[2], .name = literal(at + 3, at + length(at))};
  if (!kernel->name) return "an entry point has no name";
  spirv->kernel_count++;
  return NULL;
}

static const char *add_export(struct spirv *spirv, const uint32_t *at) {
  // The linkage type is the last word, after the name.
  if (at[length(at) - 1] != LINKAGE_EXPORT) return NULL;
  char **larger = realloc(spirv->exports, (spirv->export_count + 1) * sizeof *larger);
  if (!larger) return "out of memory";
  spirv->exports = larger;
  larger[spirv->export_count] = literal(at + 3, at + length(at));
  if (!larger[spirv->export_count]) return "a linkage decoration has no name";
  spirv->export_count++;
  return NULL;
}

// Its size comes later, when the constant's type is known: here it is the id.
static const char *add_constant(struct spirv *spirv, uint32_t target, uint32_t id) {
  struct spirv_constant *larger =
      realloc(spirv->constants, (spirv->constant_count + 1) * sizeof *larger);
  if (!larger) return "out of memory";
  spirv->constants = larger;
  larger[spirv->constant_count++] = (struct spirv_constant){.id = id, .size = target};
  return NULL;
}

static struct spirv_kernel *kernel_of(struct spirv *spirv, uint32_t id) {
  for (uint32_t i = 0; i < spirv->kernel_count; i++) {
    if (spirv->kernels[i].id == id) return &spirv->kernels[i];
  }
  return NULL;
}

static const char *add_attribute(struct spirv_kernel *kernel, const uint32_t *at) {
  static const char *const types[] = {"char", "short", "int", "long", "half", "float", "double"};
  const uint32_t *operands = at + 3;
  uint32_t count = length(at) - 3;
  char text[80] = "";
  if (at[2] == MODE_LOCAL_SIZE && count >= 3) {
    snprintf(text, sizeof text, "reqd_work_group_size(%u,%u,%u)", operands[0], operands[1],
             operands[2]);
  } else if (at[2] == MODE_LOCAL_SIZE_HINT && count >= 3) {
    snprintf(text, sizeof text, "work_group_size_hint(%u,%u,%u)", operands[0], operands[1],
             operands[2]);
  } else if (at[2] == MODE_SUBGROUP_SIZE && count >= 1) {
    snprintf(text, sizeof text, "intel_reqd_sub_group_size(%u)", operands[0]);
  } else if (at[2] == MODE_VECTOR_TYPE_HINT && count >= 1) {
    // The type of an element, and above it how many there are.
    uint32_t type = operands[0] & 0xffff, elements = operands[0] >> 16;
    if (type >= sizeof types / sizeof *types) return NULL;
    char number[16] = "";
    if (elements > 1) snprintf(number, sizeof number, "%u", elements);
    snprintf(text, sizeof text, "vec_type_hint(%s%s)", types[type], number);
  }
  if (!*text) return NULL;
  char *all = NULL;
  const char *before = kernel->attributes ? kernel->attributes : "";
  if (asprintf(&all, "%s%s%s", before, *before ? " " : "", text) < 0) return "out of memory";
  free(kernel->attributes);
  kernel->attributes = all;
  return NULL;
}

static const char *execution_mode(struct spirv *spirv, const uint32_t *at) {
  for (uint32_t i = 0; i < spirv->kernel_count; i++) {
    struct spirv_kernel *kernel = &spirv->kernels[i];
    if (kernel->id != at[1]) continue;
    if (at[2] == MODE_LOCAL_SIZE && length(at) >= 6) {
      memcpy(kernel->group_size, at + 3, sizeof kernel->group_size);
    }
    if (at[2] == MODE_SUBGROUP_SIZE && length(at) >= 4) kernel->subgroup_size = at[3];
    const char *wrong = add_attribute(kernel, at);
    if (wrong) return wrong;
  }
  return NULL;
}

static const char *add_argument(struct spirv_kernel *kernel, struct spirv_argument argument) {
  struct spirv_argument *larger =
      realloc(kernel->arguments, (kernel->argument_count + 1) * sizeof *larger);
  if (!larger) return "out of memory";
  kernel->arguments = larger;
  larger[kernel->argument_count++] = argument;
  return NULL;
}

static const char *read_instruction(
    struct reader *reader, struct spirv *spirv, const uint32_t *at, uint32_t *function) {
  uint32_t op = opcode(at), words = length(at);
  uint32_t result = result_word(op);
  if (result > 0 && words > result && at[result] < reader->bound) {
    reader->definitions[at[result]] = (uint32_t)(at - reader->words);
  }
  switch (op) {
    case OP_ENTRY_POINT:
      return words >= 4 && at[1] == EXECUTION_MODEL_KERNEL ? add_kernel(spirv, at) : NULL;
    case OP_EXECUTION_MODE:
      return words >= 3 ? execution_mode(spirv, at) : NULL;
    case OP_DECORATE:
      if (words < 3) return NULL;
      if (at[2] == DECORATION_PACKED && at[1] < reader->bound) reader->packed[at[1]] = true;
      if (at[2] == DECORATION_SPEC_ID && words >= 4) return add_constant(spirv, at[1], at[3]);
      if (at[2] == DECORATION_LINKAGE && words >= 5) return add_export(spirv, at);
      return NULL;
    case OP_VARIABLE:
      if (words >= 4 && at[3] == STORAGE_WORKGROUP) {
        const uint32_t *pointer = definition(reader, at[1]);
        if (pointer && length(pointer) >= 4) {
          spirv->local_size += layout_of(reader, pointer[3], 0).size;
        }
      }
      return NULL;
    case OP_FUNCTION: *function = words >= 3 ? at[2] : 0; return NULL;
    case OP_FUNCTION_END: *function = 0; return NULL;
    case OP_FUNCTION_PARAMETER: {
      struct spirv_kernel *kernel = kernel_of(spirv, *function);
      if (!kernel || words < 3) return NULL;
      return add_argument(kernel, argument_of(reader, at[1]));
    }
    default: return NULL;
  }
}

static const char *read_all(struct reader *reader, struct spirv *spirv) {
  uint32_t function = 0;
  for (size_t at = HEADER_WORDS; at < reader->count;) {
    uint32_t words = reader->words[at] >> 16;
    if (words == 0 || words > reader->count - at) return "an instruction's length is wrong";
    const char *wrong = read_instruction(reader, spirv, reader->words + at, &function);
    if (wrong) return wrong;
    at += words;
  }
  // The translator that PoCL calls ends in an assertion at this.
  if (function != 0) return "it ends within a function";
  for (uint32_t i = 0; i < spirv->constant_count; i++) {
    const uint32_t *constant = definition(reader, spirv->constants[i].size);
    // A boolean is set by one byte.
    spirv->constants[i].size = constant && opcode(constant) == OP_SPEC_CONSTANT
        ? (uint32_t)layout_of(reader, constant[1], 0).size
        : 1;
  }
  return NULL;
}

const char *spirv_parse(const void *code, size_t size, struct spirv *spirv) {
  memset(spirv, 0, sizeof *spirv);
  const uint32_t *words = code;
  if (size < HEADER_WORDS * 4 || size % 4 != 0) return "too short, or not whole words";
  if (words[0] == MAGIC_SWAPPED) return "the words are in the other byte order";
  if (words[0] != MAGIC) return "it does not start like SPIR-V";
  struct reader reader = {.words = words, .count = size / 4, .bound = words[3]};
  // Ids are defined by instructions, so that there can't be more of them than words.
  if (reader.bound == 0 || reader.bound > (1u << 22)) return "the bound of ids is wrong";
  reader.definitions = calloc(reader.bound, sizeof *reader.definitions);
  reader.packed = calloc(reader.bound, sizeof *reader.packed);
  const char *wrong = "out of memory";
  if (reader.definitions && reader.packed) wrong = read_all(&reader, spirv);
  free(reader.definitions);
  free(reader.packed);
  if (wrong) spirv_free(spirv);
  return wrong;
}

void spirv_free(struct spirv *spirv) {
  for (uint32_t i = 0; i < spirv->kernel_count; i++) {
    free(spirv->kernels[i].name);
    free(spirv->kernels[i].arguments);
    free(spirv->kernels[i].attributes);
  }
  for (uint32_t i = 0; i < spirv->export_count; i++) free(spirv->exports[i]);
  free(spirv->kernels);
  free(spirv->exports);
  free(spirv->constants);
  memset(spirv, 0, sizeof *spirv);
}
