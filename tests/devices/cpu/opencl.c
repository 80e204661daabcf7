// Finds PoCL among the OpenCL platforms of this machine.
#define _GNU_SOURCE
#include "cpu.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char POCL_PLATFORM[] = "Portable Computing Language";

static cl_platform_id find_platform(void) {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, NULL, &count) != CL_SUCCESS || count == 0) return NULL;
  cl_platform_id *platforms = calloc(count, sizeof *platforms);
  cl_platform_id found = NULL;
  if (platforms && clGetPlatformIDs(count, platforms, NULL) == CL_SUCCESS) {
    for (cl_uint i = 0; i < count && !found; i++) {
      char name[128] = "";
      clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
      if (strcmp(name, POCL_PLATFORM) == 0) found = platforms[i];
    }
  }
  free(platforms);
  return found;
}

static bool device_has(cl_device_id device, cl_device_info what, const char *word) {
  char text[8192] = "";
  clGetDeviceInfo(device, what, sizeof text - 1, text, NULL);
  return strstr(text, word) != NULL;
}

// PoCL says "cpu-haswell-Intel(R) Xeon(R)"; and a program may want a GPU to be there.
static ze_device_type_t device_type(void) {
  const char *type = getenv("ZE_CPU_DEVICE_TYPE");
  if (type && strcasecmp(type, "gpu") == 0) return ZE_DEVICE_TYPE_GPU;
  if (type && strcasecmp(type, "npu") == 0) return ZE_DEVICE_TYPE_VPU;
  return ZE_DEVICE_TYPE_CPU;
}

ze_result_t opencl_find(ze_driver_handle_t driver, ze_device_handle_t device) {
  cl_platform_id platform = find_platform();
  if (!platform) return FAIL(DEPENDENCY_UNAVAILABLE, "no OpenCL platform is PoCL's");
  cl_device_id id;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &id, NULL) != CL_SUCCESS) {
    return FAIL(DEPENDENCY_UNAVAILABLE, "PoCL has no CPU device");
  }
  if (!device_has(id, CL_DEVICE_IL_VERSION, "SPIR-V")) {
    return FAIL(DEPENDENCY_UNAVAILABLE, "this PoCL takes no SPIR-V; it has to be 5.0 or newer");
  }
  device->set_pointer =
      (clSetKernelArgMemPointerINTEL_fn)clGetExtensionFunctionAddressForPlatform(
          platform, "clSetKernelArgMemPointerINTEL");
  if (!device->set_pointer) {
    return FAIL(DEPENDENCY_UNAVAILABLE, "this PoCL has no unified shared memory");
  }
  cl_int status;
  cl_context context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
  if (status != CL_SUCCESS) return FAIL(DEPENDENCY_UNAVAILABLE, "PoCL makes no context");

  device->driver = driver;
  device->opencl = id;
  device->opencl_context = context;
  device->type = device_type();
  clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof device->name - 1, device->name, NULL);
  clGetDeviceInfo(
      id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t), &device->max_group_total, NULL);
  clGetDeviceInfo(
      id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof device->max_group, device->max_group, NULL);
  cl_ulong size = 0;
  clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof size, &size, NULL);
  device->memory_size = size;
  clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof size, &size, NULL);
  device->max_allocation = size;
  clGetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof size, &size, NULL);
  device->local_memory_size = size;
  cl_uint number = 0;
  clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof number, &number, NULL);
  device->compute_units = number;
  clGetDeviceInfo(id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof number, &number, NULL);
  device->clock_megahertz = number;
  pthread_mutex_init(&device->mutex, NULL);
  driver->platform = platform;
  driver->device = device;
  return ZE_RESULT_SUCCESS;
}
