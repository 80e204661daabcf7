// Device, host and shared memory.
#include "test.h"

static void check_properties(void *memory, ze_memory_type_t type, uint64_t *id) {
  ze_memory_allocation_properties_t properties = {
    .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  ze_device_handle_t home = NULL;
  // Any address inside counts.
  OK(zeMemGetAllocProperties(context, (char *)memory + 1, &properties, &home));
  CHECK(properties.type == type && properties.id != *id);
  CHECK(home == (type == ZE_MEMORY_TYPE_HOST ? NULL : device));
  *id = properties.id;
}

static void test_virtual(void) {
  size_t page = 0, size = 0;
  OK(zeVirtualMemQueryPageSize(context, device, 100000, &page));
  char *address = NULL;
  OK(zeVirtualMemReserve(context, NULL, 4 * page, (void **)&address));
  ze_physical_mem_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = 2 * page};
  ze_physical_mem_handle_t physical = NULL;
  OK(zePhysicalMemCreate(context, device, &desc, &physical));
  // The same memory at two addresses.
  OK(zeVirtualMemMap(
      context, address, 2 * page, physical, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  OK(zeVirtualMemMap(
      context, address + 3 * page, page, physical, page, ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY));
  address[page] = 42;
  CHECK(address[3 * page] == 42);
  ze_memory_access_attribute_t access = ZE_MEMORY_ACCESS_ATTRIBUTE_NONE;
  OK(zeVirtualMemGetAccessAttribute(context, address + 3 * page, page, &access, &size));
  CHECK(access == ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY && size == page);
  OK(zeVirtualMemSetAccessAttribute(
      context, address + 3 * page, page, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  address[3 * page] = 43;
  CHECK(address[page] == 43);
  ERROR(zeVirtualMemMap(
            context, address, page, physical, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE),
        INVALID_ARGUMENT);
  ERROR(zeVirtualMemFree(context, address, 4 * page), HANDLE_OBJECT_IN_USE);
  OK(zeVirtualMemUnmap(context, address, 2 * page));
  OK(zeVirtualMemUnmap(context, address + 3 * page, page));
  OK(zePhysicalMemDestroy(context, physical));
  ERROR(zeVirtualMemReserve(context, NULL, 7, (void **)&address), UNSUPPORTED_SIZE);
  OK(zeVirtualMemFree(context, address, 4 * page));
  ERROR(zeVirtualMemFree(context, address, 4 * page), INVALID_ARGUMENT);
}

void test_memory(void) {
  test_virtual();
  ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *shared = shared_memory(1000), *host = NULL, *local = NULL;
  OK(zeMemAllocHost(context, &on_host, 1000, 0, &host));
  OK(zeMemAllocDevice(context, &on_device, 1000, 4096, device, &local));
  CHECK((uintptr_t)shared % 64 == 0 && (uintptr_t)local % 4096 == 0);
  uint64_t id = 0;
  check_properties(shared, ZE_MEMORY_TYPE_SHARED, &id);
  check_properties(host, ZE_MEMORY_TYPE_HOST, &id);
  check_properties(local, ZE_MEMORY_TYPE_DEVICE, &id);
  void *base = NULL;
  size_t size = 0;
  OK(zeMemGetAddressRange(context, (char *)local + 999, &base, &size));
  CHECK(base == local && size == 1000);
  int on_stack;
  ze_memory_allocation_properties_t properties = {
    .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  OK(zeMemGetAllocProperties(context, &on_stack, &properties, NULL));
  CHECK(properties.type == ZE_MEMORY_TYPE_UNKNOWN);
  EXPECT(zeMemGetAddressRange(context, &on_stack, &base, &size), 0x78000021);

  void *none = NULL;
  ERROR(zeMemAllocHost(context, &on_host, 0, 0, &none), UNSUPPORTED_SIZE);
  ERROR(zeMemAllocHost(context, &on_host, 8, 3, &none), UNSUPPORTED_ALIGNMENT);
  ERROR(zeMemAllocHost(context, NULL, 8, 0, &none), INVALID_NULL_POINTER);
  ERROR(zeMemAllocDevice(context, &on_device, 8, 0, NULL, &none), INVALID_NULL_HANDLE);
  ERROR(zeMemAllocDevice(context, &on_device, (size_t)1 << 46, 0, device, &none),
        UNSUPPORTED_SIZE);
  ze_relaxed_allocation_limits_exp_desc_t relaxed = {
    .stype = ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
    .flags = ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE,
  };
  on_device.pNext = &relaxed;
  ERROR(zeMemAllocDevice(context, &on_device, (size_t)1 << 46, 0, device, &none),
        OUT_OF_DEVICE_MEMORY);
  on_device.pNext = NULL;
  on_device.flags = 0x100;
  ERROR(zeMemAllocDevice(context, &on_device, 8, 0, device, &none), INVALID_ENUMERATION);
  on_device.flags = 0;
  CHECK(none == NULL);

  OK(zeContextMakeMemoryResident(context, device, shared, 1000));
  OK(zeContextEvictMemory(context, device, shared, 1000));
  ERROR(zeContextMakeMemoryResident(context, device, &on_stack, 4), INVALID_ARGUMENT);
  ERROR(zeContextMakeMemoryResident(context, device, shared, 1001), INVALID_ARGUMENT);
  OK(zeContextSystemBarrier(context, device));
  OK(zeContextGetStatus(context));

  ze_ipc_mem_handle_t ipc;
  ERROR(zeMemGetIpcHandle(context, shared, &ipc), UNSUPPORTED_FEATURE);
  ERROR(zeMemFree(context, (char *)shared + 8), INVALID_ARGUMENT);
  ERROR(zeMemFree(context, &on_stack), INVALID_ARGUMENT);
  OK(zeMemFree(context, shared));
  ERROR(zeMemFree(context, NULL), INVALID_NULL_POINTER);
  OK(zeMemFree(context, host));

  // Freed while a queue is busy: not before it is done.
  ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  ze_event_pool_handle_t pool = make_pool(1, 0);
  ze_event_handle_t gate = make_event(pool, 0);
  uint32_t one = 1;
  OK(zeCommandListAppendMemoryFill(list, local, &one, 4, 1000, NULL, 1, &gate));
  ze_memory_free_ext_desc_t policy = {
    .stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC,
    .freePolicy = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE,
  };
  OK(zeMemFreeExt(context, &policy, local));
  OK(zeEventHostSignal(gate));
  OK(zeCommandListHostSynchronize(list, UINT64_MAX));
  OK(zeMemAllocDevice(context, &on_device, 64, 0, device, &local));
  OK(zeCommandListAppendMemoryFill(list, local, &one, 4, 64, NULL, 0, NULL));
  policy.freePolicy = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE;
  OK(zeMemFreeExt(context, &policy, local));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventPoolDestroy(pool));
}
