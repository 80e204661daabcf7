// Dispatch tables of what is neither a command nor a wait.
#include "tables.h"

#define TABLE ze_global_dditable_t
static const struct entry global[] = {
  HAVE(pfnInit, zeInit, 12),
  HAVE(pfnInitDrivers, zeInitDrivers, 12),
};
#undef TABLE
EXPORT(zeGetGlobalProcAddrTable, ze_global_dditable_t, global)

LACKING(zeDriverGetExtensionFunctionAddress)
#if SINCE(13)
LACKING(zeDriverRTASFormatCompatibilityCheckExt)
#endif
#define TABLE ze_driver_dditable_t
static const struct entry driver[] = {
  HAVE(pfnGet, zeDriverGet, 12),
  HAVE(pfnGetApiVersion, zeDriverGetApiVersion, 12),
  HAVE(pfnGetProperties, zeDriverGetProperties, 12),
  HAVE(pfnGetIpcProperties, zeDriverGetIpcProperties, 12),
  HAVE(pfnGetExtensionProperties, zeDriverGetExtensionProperties, 12),
  LACK(pfnGetExtensionFunctionAddress, zeDriverGetExtensionFunctionAddress, 12),
  HAVE(pfnGetLastErrorDescription, zeDriverGetLastErrorDescription, 12),
#if SINCE(13)
  LACK(pfnRTASFormatCompatibilityCheckExt, zeDriverRTASFormatCompatibilityCheckExt, 13),
#endif
#if SINCE(14)
  HAVE(pfnGetDefaultContext, zeDriverGetDefaultContext, 14),
#endif
};
#undef TABLE
EXPORT(zeGetDriverProcAddrTable, ze_driver_dditable_t, driver)

LACKING(zeDriverRTASFormatCompatibilityCheckExp)
#define TABLE ze_driver_exp_dditable_t
static const struct entry driver_exp[] = {
  LACK(pfnRTASFormatCompatibilityCheckExp, zeDriverRTASFormatCompatibilityCheckExp, 12),
};
#undef TABLE
EXPORT(zeGetDriverExpProcAddrTable, ze_driver_exp_dditable_t, driver_exp)

LACKING(zeDeviceReserveCacheExt)
LACKING(zeDeviceSetCacheAdviceExt)
LACKING(zeDevicePciGetPropertiesExt)
LACKING(zeDeviceImportExternalSemaphoreExt)
LACKING(zeDeviceReleaseExternalSemaphoreExt)
#if SINCE(15)
LACKING(zeDeviceGetAggregatedCopyOffloadIncrementValue)
#endif
#if SINCE(16)
LACKING(zeDeviceGetRuntimeRequirements)
LACKING(zeDeviceGetRuntimeRequirementsKey)
LACKING(zeDeviceValidateRuntimeRequirements)
#endif
#define TABLE ze_device_dditable_t
static const struct entry device[] = {
  HAVE(pfnGet, zeDeviceGet, 12),
  HAVE(pfnGetSubDevices, zeDeviceGetSubDevices, 12),
  HAVE(pfnGetProperties, zeDeviceGetProperties, 12),
  HAVE(pfnGetComputeProperties, zeDeviceGetComputeProperties, 12),
  HAVE(pfnGetModuleProperties, zeDeviceGetModuleProperties, 12),
  HAVE(pfnGetCommandQueueGroupProperties, zeDeviceGetCommandQueueGroupProperties, 12),
  HAVE(pfnGetMemoryProperties, zeDeviceGetMemoryProperties, 12),
  HAVE(pfnGetMemoryAccessProperties, zeDeviceGetMemoryAccessProperties, 12),
  HAVE(pfnGetCacheProperties, zeDeviceGetCacheProperties, 12),
  HAVE(pfnGetImageProperties, zeDeviceGetImageProperties, 12),
  HAVE(pfnGetExternalMemoryProperties, zeDeviceGetExternalMemoryProperties, 12),
  HAVE(pfnGetP2PProperties, zeDeviceGetP2PProperties, 12),
  HAVE(pfnCanAccessPeer, zeDeviceCanAccessPeer, 12),
  HAVE(pfnGetStatus, zeDeviceGetStatus, 12),
  HAVE(pfnGetGlobalTimestamps, zeDeviceGetGlobalTimestamps, 12),
  LACK(pfnReserveCacheExt, zeDeviceReserveCacheExt, 12),
  LACK(pfnSetCacheAdviceExt, zeDeviceSetCacheAdviceExt, 12),
  LACK(pfnPciGetPropertiesExt, zeDevicePciGetPropertiesExt, 12),
  HAVE(pfnGetRootDevice, zeDeviceGetRootDevice, 12),
  LACK(pfnImportExternalSemaphoreExt, zeDeviceImportExternalSemaphoreExt, 12),
  LACK(pfnReleaseExternalSemaphoreExt, zeDeviceReleaseExternalSemaphoreExt, 12),
#if SINCE(13)
  HAVE(pfnGetVectorWidthPropertiesExt, zeDeviceGetVectorWidthPropertiesExt, 13),
#endif
#if SINCE(14)
  HAVE(pfnSynchronize, zeDeviceSynchronize, 14),
#endif
#if SINCE(15)
  LACK(pfnGetAggregatedCopyOffloadIncrementValue, zeDeviceGetAggregatedCopyOffloadIncrementValue, 15),
#endif
#if SINCE(16)
  LACK(pfnGetRuntimeRequirements, zeDeviceGetRuntimeRequirements, 16),
  LACK(pfnGetRuntimeRequirementsKey, zeDeviceGetRuntimeRequirementsKey, 16),
  LACK(pfnValidateRuntimeRequirements, zeDeviceValidateRuntimeRequirements, 16),
#endif
#if SINCE(17)
  HAVE(pfnGetCounterBasedEventMaxValue, zeDeviceGetCounterBasedEventMaxValue, 17),
#endif
};
#undef TABLE
EXPORT(zeGetDeviceProcAddrTable, ze_device_dditable_t, device)

