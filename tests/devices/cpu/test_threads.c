// Many threads at once, on what the specification lets them share.
#define _GNU_SOURCE
#include "test.h"
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 6, ROUNDS = 30 };

static ze_module_handle_t module;
static ze_event_handle_t start_event;

// Its own kernel and list; the module, the device and the allocator are everybody's.
static void *work(void *argument) {
  uint32_t number = (uint32_t)(uintptr_t)argument;
  OK(zeEventHostSynchronize(start_event, UINT64_MAX));
  ze_command_list_handle_t list = immediate_list(
      number % 2 ? ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS : ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  ze_kernel_handle_t kernel = make_kernel(module, "fill");
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint32_t *data = shared_memory(256 * 4), value = number * 1000 + round;
    OK(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
    OK(zeKernelSetArgumentValue(kernel, 1, sizeof value, &value));
    ze_group_count_t count = {256, 1, 1};
    OK(zeCommandListAppendLaunchKernel(list, kernel, &count, NULL, 0, NULL));
    // Some waits can run the work themselves, others can only wait.
    ze_result_t result;
    do {
      result = zeCommandListHostSynchronize(list, round % 2 ? UINT64_MAX : 1000000);
    } while (result == ZE_RESULT_NOT_READY);
    OK(result);
    bool right = true;
    for (int i = 0; i < 256; i++) right &= data[i] == value;
    CHECK(right);
    OK(zeMemFree(context, data));
  }
  OK(zeKernelDestroy(kernel));
  OK(zeCommandListDestroy(list));
  return NULL;
}

// One closed list on several queues at once, and one fence that two threads wait for.
struct shared_fence {
  ze_fence_handle_t fence;
  ze_command_queue_handle_t queue;
};
static void *wait_for_fence(void *argument) {
  struct shared_fence *shared = argument;
  OK(zeFenceHostSynchronize(shared->fence, UINT64_MAX));
  OK(zeCommandQueueSynchronize(shared->queue, UINT64_MAX));
  return NULL;
}

static void test_shared_list(void) {
  enum { QUEUES = 4, COUNT = 64 };
  uint32_t *data = shared_memory(COUNT * 4), value = 6;
  ze_kernel_handle_t kernel = make_kernel(module, "fill");
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof value, &value));
  ze_command_list_handle_t list = make_list();
  ze_group_count_t count = {COUNT, 1, 1};
  OK(zeCommandListAppendLaunchKernel(list, kernel, &count, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  struct shared_fence shared[QUEUES];
  pthread_t threads[QUEUES][2];
  for (int i = 0; i < QUEUES; i++) {
    shared[i].queue = make_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    OK(zeFenceCreate(shared[i].queue, &desc, &shared[i].fence));
    OK(zeCommandQueueExecuteCommandLists(shared[i].queue, 1, &list, shared[i].fence));
    for (int k = 0; k < 2; k++) pthread_create(&threads[i][k], NULL, wait_for_fence, &shared[i]);
  }
  for (int i = 0; i < QUEUES; i++) {
    for (int k = 0; k < 2; k++) pthread_join(threads[i][k], NULL);
    OK(zeFenceDestroy(shared[i].fence));
    OK(zeCommandQueueDestroy(shared[i].queue));
  }
  CHECK(data[0] == 6 && data[COUNT - 1] == 6);
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(kernel));
  OK(zeMemFree(context, data));
}

void test_threads(void) {
  module = load_module("basic.spv");
  ze_event_pool_handle_t pool = make_pool(1, 0);
  start_event = make_event(pool, 0);
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  OK(zeEventHostSignal(start_event));
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  test_shared_list();
  OK(zeEventDestroy(start_event));
  OK(zeEventPoolDestroy(pool));
  OK(zeModuleDestroy(module));
}
