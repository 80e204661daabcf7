// Kernels: arguments, group sizes and properties. launch.c has what runs them.
#include "cpu.h"
#include <stdlib.h>
#include <string.h>

// For an argument whose size the module does not tell.
enum { UNKNOWN_SIZE_ROOM = 256 };

static const struct spirv_kernel *find_kernel(ze_module_handle_t module, const char *name) {
  for (uint32_t i = 0; i < module->spirv.kernel_count; i++) {
    if (strcmp(module->spirv.kernels[i].name, name) == 0) return &module->spirv.kernels[i];
  }
  return NULL;
}

static void kernel_free(ze_kernel_handle_t kernel) {
  if (kernel->opencl) clReleaseKernel(kernel->opencl);
  pthread_mutex_destroy(&kernel->mutex);
  free(kernel->arguments);
  free(kernel->bytes);
  free(kernel);
}

void kernel_release(ze_kernel_handle_t kernel) {
  if (atomic_fetch_sub(&kernel->references, 1) != 1) return;
  ze_module_handle_t module = kernel->module;
  kernel_free(kernel);
  // A launch that is still to run keeps the module, as what it compiled is there.
  module_release(module);
}

// Room for the arguments' values, one after another.
static bool make_room(ze_kernel_handle_t kernel) {
  uint32_t count = kernel->info->argument_count;
  kernel->arguments = calloc(count ? count : 1, sizeof *kernel->arguments);
  if (!kernel->arguments) return false;
  for (uint32_t i = 0; i < count; i++) {
    size_t size = kernel->info->arguments[i].size;
    kernel->arguments[i].offset = kernel->bytes_size;
    kernel->bytes_size += size ? (size + 15) / 16 * 16 : UNKNOWN_SIZE_ROOM;
  }
  kernel->bytes = calloc(1, kernel->bytes_size ? kernel->bytes_size : 1);
  return kernel->bytes != NULL;
}

ze_result_t zeKernelCreate(
    ze_module_handle_t hModule, const ze_kernel_desc_t *desc, ze_kernel_handle_t *phKernel) {
  ENTER();
  NEED_HANDLE(hModule);
  NEED_POINTER(desc);
  NEED_POINTER(desc->pKernelName);
  NEED_POINTER(phKernel);
  NEED(desc->flags <= 0x3, INVALID_ENUMERATION);
  const struct spirv_kernel *info = find_kernel(hModule, desc->pKernelName);
  NEED(info, INVALID_KERNEL_NAME);
  ze_kernel_handle_t kernel = calloc(1, sizeof *kernel);
  if (!kernel) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  pthread_mutex_init(&kernel->mutex, NULL);
  kernel->module = hModule;
  kernel->info = info;
  atomic_init(&kernel->references, 1);
  for (int i = 0; i < 3; i++) kernel->group_size[i] = info->group_size[0] ? info->group_size[i] : 1;
  cl_int status = CL_OUT_OF_HOST_MEMORY;
  if (make_room(kernel)) kernel->opencl = clCreateKernel(hModule->program, info->name, &status);
  if (status != CL_SUCCESS) {
    kernel_free(kernel);
    return fail(__func__, result_of_opencl(status), "clCreateKernel");
  }
  atomic_fetch_add(&hModule->references, 1);
  *phKernel = kernel;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t hKernel) {
  ENTER();
  NEED_HANDLE(hKernel);
  kernel_release(hKernel);
  return ZE_RESULT_SUCCESS;
}

