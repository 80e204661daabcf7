// Event pools and events.
#include "cpu.h"
#include <stdlib.h>
#include <string.h>

ze_result_t zeEventPoolCreate(
    ze_context_handle_t hContext, const ze_event_pool_desc_t *desc, uint32_t numDevices,
    ze_device_handle_t *phDevices, ze_event_pool_handle_t *phEventPool) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(desc);
  NEED_POINTER(phEventPool);
  NEED(desc->flags <= 0xf, INVALID_ENUMERATION);
  NEED(desc->count > 0, INVALID_SIZE);
  NEED(phDevices || numDevices == 0, INVALID_SIZE);
  // ZE_EVENT_POOL_FLAG_IPC is taken: zeDriverGetIpcProperties and zeEventPoolGetIpcHandle say that
  // the pool can't be shared, and programs that set the flag without sharing it go on.
  const ze_event_pool_counter_based_exp_desc_t *counter =
      find_next(desc->pNext, ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC);
  NEED(!counter || counter->flags <= 0x3, INVALID_ENUMERATION);
  ze_event_pool_handle_t pool = calloc(1, sizeof *pool);
  if (!pool) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  pool->context = hContext;
  pool->flags = desc->flags;
  pool->count = desc->count;
  // The flags have the same values as those of events that are made without a pool.
  if (counter) pool->counter = counter->flags ? counter->flags : COUNTER_IMMEDIATE;
  atomic_init(&pool->references, 1);
  context_retain(hContext);
  *phEventPool = pool;
  return ZE_RESULT_SUCCESS;
}

