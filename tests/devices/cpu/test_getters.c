// What objects say about themselves, and what newer loaders can do with lists and devices.
#define _GNU_SOURCE
#include "test.h"
#include <pthread.h>
#include <unistd.h>

static ze_command_queue_desc_t queue_desc = {
  .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
  .ordinal = 1,
  .index = 2,
  .flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
  .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
  .priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW,
};
static ze_command_list_desc_t list_desc = {
  .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
  .commandQueueGroupOrdinal = 1,
  .flags = ZE_COMMAND_LIST_FLAG_EXPLICIT_ONLY,
};
static ze_command_list_handle_t list, immediate;
static ze_command_queue_handle_t queue;

static void test_lists_and_queues(void) {
  ze_device_handle_t its_device = NULL;
  ze_context_handle_t its_context = NULL;
  uint32_t number = 7;
  ze_bool_t is_immediate = 1;
  OK(zeCommandListGetDeviceHandle(list, &its_device));
  CHECK(its_device == device);
  OK(zeCommandListGetContextHandle(immediate, &its_context));
  CHECK(its_context == context);
  OK(zeCommandListGetOrdinal(immediate, &number));
  CHECK(number == 1);
  OK(zeCommandListImmediateGetIndex(immediate, &number));
  CHECK(number == 2);
  OK(zeCommandListIsImmediate(list, &is_immediate));
  CHECK(!is_immediate);
  OK(zeCommandQueueGetOrdinal(queue, &number));
  CHECK(number == 1);
  OK(zeCommandQueueGetIndex(queue, &number));
  CHECK(number == 2);
  ERROR(zeCommandListImmediateGetIndex(list, &number), INVALID_ARGUMENT);
  ERROR(zeCommandListGetOrdinal(list, NULL), INVALID_NULL_POINTER);
  ERROR(zeCommandQueueGetIndex(queue, NULL), INVALID_NULL_POINTER);
}

static void test_event_getters(void) {
  ze_event_pool_handle_t pool = make_pool(1, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP), its_pool = NULL;
  ze_event_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
    .signal = ZE_EVENT_SCOPE_FLAG_DEVICE,
    .wait = ZE_EVENT_SCOPE_FLAG_HOST | ZE_EVENT_SCOPE_FLAG_DEVICE,
  };
  ze_event_handle_t event = NULL;
  OK(zeEventCreate(pool, &desc, &event));
  ze_context_handle_t its_context = NULL;
  ze_event_pool_flags_t flags = 0;
  ze_event_scope_flags_t scope = 0;
  OK(zeEventPoolGetContextHandle(pool, &its_context));
  CHECK(its_context == context);
  OK(zeEventPoolGetFlags(pool, &flags));
  CHECK(flags == (ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP));
  OK(zeEventGetEventPool(event, &its_pool));
  CHECK(its_pool == pool);
  OK(zeEventGetSignalScope(event, &scope));
  CHECK(scope == desc.signal);
  OK(zeEventGetWaitScope(event, &scope));
  CHECK(scope == desc.wait);
  ERROR(zeEventGetWaitScope(event, NULL), INVALID_NULL_POINTER);
  // Not signalled: how many timestamps there are is known, and memory stays as it is.
  uint32_t count = 0;
  ze_kernel_timestamp_result_t kernel = {.global.kernelStart = 5};
  ze_synchronized_timestamp_result_ext_t synchronized = {.global.kernelStart = 6};
  ze_event_query_kernel_timestamps_results_ext_properties_t results = {
    .stype = ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES,
    .pKernelTimestampsBuffer = &kernel,
    .pSynchronizedTimestampsBuffer = &synchronized,
  };
  OK(zeEventQueryKernelTimestampsExt(event, device, &count, NULL));
  CHECK(count == 1);
  EXPECT(zeEventQueryKernelTimestampsExt(event, device, &count, &results), ZE_RESULT_NOT_READY);
  CHECK(kernel.global.kernelStart == 5 && synchronized.global.kernelStart == 6);
  OK(zeEventHostSignal(event));
  count = 3;
  OK(zeEventQueryKernelTimestampsExt(event, device, &count, &results));
  CHECK(count == 1 && kernel.global.kernelStart > 6);
  CHECK(synchronized.global.kernelStart == kernel.global.kernelStart);
  ERROR(zeEventQueryKernelTimestampsExt(event, device, NULL, &results), INVALID_NULL_POINTER);
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
  pool = make_pool(1, 0);
  event = make_event(pool, 0);
  ERROR(zeEventQueryKernelTimestampsExt(event, device, &count, &results),
        INVALID_SYNCHRONIZATION_OBJECT);
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
}

