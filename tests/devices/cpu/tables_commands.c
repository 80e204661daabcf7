// Dispatch tables of commands and of what waits for them.
#include "tables.h"

#define TABLE ze_command_queue_dditable_t
static const struct entry command_queue[] = {
  HAVE(pfnCreate, zeCommandQueueCreate, 12),
  HAVE(pfnDestroy, zeCommandQueueDestroy, 12),
  HAVE(pfnExecuteCommandLists, zeCommandQueueExecuteCommandLists, 12),
  HAVE(pfnSynchronize, zeCommandQueueSynchronize, 12),
  HAVE(pfnGetOrdinal, zeCommandQueueGetOrdinal, 12),
  HAVE(pfnGetIndex, zeCommandQueueGetIndex, 12),
#if SINCE(17)
  HAVE(pfnGetFlags, zeCommandQueueGetFlags, 17),
  HAVE(pfnGetMode, zeCommandQueueGetMode, 17),
  HAVE(pfnGetPriority, zeCommandQueueGetPriority, 17),
#endif
};
#undef TABLE
EXPORT(zeGetCommandQueueProcAddrTable, ze_command_queue_dditable_t, command_queue)

LACKING(zeCommandListAppendSignalExternalSemaphoreExt)
LACKING(zeCommandListAppendWaitExternalSemaphoreExt)
#if SINCE(17)
LACKING(zeCommandListBeginGraphCaptureExt)
LACKING(zeCommandListBeginCaptureIntoGraphExt)
LACKING(zeCommandListIsGraphCaptureEnabledExt)
LACKING(zeCommandListEndGraphCaptureExt)
LACKING(zeCommandListGetGraphExt)
LACKING(zeCommandListAppendGraphExt)
#endif
#define TABLE ze_command_list_dditable_t
static const struct entry command_list[] = {
  HAVE(pfnCreate, zeCommandListCreate, 12),
  HAVE(pfnCreateImmediate, zeCommandListCreateImmediate, 12),
  HAVE(pfnDestroy, zeCommandListDestroy, 12),
  HAVE(pfnClose, zeCommandListClose, 12),
  HAVE(pfnReset, zeCommandListReset, 12),
  HAVE(pfnAppendWriteGlobalTimestamp, zeCommandListAppendWriteGlobalTimestamp, 12),
  HAVE(pfnAppendBarrier, zeCommandListAppendBarrier, 12),
  HAVE(pfnAppendMemoryRangesBarrier, zeCommandListAppendMemoryRangesBarrier, 12),
  HAVE(pfnAppendMemoryCopy, zeCommandListAppendMemoryCopy, 12),
  HAVE(pfnAppendMemoryFill, zeCommandListAppendMemoryFill, 12),
  HAVE(pfnAppendMemoryCopyRegion, zeCommandListAppendMemoryCopyRegion, 12),
  HAVE(pfnAppendMemoryCopyFromContext, zeCommandListAppendMemoryCopyFromContext, 12),
  HAVE(pfnAppendImageCopy, zeCommandListAppendImageCopy, 12),
  HAVE(pfnAppendImageCopyRegion, zeCommandListAppendImageCopyRegion, 12),
  HAVE(pfnAppendImageCopyToMemory, zeCommandListAppendImageCopyToMemory, 12),
  HAVE(pfnAppendImageCopyFromMemory, zeCommandListAppendImageCopyFromMemory, 12),
  HAVE(pfnAppendMemoryPrefetch, zeCommandListAppendMemoryPrefetch, 12),
  HAVE(pfnAppendMemAdvise, zeCommandListAppendMemAdvise, 12),
  HAVE(pfnAppendSignalEvent, zeCommandListAppendSignalEvent, 12),
  HAVE(pfnAppendWaitOnEvents, zeCommandListAppendWaitOnEvents, 12),
  HAVE(pfnAppendEventReset, zeCommandListAppendEventReset, 12),
  HAVE(pfnAppendQueryKernelTimestamps, zeCommandListAppendQueryKernelTimestamps, 12),
  HAVE(pfnAppendLaunchKernel, zeCommandListAppendLaunchKernel, 12),
  HAVE(pfnAppendLaunchCooperativeKernel, zeCommandListAppendLaunchCooperativeKernel, 12),
  HAVE(pfnAppendLaunchKernelIndirect, zeCommandListAppendLaunchKernelIndirect, 12),
  HAVE(pfnAppendLaunchMultipleKernelsIndirect, zeCommandListAppendLaunchMultipleKernelsIndirect, 12),
  HAVE(pfnAppendImageCopyToMemoryExt, zeCommandListAppendImageCopyToMemoryExt, 12),
  HAVE(pfnAppendImageCopyFromMemoryExt, zeCommandListAppendImageCopyFromMemoryExt, 12),
  HAVE(pfnHostSynchronize, zeCommandListHostSynchronize, 12),
  HAVE(pfnGetDeviceHandle, zeCommandListGetDeviceHandle, 12),
  HAVE(pfnGetContextHandle, zeCommandListGetContextHandle, 12),
  HAVE(pfnGetOrdinal, zeCommandListGetOrdinal, 12),
  HAVE(pfnImmediateGetIndex, zeCommandListImmediateGetIndex, 12),
  HAVE(pfnIsImmediate, zeCommandListIsImmediate, 12),
  LACK(pfnAppendSignalExternalSemaphoreExt, zeCommandListAppendSignalExternalSemaphoreExt, 12),
  LACK(pfnAppendWaitExternalSemaphoreExt, zeCommandListAppendWaitExternalSemaphoreExt, 12),
#if SINCE(14)
  HAVE(pfnAppendLaunchKernelWithParameters, zeCommandListAppendLaunchKernelWithParameters, 14),
  HAVE(pfnAppendLaunchKernelWithArguments, zeCommandListAppendLaunchKernelWithArguments, 14),
#endif
#if SINCE(16)
  HAVE(pfnAppendMemoryCopyWithParameters, zeCommandListAppendMemoryCopyWithParameters, 16),
  HAVE(pfnAppendMemoryFillWithParameters, zeCommandListAppendMemoryFillWithParameters, 16),
  HAVE(pfnImmediateAppendCommandListsWithParameters, zeCommandListImmediateAppendCommandListsWithParameters, 16),
#endif
#if SINCE(17)
  HAVE(pfnGetFlags, zeCommandListGetFlags, 17),
  HAVE(pfnImmediateGetFlags, zeCommandListImmediateGetFlags, 17),
  HAVE(pfnImmediateGetMode, zeCommandListImmediateGetMode, 17),
  HAVE(pfnImmediateGetPriority, zeCommandListImmediateGetPriority, 17),
  LACK(pfnBeginGraphCaptureExt, zeCommandListBeginGraphCaptureExt, 17),
  LACK(pfnBeginCaptureIntoGraphExt, zeCommandListBeginCaptureIntoGraphExt, 17),
  LACK(pfnIsGraphCaptureEnabledExt, zeCommandListIsGraphCaptureEnabledExt, 17),
  LACK(pfnEndGraphCaptureExt, zeCommandListEndGraphCaptureExt, 17),
  LACK(pfnGetGraphExt, zeCommandListGetGraphExt, 17),
  LACK(pfnAppendGraphExt, zeCommandListAppendGraphExt, 17),
  HAVE(pfnAppendHostFunction, zeCommandListAppendHostFunction, 17),
#endif
};
#undef TABLE
EXPORT(zeGetCommandListProcAddrTable, ze_command_list_dditable_t, command_list)

