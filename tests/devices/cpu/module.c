// Modules and build logs.
#define _GNU_SOURCE
#include "cpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A native binary: PoCL's own, and before it the SPIR-V that it was made from, which alone says
 * what arguments the kernels have.
 */
struct native_header {
  char magic[16];
  uint64_t code_size, binary_size;
};
static const char NATIVE_MAGIC[16] = "ze_cpu binary 1";
static const char FATAL_LOG[] =
    "error: backend compiler failed build.\n"
    "(a fault that ZE_CPU_FAULTS asks for)\n";

static ze_result_t log_new(const char *text, ze_module_build_log_handle_t *log) {
  size_t size = strlen(text) + 1;
  ze_module_build_log_handle_t made = malloc(sizeof *made + size);
  if (!made) return FAIL(OUT_OF_HOST_MEMORY, "malloc");
  made->size = size;
  memcpy(made->text, text, size);
  *log = made;
  return ZE_RESULT_SUCCESS;
}

// What the compiler says, as an own string; null if there is no memory for it.
static char *program_log(ze_module_handle_t module) {
  size_t size = 0;
  cl_device_id device = module->device->opencl;
  if (!module->program ||
      clGetProgramBuildInfo(
          module->program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS) {
    return strdup("");
  }
  char *text = calloc(1, size + 1);
  if (text) {
    clGetProgramBuildInfo(module->program, device, CL_PROGRAM_BUILD_LOG, size, text, NULL);
  }
  return text;
}

// Level Zero's own flags in OpenCL's words. What is not known goes to the compiler, which is to
// say so.
static char *opencl_flags(const char *flags) {
  static const struct {
    const char *level_zero, *opencl;
  } known[] = {
    {"-ze-opt-disable", "-cl-opt-disable"},
    {"-ze-opt-greater-than-4GB-buffer-required", ""},
    {"-ze-intel-greater-than-4GB-buffer-required", ""},
    {"-ze-opt-large-register-file", ""},
    {"-ze-opt-has-buffer-offset-arg", ""},
    {"-ze-take-global-address", ""},
    {"-ze-opt-level=0", "-cl-opt-disable"},
    {"-ze-opt-level=O0", "-cl-opt-disable"},
    {"-ze-opt-level=1", ""},
    {"-ze-opt-level=2", ""},
    {"-ze-opt-level=O1", ""},
    {"-ze-opt-level=O2", ""},
    {"-ze-opt-level=O3", ""},
  };
  char *copy = strdup(flags ? flags : "");
  char *result = calloc(1, 2 * (flags ? strlen(flags) : 0) + 1);
  if (copy && result) {
    char *rest = copy;
    for (char *word; (word = strsep(&rest, " \t\n"));) {
      const char *translated = word;
      for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(word, known[i].level_zero) == 0) translated = known[i].opencl;
      }
      if (!*translated) continue;
      if (*result) strcat(result, " ");
      strcat(result, translated);
    }
  }
  free(copy);
  return result;
}

static cl_int set_constants(ze_module_handle_t module, const ze_module_constants_t *constants) {
  for (uint32_t i = 0; constants && i < constants->numConstants; i++) {
    uint32_t id = constants->pConstantIds[i];
    for (uint32_t k = 0; k < module->spirv.constant_count; k++) {
      if (module->spirv.constants[k].id != id) continue;
      cl_int status = clSetProgramSpecializationConstant(
          module->program, id, module->spirv.constants[k].size, constants->pConstantValues[i]);
      if (status != CL_SUCCESS) return status;
    }
    // A constant that the module does not have is ignored, as the SPIR-V specification says.
  }
  return CL_SUCCESS;
}

