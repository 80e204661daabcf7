/*
 * Memory. Device, host and shared memory are the same: kernels run in this process, so that
 * malloc's memory serves. What differs is what zeMemGetAllocProperties says.
 */
#define _GNU_SOURCE
#include "cpu.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Allocations by ascending address.
static struct allocation *allocations;
static size_t allocation_count, allocation_room;
static uint64_t allocated_bytes;
static uint64_t next_id = 1;
// Freed by their owner, and to be given back when the device is idle.
static struct allocation *deferred;
static size_t deferred_count, deferred_room;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// The first allocation that ends after the address.
static size_t position(uintptr_t address) {
  size_t low = 0, high = allocation_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (allocations[middle].base + allocations[middle].size <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static bool grow(struct allocation **array, size_t count, size_t *room) {
  if (count < *room) return true;
  size_t wanted = *room ? *room * 2 : 64;
  struct allocation *larger = realloc(*array, wanted * sizeof *larger);
  if (!larger) return false;
  *array = larger;
  *room = wanted;
  return true;
}

bool allocation_find(const void *address, struct allocation *found) {
  pthread_mutex_lock(&mutex);
  size_t at = position((uintptr_t)address);
  bool hit = at < allocation_count && allocations[at].base <= (uintptr_t)address;
  if (hit) *found = allocations[at];
  pthread_mutex_unlock(&mutex);
  return hit;
}

static bool allocation_add(struct allocation *allocation) {
  pthread_mutex_lock(&mutex);
  bool room = grow(&allocations, allocation_count, &allocation_room);
  if (room) {
    size_t at = position(allocation->base);
    memmove(
        allocations + at + 1, allocations + at, (allocation_count - at) * sizeof *allocations);
    allocation->id = next_id++;
    allocations[at] = *allocation;
    allocation_count++;
    allocated_bytes += allocation->size;
  }
  pthread_mutex_unlock(&mutex);
  return room;
}

static bool allocation_remove(uintptr_t base, struct allocation *removed) {
  pthread_mutex_lock(&mutex);
  size_t at = position(base);
  bool hit = at < allocation_count && allocations[at].base == base;
  if (hit) {
    *removed = allocations[at];
    allocation_count--;
    memmove(
        allocations + at, allocations + at + 1, (allocation_count - at) * sizeof *allocations);
    allocated_bytes -= removed->size;
  }
  pthread_mutex_unlock(&mutex);
  return hit;
}

// Gives back memory that was freed while the device was busy, if it is idle now. The lock is kept
// meanwhile: what is added after the look at the device may be in use again.
static void free_deferred(ze_device_handle_t device) {
  pthread_mutex_lock(&mutex);
  if (deferred_count > 0 && device_is_idle(device)) {
    for (size_t i = 0; i < deferred_count; i++) free((void *)deferred[i].base);
    deferred_count = 0;
  }
  pthread_mutex_unlock(&mutex);
}

static ze_result_t allocate(
    const char *function, ze_context_handle_t context, const void *next, size_t size,
    size_t alignment, ze_memory_type_t type, ze_device_handle_t device, void **address) {
  if (size == 0) return fail(function, ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "no bytes");
  if (alignment & (alignment - 1)) {
    return fail(function, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "not a power of two");
  }
  // Memory that is not what was asked for would be a false success.
  if (find_next(next, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC) ||
      find_next(next, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD) ||
      find_next(next, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32)) {
    return fail(function, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "external memory");
  }
  ze_device_handle_t home = context->driver->device;
  const ze_relaxed_allocation_limits_exp_desc_t *relaxed =
      find_next(next, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC);
  bool any_size = relaxed && relaxed->flags & ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE;
  if (size > home->max_allocation && !any_size) {
    return fail(function, ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "more than maxMemAllocSize");
  }
  ze_result_t exhausted = type == ZE_MEMORY_TYPE_HOST ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
                                                      : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  // Linux promises memory that it does not have; a device says so at once.
  pthread_mutex_lock(&mutex);
  bool fits = size <= home->memory_size && allocated_bytes <= home->memory_size - size;
  pthread_mutex_unlock(&mutex);
  if (!fits) return fail(function, exhausted, "the device's memory is used up");
  free_deferred(home);
  // PoCL's vectors go up to 128 bytes.
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t least = size >= page ? page : 128;
  void *memory;
  if (posix_memalign(&memory, alignment > least ? alignment : least, size) != 0) {
    return fail(function, exhausted, "posix_memalign");
  }
  struct allocation allocation = {
    .base = (uintptr_t)memory, .size = size, .type = type, .device = device};
  if (!allocation_add(&allocation)) {
    free(memory);
    return fail(function, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "realloc");
  }
  *address = memory;
  return ZE_RESULT_SUCCESS;
}

#define NEED_DEVICE_FLAGS(desc)                                                                  \
  NEED((desc)->flags <= (ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT << 1) - 1,              \
       INVALID_ENUMERATION)
#define NEED_HOST_FLAGS(desc) NEED((desc)->flags <= 0x1f, INVALID_ENUMERATION)

ze_result_t zeMemAllocShared(
    ze_context_handle_t hContext, const ze_device_mem_alloc_desc_t *device_desc,
    const ze_host_mem_alloc_desc_t *host_desc, size_t size, size_t alignment,
    ze_device_handle_t hDevice, void **pptr) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(device_desc);
  NEED_POINTER(host_desc);
  NEED_POINTER(pptr);
  NEED_DEVICE_FLAGS(device_desc);
  NEED_HOST_FLAGS(host_desc);
  return allocate(
      __func__, hContext, device_desc->pNext, size, alignment, ZE_MEMORY_TYPE_SHARED, hDevice,
      pptr);
}

ze_result_t zeMemAllocDevice(
    ze_context_handle_t hContext, const ze_device_mem_alloc_desc_t *device_desc, size_t size,
    size_t alignment, ze_device_handle_t hDevice, void **pptr) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(device_desc);
  NEED_POINTER(pptr);
  NEED_DEVICE_FLAGS(device_desc);
  return allocate(
      __func__, hContext, device_desc->pNext, size, alignment, ZE_MEMORY_TYPE_DEVICE, hDevice,
      pptr);
}

