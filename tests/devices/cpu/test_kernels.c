// Kernels: arguments of every kind, groups, and ways to launch.
#define _GNU_SOURCE
#include "test.h"

struct quad {
  int x;
  double y;
  char z;
  short w;
};

static ze_module_handle_t basic;
static ze_command_list_handle_t list;

static void set(ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value) {
  OK(zeKernelSetArgumentValue(kernel, index, size, value));
}

static void launch(ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  ze_group_count_t count = {x, y, z};
  OK(zeCommandListAppendLaunchKernel(list, kernel, &count, NULL, 0, NULL));
}

static void test_vector_add(void) {
  enum { COUNT = 10000 };
  ze_module_handle_t module = load_module("vector_add.spv");
  ze_kernel_handle_t kernel = make_kernel(module, "vector_add");
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  OK(zeKernelGetProperties(kernel, &properties));
  CHECK(properties.numKernelArgs == 3 && properties.requiredGroupSizeX == 0);
  char name[32];
  size_t length = sizeof name;
  OK(zeKernelGetName(kernel, &length, name));
  CHECK(strcmp(name, "vector_add") == 0 && length == 11);
  int *a = shared_memory(COUNT * 4), *b = shared_memory(COUNT * 4), *sum = shared_memory(COUNT * 4);
  for (int i = 0; i < COUNT; i++) {
    a[i] = i;
    b[i] = 3 * i;
  }
  set(kernel, 0, sizeof a, &a);
  set(kernel, 1, sizeof b, &b);
  set(kernel, 2, sizeof sum, &sum);
  uint32_t x, y, z;
  OK(zeKernelSuggestGroupSize(kernel, COUNT, 1, 1, &x, &y, &z));
  CHECK(COUNT % x == 0 && y == 1 && z == 1);
  OK(zeKernelSetGroupSize(kernel, x, y, z));
  launch(kernel, COUNT / x, 1, 1);
  bool right = true;
  for (int i = 0; i < COUNT; i++) right &= sum[i] == 4 * i;
  CHECK(right);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  OK(zeMemFree(context, a));
  OK(zeMemFree(context, b));
  OK(zeMemFree(context, sum));
}

static void test_values(void) {
  float *data = shared_memory(64 * 4), factor = 2.5f;
  for (int i = 0; i < 64; i++) data[i] = (float)i;
  unsigned char bias = 3;
  uint64_t offset = 1000;
  ze_kernel_handle_t kernel = make_kernel(basic, "scale");
  OK(zeKernelSetGroupSize(kernel, 16, 1, 1));
  set(kernel, 0, sizeof data, &data);
  set(kernel, 1, sizeof factor, &factor);
  set(kernel, 2, sizeof bias, &bias);
  set(kernel, 3, sizeof offset, &offset);
  launch(kernel, 4, 1, 1);
  CHECK(data[0] == 1003 && data[63] == 63 * 2.5f + 1003);
  ERROR(zeKernelSetArgumentValue(kernel, 4, 4, &factor), INVALID_KERNEL_ARGUMENT_INDEX);
  ERROR(zeKernelSetArgumentValue(kernel, 1, 8, &offset), INVALID_KERNEL_ARGUMENT_SIZE);
  ERROR(zeKernelSetArgumentValue(kernel, 2, 4, &factor), INVALID_KERNEL_ARGUMENT_SIZE);
  ERROR(zeKernelSetArgumentValue(kernel, 0, 4, &data), INVALID_KERNEL_ARGUMENT_SIZE);
  OK(zeKernelDestroy(kernel));

  double *out = (double *)data;
  out[0] = 100;
  struct quad quad = {1, 0.5, 7, -3};
  kernel = make_kernel(basic, "add_quad");
  set(kernel, 0, sizeof out, &out);
  set(kernel, 1, sizeof quad, &quad);
  ERROR(zeKernelSetArgumentValue(kernel, 1, 20, &quad), INVALID_KERNEL_ARGUMENT_SIZE);
  launch(kernel, 1, 1, 1);
  CHECK(out[0] == 105.5);
  OK(zeKernelDestroy(kernel));

  int *flags = (int *)data;
  kernel = make_kernel(basic, "is_null");
  set(kernel, 0, sizeof flags, &flags);
  set(kernel, 1, sizeof flags, NULL);
  launch(kernel, 1, 1, 1);
  CHECK(flags[0] == 1);
  set(kernel, 1, sizeof flags, &flags);
  launch(kernel, 1, 1, 1);
  CHECK(flags[0] == 0);
  OK(zeKernelDestroy(kernel));

  // A pointer into an allocation, and one that is only found in memory.
  uint32_t *middle = (uint32_t *)data + 32, value = 77;
  kernel = make_kernel(basic, "fill");
  set(kernel, 0, sizeof middle, &middle);
  set(kernel, 1, sizeof value, &value);
  launch(kernel, 32, 1, 1);
  CHECK(middle[0] == 77 && middle[31] == 77 && middle[-1] != 77);
  OK(zeKernelDestroy(kernel));
  kernel = make_kernel(basic, "follow");
  uint64_t *box = (uint64_t *)data;
  box[0] = (uint64_t)(uintptr_t)middle;
  value = 88;
  set(kernel, 0, sizeof box, &box);
  set(kernel, 1, sizeof value, &value);
  OK(zeKernelSetIndirectAccess(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED));
  launch(kernel, 1, 1, 1);
  CHECK(middle[0] == 88);
  OK(zeKernelDestroy(kernel));
  OK(zeMemFree(context, data));
}

