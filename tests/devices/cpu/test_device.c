// Drivers and devices.
#include "test.h"
#include <unistd.h>

void test_device(void) {
  ze_api_version_t version;
  OK(zeDriverGetApiVersion(driver, &version));
  CHECK(ZE_MAJOR_VERSION(version) == 1 && ZE_MINOR_VERSION(version) >= 12);
  ze_driver_properties_t driver_properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
  OK(zeDriverGetProperties(driver, &driver_properties));
  CHECK(driver_properties.driverVersion > 0);
  uint32_t count = 0;
  OK(zeDriverGetExtensionProperties(driver, &count, NULL));
  CHECK(count > 0);
  ze_driver_extension_properties_t *extensions = calloc(count, sizeof *extensions);
  OK(zeDriverGetExtensionProperties(driver, &count, extensions));
  CHECK(strncmp(extensions[0].name, "ZE_", 3) == 0);
  free(extensions);

  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  OK(zeDeviceGetProperties(device, &properties));
  printf("device: %s, %u units, %u MHz\n", properties.name, properties.numEUsPerSubslice,
         properties.coreClockRate);
  CHECK(properties.type == ZE_DEVICE_TYPE_CPU && properties.numEUsPerSubslice > 0);
  CHECK(properties.name[0] && properties.timerResolution == 1);
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  OK(zeDeviceGetProperties(device, &properties));
  CHECK(properties.timerResolution == 1000000000);
  ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
  OK(zeDeviceGetComputeProperties(device, &compute));
  CHECK(compute.maxTotalGroupSize >= 256 && compute.maxSharedLocalMemory >= 32768);
  ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  OK(zeDeviceGetModuleProperties(device, &module));
  // PoCL adds floats atomically, and the extension that says so is in the list.
  ze_float_atomic_ext_properties_t atomics = {
    .stype = ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES};
  module.pNext = &atomics;
  OK(zeDeviceGetModuleProperties(device, &module));
  CHECK(atomics.fp32Flags & ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD && atomics.fp16Flags == 0);
  CHECK(module.spirvVersionSupported >= ZE_MAKE_VERSION(1, 2));
  CHECK(module.flags & ZE_DEVICE_MODULE_FLAG_FP64);
  CHECK(module.fp32flags & ZE_DEVICE_FP_FLAG_INF_NAN);
  count = 0;
  OK(zeDeviceGetCommandQueueGroupProperties(device, &count, NULL));
  CHECK(count == 2);
  ze_command_queue_group_properties_t groups[3] = {
    {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES},
    {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES},
    {.numQueues = 77},
  };
  count = 3;
  OK(zeDeviceGetCommandQueueGroupProperties(device, &count, groups));
  CHECK(count == 2 && groups[2].numQueues == 77);
  CHECK(groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE && groups[0].numQueues > 0);
  CHECK(groups[1].flags == ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY && groups[1].numQueues > 0);
  count = 1;
  ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
  OK(zeDeviceGetMemoryProperties(device, &count, &memory));
  CHECK(count == 1 && memory.totalSize >= properties.maxMemAllocSize);
  ze_device_memory_access_properties_t access = {
    .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
  OK(zeDeviceGetMemoryAccessProperties(device, &access));
  CHECK(access.sharedSingleDeviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
  count = 1;
  ze_device_cache_properties_t cache = {.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES};
  OK(zeDeviceGetCacheProperties(device, &count, &cache));
  CHECK(cache.cacheSize > 0 || sysconf(_SC_LEVEL1_DCACHE_SIZE) <= 0);
  ze_device_image_properties_t image = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  OK(zeDeviceGetImageProperties(device, &image));
  CHECK(image.maxImageDims2D >= 1024);
  ze_device_external_memory_properties_t external = {
    .stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES};
  OK(zeDeviceGetExternalMemoryProperties(device, &external));
  ze_device_p2p_properties_t peer = {.stype = ZE_STRUCTURE_TYPE_DEVICE_P2P_PROPERTIES};
  OK(zeDeviceGetP2PProperties(device, device, &peer));
  ze_bool_t can = 0;
  OK(zeDeviceCanAccessPeer(device, device, &can));
  CHECK(can);
  count = 5;
  OK(zeDeviceGetSubDevices(device, &count, NULL));
  CHECK(count == 0);
  OK(zeDeviceGetStatus(device));
  uint64_t host, first, second;
  OK(zeDeviceGetGlobalTimestamps(device, &host, &first));
  OK(zeDeviceGetGlobalTimestamps(device, &host, &second));
  CHECK(second >= first);

  // What it has not is said to be so, and never done by half.
  ze_fabric_vertex_handle_t vertex;
  ERROR(zeDeviceGetFabricVertexExp(device, &vertex), UNSUPPORTED_FEATURE);
  ERROR(zeDeviceReserveCacheExt(device, 1, 1), UNSUPPORTED_FEATURE);
  const char *text = NULL;
  OK(zeDriverGetLastErrorDescription(driver, &text));
  CHECK(text && strstr(text, "zeDeviceReserveCacheExt"));
}