LACKING(zeCommandListCreateCloneExp)
LACKING(zeCommandListGetNextCommandIdExp)
LACKING(zeCommandListUpdateMutableCommandsExp)
LACKING(zeCommandListUpdateMutableCommandSignalEventExp)
LACKING(zeCommandListUpdateMutableCommandWaitEventsExp)
LACKING(zeCommandListGetNextCommandIdWithKernelsExp)
LACKING(zeCommandListUpdateMutableCommandKernelsExp)
#if SINCE(17)
LACKING(zeCommandListIsMutableExp)
#endif
#define TABLE ze_command_list_exp_dditable_t
static const struct entry command_list_exp[] = {
  LACK(pfnCreateCloneExp, zeCommandListCreateCloneExp, 12),
  HAVE(pfnImmediateAppendCommandListsExp, zeCommandListImmediateAppendCommandListsExp, 12),
  LACK(pfnGetNextCommandIdExp, zeCommandListGetNextCommandIdExp, 12),
  LACK(pfnUpdateMutableCommandsExp, zeCommandListUpdateMutableCommandsExp, 12),
  LACK(pfnUpdateMutableCommandSignalEventExp, zeCommandListUpdateMutableCommandSignalEventExp, 12),
  LACK(pfnUpdateMutableCommandWaitEventsExp, zeCommandListUpdateMutableCommandWaitEventsExp, 12),
  LACK(pfnGetNextCommandIdWithKernelsExp, zeCommandListGetNextCommandIdWithKernelsExp, 12),
  LACK(pfnUpdateMutableCommandKernelsExp, zeCommandListUpdateMutableCommandKernelsExp, 12),
#if SINCE(17)
  LACK(pfnIsMutableExp, zeCommandListIsMutableExp, 17),
#endif
};
#undef TABLE
EXPORT(zeGetCommandListExpProcAddrTable, ze_command_list_exp_dditable_t, command_list_exp)

