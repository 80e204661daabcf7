// Devices: there is one, and it has no parts. Its properties are PoCL's and the machine's.
#define _GNU_SOURCE
#include "cpu.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Gives one item through Level Zero's "how many, then which" pair of arguments: true if the
// caller wants it filled in.
static bool give_one(uint32_t *count, const void *items) {
  bool wanted = items && *count > 0;
  *count = 1;
  return wanted;
}

ze_result_t zeDeviceGet(
    ze_driver_handle_t hDriver, uint32_t *pCount, ze_device_handle_t *phDevices) {
  ENTER();
  NEED_HANDLE(hDriver);
  NEED_POINTER(pCount);
  if (give_one(pCount, phDevices)) phDevices[0] = hDriver->device;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetSubDevices(
    ze_device_handle_t hDevice, uint32_t *pCount, ze_device_handle_t *phSubdevices) {
  ENTER();
  (void)phSubdevices;
  NEED_HANDLE(hDevice);
  NEED_POINTER(pCount);
  *pCount = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetRootDevice(
    ze_device_handle_t hDevice, ze_device_handle_t *phRootDevice) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(phRootDevice);
  *phRootDevice = NULL;
  return ZE_RESULT_SUCCESS;
}

static cl_uint opencl_number(ze_device_handle_t device, cl_device_info what) {
  cl_uint number = 0;
  clGetDeviceInfo(device->opencl, what, sizeof number, &number, NULL);
  return number;
}

static void fill_extensions(ze_device_handle_t device, void *next) {
  ze_eu_count_ext_t *units = (void *)find_next(next, ZE_STRUCTURE_TYPE_EU_COUNT_EXT);
  if (units) units->numTotalEUs = device->compute_units;
  ze_device_ip_version_ext_t *version =
      (void *)find_next(next, ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT);
  if (version) version->ipVersion = 0;
  ze_event_query_kernel_timestamps_ext_properties_t *timestamps = (void *)find_next(
      next, ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_PROPERTIES);
  if (timestamps) {
    timestamps->flags = ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_KERNEL |
        ZE_EVENT_QUERY_KERNEL_TIMESTAMPS_EXT_FLAG_SYNCHRONIZED;
  }
#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 17)
  // Pages that are read-only are so for kernels too: a write ends the process.
  ze_device_readonly_memory_ext_properties_t *readonly =
      (void *)find_next(next, ZE_STRUCTURE_TYPE_DEVICE_READONLY_MEMORY_EXT_PROPERTIES);
  if (readonly) readonly->readonlyCapability = ZE_DEVICE_READONLY_MEMORY_CAPABILITY_ENFORCED;
#endif
}

ze_result_t zeDeviceGetProperties(
    ze_device_handle_t hDevice, ze_device_properties_t *pDeviceProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(pDeviceProperties);
  ze_device_properties_t *out = pDeviceProperties;
  ze_structure_type_t type = out->stype;
  void *next = out->pNext;
  memset(out, 0, sizeof *out);
  out->stype = type;
  out->pNext = next;
  out->type = hDevice->type;
  out->vendorId = opencl_number(hDevice, CL_DEVICE_VENDOR_ID);
  out->flags = ZE_DEVICE_PROPERTY_FLAG_INTEGRATED | ZE_DEVICE_PROPERTY_FLAG_ONDEMANDPAGING;
  out->coreClockRate = hDevice->clock_megahertz;
  out->maxMemAllocSize = hDevice->max_allocation;
  out->maxHardwareContexts = hDevice->compute_units;
  out->numThreadsPerEU = 1;
  out->physicalEUSimdWidth = opencl_number(hDevice, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT);
  out->numEUsPerSubslice = hDevice->compute_units;
  out->numSubslicesPerSlice = 1;
  out->numSlices = 1;
  // Timestamps are nanoseconds. The first version of the structure asks for the length of a
  // tick, the second for ticks a second.
  bool ticks = type == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
  out->timerResolution = ticks ? 1000000000u : 1;
  out->timestampValidBits = 64;
  out->kernelTimestampValidBits = 64;
  // The same for every process on this machine, as tools compare devices by it.
  memcpy(out->uuid.id, "ze_cpu\0device\0", 14);
  out->uuid.id[15] = (uint8_t)hDevice->compute_units;
  snprintf(out->name, sizeof out->name, "%s", hDevice->name);
  fill_extensions(hDevice, next);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetComputeProperties(
    ze_device_handle_t hDevice, ze_device_compute_properties_t *pComputeProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(pComputeProperties);
  ze_device_compute_properties_t *out = pComputeProperties;
  out->maxTotalGroupSize = (uint32_t)hDevice->max_group_total;
  out->maxGroupSizeX = (uint32_t)hDevice->max_group[0];
  out->maxGroupSizeY = (uint32_t)hDevice->max_group[1];
  out->maxGroupSizeZ = (uint32_t)hDevice->max_group[2];
  out->maxGroupCountX = out->maxGroupCountY = out->maxGroupCountZ = UINT32_MAX;
  out->maxSharedLocalMemory = (uint32_t)hDevice->local_memory_size;
  memset(out->subGroupSizes, 0, sizeof out->subGroupSizes);
  // PoCL makes subgroups of any size; these are the ones kernels ask for.
  static const uint32_t sizes[] = {8, 16, 32};
  out->numSubGroupSizes = sizeof sizes / sizeof *sizes;
  memcpy(out->subGroupSizes, sizes, sizeof sizes);
  return ZE_RESULT_SUCCESS;
}

static ze_device_fp_flags_t float_flags(ze_device_handle_t device, cl_device_info what) {
  static const struct {
    cl_device_fp_config opencl;
    ze_device_fp_flags_t level_zero;
  } pairs[] = {
    {CL_FP_DENORM, ZE_DEVICE_FP_FLAG_DENORM},
    {CL_FP_INF_NAN, ZE_DEVICE_FP_FLAG_INF_NAN},
    {CL_FP_ROUND_TO_NEAREST, ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST},
    {CL_FP_ROUND_TO_ZERO, ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO},
    {CL_FP_ROUND_TO_INF, ZE_DEVICE_FP_FLAG_ROUND_TO_INF},
    {CL_FP_FMA, ZE_DEVICE_FP_FLAG_FMA},
    {CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT},
    {CL_FP_SOFT_FLOAT, ZE_DEVICE_FP_FLAG_SOFT_FLOAT},
  };
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device->opencl, what, sizeof config, &config, NULL);
  ze_device_fp_flags_t flags = 0;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (config & pairs[i].opencl) flags |= pairs[i].level_zero;
  }
  return flags;
}

