// Dispatch tables of which the driver has nothing.
#include "tables.h"

#if SINCE(13)
LACKING(zeRTASBuilderCreateExt)
LACKING(zeRTASBuilderGetBuildPropertiesExt)
LACKING(zeRTASBuilderBuildExt)
LACKING(zeRTASBuilderCommandListAppendCopyExt)
LACKING(zeRTASBuilderDestroyExt)
#define TABLE ze_rtas_builder_dditable_t
static const struct entry rtas_builder[] = {
  LACK(pfnCreateExt, zeRTASBuilderCreateExt, 13),
  LACK(pfnGetBuildPropertiesExt, zeRTASBuilderGetBuildPropertiesExt, 13),
  LACK(pfnBuildExt, zeRTASBuilderBuildExt, 13),
  LACK(pfnCommandListAppendCopyExt, zeRTASBuilderCommandListAppendCopyExt, 13),
  LACK(pfnDestroyExt, zeRTASBuilderDestroyExt, 13),
};
#undef TABLE
EXPORT(zeGetRTASBuilderProcAddrTable, ze_rtas_builder_dditable_t, rtas_builder)
#endif

LACKING(zeRTASBuilderCreateExp)
LACKING(zeRTASBuilderGetBuildPropertiesExp)
LACKING(zeRTASBuilderBuildExp)
LACKING(zeRTASBuilderDestroyExp)
#define TABLE ze_rtas_builder_exp_dditable_t
static const struct entry rtas_builder_exp[] = {
  LACK(pfnCreateExp, zeRTASBuilderCreateExp, 12),
  LACK(pfnGetBuildPropertiesExp, zeRTASBuilderGetBuildPropertiesExp, 12),
  LACK(pfnBuildExp, zeRTASBuilderBuildExp, 12),
  LACK(pfnDestroyExp, zeRTASBuilderDestroyExp, 12),
};
#undef TABLE
EXPORT(zeGetRTASBuilderExpProcAddrTable, ze_rtas_builder_exp_dditable_t, rtas_builder_exp)

#if SINCE(13)
LACKING(zeRTASParallelOperationCreateExt)
LACKING(zeRTASParallelOperationGetPropertiesExt)
LACKING(zeRTASParallelOperationJoinExt)
LACKING(zeRTASParallelOperationDestroyExt)
#define TABLE ze_rtas_parallel_operation_dditable_t
static const struct entry rtas_parallel_operation[] = {
  LACK(pfnCreateExt, zeRTASParallelOperationCreateExt, 13),
  LACK(pfnGetPropertiesExt, zeRTASParallelOperationGetPropertiesExt, 13),
  LACK(pfnJoinExt, zeRTASParallelOperationJoinExt, 13),
  LACK(pfnDestroyExt, zeRTASParallelOperationDestroyExt, 13),
};
#undef TABLE
EXPORT(zeGetRTASParallelOperationProcAddrTable, ze_rtas_parallel_operation_dditable_t, rtas_parallel_operation)
#endif

LACKING(zeRTASParallelOperationCreateExp)
LACKING(zeRTASParallelOperationGetPropertiesExp)
LACKING(zeRTASParallelOperationJoinExp)
LACKING(zeRTASParallelOperationDestroyExp)
#define TABLE ze_rtas_parallel_operation_exp_dditable_t
static const struct entry rtas_parallel_operation_exp[] = {
  LACK(pfnCreateExp, zeRTASParallelOperationCreateExp, 12),
  LACK(pfnGetPropertiesExp, zeRTASParallelOperationGetPropertiesExp, 12),
  LACK(pfnJoinExp, zeRTASParallelOperationJoinExp, 12),
  LACK(pfnDestroyExp, zeRTASParallelOperationDestroyExp, 12),
};
#undef TABLE
EXPORT(zeGetRTASParallelOperationExpProcAddrTable, ze_rtas_parallel_operation_exp_dditable_t, rtas_parallel_operation_exp)

