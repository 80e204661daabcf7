/*
 * Virtual memory: addresses that are reserved, and physical memory that is mapped to them. Linux
 * does both: a reservation is a mapping that nobody may touch, physical memory is a file in memory.
 */
#define _GNU_SOURCE
#include "cpu.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct _ze_physical_mem_handle_t {
  ze_context_handle_t context;
  int file;
  size_t size;
  ze_physical_mem_flags_t flags;
};

struct range {
  struct range *next;
  uintptr_t base;
  size_t size;
  ze_memory_access_attribute_t access;
};

static struct range *reservations, *mappings;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }
static bool on_pages(size_t number) { return number % page_size() == 0; }

static int protection(ze_memory_access_attribute_t access) {
  switch (access) {
    case ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE: return PROT_READ | PROT_WRITE;
    case ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY: return PROT_READ;
    default: return PROT_NONE;
  }
}

// The range of a list that holds all of these addresses. The mutex is locked.
static struct range *find(struct range *list, uintptr_t base, size_t size) {
  for (struct range *range = list; range; range = range->next) {
    if (base >= range->base && base - range->base < range->size &&
        size <= range->size - (base - range->base)) {
      return range;
    }
  }
  return NULL;
}

static bool overlaps(const struct range *list, uintptr_t base, size_t size) {
  for (; list; list = list->next) {
    if (base < list->base + list->size && list->base < base + size) return true;
  }
  return false;
}

static bool add(struct range **list, uintptr_t base, size_t size, int access) {
  struct range *range = malloc(sizeof *range);
  if (!range) return false;
  *range = (struct range){
    .next = *list, .base = base, .size = size, .access = (ze_memory_access_attribute_t)access};
  *list = range;
  return true;
}

// Takes a range out that is exactly this one.
static bool take(struct range **list, uintptr_t base, size_t size) {
  for (; *list; list = &(*list)->next) {
    struct range *range = *list;
    if (range->base != base || range->size != size) continue;
    *list = range->next;
    free(range);
    return true;
  }
  return false;
}

