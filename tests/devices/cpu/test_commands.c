// Command lists and queues, and the commands on memory.
#include "test.h"

static void test_copies(void) {
  ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  unsigned char *from = shared_memory(4096), *to = shared_memory(4096);
  for (int i = 0; i < 4096; i++) from[i] = (unsigned char)(i * 7);
  OK(zeCommandListAppendMemoryCopy(list, to, from, 4096, NULL, 0, NULL));
  CHECK(memcmp(to, from, 4096) == 0);
  uint32_t pattern = 0x01020304;
  OK(zeCommandListAppendMemoryFill(list, to, &pattern, 4, 4096, NULL, 0, NULL));
  bool same = true;
  for (int i = 0; i < 1024; i++) same &= ((uint32_t *)(void *)to)[i] == pattern;
  CHECK(same);
  unsigned char byte = 9;
  OK(zeCommandListAppendMemoryFill(list, to, &byte, 1, 4096, NULL, 0, NULL));
  CHECK(to[4095] == 9);
  ERROR(zeCommandListAppendMemoryFill(list, to, &pattern, 4, 4095, NULL, 0, NULL), INVALID_SIZE);

  // A box of 5 x 3 x 2 bytes out of slices of 8 rows of 16.
  ze_copy_region_t source = {2, 1, 1, 5, 3, 2}, destination = {0, 0, 0, 5, 3, 2};
  OK(zeCommandListAppendMemoryCopyRegion(
      list, to, &destination, 5, 15, from, &source, 16, 128, NULL, 0, NULL));
  same = true;
  for (int z = 0; z < 2; z++) {
    for (int y = 0; y < 3; y++) {
      for (int x = 0; x < 5; x++) {
        same &= to[x + 5 * y + 15 * z] == from[2 + x + 16 * (1 + y) + 128 * (1 + z)];
      }
    }
  }
  CHECK(same && to[30] == 9);
  ERROR(zeCommandListAppendMemoryCopyRegion(
            list, from, &destination, 16, 128, from, &source, 16, 128, NULL, 0, NULL),
        OVERLAPPING_REGIONS);
  destination.originX = 8;
  OK(zeCommandListAppendMemoryCopyRegion(
      list, from, &destination, 16, 128, from, &source, 16, 128, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopyFromContext(list, to, context, from, 16, NULL, 0, NULL));
  size_t size = 16;
  const void *range = to;
  OK(zeCommandListAppendMemoryRangesBarrier(list, 1, &size, &range, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryPrefetch(list, to, 16));
  OK(zeCommandListAppendMemAdvise(list, device, to, 16, ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
  OK(zeCommandListDestroy(list));
  OK(zeMemFree(context, from));
  OK(zeMemFree(context, to));
}

static void test_lists(ze_command_queue_mode_t mode) {
  ze_command_queue_handle_t queue = make_queue(mode);
  ze_command_list_handle_t lists[2] = {make_list(), make_list()};
  uint32_t *data = shared_memory(4096), three = 3, five = 5;
  OK(zeCommandListAppendMemoryFill(lists[0], data, &three, 4, 2048, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(lists[1], data + 512, data, 2048, NULL, 0, NULL));
  ERROR(zeCommandQueueExecuteCommandLists(queue, 2, lists, NULL), INVALID_ARGUMENT);
  OK(zeCommandListClose(lists[0]));
  OK(zeCommandListClose(lists[1]));
  ERROR(zeCommandListAppendBarrier(lists[0], NULL, 0, NULL), INVALID_ARGUMENT);
  OK(zeCommandQueueExecuteCommandLists(queue, 2, lists, NULL));
  if (mode != ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS) OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  CHECK(data[0] == 3 && data[511] == 3 && data[512] == 3 && data[1023] == 3);
  // Run again as it is, then emptied and filled with something else.
  memset(data, 0, 4096);
  OK(zeCommandQueueExecuteCommandLists(queue, 2, lists, NULL));
  OK(zeCommandQueueSynchronize(queue, 5000000000));
  CHECK(data[1023] == 3);
  OK(zeCommandListReset(lists[0]));
  OK(zeCommandListAppendMemoryFill(lists[0], data, &five, 4, 2048, NULL, 0, NULL));
  OK(zeCommandListClose(lists[0]));
  OK(zeCommandQueueExecuteCommandLists(queue, 2, lists, NULL));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  CHECK(data[0] == 5 && data[1023] == 5);
  ze_command_list_handle_t immediate = immediate_list(mode);
  OK(zeCommandListImmediateAppendCommandListsExp(immediate, 2, lists, NULL, 0, NULL));
  OK(zeCommandListHostSynchronize(immediate, UINT64_MAX));
  ERROR(zeCommandQueueExecuteCommandLists(queue, 1, &immediate, NULL),
        INVALID_COMMAND_LIST_TYPE);
  ERROR(zeCommandListHostSynchronize(lists[0], 0), INVALID_ARGUMENT);
  ze_bool_t is_immediate = 0;
  OK(zeCommandListIsImmediate(immediate, &is_immediate));
  CHECK(is_immediate);
  uint32_t ordinal = 7;
  OK(zeCommandQueueGetOrdinal(queue, &ordinal));
  CHECK(ordinal == 0);
  OK(zeCommandListDestroy(immediate));
  for (int i = 0; i < 2; i++) OK(zeCommandListDestroy(lists[i]));
  OK(zeCommandQueueDestroy(queue));
  OK(zeMemFree(context, data));
}

// The queue group that only copies takes everything but kernels.
static void test_copy_group(void) {
  ze_command_queue_desc_t queue_desc = {
    .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
    .ordinal = 1,
    .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS,
  };
  ze_command_list_desc_t list_desc = {
    .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .commandQueueGroupOrdinal = 1};
  ze_command_list_handle_t immediate = NULL, list = NULL;
  ze_command_queue_handle_t queue = NULL, other = make_queue(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  OK(zeCommandListCreateImmediate(context, device, &queue_desc, &immediate));
  OK(zeCommandListCreate(context, device, &list_desc, &list));
  OK(zeCommandQueueCreate(context, device, &queue_desc, &queue));
  ze_event_pool_handle_t pool = make_pool(1, 0);
  ze_event_handle_t event = make_event(pool, 0);
  int *data = shared_memory(64), seven = 7;
  memset(data, 0, 64);
  OK(zeCommandListAppendMemoryFill(immediate, data, &seven, 4, 32, event, 0, NULL));
  OK(zeEventQueryStatus(event));
  OK(zeCommandListAppendMemoryCopy(list, data + 8, data, 32, NULL, 1, &event));
  OK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  ze_module_handle_t module = load_module("basic.spv");
  ze_kernel_handle_t kernel = make_kernel(module, "fill");
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof seven, &seven));
  ze_group_count_t count = {1, 1, 1};
  ERROR(zeCommandListAppendLaunchKernel(list, kernel, &count, NULL, 0, NULL), INVALID_ARGUMENT);
  ERROR(zeCommandListAppendLaunchKernel(immediate, kernel, &count, NULL, 0, NULL),
        INVALID_ARGUMENT);
  OK(zeCommandListClose(list));
  ERROR(zeCommandQueueExecuteCommandLists(other, 1, &list, NULL), INVALID_COMMAND_LIST_TYPE);
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  CHECK(data[0] == 7 && data[15] == 7);
  uint32_t ordinal = 0;
  OK(zeCommandListGetOrdinal(list, &ordinal));
  CHECK(ordinal == 1);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
  OK(zeCommandListDestroy(immediate));
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
  OK(zeCommandQueueDestroy(other));
  OK(zeMemFree(context, data));
}

void test_commands(void) {
  test_copies();
  test_lists(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  test_lists(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  test_copy_group();
}
