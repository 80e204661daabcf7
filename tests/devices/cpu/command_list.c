// Command lists, and the commands that belong to no other object. command.c has what all share.
#include "cpu.h"
#include <stdlib.h>
#include <string.h>

static uint64_t new_id(void) {
  static atomic_ullong last;
  return atomic_fetch_add(&last, 1) + 1;
}

static ze_command_list_handle_t list_new(ze_context_handle_t context, ze_device_handle_t device) {
  ze_command_list_handle_t list = calloc(1, sizeof *list);
  if (!list) return NULL;
  list->context = context;
  list->device = device;
  list->id = new_id();
  context_retain(context);
  return list;
}

ze_result_t zeCommandListCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, const ze_command_list_desc_t *desc,
    ze_command_list_handle_t *phCommandList) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(desc);
  NEED_POINTER(phCommandList);
  NEED(desc->flags <= 0x3f, INVALID_ENUMERATION);
  NEED(desc->commandQueueGroupOrdinal < GROUP_COUNT, INVALID_ARGUMENT);
  if (find_next(desc->pNext, ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC) ||
      desc->flags & ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE) {
    return FAIL(UNSUPPORTED_FEATURE, "mutable and cloneable command lists");
  }
  ze_command_list_handle_t list = list_new(hContext, hDevice);
  if (!list) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  list->flags = desc->flags;
  list->queue_desc.ordinal = desc->commandQueueGroupOrdinal;
  *phCommandList = list;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListCreateImmediate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice,
    const ze_command_queue_desc_t *altdesc, ze_command_list_handle_t *phCommandList) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(altdesc);
  NEED_POINTER(phCommandList);
  ze_result_t result = queue_desc_check(__func__, hDevice, altdesc);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct executor *executor;
  result = executor_create(hDevice, &executor);
  if (result != ZE_RESULT_SUCCESS) return result;
  ze_command_list_handle_t list = list_new(hContext, hDevice);
  if (!list) {
    executor_destroy(executor);
    return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  }
  list->executor = executor;
  list->queue_desc = *altdesc;
  list->queue_desc.pNext = NULL;
  if (altdesc->flags & ZE_COMMAND_QUEUE_FLAG_IN_ORDER) list->flags = ZE_COMMAND_LIST_FLAG_IN_ORDER;
  *phCommandList = list;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t hCommandList) {
  ENTER();
  NEED_HANDLE(hCommandList);
  if (hCommandList->executor) executor_destroy(hCommandList->executor);
  commands_free(hCommandList->first);
  context_release(hCommandList->context);
  free(hCommandList);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListClose(ze_command_list_handle_t hCommandList) {
  ENTER();
  NEED_HANDLE(hCommandList);
  // An immediate list has nothing to close; programs that treat both kinds alike call this.
  if (!hCommandList->executor) hCommandList->closed = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListReset(ze_command_list_handle_t hCommandList) {
  ENTER();
  NEED_HANDLE(hCommandList);
  commands_free(hCommandList->first);
  hCommandList->first = hCommandList->last = NULL;
  hCommandList->closed = hCommandList->counts = false;
  hCommandList->id = new_id();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListHostSynchronize(ze_command_list_handle_t hCommandList, uint64_t timeout) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED(hCommandList->executor, INVALID_ARGUMENT);
  return executor_synchronize(hCommandList->executor, timeout);
}

#define LIST_GETTER(name, type, value)                                                           \
  ze_result_t name(ze_command_list_handle_t hCommandList, type *result) {                        \
    ENTER();                                                                                     \
    NEED_HANDLE(hCommandList);                                                                   \
    NEED_POINTER(result);                                                                        \
    *result = (value);                                                                           \
    return ZE_RESULT_SUCCESS;                                                                    \
  }
#define IMMEDIATE_GETTER(name, type, value)                                                      \
  ze_result_t name(ze_command_list_handle_t hCommandList, type *result) {                        \
    ENTER();                                                                                     \
    NEED_HANDLE(hCommandList);                                                                   \
    NEED_POINTER(result);                                                                        \
    NEED(hCommandList->executor, INVALID_ARGUMENT);                                              \
    *result = (value);                                                                           \
    return ZE_RESULT_SUCCESS;                                                                    \
  }
LIST_GETTER(zeCommandListGetDeviceHandle, ze_device_handle_t, hCommandList->device)
LIST_GETTER(zeCommandListGetContextHandle, ze_context_handle_t, hCommandList->context)
LIST_GETTER(zeCommandListGetOrdinal, uint32_t, hCommandList->queue_desc.ordinal)
LIST_GETTER(zeCommandListIsImmediate, ze_bool_t, hCommandList->executor != NULL)
IMMEDIATE_GETTER(zeCommandListImmediateGetIndex, uint32_t, hCommandList->queue_desc.index)
#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 17)
LIST_GETTER(zeCommandListGetFlags, ze_command_list_flags_t, hCommandList->flags)
IMMEDIATE_GETTER(
    zeCommandListImmediateGetFlags, ze_command_queue_flags_t, hCommandList->queue_desc.flags)
IMMEDIATE_GETTER(
    zeCommandListImmediateGetMode, ze_command_queue_mode_t, hCommandList->queue_desc.mode)
IMMEDIATE_GETTER(
    zeCommandListImmediateGetPriority, ze_command_queue_priority_t,
    hCommandList->queue_desc.priority)
#endif

// Barriers, timestamps, hints, host functions, other lists ---------------------------------

static ze_result_t run_nothing(struct command *command, struct executor *executor) {
  // A list runs in order: at a barrier, everything before it is done.
  (void)command;
  (void)executor;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t append_nothing(
    const char *function, ze_command_list_handle_t list, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  struct command *command;
  ze_result_t result =
      command_new(function, list, run_nothing, 0, signal, wait_count, waits, &command);
  return result == ZE_RESULT_SUCCESS ? command_append(list, command) : result;
}

ze_result_t zeCommandListAppendBarrier(
    ze_command_list_handle_t hCommandList, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  return append_nothing(__func__, hCommandList, hSignalEvent, numWaitEvents, phWaitEvents);
}

ze_result_t zeCommandListAppendMemoryRangesBarrier(
    ze_command_list_handle_t hCommandList, uint32_t numRanges, const size_t *pRangeSizes,
    const void **pRanges, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  (void)numRanges;
  NEED_HANDLE(hCommandList);
  NEED_POINTER(pRangeSizes);
  NEED_POINTER(pRanges);
  return append_nothing(__func__, hCommandList, hSignalEvent, numWaitEvents, phWaitEvents);
}

static ze_result_t run_timestamp(struct command *command, struct executor *executor) {
  (void)executor;
  void *destination;
  memcpy(&destination, payload_of(command), sizeof destination);
  uint64_t time = now();
  memcpy(destination, &time, sizeof time);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendWriteGlobalTimestamp(
    ze_command_list_handle_t hCommandList, uint64_t *dstptr, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_POINTER(dstptr);
  struct command *command;
  ze_result_t result = command_new(
      __func__, hCommandList, run_timestamp, sizeof dstptr, hSignalEvent, numWaitEvents,
      phWaitEvents, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  memcpy(payload_of(command), &dstptr, sizeof dstptr);
  return command_append(hCommandList, command);
}

// Hints: memory is where it is. They are commands, so that a closed list refuses them.
ze_result_t zeCommandListAppendMemoryPrefetch(
    ze_command_list_handle_t hCommandList, const void *ptr, size_t size) {
  ENTER();
  (void)size;
  NEED_HANDLE(hCommandList);
  NEED_POINTER(ptr);
  return append_nothing(__func__, hCommandList, NULL, 0, NULL);
}

ze_result_t zeCommandListAppendMemAdvise(
    ze_command_list_handle_t hCommandList, ze_device_handle_t hDevice, const void *ptr,
    size_t size, ze_memory_advice_t advice) {
  ENTER();
  (void)size;
  NEED_HANDLE(hCommandList);
  NEED_HANDLE(hDevice);
  NEED_POINTER(ptr);
  NEED(advice <= ZE_MEMORY_ADVICE_CLEAR_SYSTEM_MEMORY_PREFERRED_LOCATION, INVALID_ENUMERATION);
  return append_nothing(__func__, hCommandList, NULL, 0, NULL);
}

struct lists {
  uint32_t count;
  struct {
    ze_command_list_handle_t list;
    uint64_t *targets;
  } items[];
};

static ze_result_t run_lists(struct command *command, struct executor *executor) {
  struct lists *lists = payload_of(command);
  ze_result_t first_error = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < lists->count; i++) {
    ze_result_t result =
        commands_run(lists->items[i].list->first, lists->items[i].targets, executor);
    if (first_error == ZE_RESULT_SUCCESS) first_error = result;
  }
  return first_error;
}

static void release_lists(struct command *command) {
  struct lists *lists = payload_of(command);
  for (uint32_t i = 0; i < lists->count; i++) free(lists->items[i].targets);
}

static ze_result_t append_lists(
    const char *function, ze_command_list_handle_t list, uint32_t count,
    ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  if (!list->executor) {
    return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is not immediate");
  }
  for (uint32_t i = 0; i < count; i++) {
    if (!lists[i]) return fail(function, ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "a list is null");
    if (!lists[i]->closed) {
      return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, "a list is not closed");
    }
    if (lists[i]->queue_desc.ordinal != list->queue_desc.ordinal) {
      return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, "a list is of another queue group");
    }
  }
  struct command *command;
  const struct lists *layout = NULL;
  size_t size = sizeof *layout + count * sizeof layout->items[0];
  ze_result_t result =
      command_new(function, list, run_lists, size, signal, wait_count, waits, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  command->release = release_lists;
  struct lists *payload = payload_of(command);
  for (uint32_t i = 0; i < count; i++) {
    payload->items[i].list = lists[i];
    if (!list_submit(lists[i], &payload->items[i].targets)) {
      commands_free(command);
      return fail(function, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "malloc");
    }
    payload->count++;
  }
  return command_append(list, command);
}

ze_result_t zeCommandListImmediateAppendCommandListsExp(
    ze_command_list_handle_t hCommandListImmediate, uint32_t numCommandLists,
    ze_command_list_handle_t *phCommandLists, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandListImmediate);
  NEED_POINTER(phCommandLists);
  return append_lists(
      __func__, hCommandListImmediate, numCommandLists, phCommandLists, hSignalEvent,
      numWaitEvents, phWaitEvents);
}

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 16)
ze_result_t zeCommandListImmediateAppendCommandListsWithParameters(
    ze_command_list_handle_t hCommandListImmediate, uint32_t numCommandLists,
    ze_command_list_handle_t *phCommandLists, const void *pNext, ze_event_handle_t hSignalEvent,
    uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandListImmediate);
  NEED_POINTER(phCommandLists);
  NEED(!pNext, UNSUPPORTED_FEATURE);
  return append_lists(
      __func__, hCommandListImmediate, numCommandLists, phCommandLists, hSignalEvent,
      numWaitEvents, phWaitEvents);
}
#endif

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 17)
struct host_function {
  ze_host_function_callback_t function;
  void *data;
};

static ze_result_t run_host_function(struct command *command, struct executor *executor) {
  (void)executor;
  struct host_function *payload = payload_of(command);
  payload->function(payload->data);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendHostFunction(
    ze_command_list_handle_t hCommandList, ze_host_function_callback_t pfnHostFunction,
    void *pUserData, const void *pNext, ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
    ze_event_handle_t *phWaitEvents) {
  ENTER();
  NEED_HANDLE(hCommandList);
  NEED_POINTER(pfnHostFunction);
  NEED(!pNext, UNSUPPORTED_FEATURE);
  struct command *command;
  ze_result_t result = command_new(
      __func__, hCommandList, run_host_function, sizeof(struct host_function), hSignalEvent,
      numWaitEvents, phWaitEvents, &command);
  if (result != ZE_RESULT_SUCCESS) return result;
  *(struct host_function *)payload_of(command) =
      (struct host_function){.function = pfnHostFunction, .data = pUserData};
  return command_append(hCommandList, command);
}
#endif
