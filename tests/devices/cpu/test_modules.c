// Modules and build logs.
#include "test.h"

static ze_result_t create(
    const void *code, size_t size, ze_module_format_t format, const char *flags,
    const ze_module_constants_t *constants, ze_module_handle_t *module, char *log_text) {
  ze_module_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
    .format = format,
    .inputSize = size,
    .pInputModule = code,
    .pBuildFlags = flags,
    .pConstants = constants,
  };
  ze_module_build_log_handle_t log = NULL;
  ze_result_t result = zeModuleCreate(context, device, &desc, module, &log);
  CHECK(log != NULL);
  size_t length = 0;
  OK(zeModuleBuildLogGetString(log, &length, NULL));
  CHECK(length > 0);
  length = length < 1000 ? length : 1000;
  OK(zeModuleBuildLogGetString(log, &length, log_text));
  OK(zeModuleBuildLogDestroy(log));
  return result;
}

static int run_constant(ze_module_handle_t module) {
  ze_kernel_handle_t kernel = make_kernel(module, "constant_plus");
  int *out = shared_memory(64), offset = 1;
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof out, &out));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof offset, &offset));
  ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ze_group_count_t one = {1, 1, 1};
  OK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
  int result = *out;
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(kernel));
  OK(zeMemFree(context, out));
  return result;
}

static void test_constants(void) {
  size_t size;
  unsigned char *code = read_file("spec_constant.spv", &size);
  char log[1001];
  ze_module_handle_t module = NULL;
  OK(create(code, size, ZE_MODULE_FORMAT_IL_SPIRV, NULL, NULL, &module, log));
  CHECK(run_constant(module) == 43);
  OK(zeModuleDestroy(module));
  uint32_t ids[] = {7, 9, 1234};
  uint32_t width = 100;
  uint64_t count = 1000;
  const void *values[] = {&width, &count, &count};
  ze_module_constants_t constants = {3, ids, values};
  OK(create(code, size, ZE_MODULE_FORMAT_IL_SPIRV, NULL, &constants, &module, log));
  CHECK(run_constant(module) == 100001);

  // Out as a binary and in again: the constants are as they were.
  size_t binary_size = 0;
  OK(zeModuleGetNativeBinary(module, &binary_size, NULL));
  CHECK(binary_size > size);
  unsigned char *binary = malloc(binary_size);
  OK(zeModuleGetNativeBinary(module, &binary_size, binary));
  OK(zeModuleDestroy(module));
  OK(create(binary, binary_size, ZE_MODULE_FORMAT_NATIVE, NULL, NULL, &module, log));
  CHECK(run_constant(module) == 100001);
  OK(zeModuleDestroy(module));
  ERROR(create(binary, binary_size - 1, ZE_MODULE_FORMAT_NATIVE, NULL, NULL, &module, log),
        INVALID_NATIVE_BINARY);
  ERROR(create(code, size, ZE_MODULE_FORMAT_NATIVE, NULL, NULL, &module, log),
        INVALID_NATIVE_BINARY);
  free(binary);
  free(code);
}

static void test_wrong(void) {
  size_t size;
  unsigned char *code = read_file("vector_add.spv", &size);
  char log[1001];
  ze_module_handle_t module = (ze_module_handle_t)&size;
  ERROR(create("not SPIR-V at all....", 20, ZE_MODULE_FORMAT_IL_SPIRV, NULL, NULL, &module, log),
        MODULE_BUILD_FAILURE);
  CHECK(module == NULL);
  CHECK(strstr(log, "does not start like SPIR-V"));
  ERROR(create(code, size - 8, ZE_MODULE_FORMAT_IL_SPIRV, NULL, NULL, &module, log),
        MODULE_BUILD_FAILURE);
  ERROR(create(code, size, ZE_MODULE_FORMAT_IL_SPIRV, "-no-such-flag", NULL, &module, log),
        MODULE_BUILD_FAILURE);
  CHECK(log[0]);
  OK(create(code, size, ZE_MODULE_FORMAT_IL_SPIRV, "-ze-opt-disable -ze-opt-level=2", NULL,
            &module, log));
  OK(zeModuleDestroy(module));
  free(code);
}

static void check_attributes(ze_module_handle_t module, const char *name, const char *expected) {
  ze_kernel_handle_t kernel = make_kernel(module, name);
  char bytes[100], *text = bytes;
  uint32_t size = 0;
  OK(zeKernelGetSourceAttributes(kernel, &size, NULL));
  CHECK(size == strlen(expected) + 1);
  OK(zeKernelGetSourceAttributes(kernel, &size, &text));
  CHECK(strcmp(text, expected) == 0);
  OK(zeKernelDestroy(kernel));
}

static void test_attributes(void) {
  size_t size;
  uint32_t *words = (uint32_t *)(void *)read_file("basic.spv", &size);
  char log[1001];
  ze_module_handle_t module = NULL;
  OK(create(words, size, ZE_MODULE_FORMAT_IL_SPIRV, NULL, NULL, &module, log));
  check_attributes(module, "scale", "");
  check_attributes(module, "fixed_group", "reqd_work_group_size(4,2,1)");
  OK(zeModuleDestroy(module));
  // OpExecutionMode: what is required becomes a hint, and a hint of a type comes before it.
  enum { MODE_OF_6_WORDS = 6 << 16 | 16, MODE_OF_4_WORDS = 4 << 16 | 16, LOCAL_SIZE = 17 };
  size_t at = 5, count = size / 4;
  while (at < count && !(words[at] == MODE_OF_6_WORDS && words[at + 2] == LOCAL_SIZE)) {
    at += words[at] >> 16;
  }
  CHECK(at < count);
  words[at + 2] = LOCAL_SIZE + 1;
  uint32_t type_hint[4] = {MODE_OF_4_WORDS, words[at + 1], 30, 4 << 16 | 5};
  memmove(words + at + 4, words + at, (count - at) * 4);
  memcpy(words + at, type_hint, sizeof type_hint);
  OK(create(words, size + 16, ZE_MODULE_FORMAT_IL_SPIRV, NULL, NULL, &module, log));
  check_attributes(module, "fixed_group", "vec_type_hint(float4) work_group_size_hint(4,2,1)");
  ze_kernel_handle_t kernel = make_kernel(module, "fixed_group");
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  OK(zeKernelGetProperties(kernel, &properties));
  CHECK(properties.requiredGroupSizeX == 0);
  OK(zeKernelSetGroupSize(kernel, 8, 1, 1));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  free(words);
}

void test_modules(void) {
  ze_module_handle_t module = load_module("basic.spv");
  uint32_t count = 0;
  OK(zeModuleGetKernelNames(module, &count, NULL));
  CHECK(count == 10);
  const char *names[16];
  count = 16;
  OK(zeModuleGetKernelNames(module, &count, names));
  CHECK(count == 10 && strcmp(names[0], "scale") == 0);
  ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
  OK(zeModuleGetProperties(module, &properties));
  CHECK(properties.flags == 0);
  void *address = NULL;
  ERROR(zeModuleGetGlobalPointer(module, "nothing", NULL, &address), INVALID_GLOBAL_NAME);
  ERROR(zeModuleGetFunctionPointer(module, "nothing", &address), INVALID_FUNCTION_NAME);
  OK(zeModuleDynamicLink(1, &module, NULL));
  ze_kernel_handle_t kernel = make_kernel(module, "empty");
  ERROR(zeModuleDestroy(module), HANDLE_OBJECT_IN_USE);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_constants();
  test_attributes();
  test_wrong();
}
