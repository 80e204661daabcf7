// Wrong use gets the code that the specification names.
#include "test.h"

static void test_null_handles(void) {
  uint32_t number = 0;
  size_t size = 0;
  ERROR(zeDriverGetProperties(NULL, NULL), INVALID_NULL_HANDLE);
  ERROR(zeDeviceGet(NULL, &number, NULL), INVALID_NULL_HANDLE);
  ERROR(zeDeviceGetProperties(NULL, NULL), INVALID_NULL_HANDLE);
  ERROR(zeContextDestroy(NULL), INVALID_NULL_HANDLE);
  ERROR(zeCommandQueueDestroy(NULL), INVALID_NULL_HANDLE);
  ERROR(zeCommandQueueSynchronize(NULL, 0), INVALID_NULL_HANDLE);
  ERROR(zeCommandListDestroy(NULL), INVALID_NULL_HANDLE);
  ERROR(zeCommandListClose(NULL), INVALID_NULL_HANDLE);
  ERROR(zeCommandListAppendBarrier(NULL, NULL, 0, NULL), INVALID_NULL_HANDLE);
  ERROR(zeFenceDestroy(NULL), INVALID_NULL_HANDLE);
  ERROR(zeEventDestroy(NULL), INVALID_NULL_HANDLE);
  ERROR(zeEventHostSynchronize(NULL, 0), INVALID_NULL_HANDLE);
  ERROR(zeEventPoolDestroy(NULL), INVALID_NULL_HANDLE);
  ERROR(zeModuleDestroy(NULL), INVALID_NULL_HANDLE);
  ERROR(zeModuleBuildLogGetString(NULL, &size, NULL), INVALID_NULL_HANDLE);
  ERROR(zeKernelDestroy(NULL), INVALID_NULL_HANDLE);
  ERROR(zeKernelSetArgumentValue(NULL, 0, 8, NULL), INVALID_NULL_HANDLE);
  ERROR(zeImageDestroy(NULL), INVALID_NULL_HANDLE);
  ERROR(zeSamplerDestroy(NULL), INVALID_NULL_HANDLE);
}

static void test_creation(void) {
  ze_context_desc_t context_desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC, .flags = 0x10};
  ze_context_handle_t none = NULL;
  ERROR(zeContextCreate(driver, NULL, &none), INVALID_NULL_POINTER);
  ERROR(zeContextCreate(driver, &context_desc, &none), INVALID_ENUMERATION);
  ERROR(zeContextCreateEx(driver, &context_desc, 1, NULL, &none), INVALID_SIZE);
  context_desc.flags = 0;
  OK(zeContextCreateEx(driver, &context_desc, 1, &device, &none));
  OK(zeContextDestroy(none));

  ze_command_queue_desc_t queue_desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_command_queue_handle_t queue = NULL;
  ERROR(zeCommandQueueCreate(context, device, NULL, &queue), INVALID_NULL_POINTER);
  queue_desc.mode = 9;
  ERROR(zeCommandQueueCreate(context, device, &queue_desc, &queue), INVALID_ENUMERATION);
  queue_desc.mode = 0;
  queue_desc.ordinal = 5;
  ERROR(zeCommandQueueCreate(context, device, &queue_desc, &queue), INVALID_ARGUMENT);
  CHECK(queue == NULL);

  ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC};
  ze_event_pool_handle_t pool = NULL;
  ERROR(zeEventPoolCreate(context, &pool_desc, 0, NULL, &pool), INVALID_SIZE);
  pool_desc.count = 1;
  pool_desc.flags = 0x80;
  ERROR(zeEventPoolCreate(context, &pool_desc, 0, NULL, &pool), INVALID_ENUMERATION);
  pool_desc.flags = ZE_EVENT_POOL_FLAG_IPC;
  OK(zeEventPoolCreate(context, &pool_desc, 0, NULL, &pool));
  ze_ipc_event_pool_handle_t shared;
  ERROR(zeEventPoolGetIpcHandle(pool, &shared), UNSUPPORTED_FEATURE);
  OK(zeEventPoolDestroy(pool));
  ze_driver_ipc_properties_t ipc = {.stype = ZE_STRUCTURE_TYPE_DRIVER_IPC_PROPERTIES};
  OK(zeDriverGetIpcProperties(driver, &ipc));
  CHECK(ipc.flags == 0);
  pool = make_pool(1, 0);
  ERROR(zeContextDestroy(context), HANDLE_OBJECT_IN_USE);
  ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = 1};
  ze_event_handle_t event = NULL;
  ERROR(zeEventCreate(pool, &event_desc, &event), INVALID_ARGUMENT);
  ERROR(zeEventCreate(pool, NULL, &event), INVALID_NULL_POINTER);
  event = make_event(pool, 0);
  ze_kernel_timestamp_result_t times;
  ERROR(zeEventQueryKernelTimestamp(event, &times), INVALID_SYNCHRONIZATION_OBJECT);
  OK(zeEventDestroy(event));
  OK(zeEventPoolDestroy(pool));
}