// As Intel's driver takes them: what is too long is cut off, what is too short ends in zeros.
static void test_lenient_sizes(void) {
  float *data = shared_memory(4);
  data[0] = 2;
  struct {
    float factor;
    uint32_t more;
  } factor = {2.5f, UINT32_MAX};
  unsigned char bias = 3;
  uint32_t offset = 1000;
  uint64_t before = UINT64_MAX;
  ze_kernel_handle_t kernel = make_kernel(basic, "scale");
  set(kernel, 0, sizeof data, &data);
  set(kernel, 2, sizeof bias, &bias);
  set(kernel, 3, sizeof before, &before);
  setenv("ZE_CPU_LENIENT", "1", 1);
  set(kernel, 1, sizeof factor, &factor);
  set(kernel, 3, sizeof offset, &offset);
  ERROR(zeKernelSetArgumentValue(kernel, 3, 0, &offset), INVALID_KERNEL_ARGUMENT_SIZE);
  unsetenv("ZE_CPU_LENIENT");
  launch(kernel, 1, 1, 1);
  CHECK(data[0] == 1008);
  ERROR(zeKernelSetArgumentValue(kernel, 3, 4, &offset), INVALID_KERNEL_ARGUMENT_SIZE);
  OK(zeKernelDestroy(kernel));
  OK(zeMemFree(context, data));
}

static void test_groups(void) {
  int *in = shared_memory(256 * 4), *sums = shared_memory(64 * 4);
  for (int i = 0; i < 256; i++) in[i] = i;
  ze_kernel_handle_t kernel = make_kernel(basic, "group_sum");
  set(kernel, 0, sizeof in, &in);
  set(kernel, 1, sizeof sums, &sums);
  set(kernel, 2, 64 * sizeof(int), NULL);
  ERROR(zeKernelSetArgumentValue(kernel, 2, 64, in), INVALID_KERNEL_ARGUMENT_SIZE);
  OK(zeKernelSetGroupSize(kernel, 64, 1, 1));
  launch(kernel, 4, 1, 1);
  for (int i = 0; i < 4; i++) CHECK(sums[i] == 64 * (64 * i) + 64 * 63 / 2);
  ERROR(zeKernelSetGroupSize(kernel, 0, 1, 1), INVALID_GROUP_SIZE_DIMENSION);
  ERROR(zeKernelSetGroupSize(kernel, 1 << 20, 1, 1), INVALID_GROUP_SIZE_DIMENSION);
  OK(zeKernelDestroy(kernel));

  uint32_t *out = (uint32_t *)in;
  kernel = make_kernel(basic, "identify");
  set(kernel, 0, sizeof out, &out);
  OK(zeKernelSetGroupSize(kernel, 2, 2, 2));
  launch(kernel, 4, 2, 3);
  // The last work-item of 8 x 4 x 6 is in the last group.
  CHECK(out[0] == 0 && out[8 * 4 * 6 - 1] == 3 + 100 + 20000);
  OK(zeKernelSetGroupSize(kernel, 2, 1, 1));
  OK(zeKernelSetGlobalOffsetExp(kernel, 0, 0, 0));
  OK(zeKernelDestroy(kernel));

  kernel = make_kernel(basic, "fixed_group");
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  OK(zeKernelGetProperties(kernel, &properties));
  CHECK(properties.requiredGroupSizeX == 4 && properties.requiredGroupSizeY == 2);
  ERROR(zeKernelSetGroupSize(kernel, 8, 1, 1), INVALID_GROUP_SIZE_DIMENSION);
  set(kernel, 0, sizeof out, &out);
  launch(kernel, 2, 2, 1);
  CHECK(out[0] == 42 && out[31] == 42);
  OK(zeKernelDestroy(kernel));
  OK(zeMemFree(context, in));
  OK(zeMemFree(context, sums));
}