LACKING(zeFabricVertexGetExp)
LACKING(zeFabricVertexGetSubVerticesExp)
LACKING(zeFabricVertexGetPropertiesExp)
LACKING(zeFabricVertexGetDeviceExp)
#define TABLE ze_fabric_vertex_exp_dditable_t
static const struct entry fabric_vertex_exp[] = {
  LACK(pfnGetExp, zeFabricVertexGetExp, 12),
  LACK(pfnGetSubVerticesExp, zeFabricVertexGetSubVerticesExp, 12),
  LACK(pfnGetPropertiesExp, zeFabricVertexGetPropertiesExp, 12),
  LACK(pfnGetDeviceExp, zeFabricVertexGetDeviceExp, 12),
};
#undef TABLE
EXPORT(zeGetFabricVertexExpProcAddrTable, ze_fabric_vertex_exp_dditable_t, fabric_vertex_exp)

LACKING(zeFabricEdgeGetExp)
LACKING(zeFabricEdgeGetVerticesExp)
LACKING(zeFabricEdgeGetPropertiesExp)
#define TABLE ze_fabric_edge_exp_dditable_t
static const struct entry fabric_edge_exp[] = {
  LACK(pfnGetExp, zeFabricEdgeGetExp, 12),
  LACK(pfnGetVerticesExp, zeFabricEdgeGetVerticesExp, 12),
  LACK(pfnGetPropertiesExp, zeFabricEdgeGetPropertiesExp, 12),
};
#undef TABLE
EXPORT(zeGetFabricEdgeExpProcAddrTable, ze_fabric_edge_exp_dditable_t, fabric_edge_exp)

#if SINCE(17)
LACKING(zeGraphCreateExt)
LACKING(zeGraphGetPrimaryCommandListExt)
LACKING(zeGraphSetDestructionCallbackExt)
LACKING(zeGraphInstantiateExt)
LACKING(zeGraphIsEmptyExt)
LACKING(zeGraphDumpContentsExt)
LACKING(zeGraphDestroyExt)
#define TABLE ze_graph_dditable_t
static const struct entry graph[] = {
  LACK(pfnCreateExt, zeGraphCreateExt, 17),
  LACK(pfnGetPrimaryCommandListExt, zeGraphGetPrimaryCommandListExt, 17),
  LACK(pfnSetDestructionCallbackExt, zeGraphSetDestructionCallbackExt, 17),
  LACK(pfnInstantiateExt, zeGraphInstantiateExt, 17),
  LACK(pfnIsEmptyExt, zeGraphIsEmptyExt, 17),
  LACK(pfnDumpContentsExt, zeGraphDumpContentsExt, 17),
  LACK(pfnDestroyExt, zeGraphDestroyExt, 17),
};
#undef TABLE
EXPORT(zeGetGraphProcAddrTable, ze_graph_dditable_t, graph)
#endif

#if SINCE(17)
LACKING(zeExecutableGraphGetSourceGraphExt)
LACKING(zeExecutableGraphDestroyExt)
#define TABLE ze_executable_graph_dditable_t
static const struct entry executable_graph[] = {
  LACK(pfnGetSourceGraphExt, zeExecutableGraphGetSourceGraphExt, 17),
  LACK(pfnDestroyExt, zeExecutableGraphDestroyExt, 17),
};
#undef TABLE
EXPORT(zeGetExecutableGraphProcAddrTable, ze_executable_graph_dditable_t, executable_graph)
#endif

/*
 * Sysman and tools. The loader gives a driver up if it refuses one of these tables, and answers
 * for each function that a table leaves empty. So: accepted, and left empty.
 */