LACKING(zeDeviceGetFabricVertexExp)
#define TABLE ze_device_exp_dditable_t
static const struct entry device_exp[] = {
  LACK(pfnGetFabricVertexExp, zeDeviceGetFabricVertexExp, 12),
};
#undef TABLE
EXPORT(zeGetDeviceExpProcAddrTable, ze_device_exp_dditable_t, device_exp)

#define TABLE ze_context_dditable_t
static const struct entry context[] = {
  HAVE(pfnCreate, zeContextCreate, 12),
  HAVE(pfnDestroy, zeContextDestroy, 12),
  HAVE(pfnGetStatus, zeContextGetStatus, 12),
  HAVE(pfnSystemBarrier, zeContextSystemBarrier, 12),
  HAVE(pfnMakeMemoryResident, zeContextMakeMemoryResident, 12),
  HAVE(pfnEvictMemory, zeContextEvictMemory, 12),
  HAVE(pfnMakeImageResident, zeContextMakeImageResident, 12),
  HAVE(pfnEvictImage, zeContextEvictImage, 12),
  HAVE(pfnCreateEx, zeContextCreateEx, 12),
};
#undef TABLE
EXPORT(zeGetContextProcAddrTable, ze_context_dditable_t, context)

LACKING(zeMemGetIpcHandle)
LACKING(zeMemOpenIpcHandle)
LACKING(zeMemCloseIpcHandle)
LACKING(zeMemPutIpcHandle)
LACKING(zeMemGetPitchFor2dImage)
#if SINCE(15)
LACKING(zeMemGetIpcHandleWithProperties)
#endif
#define TABLE ze_mem_dditable_t
static const struct entry mem[] = {
  HAVE(pfnAllocShared, zeMemAllocShared, 12),
  HAVE(pfnAllocDevice, zeMemAllocDevice, 12),
  HAVE(pfnAllocHost, zeMemAllocHost, 12),
  HAVE(pfnFree, zeMemFree, 12),
  HAVE(pfnGetAllocProperties, zeMemGetAllocProperties, 12),
  HAVE(pfnGetAddressRange, zeMemGetAddressRange, 12),
  LACK(pfnGetIpcHandle, zeMemGetIpcHandle, 12),
  LACK(pfnOpenIpcHandle, zeMemOpenIpcHandle, 12),
  LACK(pfnCloseIpcHandle, zeMemCloseIpcHandle, 12),
  HAVE(pfnFreeExt, zeMemFreeExt, 12),
  LACK(pfnPutIpcHandle, zeMemPutIpcHandle, 12),
  LACK(pfnGetPitchFor2dImage, zeMemGetPitchFor2dImage, 12),
#if SINCE(15)
  LACK(pfnGetIpcHandleWithProperties, zeMemGetIpcHandleWithProperties, 15),
#endif
};
#undef TABLE
EXPORT(zeGetMemProcAddrTable, ze_mem_dditable_t, mem)