static void test_launches(void) {
  uint32_t *data = shared_memory(1024), value = 5;
  ze_group_count_t *counts = shared_memory(64);
  uint32_t *number = shared_memory(64);
  memset(data, 0, 1024);
  ze_kernel_handle_t kernel = make_kernel(basic, "fill");
  set(kernel, 0, sizeof data, &data);
  set(kernel, 1, sizeof value, &value);
  counts[0] = (ze_group_count_t){3, 1, 1};
  OK(zeCommandListAppendLaunchKernelIndirect(list, kernel, counts, NULL, 0, NULL));
  CHECK(data[2] == 5 && data[3] == 0);
  *number = 1;
  counts[0].groupCountX = 5;
  ze_kernel_handle_t kernels[] = {kernel, kernel};
  OK(zeCommandListAppendLaunchMultipleKernelsIndirect(
      list, 2, kernels, number, counts, NULL, 0, NULL));
  CHECK(data[4] == 5 && data[5] == 0);
  ze_group_count_t none = {0, 1, 1}, one = {1, 1, 1}, two = {2, 1, 1};
  OK(zeCommandListAppendLaunchKernel(list, kernel, &none, NULL, 0, NULL));
  OK(zeCommandListAppendLaunchCooperativeKernel(list, kernel, &one, NULL, 0, NULL));
  ERROR(zeCommandListAppendLaunchCooperativeKernel(list, kernel, &two, NULL, 0, NULL),
        UNSUPPORTED_FEATURE);

  // A launch keeps the arguments of the time it was appended, and the kernel as long as needed.
  ze_command_queue_handle_t queue = make_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t later = make_list();
  OK(zeCommandListAppendLaunchKernel(later, kernel, &two, NULL, 0, NULL));
  value = 9;
  set(kernel, 1, sizeof value, &value);
  uint32_t *other = data + 1;
  set(kernel, 0, sizeof other, &other);
  OK(zeCommandListAppendLaunchKernel(later, kernel, &one, NULL, 0, NULL));
  OK(zeCommandListClose(later));
  OK(zeKernelDestroy(kernel));
  memset(data, 0, 1024);
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &later, NULL));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  CHECK(data[0] == 5 && data[1] == 9 && data[2] == 0);
  OK(zeCommandListDestroy(later));
  OK(zeCommandQueueDestroy(queue));

  // A launch that lasts: the wait really waits.
  ze_event_pool_handle_t pool = make_pool(1, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_event_handle_t done = make_event(pool, 0);
  ze_command_list_handle_t slow = immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  kernel = make_kernel(basic, "spin");
  uint64_t rounds = 100000000;
  set(kernel, 0, sizeof data, &data);
  set(kernel, 1, sizeof rounds, &rounds);
  double start = milliseconds();
  OK(zeCommandListAppendLaunchKernel(slow, kernel, &one, done, 0, NULL));
  CHECK(milliseconds() - start < 50);
  EXPECT(zeEventHostSynchronize(done, 1000000), ZE_RESULT_NOT_READY);
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  ze_kernel_timestamp_result_t times;
  OK(zeEventQueryKernelTimestamp(done, &times));
  CHECK(times.global.kernelEnd - times.global.kernelStart > 20000000);
  printf("100 million rounds of spin: %.0f ms\n",
         (double)(times.global.kernelEnd - times.global.kernelStart) / 1e6);
  OK(zeKernelDestroy(kernel));
  OK(zeCommandListDestroy(slow));
  OK(zeEventDestroy(done));
  OK(zeEventPoolDestroy(pool));
  OK(zeMemFree(context, data));
  OK(zeMemFree(context, counts));
  OK(zeMemFree(context, number));
}

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 14)
static void test_with_arguments(void) {
  int *in = shared_memory(256), *sums = shared_memory(64);
  for (int i = 0; i < 64; i++) in[i] = 1;
  ze_kernel_handle_t kernel = make_kernel(basic, "group_sum");
  size_t local = 32 * sizeof(int);
  void *arguments[] = {&in, &sums, &local};
  ze_group_count_t count = {2, 1, 1};
  ze_group_size_t size = {32, 1, 1};
  OK(zeCommandListAppendLaunchKernelWithArguments(
      list, kernel, count, size, arguments, NULL, NULL, 0, NULL));
  CHECK(sums[0] == 32 && sums[1] == 32);
  // The kernel keeps what the launch set.
  sums[1] = 0;
  OK(zeCommandListAppendLaunchKernelWithParameters(list, kernel, &count, NULL, NULL, 0, NULL));
  CHECK(sums[1] == 32);
  size.groupSizeX = 0;
  ERROR(zeCommandListAppendLaunchKernelWithArguments(
            list, kernel, count, size, arguments, NULL, NULL, 0, NULL),
        INVALID_GROUP_SIZE_DIMENSION);
  size.groupSizeX = 16;
  local = 0;
  ERROR(zeCommandListAppendLaunchKernelWithArguments(
            list, kernel, count, size, arguments, NULL, NULL, 0, NULL),
        INVALID_ARGUMENT);
  arguments[2] = NULL;
  ERROR(zeCommandListAppendLaunchKernelWithArguments(
            list, kernel, count, size, arguments, NULL, NULL, 0, NULL),
        INVALID_ARGUMENT);
  ERROR(zeCommandListAppendLaunchKernelWithArguments(
            list, kernel, count, size, NULL, NULL, NULL, 0, NULL),
        INVALID_ARGUMENT);
  // Cooperation between groups is refused, and so is what is not known.
  arguments[2] = &local;
  local = 16 * sizeof(int);
  ze_command_list_append_launch_kernel_param_cooperative_desc_t cooperative = {
    .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_APPEND_PARAM_COOPERATIVE_DESC};
  OK(zeCommandListAppendLaunchKernelWithArguments(
      list, kernel, count, size, arguments, &cooperative, NULL, 0, NULL));
  CHECK(sums[0] == 16);
  cooperative.isCooperative = 1;
  ERROR(zeCommandListAppendLaunchKernelWithArguments(
            list, kernel, count, size, arguments, &cooperative, NULL, 0, NULL),
        UNSUPPORTED_FEATURE);
  ERROR(zeCommandListAppendLaunchKernelWithParameters(
            list, kernel, &count, &cooperative, NULL, 0, NULL),
        UNSUPPORTED_FEATURE);
  count.groupCountX = 1;
  OK(zeCommandListAppendLaunchKernelWithParameters(
      list, kernel, &count, &cooperative, NULL, 0, NULL));
  cooperative.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  ERROR(zeCommandListAppendLaunchKernelWithParameters(
            list, kernel, &count, &cooperative, NULL, 0, NULL),
        UNSUPPORTED_FEATURE);
  OK(zeKernelDestroy(kernel));
  OK(zeMemFree(context, in));
  OK(zeMemFree(context, sums));
}
#else
static void test_with_arguments(void) {}
#endif

void test_kernels(void) {
  basic = load_module("basic.spv");
  list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  test_vector_add();
  test_values();
  test_lenient_sizes();
  test_groups();
  test_launches();
  test_with_arguments();
  OK(zeCommandListDestroy(list));
  OK(zeModuleDestroy(basic));
}
