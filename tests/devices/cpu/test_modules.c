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
  ze_module_handle_t module = NULL;
  ERROR(create("not SPIR-V at all....", 20, ZE_MODULE_FORMAT_IL_SPIRV, NULL, NULL, &module, log),
        MODULE_BUILD_FAILURE);
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
  test_wrong();
}