static void test_use(void) {
  ze_command_list_handle_t list = make_list();
  int data[4] = {0};
  ERROR(zeCommandListAppendMemoryCopy(list, NULL, data, 4, NULL, 0, NULL), INVALID_NULL_POINTER);
  ERROR(zeCommandListAppendMemoryCopy(list, data, data, 4, NULL, 1, NULL), INVALID_SIZE);
  ze_event_handle_t null_event = NULL;
  ERROR(zeCommandListAppendBarrier(list, NULL, 1, &null_event), INVALID_NULL_HANDLE);
  ERROR(zeCommandListAppendWaitOnEvents(list, 1, NULL), INVALID_NULL_POINTER);
  ze_command_queue_handle_t queue = make_queue(ZE_COMMAND_QUEUE_MODE_DEFAULT);
  ERROR(zeCommandQueueExecuteCommandLists(queue, 0, &list, NULL), INVALID_SIZE);
  ERROR(zeCommandQueueExecuteCommandLists(queue, 1, NULL, NULL), INVALID_NULL_POINTER);
  OK(zeCommandQueueDestroy(queue));

  ze_module_handle_t module = load_module("vector_add.spv");
  ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "nope"};
  ze_kernel_handle_t kernel = NULL;
  ERROR(zeKernelCreate(module, &desc, &kernel), INVALID_KERNEL_NAME);
  desc.pKernelName = NULL;
  ERROR(zeKernelCreate(module, &desc, &kernel), INVALID_NULL_POINTER);
  kernel = make_kernel(module, "vector_add");
  ze_group_count_t one = {1, 1, 1};
  // No argument has been set.
  ERROR(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL), INVALID_ARGUMENT);
  ERROR(zeCommandListAppendLaunchKernel(list, kernel, NULL, NULL, 0, NULL), INVALID_NULL_POINTER);
  uint32_t x;
  ERROR(zeKernelSuggestGroupSize(kernel, 0, 1, 1, &x, &x, &x), INVALID_GLOBAL_WIDTH_DIMENSION);
  ERROR(zeKernelSuggestGroupSize(kernel, 1, 1, 1, NULL, &x, &x), INVALID_NULL_POINTER);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  ze_module_desc_t module_desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .format = 2};
  ERROR(zeModuleCreate(context, device, &module_desc, &module, NULL), INVALID_ENUMERATION);
  module_desc.format = 0;
  ERROR(zeModuleCreate(context, device, &module_desc, &module, NULL), INVALID_NULL_POINTER);
  module_desc.pInputModule = (const uint8_t *)"";
  ERROR(zeModuleCreate(context, device, &module_desc, &module, NULL), INVALID_SIZE);
  OK(zeCommandListDestroy(list));
}

void test_misuse(void) {
  test_null_handles();
  test_creation();
  test_use();
}