ze_result_t zeVirtualMemQueryPageSize(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, size_t size, size_t *pagesize) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hDevice);
  NEED_POINTER(pagesize);
  NEED(size > 0, UNSUPPORTED_SIZE);
  *pagesize = page_size();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemReserve(
    ze_context_handle_t hContext, const void *pStart, size_t size, void **pptr) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(pptr);
  NEED(size > 0 && on_pages(size), UNSUPPORTED_SIZE);
  // Where it should start is a wish.
  void *address = mmap(
      (void *)pStart, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return FAIL(OUT_OF_HOST_MEMORY, "mmap");
  pthread_mutex_lock(&mutex);
  bool room = add(&reservations, (uintptr_t)address, size, ZE_MEMORY_ACCESS_ATTRIBUTE_NONE);
  pthread_mutex_unlock(&mutex);
  if (!room) {
    munmap(address, size);
    return FAIL(OUT_OF_HOST_MEMORY, "malloc");
  }
  *pptr = address;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemFree(ze_context_handle_t hContext, const void *ptr, size_t size) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(ptr);
  NEED(size > 0 && on_pages(size), UNSUPPORTED_SIZE);
  NEED(on_pages((uintptr_t)ptr), UNSUPPORTED_ALIGNMENT);
  pthread_mutex_lock(&mutex);
  bool mapped = overlaps(mappings, (uintptr_t)ptr, size);
  bool found = !mapped && take(&reservations, (uintptr_t)ptr, size);
  if (found) munmap((void *)ptr, size);
  pthread_mutex_unlock(&mutex);
  if (mapped) return FAIL(HANDLE_OBJECT_IN_USE, "physical memory is mapped there");
  NEED(found, INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zePhysicalMemCreate(
    ze_context_handle_t hContext, ze_device_handle_t hDevice, ze_physical_mem_desc_t *desc,
    ze_physical_mem_handle_t *phPhysicalMemory) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(desc);
  NEED_POINTER(phPhysicalMemory);
  if (!(desc->flags & ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST)) NEED_HANDLE(hDevice);
  NEED(desc->flags <= 0x3, INVALID_ENUMERATION);
  NEED(desc->size > 0 && on_pages(desc->size), UNSUPPORTED_SIZE);
  if (desc->pNext) return FAIL(UNSUPPORTED_FEATURE, "extensions of physical memory");
  ze_physical_mem_handle_t memory = calloc(1, sizeof *memory);
  if (!memory) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  memory->file = memfd_create("ze_cpu", MFD_CLOEXEC);
  if (memory->file < 0 || ftruncate(memory->file, (off_t)desc->size) != 0) {
    if (memory->file >= 0) close(memory->file);
    free(memory);
    return FAIL(OUT_OF_DEVICE_MEMORY, "memfd_create");
  }
  memory->context = hContext;
  memory->size = desc->size;
  memory->flags = desc->flags;
  context_retain(hContext);
  *phPhysicalMemory = memory;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zePhysicalMemDestroy(
    ze_context_handle_t hContext, ze_physical_mem_handle_t hPhysicalMemory) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hPhysicalMemory);
  // Mappings of the file keep what they show.
  close(hPhysicalMemory->file);
  context_release(hPhysicalMemory->context);
  free(hPhysicalMemory);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemMap(
    ze_context_handle_t hContext, const void *ptr, size_t size,
    ze_physical_mem_handle_t hPhysicalMemory, size_t offset,
    ze_memory_access_attribute_t access) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_HANDLE(hPhysicalMemory);
  NEED_POINTER(ptr);
  NEED(access <= ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY, INVALID_ENUMERATION);
  NEED(size > 0 && on_pages(size), UNSUPPORTED_SIZE);
  NEED(on_pages((uintptr_t)ptr) && on_pages(offset), UNSUPPORTED_ALIGNMENT);
  NEED(offset <= hPhysicalMemory->size && size <= hPhysicalMemory->size - offset,
       INVALID_ARGUMENT);
  uintptr_t base = (uintptr_t)ptr;
  ze_result_t result = ZE_RESULT_SUCCESS;
  pthread_mutex_lock(&mutex);
  if (!find(reservations, base, size) || overlaps(mappings, base, size)) {
    result = FAIL(INVALID_ARGUMENT, "not reserved, or mapped already");
  } else if (!add(&mappings, base, size, access)) {
    result = FAIL(OUT_OF_HOST_MEMORY, "malloc");
  } else if (mmap((void *)ptr, size, protection(access), MAP_SHARED | MAP_FIXED,
                  hPhysicalMemory->file, (off_t)offset) == MAP_FAILED) {
    take(&mappings, base, size);
    result = FAIL(OUT_OF_DEVICE_MEMORY, "mmap");
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

ze_result_t zeVirtualMemUnmap(ze_context_handle_t hContext, const void *ptr, size_t size) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(ptr);
  NEED(size > 0 && on_pages(size), UNSUPPORTED_SIZE);
  NEED(on_pages((uintptr_t)ptr), UNSUPPORTED_ALIGNMENT);
  pthread_mutex_lock(&mutex);
  bool found = take(&mappings, (uintptr_t)ptr, size);
  // Reserved still: nothing else may come to lie there.
  bool done = found && mmap((void *)ptr, size, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                            0) != MAP_FAILED;
  pthread_mutex_unlock(&mutex);
  NEED(found, INVALID_ARGUMENT);
  return done ? ZE_RESULT_SUCCESS : FAIL(OUT_OF_HOST_MEMORY, "mmap");
}

ze_result_t zeVirtualMemSetAccessAttribute(
    ze_context_handle_t hContext, const void *ptr, size_t size,
    ze_memory_access_attribute_t access) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(ptr);
  NEED(access <= ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY, INVALID_ENUMERATION);
  NEED(on_pages((uintptr_t)ptr), UNSUPPORTED_ALIGNMENT);
  NEED(size > 0 && on_pages(size), UNSUPPORTED_SIZE);
  pthread_mutex_lock(&mutex);
  struct range *range = find(mappings, (uintptr_t)ptr, size);
  // Pages that are not mapped yet get their access when they are.
  bool known = range || find(reservations, (uintptr_t)ptr, size);
  bool whole = range && range->base == (uintptr_t)ptr && range->size == size;
  bool done = whole && mprotect((void *)ptr, size, protection(access)) == 0;
  if (done) range->access = access;
  pthread_mutex_unlock(&mutex);
  NEED(known, INVALID_ARGUMENT);
  if (range && !whole) return FAIL(UNSUPPORTED_FEATURE, "the access of a part of a mapping");
  return !range || done ? ZE_RESULT_SUCCESS : FAIL(UNKNOWN, "mprotect");
}

ze_result_t zeVirtualMemGetAccessAttribute(
    ze_context_handle_t hContext, const void *ptr, size_t size,
    ze_memory_access_attribute_t *access, size_t *outSize) {
  ENTER();
  NEED_HANDLE(hContext);
  NEED_POINTER(ptr);
  NEED_POINTER(access);
  NEED_POINTER(outSize);
  NEED(on_pages((uintptr_t)ptr), UNSUPPORTED_ALIGNMENT);
  NEED(size > 0 && on_pages(size), UNSUPPORTED_SIZE);
  pthread_mutex_lock(&mutex);
  struct range *range = find(mappings, (uintptr_t)ptr, 1);
  if (!range) range = find(reservations, (uintptr_t)ptr, 1);
  if (range) {
    size_t rest = range->size - ((uintptr_t)ptr - range->base);
    *access = range->access;
    *outSize = size < rest ? size : rest;
  }
  pthread_mutex_unlock(&mutex);
  NEED(range, INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}