// The bits mean the same in both interfaces.
static ze_device_fp_atomic_ext_flags_t float_atomics(
    ze_device_handle_t device, cl_device_info what) {
  cl_device_fp_atomic_capabilities_ext flags = 0;
  clGetDeviceInfo(device->opencl, what, sizeof flags, &flags, NULL);
  return (ze_device_fp_atomic_ext_flags_t)flags;
}

static bool has_extension(ze_device_handle_t device, const char *name) {
  char names[8192] = "";
  clGetDeviceInfo(device->opencl, CL_DEVICE_EXTENSIONS, sizeof names - 1, names, NULL);
  return strstr(names, name) != NULL;
}

ze_result_t zeDeviceGetModuleProperties(
    ze_device_handle_t hDevice, ze_device_module_properties_t *pModuleProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(pModuleProperties);
  ze_device_module_properties_t *out = pModuleProperties;
  // The first of the versions that PoCL lists is its newest.
  char versions[256] = "";
  clGetDeviceInfo(hDevice->opencl, CL_DEVICE_IL_VERSION, sizeof versions - 1, versions, NULL);
  unsigned major = 1, minor = 0;
  sscanf(versions, "SPIR-V_%u.%u", &major, &minor);
  out->spirvVersionSupported = ZE_MAKE_VERSION(major, minor);
  out->flags = 0;
  if (has_extension(hDevice, "cl_khr_fp16")) out->flags |= ZE_DEVICE_MODULE_FLAG_FP16;
  if (has_extension(hDevice, "cl_khr_fp64")) out->flags |= ZE_DEVICE_MODULE_FLAG_FP64;
  if (has_extension(hDevice, "cl_khr_int64_base_atomics")) {
    out->flags |= ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  }
  out->fp16flags = out->flags & ZE_DEVICE_MODULE_FLAG_FP16
      ? float_flags(hDevice, CL_DEVICE_HALF_FP_CONFIG)
      : 0;
  out->fp32flags = float_flags(hDevice, CL_DEVICE_SINGLE_FP_CONFIG);
  out->fp64flags = float_flags(hDevice, CL_DEVICE_DOUBLE_FP_CONFIG);
  size_t size = 0;
  clGetDeviceInfo(hDevice->opencl, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof size, &size, NULL);
  out->maxArgumentsSize = (uint32_t)size;
  size = 0;
  clGetDeviceInfo(hDevice->opencl, CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof size, &size, NULL);
  out->printfBufferSize = (uint32_t)size;
  memcpy(out->nativeKernelSupported.id, "ze_cpu binary 1", ZE_MAX_NATIVE_KERNEL_UUID_SIZE);
  ze_float_atomic_ext_properties_t *atomics =
      (void *)find_next(out->pNext, ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES);
  if (atomics) {
    atomics->fp16Flags = float_atomics(hDevice, CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT);
    atomics->fp32Flags = float_atomics(hDevice, CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT);
    atomics->fp64Flags = float_atomics(hDevice, CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t hDevice, uint32_t *pCount,
    ze_command_queue_group_properties_t *pCommandQueueGroupProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(pCount);
  uint32_t wanted = *pCount;
  if (!pCommandQueueGroupProperties || wanted == 0 || wanted > GROUP_COUNT) *pCount = GROUP_COUNT;
  if (!pCommandQueueGroupProperties) return ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < wanted && i < GROUP_COUNT; i++) {
    ze_command_queue_group_properties_t *out = &pCommandQueueGroupProperties[i];
    out->flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
    if (i == COMPUTE_ORDINAL) {
      out->flags |= ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
          ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
    }
    out->maxMemoryFillPatternSize = MAX_FILL_PATTERN;
    out->numQueues = QUEUE_COUNT;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetMemoryProperties(
    ze_device_handle_t hDevice, uint32_t *pCount,
    ze_device_memory_properties_t *pMemProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(pCount);
  if (give_one(pCount, pMemProperties)) {
    pMemProperties->flags = 0;
    pMemProperties->maxClockRate = 0;
    pMemProperties->maxBusWidth = opencl_number(hDevice, CL_DEVICE_ADDRESS_BITS);
    pMemProperties->totalSize = hDevice->memory_size;
    snprintf(pMemProperties->name, sizeof pMemProperties->name, "main memory");
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetMemoryAccessProperties(
    ze_device_handle_t hDevice, ze_device_memory_access_properties_t *pMemAccessProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(pMemAccessProperties);
  const ze_memory_access_cap_flags_t everything = ZE_MEMORY_ACCESS_CAP_FLAG_RW |
      ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC | ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT |
      ZE_MEMORY_ACCESS_CAP_FLAG_CONCURRENT_ATOMIC;
  pMemAccessProperties->hostAllocCapabilities = everything;
  pMemAccessProperties->deviceAllocCapabilities = everything;
  pMemAccessProperties->sharedSingleDeviceAllocCapabilities = everything;
  pMemAccessProperties->sharedCrossDeviceAllocCapabilities = everything;
  pMemAccessProperties->sharedSystemAllocCapabilities = everything;
  return ZE_RESULT_SUCCESS;
}

/* PoCL tells 0 where the kernel gives no cache topology, as in many virtual machines. */
static size_t cache_size(ze_device_handle_t device) {
  cl_ulong size = 0;
  clGetDeviceInfo(device->opencl, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof size, &size, NULL);
  if (size > 0) return size;
  const int levels[] = {
    _SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL1_DCACHE_SIZE};
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    const long known = sysconf(levels[i]);
    if (known > 0) return (size_t)known;
  }
  return 0;
}

ze_result_t zeDeviceGetCacheProperties(
    ze_device_handle_t hDevice, uint32_t *pCount,
    ze_device_cache_properties_t *pCacheProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(pCount);
  if (give_one(pCount, pCacheProperties)) {
    pCacheProperties->flags = 0;
    pCacheProperties->cacheSize = cache_size(hDevice);
#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 13)
    ze_device_cache_line_size_ext_t *line =
        (void *)find_next(pCacheProperties->pNext, ZE_STRUCTURE_TYPE_DEVICE_CACHELINE_SIZE_EXT);
    if (line) line->cacheLineSize = opencl_number(hDevice, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
#endif
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetImageProperties(
    ze_device_handle_t hDevice, ze_device_image_properties_t *pImageProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(pImageProperties);
  size_t width = 0, height = 0, depth = 0, slices = 0, pixels = 0;
  clGetDeviceInfo(hDevice->opencl, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof width, &width, NULL);
  clGetDeviceInfo(hDevice->opencl, CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof height, &height, NULL);
  clGetDeviceInfo(hDevice->opencl, CL_DEVICE_IMAGE3D_MAX_DEPTH, sizeof depth, &depth, NULL);
  clGetDeviceInfo(
      hDevice->opencl, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, sizeof slices, &slices, NULL);
  clGetDeviceInfo(
      hDevice->opencl, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof pixels, &pixels, NULL);
  pImageProperties->maxImageDims1D = (uint32_t)width;
  pImageProperties->maxImageDims2D = (uint32_t)(width < height ? width : height);
  pImageProperties->maxImageDims3D = (uint32_t)depth;
  pImageProperties->maxImageBufferSize = pixels;
  pImageProperties->maxImageArraySlices = (uint32_t)slices;
  pImageProperties->maxSamplers = opencl_number(hDevice, CL_DEVICE_MAX_SAMPLERS);
  pImageProperties->maxReadImageArgs = opencl_number(hDevice, CL_DEVICE_MAX_READ_IMAGE_ARGS);
  pImageProperties->maxWriteImageArgs = opencl_number(hDevice, CL_DEVICE_MAX_WRITE_IMAGE_ARGS);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetExternalMemoryProperties(
    ze_device_handle_t hDevice, ze_device_external_memory_properties_t *pExternalMemoryProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(pExternalMemoryProperties);
  pExternalMemoryProperties->memoryAllocationImportTypes = 0;
  pExternalMemoryProperties->memoryAllocationExportTypes = 0;
  pExternalMemoryProperties->imageImportTypes = 0;
  pExternalMemoryProperties->imageExportTypes = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetP2PProperties(
    ze_device_handle_t hDevice, ze_device_handle_t hPeerDevice,
    ze_device_p2p_properties_t *pP2PProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_HANDLE(hPeerDevice);
  NEED_POINTER(pP2PProperties);
  pP2PProperties->flags = ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceCanAccessPeer(
    ze_device_handle_t hDevice, ze_device_handle_t hPeerDevice, ze_bool_t *value) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_HANDLE(hPeerDevice);
  NEED_POINTER(value);
  *value = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetStatus(ze_device_handle_t hDevice) {
  ENTER();
  NEED_HANDLE(hDevice);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetGlobalTimestamps(
    ze_device_handle_t hDevice, uint64_t *hostTimestamp, uint64_t *deviceTimestamp) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(hostTimestamp);
  NEED_POINTER(deviceTimestamp);
  *hostTimestamp = *deviceTimestamp = now();
  return ZE_RESULT_SUCCESS;
}

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 13)
ze_result_t zeDeviceGetVectorWidthPropertiesExt(
    ze_device_handle_t hDevice, uint32_t *pCount,
    ze_device_vector_width_properties_ext_t *pVectorWidthProperties) {
  ENTER();
  NEED_HANDLE(hDevice);
  NEED_POINTER(pCount);
  if (give_one(pCount, pVectorWidthProperties)) {
    ze_device_vector_width_properties_ext_t *out = pVectorWidthProperties;
#define WIDTHS(lower, upper)                                                                     \
  out->preferred_vector_width_##lower =                                                          \
      opencl_number(hDevice, CL_DEVICE_PREFERRED_VECTOR_WIDTH_##upper);                          \
  out->native_vector_width_##lower =                                                             \
      opencl_number(hDevice, CL_DEVICE_NATIVE_VECTOR_WIDTH_##upper)
    WIDTHS(char, CHAR);
    WIDTHS(short, SHORT);
    WIDTHS(int, INT);
    WIDTHS(long, LONG);
    WIDTHS(float, FLOAT);
    WIDTHS(double, DOUBLE);
    WIDTHS(half, HALF);
    out->vector_width_size = out->native_vector_width_char;
  }
  return ZE_RESULT_SUCCESS;
}
#endif

#if ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, 14)
ze_result_t zeDeviceSynchronize(ze_device_handle_t hDevice) {
  ENTER();
  NEED_HANDLE(hDevice);
  device_wait(hDevice);
  return device_take_error(hDevice);
}
#endif