static void pool_release(ze_event_pool_handle_t pool) {
  if (atomic_fetch_sub(&pool->references, 1) != 1) return;
  context_release(pool->context);
  free(pool);
}

ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t hEventPool) {
  ENTER();
  NEED_HANDLE(hEventPool);
  if (strict_destruction() && atomic_load(&hEventPool->references) > 1) {
    return FAIL(HANDLE_OBJECT_IN_USE, "events of the pool still exist");
  }
  pool_release(hEventPool);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolGetContextHandle(
    ze_event_pool_handle_t hEventPool, ze_context_handle_t *phContext) {
  ENTER();
  NEED_HANDLE(hEventPool);
  NEED_POINTER(phContext);
  *phContext = hEventPool->context;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolGetFlags(
    ze_event_pool_handle_t hEventPool, ze_event_pool_flags_t *pFlags) {
  ENTER();
  NEED_HANDLE(hEventPool);
  NEED_POINTER(pFlags);
  *pFlags = hEventPool->flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventCreate(
    ze_event_pool_handle_t hEventPool, const ze_event_desc_t *desc, ze_event_handle_t *phEvent) {
  ENTER();
  NEED_HANDLE(hEventPool);
  NEED_POINTER(desc);
  NEED_POINTER(phEvent);
  NEED(desc->signal <= 0x7 && desc->wait <= 0x7, INVALID_ENUMERATION);
  NEED(desc->index < hEventPool->count, INVALID_ARGUMENT);
  ze_event_handle_t event = calloc(1, sizeof *event);
  if (!event) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  event->pool = hEventPool;
  event->context = hEventPool->context;
  event->signal_scope = desc->signal;
  event->wait_scope = desc->wait;
  event->counter = hEventPool->counter;
  event->timestamps = hEventPool->flags &
      (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP);
  if (!event->counter) event->point = point_new(0);
  if (!event->counter && !event->point) {
    free(event);
    return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  }
  pthread_mutex_init(&event->mutex, NULL);
  context_retain(event->context);
  atomic_fetch_add(&hEventPool->references, 1);
  *phEvent = event;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventDestroy(ze_event_handle_t hEvent) {
  ENTER();
  NEED_HANDLE(hEvent);
  if (hEvent->pool) pool_release(hEvent->pool);
  point_release(hEvent->point);
  pthread_mutex_destroy(&hEvent->mutex);
  context_release(hEvent->context);
  free(hEvent);
  return ZE_RESULT_SUCCESS;
}

ze_result_t wait_list_check(const char *function, uint32_t count, ze_event_handle_t *events) {
  if (count > 0 && !events) return fail(function, ZE_RESULT_ERROR_INVALID_SIZE, "no wait events");
  for (uint32_t i = 0; i < count; i++) {
    if (!events[i]) {
      return fail(function, ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "a wait event is null");
    }
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostSignal(ze_event_handle_t hEvent) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED(!hEvent->counter, INVALID_ARGUMENT);
  uint64_t time = now();
  point_reach(hEvent->point, time, time);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t hEvent, uint64_t timeout) {
  ENTER();
  NEED_HANDLE(hEvent);
  return event_wait(hEvent, timeout) ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t zeEventQueryStatus(ze_event_handle_t hEvent) {
  ENTER();
  NEED_HANDLE(hEvent);
  return event_wait(hEvent, 0) ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t zeEventHostReset(ze_event_handle_t hEvent) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED(!hEvent->counter, INVALID_ARGUMENT);
  point_reset(hEvent->point);
  return ZE_RESULT_SUCCESS;
}

static ze_kernel_timestamp_result_t timestamps_of(ze_event_handle_t event) {
  struct point *point = event_point(event);
  ze_kernel_timestamp_result_t none = {0};
  ze_kernel_timestamp_result_t result = point ? point_timestamps(point) : none;
  point_release(point);
  return result;
}

ze_result_t zeEventQueryKernelTimestamp(
    ze_event_handle_t hEvent, ze_kernel_timestamp_result_t *dstptr) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED_POINTER(dstptr);
  NEED(hEvent->timestamps, INVALID_SYNCHRONIZATION_OBJECT);
  if (!event_wait(hEvent, 0)) return ZE_RESULT_NOT_READY;
  *dstptr = timestamps_of(hEvent);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventQueryTimestampsExp(
    ze_event_handle_t hEvent, ze_device_handle_t hDevice, uint32_t *pCount,
    ze_kernel_timestamp_result_t *pTimestamps) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED_HANDLE(hDevice);
  NEED_POINTER(pCount);
  NEED(hEvent->timestamps, INVALID_SYNCHRONIZATION_OBJECT);
  if (*pCount > 0 && pTimestamps) {
    if (!event_wait(hEvent, 0)) return ZE_RESULT_NOT_READY;
    pTimestamps[0] = timestamps_of(hEvent);
  }
  *pCount = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventQueryKernelTimestampsExt(
    ze_event_handle_t hEvent, ze_device_handle_t hDevice, uint32_t *pCount,
    ze_event_query_kernel_timestamps_results_ext_properties_t *pResults) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED_HANDLE(hDevice);
  NEED_POINTER(pCount);
  NEED(hEvent->timestamps, INVALID_SYNCHRONIZATION_OBJECT);
  if (*pCount > 0 && pResults) {
    if (!event_wait(hEvent, 0)) return ZE_RESULT_NOT_READY;
    ze_kernel_timestamp_result_t result = timestamps_of(hEvent);
    if (pResults->pKernelTimestampsBuffer) pResults->pKernelTimestampsBuffer[0] = result;
    if (pResults->pSynchronizedTimestampsBuffer) {
      // The device's clock is the host's.
      ze_synchronized_timestamp_data_ext_t data = {
        result.global.kernelStart, result.global.kernelEnd};
      pResults->pSynchronizedTimestampsBuffer[0] =
          (ze_synchronized_timestamp_result_ext_t){.global = data, .context = data};
    }
  }
  *pCount = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventGetEventPool(ze_event_handle_t hEvent, ze_event_pool_handle_t *phEventPool) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED_POINTER(phEventPool);
  NEED(hEvent->pool, INVALID_ARGUMENT);
  *phEventPool = hEvent->pool;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventGetSignalScope(
    ze_event_handle_t hEvent, ze_event_scope_flags_t *pSignalScope) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED_POINTER(pSignalScope);
  *pSignalScope = hEvent->signal_scope;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventGetWaitScope(ze_event_handle_t hEvent, ze_event_scope_flags_t *pWaitScope) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED_POINTER(pWaitScope);
  *pWaitScope = hEvent->wait_scope;
  return ZE_RESULT_SUCCESS;
}

// Commands on events -----------------------------------------------------------------------

struct timestamps_query {
  unsigned char *destination;
  uint32_t count;
  struct {
    struct point *point;
    size_t offset;
  } items[];
};

static ze_result_t run_nothing(struct command *command, struct executor *executor) {
  (void)command;
  (void)executor;
  return ZE_RESULT_SUCCESS;
}

// Also without the event, a list can be run, and freed.
static void release_reset(struct command *command) {
  struct point *point;
  memcpy(&point, payload_of(command), sizeof point);
  point_release(point);
}

static ze_result_t run_reset(struct command *command, struct executor *executor) {
  (void)executor;
  struct point *point;
  memcpy(&point, payload_of(command), sizeof point);
  point_reset(point);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendSignalEvent(
    ze_command_list_handle_t hCommandList, ze_event_handle_t hEvent) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hEvent);
  struct command *command;
  ze_result_t result =
      command_new(__func__, hCommandList, run_nothing, 0, hEvent, 0, NULL, &command);
  return result == ZE_RESULT_SUCCESS ? command_append(hCommandList, command) : result;
}

ze_result_t zeCommandListAppendWaitOnEvents(
    ze_command_list_handle_t hCommandList, uint32_t numEvents, ze_event_handle_t *phEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_POINTER(phEvents);
  struct command *command;
  ze_result_t result = command_new(
      __func__, hCommandList, run_nothing, 0, NULL, numEvents, phEvents, &command);
  return result == ZE_RESULT_SUCCESS ? command_append(hCommandList, command) : result;
}

ze_result_t zeCommandListAppendEventReset(
    ze_command_list_handle_t hCommandList, ze_event_handle_t hEvent) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hEvent);
  NEED(!hEvent->counter, INVALID_ARGUMENT);
  struct command *command;
  struct point *point = hEvent->point;
  ze_result_t result =
      command_new(__func__, hCommandList, run_reset, sizeof point, NULL, 0, NULL, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  command->release = release_reset;
  atomic_fetch_add(&point->references, 1);
  memcpy(payload_of(command), &point, sizeof point);
  return command_append(hCommandList, command);
}

static ze_result_t run_query(struct command *command, struct executor *executor) {
  (void)executor;
  struct timestamps_query *query = payload_of(command);
  for (uint32_t i = 0; i < query->count; i++) {
    struct point *point = query->items[i].point;
    ze_kernel_timestamp_result_t result = {0};
    if (point) result = point_timestamps(point);
    memcpy(query->destination + query->items[i].offset, &result, sizeof result);
  }
  return ZE_RESULT_SUCCESS;
}

static void release_query(struct command *command) {
  struct timestamps_query *query = payload_of(command);
  for (uint32_t i = 0; i < query->count; i++) point_release(query->items[i].point);
}

ze_result_t zeCommandListAppendQueryKernelTimestamps(
    ze_command_list_handle_t hCommandList, uint32_t numEvents, ze_event_handle_t *phEvents,
    void *dstptr, const size_t *pOffsets, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_POINTER(phEvents);
  NEED_POINTER(dstptr);
  ze_result_t result = wait_list_check(__func__, numEvents, phEvents);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct command *command;
  const struct timestamps_query *layout = NULL;
  result = command_new(
      __func__, hCommandList, run_query, sizeof *layout + numEvents * sizeof layout->items[0],
      hSignalEvent, numWaitEvents, phWaitEvents, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  command->release = release_query;
  struct timestamps_query *query = payload_of(command);
  query->destination = dstptr;
  query->count = numEvents;
  for (uint32_t i = 0; i < numEvents; i++) {
    query->items[i].point = event_point(phEvents[i]);
    query->items[i].offset = pOffsets ? pOffsets[i] : i * sizeof(ze_kernel_timestamp_result_t);
  }
  return command_append(hCommandList, command);
}
