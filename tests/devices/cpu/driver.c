// Initialization and drivers. There is one driver with one device.
#include "cpu.h"
#include <string.h>

static struct _ze_driver_handle_t the_driver;
static struct _ze_device_handle_t the_device;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static ze_result_t once_result;

static void initialize(void) { once_result = opencl_find(&the_driver, &the_device); }

ze_result_t driver_get(ze_driver_handle_t *driver) {
  pthread_once(&once, initialize);
  *driver = &the_driver;
  return once_result;
}

// Whether somebody who asks for GPUs, or for NPUs, means this device.
static bool type_is_wanted(bool gpu, bool npu) {
  switch (the_device.type) {
    case ZE_DEVICE_TYPE_GPU: return gpu;
    case ZE_DEVICE_TYPE_VPU: return npu;
    default: return gpu && npu;
  }
}

ze_result_t zeInit(ze_init_flags_t flags) {
  ENTER();
  NEED(flags <= (ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY), INVALID_ENUMERATION);
  ze_driver_handle_t driver;
  ze_result_t result = driver_get(&driver);
  if (result != ZE_RESULT_SUCCESS) return result;
  bool all = flags == 0;
  if (!type_is_wanted(all || flags & ZE_INIT_FLAG_GPU_ONLY, all || flags & ZE_INIT_FLAG_VPU_ONLY)) {
    return FAIL(UNINITIALIZED, "the device is a CPU; ZE_CPU_DEVICE_TYPE=gpu calls it a GPU");
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t give_driver(uint32_t *count, ze_driver_handle_t *drivers) {
  ze_driver_handle_t driver;
  ze_result_t result = driver_get(&driver);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (drivers && *count > 0) drivers[0] = driver;
  if (!drivers || *count == 0 || *count > 1) *count = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGet(uint32_t *pCount, ze_driver_handle_t *phDrivers) {
  ENTER();
  NEED_POINTER(pCount);
  return give_driver(pCount, phDrivers);
}

ze_result_t zeInitDrivers(
    uint32_t *pCount, ze_driver_handle_t *phDrivers, ze_init_driver_type_desc_t *desc) {
  ENTER();
  NEED_POINTER(pCount);
  NEED_POINTER(desc);
  NEED(desc->flags != 0, INVALID_ENUMERATION);
  ze_driver_handle_t driver;
  ze_result_t result = driver_get(&driver);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (!type_is_wanted(
          desc->flags & ZE_INIT_DRIVER_TYPE_FLAG_GPU, desc->flags & ZE_INIT_DRIVER_TYPE_FLAG_NPU)) {
    return FAIL(UNINITIALIZED, "the device is a CPU; ZE_CPU_DEVICE_TYPE=gpu calls it a GPU");
  }
  return give_driver(pCount, phDrivers);
}

ze_result_t zeDriverGetApiVersion(ze_driver_handle_t hDriver, ze_api_version_t *version) {
  ENTER();
  NEED_HANDLE(hDriver);
  NEED_POINTER(version);
  *version = ZE_API_VERSION_CURRENT;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetProperties(
    ze_driver_handle_t hDriver, ze_driver_properties_t *pDriverProperties) {
  ENTER();
  NEED_HANDLE(hDriver);
  NEED_POINTER(pDriverProperties);
  static const char uuid[ZE_MAX_DRIVER_UUID_SIZE] = "ze_cpu on PoCL";
  memcpy(pDriverProperties->uuid.id, uuid, sizeof pDriverProperties->uuid.id);
  pDriverProperties->driverVersion = 1u << 24;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetIpcProperties(
    ze_driver_handle_t hDriver, ze_driver_ipc_properties_t *pIpcProperties) {
  ENTER();
  NEED_HANDLE(hDriver);
  NEED_POINTER(pIpcProperties);
  // Neither memory nor events go to other processes.
  pIpcProperties->flags = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetExtensionProperties(
    ze_driver_handle_t hDriver, uint32_t *pCount,
    ze_driver_extension_properties_t *pExtensionProperties) {
  ENTER();
  NEED_HANDLE(hDriver);
  NEED_POINTER(pCount);
  static const ze_driver_extension_properties_t extensions[] = {
    {ZE_FLOAT_ATOMICS_EXT_NAME, ZE_FLOAT_ATOMICS_EXT_VERSION_1_0},
    {ZE_GLOBAL_OFFSET_EXP_NAME, ZE_GLOBAL_OFFSET_EXP_VERSION_1_0},
    {ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME, ZE_RELAXED_ALLOCATION_LIMITS_EXP_VERSION_1_0},
    {ZE_SUBGROUPS_EXT_NAME, ZE_SUBGROUP_EXT_VERSION_1_0},
    {ZE_MEMORY_FREE_POLICIES_EXT_NAME, ZE_MEMORY_FREE_POLICIES_EXT_VERSION_1_0},
    {ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, ZE_EVENT_QUERY_TIMESTAMPS_EXP_VERSION_1_0},
    {ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME, ZE_EVENT_POOL_COUNTER_BASED_EXP_VERSION_1_0},
    {ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_NAME,
     ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_VERSION_1_0},
    {ZE_KERNEL_MAX_GROUP_SIZE_PROPERTIES_EXT_NAME,
     ZE_KERNEL_MAX_GROUP_SIZE_PROPERTIES_EXT_VERSION_1_0},
  };
  const uint32_t available = sizeof extensions / sizeof *extensions;
  if (!pExtensionProperties || *pCount == 0) {
    *pCount = available;
    return ZE_RESULT_SUCCESS;
  }
  if (*pCount > available) *pCount = available;
  memcpy(pExtensionProperties, extensions, *pCount * sizeof *extensions);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetLastErrorDescription(ze_driver_handle_t hDriver, const char **ppString) {
  ENTER();
  NEED_HANDLE(hDriver);
  NEED_POINTER(ppString);
  *ppString = last_error();
  return ZE_RESULT_SUCCESS;
}
