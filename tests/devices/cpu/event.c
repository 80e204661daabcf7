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
  if (find_next(desc->pNext, ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC)) {
    return FAIL(UNSUPPORTED_FEATURE, "counter-based events");
  }
  ze_event_pool_handle_t pool = calloc(1, sizeof *pool);
  if (!pool) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  pool->context = hContext;
  pool->flags = desc->flags;
  pool->count = desc->count;
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
  event->signal_scope = desc->signal;
  event->wait_scope = desc->wait;
  signal_init(&event->signal, false);
  atomic_fetch_add(&hEventPool->references, 1);
  *phEvent = event;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventDestroy(ze_event_handle_t hEvent) {
  ENTER();
  NEED_HANDLE(hEvent);
  pool_release(hEvent->pool);
  signal_destroy(&hEvent->signal);
  free(hEvent);
  return ZE_RESULT_SUCCESS;
}

void event_set(ze_event_handle_t event, uint64_t start, uint64_t end) {
  pthread_mutex_lock(&event->signal.mutex);
  event->start = start;
  event->end = end;
  event->signal.set = true;
  pthread_cond_broadcast(&event->signal.changed);
  pthread_mutex_unlock(&event->signal.mutex);
}

ze_kernel_timestamp_result_t event_timestamps(ze_event_handle_t event) {
  pthread_mutex_lock(&event->signal.mutex);
  ze_kernel_timestamp_data_t data = {.kernelStart = event->start, .kernelEnd = event->end};
  pthread_mutex_unlock(&event->signal.mutex);
  return (ze_kernel_timestamp_result_t){.global = data, .context = data};
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
  uint64_t time = now();
  event_set(hEvent, time, time);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t hEvent, uint64_t timeout) {
  ENTER();
  NEED_HANDLE(hEvent);
  return signal_wait(&hEvent->signal, timeout) ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t zeEventQueryStatus(ze_event_handle_t hEvent) {
  ENTER();
  NEED_HANDLE(hEvent);
  return signal_wait(&hEvent->signal, 0) ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t zeEventHostReset(ze_event_handle_t hEvent) {
  ENTER();
  NEED_HANDLE(hEvent);
  signal_reset(&hEvent->signal);
  return ZE_RESULT_SUCCESS;
}

static bool has_timestamps(ze_event_handle_t event) {
  return event->pool->flags &
      (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP);
}

ze_result_t zeEventQueryKernelTimestamp(
    ze_event_handle_t hEvent, ze_kernel_timestamp_result_t *dstptr) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED_POINTER(dstptr);
  NEED(has_timestamps(hEvent), INVALID_SYNCHRONIZATION_OBJECT);
  if (!signal_wait(&hEvent->signal, 0)) return ZE_RESULT_NOT_READY;
  *dstptr = event_timestamps(hEvent);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventQueryTimestampsExp(
    ze_event_handle_t hEvent, ze_device_handle_t hDevice, uint32_t *pCount,
    ze_kernel_timestamp_result_t *pTimestamps) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED_HANDLE(hDevice);
  NEED_POINTER(pCount);
  NEED(has_timestamps(hEvent), INVALID_SYNCHRONIZATION_OBJECT);
  if (*pCount > 0 && pTimestamps) {
    if (!signal_wait(&hEvent->signal, 0)) return ZE_RESULT_NOT_READY;
    pTimestamps[0] = event_timestamps(hEvent);
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
  NEED(has_timestamps(hEvent), INVALID_SYNCHRONIZATION_OBJECT);
  if (*pCount > 0 && pResults) {
    if (!signal_wait(&hEvent->signal, 0)) return ZE_RESULT_NOT_READY;
    ze_kernel_timestamp_result_t result = event_timestamps(hEvent);
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
  // The events; the offsets, if there are any, come after them.
  ze_event_handle_t events[];
};

static ze_result_t run_nothing(struct command *command, struct executor *executor) {
  (void)command;
  (void)executor;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t run_reset(struct command *command, struct executor *executor) {
  (void)executor;
  ze_event_handle_t event;
  memcpy(&event, payload_of(command), sizeof event);
  signal_reset(&event->signal);
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
  struct command *command;
  ze_result_t result =
      command_new(__func__, hCommandList, run_reset, sizeof hEvent, NULL, 0, NULL, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  memcpy(payload_of(command), &hEvent, sizeof hEvent);
  return command_append(hCommandList, command);
}

static ze_result_t run_query(struct command *command, struct executor *executor) {
  (void)executor;
  struct timestamps_query *query = payload_of(command);
  const size_t *offsets = (const size_t *)(query->events + query->count);
  for (uint32_t i = 0; i < query->count; i++) {
    ze_kernel_timestamp_result_t result = event_timestamps(query->events[i]);
    memcpy(query->destination + offsets[i], &result, sizeof result);
  }
  return ZE_RESULT_SUCCESS;
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
  result = command_new(
      __func__, hCommandList, run_query,
      sizeof(struct timestamps_query) + numEvents * (sizeof *phEvents + sizeof *pOffsets),
      hSignalEvent, numWaitEvents, phWaitEvents, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct timestamps_query *query = payload_of(command);
  query->destination = dstptr;
  query->count = numEvents;
  memcpy(query->events, phEvents, numEvents * sizeof *phEvents);
  size_t *offsets = (size_t *)(query->events + numEvents);
  for (uint32_t i = 0; i < numEvents; i++) {
    offsets[i] = pOffsets ? pOffsets[i] : i * sizeof(ze_kernel_timestamp_result_t);
  }
  return command_append(hCommandList, command);
}
