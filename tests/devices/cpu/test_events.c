// Events and fences: waits that last, and end.
#define _GNU_SOURCE
#include "test.h"
#include <pthread.h>
#include <unistd.h>

static void *signal_later(void *event) {
  usleep(50000);
  OK(zeEventHostSignal(event));
  return NULL;
}

static void test_host(ze_event_pool_handle_t pool) {
  ze_event_handle_t event = make_event(pool, 0);
  EXPECT(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
  double start = milliseconds();
  EXPECT(zeEventHostSynchronize(event, 30000000), ZE_RESULT_NOT_READY);
  CHECK(milliseconds() - start >= 30);
  EXPECT(zeEventHostSynchronize(event, 0), ZE_RESULT_NOT_READY);
  pthread_t thread;
  pthread_create(&thread, NULL, signal_later, event);
  start = milliseconds();
  OK(zeEventHostSynchronize(event, UINT64_MAX));
  CHECK(milliseconds() - start >= 40);
  pthread_join(thread, NULL);
  OK(zeEventQueryStatus(event));
  OK(zeEventHostReset(event));
  EXPECT(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
  ze_event_pool_handle_t owner;
  OK(zeEventGetEventPool(event, &owner));
  CHECK(owner == pool);
  ERROR(zeEventPoolDestroy(pool), HANDLE_OBJECT_IN_USE);
  OK(zeEventDestroy(event));
}

static void test_in_lists(ze_event_pool_handle_t pool) {
  ze_event_handle_t gate = make_event(pool, 0), done = make_event(pool, 1);
  ze_command_list_handle_t first = immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t second = immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  // The second list waits for the first, which waits for the host.
  OK(zeCommandListAppendWaitOnEvents(second, 1, &done));
  OK(zeCommandListAppendBarrier(first, done, 1, &gate));
  EXPECT(zeCommandListHostSynchronize(first, 10000000), ZE_RESULT_NOT_READY);
  EXPECT(zeCommandListHostSynchronize(second, 0), ZE_RESULT_NOT_READY);
  OK(zeEventHostSignal(gate));
  OK(zeCommandListHostSynchronize(second, UINT64_MAX));
  OK(zeEventQueryStatus(done));
  OK(zeCommandListAppendEventReset(first, gate));
  OK(zeCommandListAppendSignalEvent(first, done));
  OK(zeCommandListHostSynchronize(first, 1000000000));
  EXPECT(zeEventQueryStatus(gate), ZE_RESULT_NOT_READY);
  // Destroyed while it waits for what never comes: ends all the same.
  OK(zeCommandListAppendWaitOnEvents(first, 1, &gate));
  OK(zeCommandListDestroy(first));
  OK(zeCommandListDestroy(second));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
}

static void test_timestamps(void) {
  ze_event_pool_handle_t pool = make_pool(2, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
  ze_event_handle_t event = make_event(pool, 0);
  uint64_t *written = shared_memory(64);
  ze_kernel_timestamp_result_t *results = shared_memory(4 * sizeof *results), result;
  EXPECT(zeEventQueryKernelTimestamp(event, &result), ZE_RESULT_NOT_READY);
  ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  OK(zeCommandListAppendWriteGlobalTimestamp(list, written, event, 0, NULL));
  OK(zeEventQueryKernelTimestamp(event, &result));
  CHECK(result.global.kernelStart <= written[0] && written[0] <= result.global.kernelEnd);
  size_t offset = sizeof *results;
  OK(zeCommandListAppendQueryKernelTimestamps(
      list, 1, &event, results, &offset, NULL, 0, NULL));
  CHECK(memcmp(&results[1], &result, sizeof result) == 0);
  uint32_t count = 1;
  OK(zeEventQueryTimestampsExp(event, device, &count, &result));
  ze_synchronized_timestamp_result_ext_t synchronized;
  ze_event_query_kernel_timestamps_results_ext_properties_t both = {
    .stype = ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES,
    .pKernelTimestampsBuffer = &result,
    .pSynchronizedTimestampsBuffer = &synchronized,
  };
  OK(zeEventQueryKernelTimestampsExt(event, device, &count, &both));
  CHECK(synchronized.global.kernelEnd == result.global.kernelEnd);
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
  OK(zeMemFree(context, written));
  OK(zeMemFree(context, results));
}

static void test_fences(ze_event_pool_handle_t pool) {
  ze_event_handle_t gate = make_event(pool, 0);
  ze_command_queue_handle_t queue = make_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_command_list_handle_t list = make_list();
  OK(zeCommandListAppendBarrier(list, NULL, 1, &gate));
  OK(zeCommandListClose(list));
  ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  ze_fence_handle_t fence = NULL;
  OK(zeFenceCreate(queue, &desc, &fence));
  EXPECT(zeFenceQueryStatus(fence), ZE_RESULT_NOT_READY);
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
  EXPECT(zeFenceHostSynchronize(fence, 20000000), ZE_RESULT_NOT_READY);
  EXPECT(zeCommandQueueSynchronize(queue, 20000000), ZE_RESULT_NOT_READY);
  OK(zeEventHostSignal(gate));
  OK(zeFenceHostSynchronize(fence, UINT64_MAX));
  OK(zeFenceQueryStatus(fence));
  OK(zeFenceReset(fence));
  EXPECT(zeFenceQueryStatus(fence), ZE_RESULT_NOT_READY);
  OK(zeCommandQueueSynchronize(queue, 0));
  OK(zeFenceDestroy(fence));
  desc.flags = ZE_FENCE_FLAG_SIGNALED;
  OK(zeFenceCreate(queue, &desc, &fence));
  OK(zeFenceQueryStatus(fence));
  OK(zeFenceDestroy(fence));
  OK(zeCommandListDestroy(list));
  OK(zeCommandQueueDestroy(queue));
  OK(zeEventDestroy(gate));
}

void test_events(void) {
  ze_event_pool_handle_t pool = make_pool(2, 0);
  test_host(pool);
  test_in_lists(pool);
  test_timestamps();
  test_fences(pool);
  OK(zeEventPoolDestroy(pool));
}
