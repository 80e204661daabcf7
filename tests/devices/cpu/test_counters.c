// Counter-based events: each append that signals one gives it a new thing to stand for.
#include "test.h"

static ze_event_pool_handle_t pool;

// Through a pool, which older loaders know too.
static ze_event_handle_t counter_event(uint32_t index) {
  if (!pool) {
    ze_event_pool_counter_based_exp_desc_t counter = {
      .stype = ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC,
      .flags = ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE |
          ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_NON_IMMEDIATE,
    };
    ze_event_pool_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .pNext = &counter,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
      .count = 4,
    };
    OK(zeEventPoolCreate(context, &desc, 0, NULL, &pool));
  }
  return make_event(pool, index);
}

static ze_command_list_handle_t immediate_in_order(void) {
  ze_command_queue_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
    .flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
    .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
  };
  ze_command_list_handle_t list = NULL;
  OK(zeCommandListCreateImmediate(context, device, &desc, &list));
  return list;
}

static ze_command_list_handle_t list_in_order(void) {
  ze_command_list_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .flags = ZE_COMMAND_LIST_FLAG_IN_ORDER};
  ze_command_list_handle_t list = NULL;
  OK(zeCommandListCreate(context, device, &desc, &list));
  return list;
}

static void test_immediate(void) {
  ze_event_pool_handle_t gates = make_pool(2, 0);
  ze_event_handle_t event = counter_event(0);
  ze_event_handle_t gate[2] = {make_event(gates, 0), make_event(gates, 1)};
  ze_command_list_handle_t first = immediate_in_order(), second = immediate_in_order();
  ze_command_list_handle_t third = immediate_in_order();
  // New, it counts as complete.
  OK(zeEventQueryStatus(event));
  OK(zeCommandListAppendBarrier(third, NULL, 1, &event));
  OK(zeCommandListHostSynchronize(third, UINT64_MAX));
  OK(zeCommandListAppendBarrier(first, event, 1, &gate[0]));
  EXPECT(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
  EXPECT(zeEventHostSynchronize(event, 5000000), ZE_RESULT_NOT_READY);
  // The third list waits for what the event stands for now, whatever it stands for later.
  OK(zeCommandListAppendBarrier(third, NULL, 1, &event));
  OK(zeCommandListAppendBarrier(second, event, 1, &gate[1]));
  OK(zeEventHostSignal(gate[1]));
  OK(zeEventHostSynchronize(event, UINT64_MAX));
  EXPECT(zeCommandListHostSynchronize(third, 5000000), ZE_RESULT_NOT_READY);
  OK(zeEventHostSignal(gate[0]));
  OK(zeCommandListHostSynchronize(third, UINT64_MAX));
  // Signalled again without a reset; waits for itself, and goes while it is still waited for.
  OK(zeEventHostReset(gate[0]));
  OK(zeCommandListAppendBarrier(first, event, 1, &gate[0]));
  EXPECT(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
  OK(zeCommandListAppendBarrier(first, event, 1, &event));
  OK(zeCommandListAppendBarrier(second, NULL, 1, &event));
  OK(zeEventDestroy(event));
  OK(zeEventHostSignal(gate[0]));
  OK(zeCommandListHostSynchronize(second, UINT64_MAX));
  OK(zeCommandListDestroy(first));
  OK(zeCommandListDestroy(second));
  OK(zeCommandListDestroy(third));
  for (int i = 0; i < 2; i++) OK(zeEventDestroy(gate[i]));
  OK(zeEventPoolDestroy(gates));
}

// What lists that are submitted stand for: the newest submission, or the first one to come.
static void test_submissions(void) {
  ze_event_pool_handle_t gates = make_pool(1, 0);
  ze_event_handle_t a = counter_event(0), b = counter_event(1), gate = make_event(gates, 0);
  ze_command_list_handle_t first = list_in_order(), second = list_in_order();
  ze_command_queue_handle_t queues[2];
  for (int i = 0; i < 2; i++) queues[i] = make_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  // Each waits for the other: first: gate, A, wait for B; second: wait for A, B.
  OK(zeCommandListAppendBarrier(first, a, 1, &gate));
  OK(zeCommandListAppendBarrier(second, NULL, 1, &a));
  OK(zeCommandListAppendSignalEvent(second, b));
  OK(zeCommandListAppendBarrier(first, NULL, 1, &b));
  OK(zeCommandListClose(first));
  OK(zeCommandListClose(second));
  EXPECT(zeEventQueryStatus(a), ZE_RESULT_NOT_READY);
  for (int i = 0; i < 2; i++) {
    OK(zeEventHostReset(gate));
    OK(zeCommandQueueExecuteCommandLists(queues[0], 1, &first, NULL));
    OK(zeCommandQueueExecuteCommandLists(queues[1], 1, &second, NULL));
    // The submission alone makes them not ready.
    EXPECT(zeEventQueryStatus(a), ZE_RESULT_NOT_READY);
    EXPECT(zeEventHostSynchronize(b, 2000000), ZE_RESULT_NOT_READY);
    OK(zeEventHostSignal(gate));
    OK(zeEventHostSynchronize(b, UINT64_MAX));
    OK(zeCommandQueueSynchronize(queues[0], UINT64_MAX));
    OK(zeCommandQueueSynchronize(queues[1], UINT64_MAX));
    OK(zeEventQueryStatus(a));
  }
  // Submitted again before it has run.
  for (int i = 0; i < 3; i++) {
    OK(zeCommandQueueExecuteCommandLists(queues[0], 1, &first, NULL));
    OK(zeCommandQueueExecuteCommandLists(queues[1], 1, &second, NULL));
  }
  OK(zeCommandQueueSynchronize(queues[1], UINT64_MAX));
  OK(zeCommandQueueSynchronize(queues[0], UINT64_MAX));
  OK(zeEventQueryStatus(a));
  OK(zeEventQueryStatus(b));
  ze_command_list_handle_t immediate = immediate_in_order(), both[2] = {first, second};
  OK(zeCommandListReset(second));
  OK(zeCommandListAppendSignalEvent(second, b));
  OK(zeCommandListClose(second));
  OK(zeCommandListImmediateAppendCommandListsExp(immediate, 2, both, NULL, 0, NULL));
  OK(zeCommandListHostSynchronize(immediate, UINT64_MAX));
  OK(zeEventQueryStatus(b));
  OK(zeCommandListDestroy(immediate));
  for (int i = 0; i < 2; i++) OK(zeCommandListDestroy(both[i]));
  for (int i = 0; i < 2; i++) OK(zeCommandQueueDestroy(queues[i]));
  OK(zeEventDestroy(a));
  OK(zeEventDestroy(b));
  OK(zeEventDestroy(gate));
  OK(zeEventPoolDestroy(gates));
}

static void test_counter_misuse(void) {
  ze_event_handle_t event = counter_event(0);
  ze_command_list_handle_t list = make_list();
  ERROR(zeEventHostSignal(event), INVALID_ARGUMENT);
  ERROR(zeEventHostReset(event), INVALID_ARGUMENT);
  ERROR(zeCommandListAppendEventReset(list, event), INVALID_ARGUMENT);
  // Only a list that runs in order signals it; any may wait.
  ERROR(zeCommandListAppendBarrier(list, event, 0, NULL), INVALID_ARGUMENT);
  ERROR(zeCommandListAppendSignalEvent(list, event), INVALID_ARGUMENT);
  OK(zeCommandListAppendWaitOnEvents(list, 1, &event));
  OK(zeCommandListDestroy(list));
  list = immediate_in_order();
  uint64_t *time = shared_memory(64);
  ze_kernel_timestamp_result_t result;
  OK(zeCommandListAppendWriteGlobalTimestamp(list, time, event, 0, NULL));
  OK(zeEventHostSynchronize(event, UINT64_MAX));
  OK(zeEventQueryKernelTimestamp(event, &result));
  CHECK(result.global.kernelStart <= *time && *time <= result.global.kernelEnd);
  OK(zeMemFree(context, time));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(event));
}

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 17)
static void test_without_pool(void) {
  ze_event_counter_based_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC,
    .flags = ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE |
        ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP,
  };
  ze_event_handle_t event = NULL;
  OK(zeEventCounterBasedCreate(context, device, &desc, &event));
  ze_event_counter_based_flags_t flags = 0;
  OK(zeEventGetCounterBasedFlags(event, &flags));
  CHECK(flags == desc.flags);
  ze_event_pool_handle_t none = NULL;
  ERROR(zeEventGetEventPool(event, &none), INVALID_ARGUMENT);
  // Without more flags, it is for immediate lists.
  ze_command_list_handle_t list = list_in_order(), immediate = immediate_in_order();
  ERROR(zeCommandListAppendSignalEvent(list, event), INVALID_ARGUMENT);
  OK(zeCommandListAppendSignalEvent(immediate, event));
  OK(zeEventHostSynchronize(event, UINT64_MAX));
  ze_kernel_timestamp_result_t result;
  OK(zeEventQueryKernelTimestamp(event, &result));
  CHECK(result.global.kernelStart <= result.global.kernelEnd);
  ze_ipc_event_counter_based_handle_t shared;
  ERROR(zeEventCounterBasedGetIpcHandle(event, &shared), UNSUPPORTED_FEATURE);
  uint64_t value = 0, address = 0;
  ERROR(zeEventCounterBasedGetDeviceAddress(event, &value, &address), UNSUPPORTED_FEATURE);
  OK(zeDeviceGetCounterBasedEventMaxValue(device, &value));
  CHECK(value > 0);
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(immediate));
  OK(zeEventDestroy(event));
  desc.flags |= ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP;
  ERROR(zeEventCounterBasedCreate(context, device, &desc, &event), INVALID_ARGUMENT);
  desc.flags = 0x80;
  ERROR(zeEventCounterBasedCreate(context, device, &desc, &event), INVALID_ENUMERATION);
  ze_event_counter_based_external_sync_allocation_desc_t outside = {
    .stype = ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_SYNC_ALLOCATION_DESC};
  desc.flags = 0;
  desc.pNext = &outside;
  ERROR(zeEventCounterBasedCreate(context, device, &desc, &event), UNSUPPORTED_FEATURE);
}
#else
static void test_without_pool(void) {}
#endif

void test_counters(void) {
  test_immediate();
  test_submissions();
  test_counter_misuse();
  test_without_pool();
  OK(zeEventPoolDestroy(pool));
  pool = NULL;
}