ze_result_t zeMemAllocHost(
    ze_context_handle_t hContext, const ze_host_mem_alloc_desc_t *host_desc, size_t size,
    size_t alignment, void **pptr) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(host_desc);
  NEED_POINTER(pptr);
  NEED_HOST_FLAGS(host_desc);
  return allocate(
      __func__, hContext, host_desc->pNext, size, alignment, ZE_MEMORY_TYPE_HOST, NULL, pptr);
}

static ze_result_t remove_own(const char *function, void *address, struct allocation *removed) {
  if (!allocation_remove((uintptr_t)address, removed)) {
    return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, "not the start of an allocation");
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemFree(ze_context_handle_t hContext, void *ptr) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(ptr);
  struct allocation removed;
  ze_result_t result = remove_own(__func__, ptr, &removed);
  if (result == ZE_RESULT_SUCCESS) free(ptr);
  return result;
}

ze_result_t zeMemFreeExt(
    ze_context_handle_t hContext, const ze_memory_free_ext_desc_t *pMemFreeDesc, void *ptr) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(pMemFreeDesc);
  NEED_POINTER(ptr);
  NEED(pMemFreeDesc->freePolicy <= 0x3, INVALID_ENUMERATION);
  struct allocation removed;
  ze_result_t result = remove_own(__func__, ptr, &removed);
  if (result != ZE_RESULT_SUCCESS) return result;
  ze_device_handle_t device = hContext->driver->device;
  if (pMemFreeDesc->freePolicy & ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE) {
    device_wait(device);
    free(ptr);
  } else if (pMemFreeDesc->freePolicy & ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE) {
    pthread_mutex_lock(&mutex);
    bool room = grow(&deferred, deferred_count, &deferred_room);
    if (room) deferred[deferred_count++] = removed;
    pthread_mutex_unlock(&mutex);
    if (!room) return FAIL(OUT_OF_HOST_MEMORY, "realloc");
    free_deferred(device);
  } else {
    free(ptr);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAllocProperties(
    ze_context_handle_t hContext, const void *ptr,
    ze_memory_allocation_properties_t *pMemAllocProperties, ze_device_handle_t *phDevice) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(ptr);
  NEED_POINTER(pMemAllocProperties);
  struct allocation found = {.type = ZE_MEMORY_TYPE_UNKNOWN};
  bool known = allocation_find(ptr, &found);
  pMemAllocProperties->type = found.type;
  pMemAllocProperties->id = found.id;
  pMemAllocProperties->pageSize = known ? (uint64_t)sysconf(_SC_PAGESIZE) : 0;
  if (phDevice) *phDevice = found.device;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAddressRange(
    ze_context_handle_t hContext, const void *ptr, void **pBase, size_t *pSize) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(ptr);
  struct allocation found;
  NEED(allocation_find(ptr, &found), ADDRESS_NOT_FOUND);
  if (pBase) *pBase = (void *)found.base;
  if (pSize) *pSize = found.size;
  return ZE_RESULT_SUCCESS;
}