ze_result_t kernel_set_argument(
    const char *function, ze_kernel_handle_t kernel, uint32_t index, size_t size,
    const void *value) {
  if (index >= kernel->info->argument_count) {
    return fail(function, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX, "no such argument");
  }
  const struct spirv_argument *info = &kernel->info->arguments[index];
  struct argument *argument = &kernel->arguments[index];
  bool fits;
  if (info->kind == ARGUMENT_LOCAL) {
    // The size is how much local memory there is to be; a value makes no sense.
    fits = size > 0 && size <= kernel->module->device->local_memory_size && !value;
  } else if (info->size > 0) {
    bool any = info->kind == ARGUMENT_VALUE || info->kind == ARGUMENT_POINTER;
    fits = size == info->size || (any && size > 0 && lenient_sizes());
  } else {
    fits = size > 0 && size <= UNKNOWN_SIZE_ROOM;
  }
  if (!fits) return fail(function, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, "wrong size");
  if (info->kind == ARGUMENT_IMAGE || info->kind == ARGUMENT_SAMPLER) {
    void *handle = NULL;
    if (value) memcpy(&handle, value, sizeof handle);
    if (!handle) return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, "no image or sampler");
  }
  argument->size = info->size > 0 && info->kind != ARGUMENT_LOCAL ? info->size : size;
  argument->set = true;
  if (info->kind == ARGUMENT_LOCAL) return ZE_RESULT_SUCCESS;
  // No value at all means null, or zero; and so does what a value that is too short lacks.
  memset(kernel->bytes + argument->offset, 0, argument->size);
  if (value) {
    size_t given = size < argument->size ? size : argument->size;
    memcpy(kernel->bytes + argument->offset, value, given);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetArgumentValue(
    ze_kernel_handle_t hKernel, uint32_t argIndex, size_t argSize, const void *pArgValue) {
  ENTER();
  NEED_HANDLE(hKernel);
  return kernel_set_argument(__func__, hKernel, argIndex, argSize, pArgValue);
}

ze_result_t kernel_set_group_size(
    const char *function, ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t size[3] = {x, y, z};
  const uint32_t *required = kernel->info->group_size;
  ze_device_handle_t device = kernel->module->device;
  uint64_t total = 1;
  for (int i = 0; i < 3; i++) {
    bool fits = size[i] > 0 && size[i] <= device->max_group[i] &&
        (required[0] == 0 || size[i] == required[i]);
    total *= fits ? size[i] : 0;
  }
  if (total == 0 || total > device->max_group_total) {
    return fail(function, ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, "no such group");
  }
  memcpy(kernel->group_size, size, sizeof size);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGroupSize(
    ze_kernel_handle_t hKernel, uint32_t groupSizeX, uint32_t groupSizeY, uint32_t groupSizeZ) {
  ENTER();
  NEED_HANDLE(hKernel);
  return kernel_set_group_size(__func__, hKernel, groupSizeX, groupSizeY, groupSizeZ);
}

// The largest divisor of a number that is no larger than another.
static uint32_t largest_divisor(uint32_t number, uint32_t most) {
  for (uint32_t divisor = number < most ? number : most; divisor > 1; divisor--) {
    if (number % divisor == 0) return divisor;
  }
  return 1;
}

ze_result_t zeKernelSuggestGroupSize(
    ze_kernel_handle_t hKernel, uint32_t globalSizeX, uint32_t globalSizeY, uint32_t globalSizeZ,
    uint32_t *groupSizeX, uint32_t *groupSizeY, uint32_t *groupSizeZ) {
  ENTER();
  NEED_HANDLE(hKernel);
  NEED_POINTER(groupSizeX);
  NEED_POINTER(groupSizeY);
  NEED_POINTER(groupSizeZ);
  NEED(globalSizeX > 0 && globalSizeY > 0 && globalSizeZ > 0, INVALID_GLOBAL_WIDTH_DIMENSION);
  const uint32_t *required = hKernel->info->group_size;
  if (required[0] > 0) {
    *groupSizeX = required[0];
    *groupSizeY = required[1];
    *groupSizeZ = required[2];
    return ZE_RESULT_SUCCESS;
  }
  // PoCL compiles a kernel anew for each group size and runs a group on one core: groups need
  // not be large, but there should be enough of them.
  uint32_t left = 256;
  *groupSizeX = largest_divisor(globalSizeX, left);
  left /= *groupSizeX;
  *groupSizeY = largest_divisor(globalSizeY, left);
  left /= *groupSizeY;
  *groupSizeZ = largest_divisor(globalSizeZ, left);
  return ZE_RESULT_SUCCESS;
}

// PoCL runs one group after another, so that groups which wait for each other never end.
ze_result_t zeKernelSuggestMaxCooperativeGroupCount(
    ze_kernel_handle_t hKernel, uint32_t *totalGroupCount) {
  ENTER();
  NEED_HANDLE(hKernel);
  NEED_POINTER(totalGroupCount);
  *totalGroupCount = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGlobalOffsetExp(
    ze_kernel_handle_t hKernel, uint32_t offsetX, uint32_t offsetY, uint32_t offsetZ) {
  ENTER();
  NEED_HANDLE(hKernel);
  hKernel->global_offset[0] = offsetX;
  hKernel->global_offset[1] = offsetY;
  hKernel->global_offset[2] = offsetZ;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetIndirectAccess(
    ze_kernel_handle_t hKernel, ze_kernel_indirect_access_flags_t flags) {
  ENTER();
  NEED_HANDLE(hKernel);
  NEED(flags <= 0x7, INVALID_ENUMERATION);
  hKernel->indirect_access = flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetIndirectAccess(
    ze_kernel_handle_t hKernel, ze_kernel_indirect_access_flags_t *pFlags) {
  ENTER();
  NEED_HANDLE(hKernel);
  NEED_POINTER(pFlags);
  *pFlags = hKernel->indirect_access;
  return ZE_RESULT_SUCCESS;
}

// A processor's caches are not divided by kernels: the hint is taken and changes nothing.
ze_result_t zeKernelSetCacheConfig(ze_kernel_handle_t hKernel, ze_cache_config_flags_t flags) {
  ENTER();
  NEED_HANDLE(hKernel);
  NEED(flags <= 0x3, INVALID_ENUMERATION);
  return ZE_RESULT_SUCCESS;
}

// Text through Level Zero's "how long, then what" pair of arguments.
static void give_text(const char *text, size_t *size, char *out) {
  size_t length = strlen(text) + 1;
  if (out && *size > 0) {
    size_t room = *size < length ? *size : length;
    memcpy(out, text, room);
    out[room - 1] = 0;
  }
  *size = length;
}

ze_result_t zeKernelGetSourceAttributes(
    ze_kernel_handle_t hKernel, uint32_t *pSize, char **pString) {
  ENTER();
  NEED_HANDLE(hKernel);
  NEED_POINTER(pSize);
  // From the SPIR-V: PoCL tells them of kernels in OpenCL C only.
  const char *attributes = hKernel->info->attributes;
  size_t size = *pSize;
  give_text(attributes ? attributes : "", &size, pString ? *pString : NULL);
  *pSize = (uint32_t)size;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetName(ze_kernel_handle_t hKernel, size_t *pSize, char *pName) {
  ENTER();
  NEED_HANDLE(hKernel);
  NEED_POINTER(pSize);
  give_text(hKernel->info->name, pSize, pName);
  return ZE_RESULT_SUCCESS;
}

static cl_ulong opencl_size(ze_kernel_handle_t kernel, cl_kernel_work_group_info what) {
  cl_ulong size = 0;
  cl_device_id device = kernel->module->device->opencl;
  clGetKernelWorkGroupInfo(kernel->opencl, device, what, sizeof size, &size, NULL);
  return size;
}

ze_result_t zeKernelGetProperties(
    ze_kernel_handle_t hKernel, ze_kernel_properties_t *pKernelProperties) {
  ENTER();
  NEED_HANDLE(hKernel);
  NEED_POINTER(pKernelProperties);
  ze_kernel_properties_t *out = pKernelProperties;
  const struct spirv_kernel *info = hKernel->info;
  ze_device_handle_t device = hKernel->module->device;
  out->numKernelArgs = info->argument_count;
  out->requiredGroupSizeX = info->group_size[0];
  out->requiredGroupSizeY = info->group_size[1];
  out->requiredGroupSizeZ = info->group_size[2];
  out->requiredNumSubGroups = 0;
  out->requiredSubgroupSize = info->subgroup_size;
  // A group is one subgroup, unless a kernel asks for another size.
  uint32_t largest = (uint32_t)device->max_group_total;
  out->maxSubgroupSize = info->subgroup_size ? info->subgroup_size : largest;
  out->maxNumSubgroups = largest / out->maxSubgroupSize;
  out->localMemSize = (uint32_t)hKernel->module->spirv.local_size;
  pthread_mutex_lock(&hKernel->mutex);
  out->privateMemSize = (uint32_t)opencl_size(hKernel, CL_KERNEL_PRIVATE_MEM_SIZE);
  pthread_mutex_unlock(&hKernel->mutex);
  out->spillMemSize = 0;
  memset(&out->uuid, 0, sizeof out->uuid);
  ze_kernel_preferred_group_size_properties_t *preferred = (void *)find_next(
      out->pNext, ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES);
  if (preferred) preferred->preferredMultiple = 8;
  ze_kernel_max_group_size_properties_ext_t *most = (void *)find_next(
      out->pNext, ZE_STRUCTURE_TYPE_KERNEL_MAX_GROUP_SIZE_EXT_PROPERTIES);
  if (most) most->maxGroupSize = largest;
  return ZE_RESULT_SUCCESS;
}