#define TABLE ze_fence_dditable_t
static const struct entry fence[] = {
  HAVE(pfnCreate, zeFenceCreate, 12),
  HAVE(pfnDestroy, zeFenceDestroy, 12),
  HAVE(pfnHostSynchronize, zeFenceHostSynchronize, 12),
  HAVE(pfnQueryStatus, zeFenceQueryStatus, 12),
  HAVE(pfnReset, zeFenceReset, 12),
};
#undef TABLE
EXPORT(zeGetFenceProcAddrTable, ze_fence_dditable_t, fence)

LACKING(zeEventPoolGetIpcHandle)
LACKING(zeEventPoolOpenIpcHandle)
LACKING(zeEventPoolCloseIpcHandle)
LACKING(zeEventPoolPutIpcHandle)
#define TABLE ze_event_pool_dditable_t
static const struct entry event_pool[] = {
  HAVE(pfnCreate, zeEventPoolCreate, 12),
  HAVE(pfnDestroy, zeEventPoolDestroy, 12),
  LACK(pfnGetIpcHandle, zeEventPoolGetIpcHandle, 12),
  LACK(pfnOpenIpcHandle, zeEventPoolOpenIpcHandle, 12),
  LACK(pfnCloseIpcHandle, zeEventPoolCloseIpcHandle, 12),
  LACK(pfnPutIpcHandle, zeEventPoolPutIpcHandle, 12),
  HAVE(pfnGetContextHandle, zeEventPoolGetContextHandle, 12),
  HAVE(pfnGetFlags, zeEventPoolGetFlags, 12),
};
#undef TABLE
EXPORT(zeGetEventPoolProcAddrTable, ze_event_pool_dditable_t, event_pool)

#if SINCE(15)
LACKING(zeEventCounterBasedGetIpcHandle)
LACKING(zeEventCounterBasedOpenIpcHandle)
LACKING(zeEventCounterBasedCloseIpcHandle)
LACKING(zeEventCounterBasedGetDeviceAddress)
#endif
#define TABLE ze_event_dditable_t
static const struct entry event[] = {
  HAVE(pfnCreate, zeEventCreate, 12),
  HAVE(pfnDestroy, zeEventDestroy, 12),
  HAVE(pfnHostSignal, zeEventHostSignal, 12),
  HAVE(pfnHostSynchronize, zeEventHostSynchronize, 12),
  HAVE(pfnQueryStatus, zeEventQueryStatus, 12),
  HAVE(pfnHostReset, zeEventHostReset, 12),
  HAVE(pfnQueryKernelTimestamp, zeEventQueryKernelTimestamp, 12),
  HAVE(pfnQueryKernelTimestampsExt, zeEventQueryKernelTimestampsExt, 12),
  HAVE(pfnGetEventPool, zeEventGetEventPool, 12),
  HAVE(pfnGetSignalScope, zeEventGetSignalScope, 12),
  HAVE(pfnGetWaitScope, zeEventGetWaitScope, 12),
#if SINCE(15)
  HAVE(pfnCounterBasedCreate, zeEventCounterBasedCreate, 15),
  LACK(pfnCounterBasedGetIpcHandle, zeEventCounterBasedGetIpcHandle, 15),
  LACK(pfnCounterBasedOpenIpcHandle, zeEventCounterBasedOpenIpcHandle, 15),
  LACK(pfnCounterBasedCloseIpcHandle, zeEventCounterBasedCloseIpcHandle, 15),
  LACK(pfnCounterBasedGetDeviceAddress, zeEventCounterBasedGetDeviceAddress, 15),
#endif
#if SINCE(17)
  HAVE(pfnGetCounterBasedFlags, zeEventGetCounterBasedFlags, 17),
#endif
};
#undef TABLE
EXPORT(zeGetEventProcAddrTable, ze_event_dditable_t, event)

#define TABLE ze_event_exp_dditable_t
static const struct entry event_exp[] = {
  HAVE(pfnQueryTimestampsExp, zeEventQueryTimestampsExp, 12),
};
#undef TABLE
EXPORT(zeGetEventExpProcAddrTable, ze_event_exp_dditable_t, event_exp)