LACKING(zeMemGetIpcHandleFromFileDescriptorExp)
LACKING(zeMemGetFileDescriptorFromIpcHandleExp)
LACKING(zeMemSetAtomicAccessAttributeExp)
LACKING(zeMemGetAtomicAccessAttributeExp)
#define TABLE ze_mem_exp_dditable_t
static const struct entry mem_exp[] = {
  LACK(pfnGetIpcHandleFromFileDescriptorExp, zeMemGetIpcHandleFromFileDescriptorExp, 12),
  LACK(pfnGetFileDescriptorFromIpcHandleExp, zeMemGetFileDescriptorFromIpcHandleExp, 12),
  LACK(pfnSetAtomicAccessAttributeExp, zeMemSetAtomicAccessAttributeExp, 12),
  LACK(pfnGetAtomicAccessAttributeExp, zeMemGetAtomicAccessAttributeExp, 12),
};
#undef TABLE
EXPORT(zeGetMemExpProcAddrTable, ze_mem_exp_dditable_t, mem_exp)

#if SINCE(15)
LACKING(zePhysicalMemGetProperties)
#endif
#define TABLE ze_physical_mem_dditable_t
static const struct entry physical_mem[] = {
  HAVE(pfnCreate, zePhysicalMemCreate, 12),
  HAVE(pfnDestroy, zePhysicalMemDestroy, 12),
#if SINCE(15)
  LACK(pfnGetProperties, zePhysicalMemGetProperties, 15),
#endif
};
#undef TABLE
EXPORT(zeGetPhysicalMemProcAddrTable, ze_physical_mem_dditable_t, physical_mem)

#define TABLE ze_virtual_mem_dditable_t
static const struct entry virtual_mem[] = {
  HAVE(pfnReserve, zeVirtualMemReserve, 12),
  HAVE(pfnFree, zeVirtualMemFree, 12),
  HAVE(pfnQueryPageSize, zeVirtualMemQueryPageSize, 12),
  HAVE(pfnMap, zeVirtualMemMap, 12),
  HAVE(pfnUnmap, zeVirtualMemUnmap, 12),
  HAVE(pfnSetAccessAttribute, zeVirtualMemSetAccessAttribute, 12),
  HAVE(pfnGetAccessAttribute, zeVirtualMemGetAccessAttribute, 12),
};
#undef TABLE
EXPORT(zeGetVirtualMemProcAddrTable, ze_virtual_mem_dditable_t, virtual_mem)

LACKING(zeModuleInspectLinkageExt)
#define TABLE ze_module_dditable_t
static const struct entry module[] = {
  HAVE(pfnCreate, zeModuleCreate, 12),
  HAVE(pfnDestroy, zeModuleDestroy, 12),
  HAVE(pfnDynamicLink, zeModuleDynamicLink, 12),
  HAVE(pfnGetNativeBinary, zeModuleGetNativeBinary, 12),
  HAVE(pfnGetGlobalPointer, zeModuleGetGlobalPointer, 12),
  HAVE(pfnGetKernelNames, zeModuleGetKernelNames, 12),
  HAVE(pfnGetProperties, zeModuleGetProperties, 12),
  HAVE(pfnGetFunctionPointer, zeModuleGetFunctionPointer, 12),
  LACK(pfnInspectLinkageExt, zeModuleInspectLinkageExt, 12),
};
#undef TABLE
EXPORT(zeGetModuleProcAddrTable, ze_module_dditable_t, module)

