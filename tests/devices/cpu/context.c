// Contexts, and what memory does in one beyond being there: residency and barriers.
#include "cpu.h"
#include <stdlib.h>
#include <string.h>

static bool is_on(const char *variable) {
  const char *value = getenv(variable);
  return value && strcmp(value, "1") == 0;
}

bool strict_destruction(void) { return is_on("ZE_CPU_STRICT"); }

bool lenient_sizes(void) { return is_on("ZE_CPU_LENIENT"); }

void context_retain(ze_context_handle_t context) { atomic_fetch_add(&context->references, 1); }

void context_release(ze_context_handle_t context) {
  if (atomic_fetch_sub(&context->references, 1) == 1) free(context);
}

static ze_result_t create(
    const char *function, ze_driver_handle_t driver, const ze_context_desc_t *desc,
    ze_context_handle_t *context) {
  if (desc->flags > ZE_CONTEXT_FLAG_TBD) {
    return fail(function, ZE_RESULT_ERROR_INVALID_ENUMERATION, "unknown flags");
  }
  ze_context_handle_t made = calloc(1, sizeof *made);
  if (!made) return fail(function, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "calloc");
  made->driver = driver;
  atomic_init(&made->references, 1);
  *context = made;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextCreate(
    ze_driver_handle_t hDriver, const ze_context_desc_t *desc, ze_context_handle_t *phContext) {
  ENTER();
  NEED_HANDLE(hDriver);
  NEED_POINTER(desc);
  NEED_POINTER(phContext);
  return create(__func__, hDriver, desc, phContext);
}

ze_result_t zeContextCreateEx(
    ze_driver_handle_t hDriver, const ze_context_desc_t *desc, uint32_t numDevices,
    ze_device_handle_t *phDevices, ze_context_handle_t *phContext) {
  ENTER();
  NEED_HANDLE(hDriver);
  NEED_POINTER(desc);
  NEED_POINTER(phContext);
  NEED(phDevices || numDevices == 0, INVALID_SIZE);
  return create(__func__, hDriver, desc, phContext);
}

ze_result_t zeContextDestroy(ze_context_handle_t hContext) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED(!hContext->is_default, INVALID_ARGUMENT);
  if (strict_destruction() && atomic_load(&hContext->references) > 1) {
    return FAIL(HANDLE_OBJECT_IN_USE, "objects that were made from the context still exist");
  }
  context_release(hContext);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextGetStatus(ze_context_handle_t hContext) {
  ENTER();
  NEED_HANDLE(hContext);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextSystemBarrier(ze_context_handle_t hContext, ze_device_handle_t hDevice) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  atomic_thread_fence(memory_order_seq_cst);
  return ZE_RESULT_SUCCESS;
}

// Memory is always resident: what is left is to check what is asked for.
ze_result_t zeContextMakeMemoryResident(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, void *ptr, size_t size) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(ptr);
  struct allocation found;
  NEED(allocation_find(ptr, &found), INVALID_ARGUMENT);
  NEED(size <= found.base + found.size - (uintptr_t)ptr, INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextEvictMemory(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, void *ptr, size_t size) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(ptr);
  struct allocation found;
  NEED(allocation_find(ptr, &found), INVALID_ARGUMENT);
  NEED(size <= found.base + found.size - (uintptr_t)ptr, INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextMakeImageResident(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, ze_image_handle_t hImage) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_HANDLE(hImage);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextEvictImage(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, ze_image_handle_t hImage) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_HANDLE(hImage);
  return ZE_RESULT_SUCCESS;
}

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 14)
ze_context_handle_t zeDriverGetDefaultContext(ze_driver_handle_t hDriver) {
  static struct _ze_context_handle_t context = {.is_default = true, .references = 1};
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  // There is no code to return: a fault of any code is a null handle.
  static struct fault_point point = {.name = __func__};
  if (fault_enter(&point) != ZE_RESULT_SUCCESS) return NULL;
  if (!hDriver) {
    fail(__func__, ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "hDriver is null");
    return NULL;
  }
  pthread_mutex_lock(&mutex);
  context.driver = hDriver;
  pthread_mutex_unlock(&mutex);
  return &context;
}
#endif