// Fills in the module's program. `wrong` is what the build log has to say besides the
// compiler's own words.
static ze_result_t build(
    ze_module_handle_t module, const ze_module_desc_t *desc, const char **wrong) {
  const unsigned char *code = desc->pInputModule, *binary = NULL;
  size_t code_size = desc->inputSize, binary_size = 0;
  if (desc->format == ZE_MODULE_FORMAT_NATIVE) {
    struct native_header header;
    if (desc->inputSize < sizeof header) return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
    memcpy(&header, desc->pInputModule, sizeof header);
    size_t rest = desc->inputSize - sizeof header;
    if (memcmp(header.magic, NATIVE_MAGIC, sizeof header.magic) != 0 ||
        header.code_size > rest || header.binary_size != rest - header.code_size) {
      *wrong = "not a binary that zeModuleGetNativeBinary of this driver gave";
      return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
    }
    code = desc->pInputModule + sizeof header;
    code_size = header.code_size;
    binary = code + code_size;
    binary_size = header.binary_size;
  }
  // A copy, as words have to be aligned.
  module->code = malloc(code_size);
  if (!module->code) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  memcpy(module->code, code, code_size);
  module->code_size = code_size;
  *wrong = spirv_parse(module->code, code_size, &module->spirv);
  if (*wrong) return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;

  cl_int status;
  cl_context context = module->device->opencl_context;
  cl_device_id device = module->device->opencl;
  if (binary) {
    cl_int binary_status = CL_SUCCESS;
    module->program = clCreateProgramWithBinary(
        context, 1, &device, &binary_size, &binary, &binary_status, &status);
  } else {
    module->program = clCreateProgramWithIL(context, module->code, code_size, &status);
  }
  if (status == CL_SUCCESS && !binary) status = set_constants(module, desc->pConstants);
  if (status == CL_SUCCESS) {
    char *flags = opencl_flags(desc->pBuildFlags);
    if (!flags) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    status = clBuildProgram(module->program, 1, &device, flags, NULL, NULL);
    free(flags);
    if (status == CL_INVALID_BUILD_OPTIONS) *wrong = "the compiler does not know a build flag";
  }
  if (status == CL_SUCCESS) return ZE_RESULT_SUCCESS;
  ze_result_t result = result_of_opencl(status);
  bool memory = result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (memory) return result;
  return binary ? ZE_RESULT_ERROR_INVALID_NATIVE_BINARY : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
}

static void module_free(ze_module_handle_t module) {
  if (module->program) clReleaseProgram(module->program);
  spirv_free(&module->spirv);
  free(module->code);
  free(module);
}

void module_release(ze_module_handle_t module) {
  if (atomic_fetch_sub(&module->references, 1) != 1) return;
  context_release(module->context);
  module_free(module);
}

static ze_result_t make_log(
    ze_module_handle_t module, const char *wrong, bool fatal, ze_module_build_log_handle_t *log) {
  char *compiler = program_log(module);
  char *text = NULL;
  if (compiler && asprintf(&text, "%s%s%s%s", fatal ? FATAL_LOG : "", wrong ? "error: " : "",
                           wrong ? wrong : "", compiler) < 0) {
    text = NULL;
  }
  ze_result_t result = text ? log_new(text, log) : FAIL(OUT_OF_HOST_MEMORY, "asprintf");
  free(text);
  free(compiler);
  return result;
}

