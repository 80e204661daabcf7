// Command queues.
#include "cpu.h"
#include <stdlib.h>

bool queue_is_synchronous(const ze_command_queue_desc_t *desc) {
  return desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
}

ze_result_t queue_desc_check(
    const char *function, ze_device_handle_t device, const ze_command_queue_desc_t *desc) {
  (void)device;
  if (desc->flags > 0x7 || desc->mode > ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS ||
      desc->priority > ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH) {
    return fail(function, ZE_RESULT_ERROR_INVALID_ENUMERATION, "flags, mode or priority");
  }
  if (desc->ordinal >= GROUP_COUNT || desc->index >= QUEUE_COUNT) {
    return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, "no such queue group or queue");
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, const ze_command_queue_desc_t *desc,
    ze_command_queue_handle_t *phCommandQueue) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(desc);
  NEED_POINTER(phCommandQueue);
  ze_result_t result = queue_desc_check(__func__, hDevice, desc);
  if (result != ZE_RESULT_SUCCESS) return result;
  ze_command_queue_handle_t queue = calloc(1, sizeof *queue);
  if (!queue) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  result = executor_create(hDevice, &queue->executor);
  if (result != ZE_RESULT_SUCCESS) {
    free(queue);
    return result;
  }
  queue->context = hContext;
  queue->device = hDevice;
  queue->desc = *desc;
  queue->desc.pNext = NULL;
  context_retain(hContext);
  *phCommandQueue = queue;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t hCommandQueue) {
  ENTER();
  NEED_HANDLE(hCommandQueue);
  executor_destroy(hCommandQueue->executor);
  context_release(hCommandQueue->context);
  free(hCommandQueue);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueExecuteCommandLists(
    ze_command_queue_handle_t hCommandQueue, uint32_t numCommandLists,
    ze_command_list_handle_t *phCommandLists, ze_fence_handle_t hFence) {
  ENTER();
  NEED_HANDLE(hCommandQueue);
  NEED_POINTER(phCommandLists);
  NEED(numCommandLists > 0, INVALID_SIZE);
  for (uint32_t i = 0; i < numCommandLists; i++) {
    ze_command_list_handle_t list = phCommandLists[i];
    NEED_HANDLE(list);
    NEED(!list->executor, INVALID_COMMAND_LIST_TYPE);
    NEED(list->queue_desc.ordinal == hCommandQueue->desc.ordinal, INVALID_COMMAND_LIST_TYPE);
    NEED(list->closed, INVALID_ARGUMENT);
  }
  NEED(!hFence || hFence->queue == hCommandQueue, INVALID_SYNCHRONIZATION_OBJECT);
  struct work *first = NULL, **end = &first;
  for (uint32_t i = 0; i < numCommandLists; i++) {
    struct work *work = calloc(1, sizeof *work);
    if (!work || !list_submit(phCommandLists[i], &work->targets)) {
      free(work);
      work_free_all(first);
      return FAIL(OUT_OF_HOST_MEMORY, "calloc");
    }
    work->list = phCommandLists[i];
    work->fence = i + 1 == numCommandLists ? hFence : NULL;
    *end = work;
    end = &work->next;
  }
  return executor_submit(
      hCommandQueue->executor, first, queue_is_synchronous(&hCommandQueue->desc));
}

ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t hCommandQueue, uint64_t timeout) {
  ENTER();
  NEED_HANDLE(hCommandQueue);
  return executor_synchronize(hCommandQueue->executor, timeout);
}

#define QUEUE_GETTER(name, type, value)                                                          \
  ze_result_t name(ze_command_queue_handle_t hCommandQueue, type *result) {                      \
    ENTER();                                                                                     \
    NEED_HANDLE(hCommandQueue);                                                                  \
    NEED_POINTER(result);                                                                        \
    *result = (value);                                                                           \
    return ZE_RESULT_SUCCESS;                                                                    \
  }
QUEUE_GETTER(zeCommandQueueGetOrdinal, uint32_t, hCommandQueue->desc.ordinal)
QUEUE_GETTER(zeCommandQueueGetIndex, uint32_t, hCommandQueue->desc.index)
#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 17)
QUEUE_GETTER(zeCommandQueueGetFlags, ze_command_queue_flags_t, hCommandQueue->desc.flags)
QUEUE_GETTER(zeCommandQueueGetMode, ze_command_queue_mode_t, hCommandQueue->desc.mode)
QUEUE_GETTER(zeCommandQueueGetPriority, ze_command_queue_priority_t, hCommandQueue->desc.priority)
#endif