#define TABLE ze_module_build_log_dditable_t
static const struct entry module_build_log[] = {
  HAVE(pfnDestroy, zeModuleBuildLogDestroy, 12),
  HAVE(pfnGetString, zeModuleBuildLogGetString, 12),
};
#undef TABLE
EXPORT(zeGetModuleBuildLogProcAddrTable, ze_module_build_log_dditable_t, module_build_log)

#define TABLE ze_kernel_dditable_t
static const struct entry kernel[] = {
  HAVE(pfnCreate, zeKernelCreate, 12),
  HAVE(pfnDestroy, zeKernelDestroy, 12),
  HAVE(pfnSetCacheConfig, zeKernelSetCacheConfig, 12),
  HAVE(pfnSetGroupSize, zeKernelSetGroupSize, 12),
  HAVE(pfnSuggestGroupSize, zeKernelSuggestGroupSize, 12),
  HAVE(pfnSuggestMaxCooperativeGroupCount, zeKernelSuggestMaxCooperativeGroupCount, 12),
  HAVE(pfnSetArgumentValue, zeKernelSetArgumentValue, 12),
  HAVE(pfnSetIndirectAccess, zeKernelSetIndirectAccess, 12),
  HAVE(pfnGetIndirectAccess, zeKernelGetIndirectAccess, 12),
  HAVE(pfnGetSourceAttributes, zeKernelGetSourceAttributes, 12),
  HAVE(pfnGetProperties, zeKernelGetProperties, 12),
  HAVE(pfnGetName, zeKernelGetName, 12),
};
#undef TABLE
EXPORT(zeGetKernelProcAddrTable, ze_kernel_dditable_t, kernel)

LACKING(zeKernelSchedulingHintExp)
LACKING(zeKernelGetBinaryExp)
#if SINCE(14)
LACKING(zeKernelGetAllocationPropertiesExp)
#endif
#define TABLE ze_kernel_exp_dditable_t
static const struct entry kernel_exp[] = {
  HAVE(pfnSetGlobalOffsetExp, zeKernelSetGlobalOffsetExp, 12),
  LACK(pfnSchedulingHintExp, zeKernelSchedulingHintExp, 12),
  LACK(pfnGetBinaryExp, zeKernelGetBinaryExp, 12),
#if SINCE(14)
  LACK(pfnGetAllocationPropertiesExp, zeKernelGetAllocationPropertiesExp, 14),
#endif
};
#undef TABLE
EXPORT(zeGetKernelExpProcAddrTable, ze_kernel_exp_dditable_t, kernel_exp)

LACKING(zeImageGetAllocPropertiesExt)
LACKING(zeImageViewCreateExt)
#define TABLE ze_image_dditable_t
static const struct entry image[] = {
  HAVE(pfnGetProperties, zeImageGetProperties, 12),
  HAVE(pfnCreate, zeImageCreate, 12),
  HAVE(pfnDestroy, zeImageDestroy, 12),
  LACK(pfnGetAllocPropertiesExt, zeImageGetAllocPropertiesExt, 12),
  LACK(pfnViewCreateExt, zeImageViewCreateExt, 12),
};
#undef TABLE
EXPORT(zeGetImageProcAddrTable, ze_image_dditable_t, image)

LACKING(zeImageGetMemoryPropertiesExp)
LACKING(zeImageViewCreateExp)
LACKING(zeImageGetDeviceOffsetExp)
#define TABLE ze_image_exp_dditable_t
static const struct entry image_exp[] = {
  LACK(pfnGetMemoryPropertiesExp, zeImageGetMemoryPropertiesExp, 12),
  LACK(pfnViewCreateExp, zeImageViewCreateExp, 12),
  LACK(pfnGetDeviceOffsetExp, zeImageGetDeviceOffsetExp, 12),
};
#undef TABLE
EXPORT(zeGetImageExpProcAddrTable, ze_image_exp_dditable_t, image_exp)

#define TABLE ze_sampler_dditable_t
static const struct entry sampler[] = {
  HAVE(pfnCreate, zeSamplerCreate, 12),
  HAVE(pfnDestroy, zeSamplerDestroy, 12),
};
#undef TABLE
EXPORT(zeGetSamplerProcAddrTable, ze_sampler_dditable_t, sampler)