ze_result_t zeModuleCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, const ze_module_desc_t *desc,
    ze_module_handle_t *phModule, ze_module_build_log_handle_t *phBuildLog) {
  ENTER();
  bool fatal = fault_fatal_log();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(desc);
  NEED_POINTER(phModule);
  // A program that goes on after a failure then hears of it, instead of using what was there.
  *phModule = NULL;
  NEED(desc->format <= ZE_MODULE_FORMAT_NATIVE, INVALID_ENUMERATION);
  // Several SPIR-V modules in one: the two fields below would be empty.
  if (find_next(desc->pNext, ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC)) {
    return FAIL(UNSUPPORTED_FEATURE, "modules of several programs");
  }
  NEED_POINTER(desc->pInputModule);
  NEED(desc->inputSize > 0, INVALID_SIZE);
  ze_module_handle_t module = calloc(1, sizeof *module);
  if (!module) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  module->context = hContext;
  atomic_init(&module->references, 1);
  module->device = hDevice;
  const char *wrong = NULL;
  ze_result_t result = build(module, desc, &wrong);
  if (phBuildLog) {
    *phBuildLog = NULL;
    ze_result_t log_result = make_log(module, wrong, fatal, phBuildLog);
    if (result == ZE_RESULT_SUCCESS) result = log_result;
  }
  if (result != ZE_RESULT_SUCCESS) {
    module_free(module);
    return fail(__func__, result, wrong ? wrong : "the build log says more");
  }
  context_retain(hContext);
  *phModule = module;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleDestroy(ze_module_handle_t hModule) {
  ENTER();
  NEED_HANDLE(hModule);
  if (strict_destruction() && atomic_load(&hModule->references) > 1) {
    return FAIL(HANDLE_OBJECT_IN_USE, "kernels of the module still exist");
  }
  module_release(hModule);
  return ZE_RESULT_SUCCESS;
}

// A module with an open import does not get past zeModuleCreate, so that nothing is left to link.
ze_result_t zeModuleDynamicLink(
    uint32_t numModules, ze_module_handle_t *phModules, ze_module_build_log_handle_t *phLinkLog) {
  ENTER();
  NEED_POINTER(phModules);
  for (uint32_t i = 0; i < numModules; i++) NEED_HANDLE(phModules[i]);
  return phLinkLog ? log_new("", phLinkLog) : ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleBuildLogDestroy(ze_module_build_log_handle_t hModuleBuildLog) {
  ENTER();
  NEED_HANDLE(hModuleBuildLog);
  free(hModuleBuildLog);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleBuildLogGetString(
    ze_module_build_log_handle_t hModuleBuildLog, size_t *pSize, char *pBuildLog) {
  ENTER();
  NEED_HANDLE(hModuleBuildLog);
  NEED_POINTER(pSize);
  if (pBuildLog && *pSize > 0) {
    size_t size = *pSize < hModuleBuildLog->size ? *pSize : hModuleBuildLog->size;
    memcpy(pBuildLog, hModuleBuildLog->text, size);
    pBuildLog[size - 1] = 0;
  }
  *pSize = hModuleBuildLog->size;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetNativeBinary(
    ze_module_handle_t hModule, size_t *pSize, uint8_t *pModuleNativeBinary) {
  ENTER();
  NEED_HANDLE(hModule);
  NEED_POINTER(pSize);
  size_t binary_size = 0;
  // PoCL compiles every kernel of the program for this.
  cl_int status = clGetProgramInfo(
      hModule->program, CL_PROGRAM_BINARY_SIZES, sizeof binary_size, &binary_size, NULL);
  if (status != CL_SUCCESS) return fail(__func__, result_of_opencl(status), "clGetProgramInfo");
  struct native_header header = {.code_size = hModule->code_size, .binary_size = binary_size};
  memcpy(header.magic, NATIVE_MAGIC, sizeof header.magic);
  size_t size = sizeof header + hModule->code_size + binary_size;
  if (pModuleNativeBinary) {
    NEED(*pSize >= size, INVALID_SIZE);
    memcpy(pModuleNativeBinary, &header, sizeof header);
    memcpy(pModuleNativeBinary + sizeof header, hModule->code, hModule->code_size);
    unsigned char *binary = pModuleNativeBinary + sizeof header + hModule->code_size;
    status = clGetProgramInfo(
        hModule->program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    if (status != CL_SUCCESS) {
      return fail(__func__, result_of_opencl(status), "clGetProgramInfo");
    }
  }
  *pSize = size;
  return ZE_RESULT_SUCCESS;
}

static bool is_exported(ze_module_handle_t module, const char *name) {
  for (uint32_t i = 0; i < module->spirv.export_count; i++) {
    if (strcmp(module->spirv.exports[i], name) == 0) return true;
  }
  return false;
}

// PoCL gives out no addresses of a program's variables and functions.
ze_result_t zeModuleGetGlobalPointer(
    ze_module_handle_t hModule, const char *pGlobalName, size_t *pSize, void **pptr) {
  ENTER();
  (void)pSize;
  (void)pptr;
  NEED_HANDLE(hModule);
  NEED_POINTER(pGlobalName);
  NEED(is_exported(hModule, pGlobalName), INVALID_GLOBAL_NAME);
  return FAIL(UNSUPPORTED_FEATURE, "PoCL gives no addresses of variables");
}

ze_result_t zeModuleGetFunctionPointer(
    ze_module_handle_t hModule, const char *pFunctionName, void **pfnFunction) {
  ENTER();
  NEED_HANDLE(hModule);
  NEED_POINTER(pFunctionName);
  NEED_POINTER(pfnFunction);
  NEED(is_exported(hModule, pFunctionName), INVALID_FUNCTION_NAME);
  return FAIL(UNSUPPORTED_FEATURE, "PoCL gives no addresses of functions");
}

ze_result_t zeModuleGetKernelNames(
    ze_module_handle_t hModule, uint32_t *pCount, const char **pNames) {
  ENTER();
  NEED_HANDLE(hModule);
  NEED_POINTER(pCount);
  uint32_t available = hModule->spirv.kernel_count;
  if (pNames && *pCount > 0) {
    uint32_t count = *pCount < available ? *pCount : available;
    for (uint32_t i = 0; i < count; i++) pNames[i] = hModule->spirv.kernels[i].name;
    *pCount = count;
  } else {
    *pCount = available;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeModuleGetProperties(
    ze_module_handle_t hModule, ze_module_properties_t *pModuleProperties) {
  ENTER();
  NEED_HANDLE(hModule);
  NEED_POINTER(pModuleProperties);
  pModuleProperties->flags = 0;
  return ZE_RESULT_SUCCESS;
}