// Lists in a list: before they run its waits are over, and its event comes after them.
static void test_lists_in_list(void) {
  ze_event_pool_handle_t pool = make_pool(2, 0);
  ze_event_handle_t gate = make_event(pool, 0), done = make_event(pool, 1);
  int *data = shared_memory(64), seven = 7;
  memset(data, 0, 64);
  OK(zeCommandListAppendMemoryFill(list, data, &seven, 4, 64, NULL, 0, NULL));
  ERROR(zeCommandListImmediateAppendCommandListsExp(immediate, 1, &list, NULL, 0, NULL),
        INVALID_ARGUMENT);
  OK(zeCommandListClose(list));
  OK(zeCommandListImmediateAppendCommandListsExp(immediate, 1, &list, done, 1, &gate));
  EXPECT(zeEventHostSynchronize(done, 10000000), ZE_RESULT_NOT_READY);
  CHECK(data[0] == 0);
  OK(zeEventHostSignal(gate));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK(data[15] == 7);
  OK(zeCommandListHostSynchronize(immediate, UINT64_MAX));
  ERROR(zeCommandListImmediateAppendCommandListsExp(immediate, 1, NULL, NULL, 0, NULL),
        INVALID_NULL_POINTER);
  ERROR(zeCommandListImmediateAppendCommandListsExp(immediate, 1, &immediate, NULL, 0, NULL),
        INVALID_ARGUMENT);
  ERROR(zeCommandListImmediateAppendCommandListsExp(list, 1, &list, NULL, 0, NULL),
        INVALID_ARGUMENT);
  OK(zeCommandListReset(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  OK(zeEventPoolDestroy(pool));
  OK(zeMemFree(context, data));
}

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 17)
static void test_newer_getters(void) {
  ze_command_list_flags_t list_flags = 0;
  ze_command_queue_flags_t queue_flags = 0;
  ze_command_queue_mode_t mode = 0;
  ze_command_queue_priority_t priority = 0;
  OK(zeCommandListGetFlags(list, &list_flags));
  CHECK(list_flags == ZE_COMMAND_LIST_FLAG_EXPLICIT_ONLY);
  OK(zeCommandListImmediateGetFlags(immediate, &queue_flags));
  CHECK(queue_flags == queue_desc.flags);
  OK(zeCommandListImmediateGetMode(immediate, &mode));
  CHECK(mode == queue_desc.mode);
  OK(zeCommandListImmediateGetPriority(immediate, &priority));
  CHECK(priority == queue_desc.priority);
  ERROR(zeCommandListImmediateGetMode(list, &mode), INVALID_ARGUMENT);
  queue_flags = 0;
  mode = 0;
  priority = 0;
  OK(zeCommandQueueGetFlags(queue, &queue_flags));
  CHECK(queue_flags == queue_desc.flags);
  OK(zeCommandQueueGetMode(queue, &mode));
  CHECK(mode == queue_desc.mode);
  OK(zeCommandQueueGetPriority(queue, &priority));
  CHECK(priority == queue_desc.priority);
  ze_event_pool_handle_t pool = make_pool(1, 0);
  ze_event_handle_t event = make_event(pool, 0);
  ze_event_counter_based_flags_t counter_flags = 9;
  OK(zeEventGetCounterBasedFlags(event, &counter_flags));
  CHECK(counter_flags == 0);
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
}

static void test_default_context(void) {
  ze_context_handle_t own = zeDriverGetDefaultContext(driver);
  CHECK(own && own == zeDriverGetDefaultContext(driver));
  ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  OK(zeMemAllocHost(own, &desc, 64, 0, &memory));
  OK(zeContextGetStatus(own));
  ERROR(zeContextDestroy(own), INVALID_ARGUMENT);
  OK(zeMemFree(own, memory));
}

static void count_up(void *data) { ++*(int *)data; }

static void *signal_later(void *event) {
  usleep(30000);
  OK(zeEventHostSignal(event));
  return NULL;
}

static void test_device_synchronize(void) {
  ze_event_pool_handle_t pool = make_pool(2, 0);
  ze_event_handle_t gate = make_event(pool, 0), done = make_event(pool, 1);
  int calls = 0;
  OK(zeDeviceSynchronize(device));
  OK(zeCommandListAppendHostFunction(immediate, count_up, &calls, NULL, done, 1, &gate));
  OK(zeCommandListAppendHostFunction(immediate, count_up, &calls, NULL, NULL, 0, NULL));
  EXPECT(zeEventHostSynchronize(done, 5000000), ZE_RESULT_NOT_READY);
  CHECK(__atomic_load_n(&calls, __ATOMIC_RELAXED) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, signal_later, gate);
  double start = milliseconds();
  OK(zeDeviceSynchronize(device));
  CHECK(calls == 2 && milliseconds() - start > 20);
  pthread_join(thread, NULL);
  OK(zeEventQueryStatus(done));
  ERROR(zeCommandListAppendHostFunction(immediate, NULL, NULL, NULL, NULL, 0, NULL),
        INVALID_NULL_POINTER);
  ERROR(zeCommandListAppendHostFunction(immediate, count_up, NULL, &queue_desc, NULL, 0, NULL),
        UNSUPPORTED_FEATURE);
  ERROR(zeCommandListAppendHostFunction(immediate, count_up, NULL, NULL, NULL, 1, NULL),
        INVALID_SIZE);
  // In a list that is closed, each time it runs.
  OK(zeCommandListAppendHostFunction(list, count_up, &calls, NULL, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  for (int i = 0; i < 2; i++) OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  OK(zeDeviceSynchronize(device));
  CHECK(calls == 4);
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
  OK(zeEventPoolDestroy(pool));
}

// What is submitted meanwhile is not waited for.
struct later {
  ze_command_list_handle_t list;
  ze_event_handle_t gate;
};

static void *submit_later(void *argument) {
  struct later *later = argument;
  usleep(100000);
  OK(zeCommandListAppendBarrier(later->list, NULL, 1, &later->gate));
  usleep(500000);
  OK(zeEventHostSignal(later->gate));
  return NULL;
}

static void sleep_a_while(void *data) {
  (void)data;
  usleep(200000);
}

static void test_submissions_meanwhile(void) {
  ze_event_pool_handle_t pool = make_pool(1, 0);
  struct later later = {
    .list = immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS),
    .gate = make_event(pool, 0),
  };
  OK(zeCommandListAppendHostFunction(immediate, sleep_a_while, NULL, NULL, NULL, 0, NULL));
  pthread_t thread;
  pthread_create(&thread, NULL, submit_later, &later);
  OK(zeDeviceSynchronize(device));
  EXPECT(zeEventQueryStatus(later.gate), ZE_RESULT_NOT_READY);
  pthread_join(thread, NULL);
  OK(zeDeviceSynchronize(device));
  OK(zeCommandListDestroy(later.list));
  OK(zeEventDestroy(later.gate));
  OK(zeEventPoolDestroy(pool));
}

static void test_newer(void) {
  test_newer_getters();
  test_default_context();
  test_device_synchronize();
  test_submissions_meanwhile();
}
#else
static void test_newer(void) {}
#endif

void test_getters(void) {
  OK(zeCommandListCreate(context, device, &list_desc, &list));
  OK(zeCommandListCreateImmediate(context, device, &queue_desc, &immediate));
  OK(zeCommandQueueCreate(context, device, &queue_desc, &queue));
  test_lists_and_queues();
  test_event_getters();
  test_lists_in_list();
  test_newer();
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(immediate));
  OK(zeCommandQueueDestroy(queue));
}
