// Counter-based events: what they stand for changes with each append that signals them.
#include "cpu.h"
#include <stdlib.h>
#include <string.h>

struct point *event_point(ze_event_handle_t event) {
  if (event->counter) pthread_mutex_lock(&event->mutex);
  struct point *point = event->point;
  if (point) atomic_fetch_add(&point->references, 1);
  if (event->counter) pthread_mutex_unlock(&event->mutex);
  return point;
}

ze_result_t event_signalled_by(
    const char *function, ze_event_handle_t event, ze_command_list_handle_t list,
    struct point **point) {
  if (event->counter) {
    if (!(list->flags & ZE_COMMAND_LIST_FLAG_IN_ORDER)) {
      return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT,
                  "a counter-based event is signalled by lists in order only");
    }
    if (!(event->counter & (list->executor ? COUNTER_IMMEDIATE : COUNTER_NON_IMMEDIATE))) {
      return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT,
                  "the counter-based event is not for this kind of list");
    }
    struct point *made = point_new(list->id);
    if (!made) return fail(function, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "calloc");
    pthread_mutex_lock(&event->mutex);
    struct point *before = event->point;
    event->point = made;
    pthread_mutex_unlock(&event->mutex);
    point_release(before);
  }
  *point = event_point(event);
  return ZE_RESULT_SUCCESS;
}

bool event_wait(ze_event_handle_t event, uint64_t timeout) {
  // Nobody may destroy an ordinary event meanwhile, but anybody may signal a counter-based one.
  if (!event->counter) return point_wait(event->point, 1, timeout);
  struct point *point = event_point(event);
  // Until an append signals it, it counts as complete.
  if (!point) return true;
  bool reached = point_wait(point, point_target(point), timeout);
  point_release(point);
  return reached;
}

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 15)
ze_result_t zeEventCounterBasedCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice,
    const ze_event_counter_based_desc_t *desc, ze_event_handle_t *phEvent) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(desc);
  NEED_POINTER(phEvent);
  NEED(desc->flags <= 0x7f, INVALID_ENUMERATION);
  NEED(desc->signal <= 0x7 && desc->wait <= 0x7, INVALID_ENUMERATION);
  const ze_event_counter_based_flags_t both = ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP |
      ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP;
  NEED((desc->flags & both) != both, INVALID_ARGUMENT);
  // ZE_EVENT_COUNTER_BASED_FLAG_IPC is taken, as with pools: who wants the handle hears of it.
  if (find_next(
          desc->pNext, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_SYNC_ALLOCATION_DESC) ||
      find_next(
          desc->pNext, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_AGGREGATE_STORAGE_DESC)) {
    return FAIL(UNSUPPORTED_FEATURE, "counters in the application's memory");
  }
  ze_event_handle_t event = calloc(1, sizeof *event);
  if (!event) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  event->context = hContext;
  event->signal_scope = desc->signal;
  event->wait_scope = desc->wait;
  event->counter_flags = desc->flags;
  event->counter = desc->flags & (COUNTER_IMMEDIATE | COUNTER_NON_IMMEDIATE);
  if (!event->counter) event->counter = COUNTER_IMMEDIATE;
  event->timestamps = desc->flags & both;
  pthread_mutex_init(&event->mutex, NULL);
  context_retain(hContext);
  *phEvent = event;
  return ZE_RESULT_SUCCESS;
}
#endif

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 17)
ze_result_t zeEventGetCounterBasedFlags(
    ze_event_handle_t hEvent, ze_event_counter_based_flags_t *pFlags) {
  ENTER();
  NEED_HANDLE(hEvent);
  NEED_POINTER(pFlags);
  *pFlags = hEvent->counter_flags;
  return ZE_RESULT_SUCCESS;
}

// Of counters in the application's memory, which there are none of; these have 64 bits.
ze_result_t zeDeviceGetCounterBasedEventMaxValue(ze_device_handle_t hDevice, uint64_t *maxValue) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(maxValue);
  *maxValue = UINT64_MAX;
  return ZE_RESULT_SUCCESS;
}
#endif