#define EMPTY(name, type)                                                                        \
  ZE_DLLEXPORT ze_result_t name(ze_api_version_t version, type *pDdiTable) {                     \
    return table_check(#name, version, pDdiTable);                                               \
  }
EMPTY(zesGetGlobalProcAddrTable, zes_global_dditable_t)
EMPTY(zesGetDeviceProcAddrTable, zes_device_dditable_t)
EMPTY(zesGetDeviceExpProcAddrTable, zes_device_exp_dditable_t)
EMPTY(zesGetDriverProcAddrTable, zes_driver_dditable_t)
EMPTY(zesGetDriverExpProcAddrTable, zes_driver_exp_dditable_t)
EMPTY(zesGetOverclockProcAddrTable, zes_overclock_dditable_t)
EMPTY(zesGetSchedulerProcAddrTable, zes_scheduler_dditable_t)
EMPTY(zesGetPerformanceFactorProcAddrTable, zes_performance_factor_dditable_t)
EMPTY(zesGetPowerProcAddrTable, zes_power_dditable_t)
EMPTY(zesGetFrequencyProcAddrTable, zes_frequency_dditable_t)
EMPTY(zesGetEngineProcAddrTable, zes_engine_dditable_t)
EMPTY(zesGetStandbyProcAddrTable, zes_standby_dditable_t)
EMPTY(zesGetFirmwareProcAddrTable, zes_firmware_dditable_t)
EMPTY(zesGetFirmwareExpProcAddrTable, zes_firmware_exp_dditable_t)
EMPTY(zesGetMemoryProcAddrTable, zes_memory_dditable_t)
EMPTY(zesGetFabricPortProcAddrTable, zes_fabric_port_dditable_t)
EMPTY(zesGetTemperatureProcAddrTable, zes_temperature_dditable_t)
EMPTY(zesGetPsuProcAddrTable, zes_psu_dditable_t)
EMPTY(zesGetFanProcAddrTable, zes_fan_dditable_t)
EMPTY(zesGetLedProcAddrTable, zes_led_dditable_t)
EMPTY(zesGetRasProcAddrTable, zes_ras_dditable_t)
EMPTY(zesGetRasExpProcAddrTable, zes_ras_exp_dditable_t)
EMPTY(zesGetDiagnosticsProcAddrTable, zes_diagnostics_dditable_t)
EMPTY(zesGetVFManagementExpProcAddrTable, zes_vf_management_exp_dditable_t)
EMPTY(zetGetMetricProgrammableExpProcAddrTable, zet_metric_programmable_exp_dditable_t)
EMPTY(zetGetMetricTracerExpProcAddrTable, zet_metric_tracer_exp_dditable_t)
EMPTY(zetGetMetricDecoderExpProcAddrTable, zet_metric_decoder_exp_dditable_t)
EMPTY(zetGetDeviceProcAddrTable, zet_device_dditable_t)
EMPTY(zetGetDeviceExpProcAddrTable, zet_device_exp_dditable_t)
EMPTY(zetGetContextProcAddrTable, zet_context_dditable_t)
EMPTY(zetGetCommandListProcAddrTable, zet_command_list_dditable_t)
#if SINCE(17)
EMPTY(zetGetCommandListExpProcAddrTable, zet_command_list_exp_dditable_t)
#endif
EMPTY(zetGetModuleProcAddrTable, zet_module_dditable_t)
EMPTY(zetGetKernelProcAddrTable, zet_kernel_dditable_t)
EMPTY(zetGetMetricProcAddrTable, zet_metric_dditable_t)
EMPTY(zetGetMetricExpProcAddrTable, zet_metric_exp_dditable_t)
EMPTY(zetGetMetricGroupProcAddrTable, zet_metric_group_dditable_t)
EMPTY(zetGetMetricGroupExpProcAddrTable, zet_metric_group_exp_dditable_t)
EMPTY(zetGetMetricStreamerProcAddrTable, zet_metric_streamer_dditable_t)
EMPTY(zetGetMetricQueryPoolProcAddrTable, zet_metric_query_pool_dditable_t)
EMPTY(zetGetMetricQueryProcAddrTable, zet_metric_query_dditable_t)
EMPTY(zetGetTracerExpProcAddrTable, zet_tracer_exp_dditable_t)
EMPTY(zetGetDebugProcAddrTable, zet_debug_dditable_t)
