// What the driver costs: copies against memcpy, launches against themselves.
#define CL_TARGET_OPENCL_VERSION 300
#include "test.h"
#include <CL/cl.h>

static double best_copy(ze_command_queue_handle_t queue, void *to, const void *from, size_t size) {
  ze_command_list_handle_t list = make_list();
  OK(zeCommandListAppendMemoryCopy(list, to, from, size, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  double best = 1e9;
  for (int i = 0; i < 7; i++) {
    double start = milliseconds();
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
    double took = milliseconds() - start;
    if (took < best) best = took;
  }
  OK(zeCommandListDestroy(list));
  return best;
}

static void copies(void) {
  const size_t size = (size_t)256 << 20;
  char *from = shared_memory(size), *to = shared_memory(size);
  memset(from, 1, size);
  memset(to, 2, size);
  double plain = 1e9;
  for (int i = 0; i < 7; i++) {
    double start = milliseconds();
    memcpy(to, from, size);
    double took = milliseconds() - start;
    if (took < plain) plain = took;
  }
  ze_command_queue_handle_t queue = make_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  double list = best_copy(queue, to, from, size);
  printf("256 MB: memcpy %.1f ms, command list %.1f ms: %.2f of memcpy's speed\n", plain, list,
         plain / list);
  OK(zeCommandQueueDestroy(queue));
  OK(zeMemFree(context, from));
  OK(zeMemFree(context, to));
}

enum { BATCHES = 10, BATCH = 300 };

static void launches(ze_kernel_handle_t kernel, ze_command_queue_mode_t mode, uint64_t timeout) {
  ze_command_list_handle_t list = immediate_list(mode);
  ze_group_count_t one = {1, 1, 1};
  for (int i = 0; i < 100; i++) {
    OK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
  }
  OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  // The best of some batches, as the machine may be busy with something else.
  double best = 1e9;
  for (int batch = 0; batch < BATCHES; batch++) {
    double start = milliseconds();
    for (int i = 0; i < BATCH; i++) {
      OK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
      OK(zeCommandListHostSynchronize(list, timeout));
    }
    double took = (milliseconds() - start) * 1e3 / BATCH;
    if (took < best) best = took;
  }
  printf("empty kernel, launch and wait: %.1f us (%s list, %s)\n", best,
         mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS ? "synchronous" : "asynchronous",
         timeout == UINT64_MAX ? "no timeout" : "a timeout");
  OK(zeCommandListDestroy(list));
}

// The same through PoCL without this driver.
static void opencl_launches(void) {
  cl_platform_id platform;
  cl_device_id id;
  CHECK(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &id, NULL) == CL_SUCCESS);
  cl_context opencl = clCreateContext(NULL, 1, &id, NULL, NULL, NULL);
  size_t size;
  unsigned char *code = read_file("basic.spv", &size);
  cl_program program = clCreateProgramWithIL(opencl, code, size, NULL);
  CHECK(clBuildProgram(program, 1, &id, "", NULL, NULL) == CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program, "empty", NULL);
  cl_command_queue queue = clCreateCommandQueueWithProperties(opencl, id, NULL, NULL);
  size_t one[3] = {1, 1, 1};
  double best = 1e9;
  for (int batch = 0; batch < BATCHES; batch++) {
    double start = milliseconds();
    for (int i = 0; i < BATCH; i++) {
      clEnqueueNDRangeKernel(queue, kernel, 3, NULL, one, one, 0, NULL, NULL);
      clFinish(queue);
    }
    double took = (milliseconds() - start) * 1e3 / BATCH;
    if (took < best) best = took;
  }
  printf("empty kernel, launch and wait: %.1f us (PoCL directly)\n", best);
  clReleaseCommandQueue(queue);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseContext(opencl);
  free(code);
}

static void vector_add(void) {
  enum { COUNT = 1 << 20, GROUP = 256 };
  double start = milliseconds();
  ze_module_handle_t module = load_module("vector_add.spv");
  double built = milliseconds();
  ze_kernel_handle_t kernel = make_kernel(module, "vector_add");
  OK(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
  int *vectors[3];
  for (uint32_t i = 0; i < 3; i++) {
    vectors[i] = shared_memory(COUNT * sizeof(int));
    memset(vectors[i], (int)i + 1, COUNT * sizeof(int));
    OK(zeKernelSetArgumentValue(kernel, i, sizeof vectors[i], &vectors[i]));
  }
  ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ze_group_count_t count = {COUNT / GROUP, 1, 1};
  double first = milliseconds();
  OK(zeCommandListAppendLaunchKernel(list, kernel, &count, NULL, 0, NULL));
  double launched = milliseconds(), best = 1e9;
  for (int i = 0; i < 20; i++) {
    double again = milliseconds();
    OK(zeCommandListAppendLaunchKernel(list, kernel, &count, NULL, 0, NULL));
    double took = milliseconds() - again;
    if (took < best) best = took;
  }
  CHECK(vectors[2][COUNT - 1] == 0x03030303);
  printf("vector_add of %d: module %.0f ms, first launch %.1f ms, later ones %.2f ms\n", COUNT,
         built - start, launched - first, best);
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  for (int i = 0; i < 3; i++) OK(zeMemFree(context, vectors[i]));
}

void test_speed(void) {
  vector_add();
  copies();
  ze_module_handle_t module = load_module("basic.spv");
  ze_kernel_handle_t kernel = make_kernel(module, "empty");
  launches(kernel, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, UINT64_MAX);
  launches(kernel, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, UINT64_MAX);
  launches(kernel, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 1000000000);
  opencl_launches();
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
}
