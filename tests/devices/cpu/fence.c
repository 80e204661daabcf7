// Fences.
#include "cpu.h"
#include <stdlib.h>

ze_result_t zeFenceCreate(
    ze_command_queue_handle_t hCommandQueue, const ze_fence_desc_t *desc,
    ze_fence_handle_t *phFence) {
  ENTER();
  NEED_HANDLE(hCommandQueue);
  NEED_POINTER(desc);
  NEED_POINTER(phFence);
  NEED(desc->flags <= ZE_FENCE_FLAG_SIGNALED, INVALID_ENUMERATION);
  ze_fence_handle_t fence = calloc(1, sizeof *fence);
  if (!fence) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  fence->queue = hCommandQueue;
  signal_init(&fence->signal, desc->flags & ZE_FENCE_FLAG_SIGNALED);
  *phFence = fence;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeFenceDestroy(ze_fence_handle_t hFence) {
  ENTER();
  NEED_HANDLE(hFence);
  signal_destroy(&hFence->signal);
  free(hFence);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t status_of(const char *function, ze_fence_handle_t fence, uint64_t timeout) {
  if (!signal_wait(&fence->signal, timeout)) return ZE_RESULT_NOT_READY;
  if (fence->result != ZE_RESULT_SUCCESS) {
    return fail(function, fence->result, "a command went wrong");
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeFenceHostSynchronize(ze_fence_handle_t hFence, uint64_t timeout) {
  ENTER();
  NEED_HANDLE(hFence);
  if (timeout == UINT64_MAX) executor_help(hFence->queue->executor, &hFence->signal);
  return status_of(__func__, hFence, timeout);
}

ze_result_t zeFenceQueryStatus(ze_fence_handle_t hFence) {
  ENTER();
  NEED_HANDLE(hFence);
  return status_of(__func__, hFence, 0);
}

ze_result_t zeFenceReset(ze_fence_handle_t hFence) {
  ENTER();
  NEED_HANDLE(hFence);
  signal_reset(&hFence->signal);
  return ZE_RESULT_SUCCESS;
}
