// Faults on demand: each of these runs with its own ZE_CPU_FAULTS, see run_tests.sh.
#include "test.h"

static ze_result_t create(ze_module_handle_t *module, char *log_text) {
  size_t size;
  unsigned char *code = read_file("vector_add.spv", &size);
  ze_module_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .inputSize = size, .pInputModule = code};
  ze_module_build_log_handle_t log = NULL;
  ze_result_t result = zeModuleCreate(context, device, &desc, module, &log);
  log_text[0] = 0;
  if (log) {
    size_t room = 1000;
    OK(zeModuleBuildLogGetString(log, &room, log_text));
    OK(zeModuleBuildLogDestroy(log));
  }
  free(code);
  return result;
}

void test_faults(const char *which) {
  ze_module_handle_t module = NULL;
  char log[1001];
  if (strcmp(which, "code") == 0) {
    // zeModuleCreate:2:code=0x70000004;zeMemAllocHost:2+:code=0x70000002
    OK(create(&module, log));
    OK(zeModuleDestroy(module));
    ERROR(create(&module, log), MODULE_BUILD_FAILURE);
    OK(create(&module, log));
    OK(zeModuleDestroy(module));
    ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL, *none = NULL;
    OK(zeMemAllocHost(context, &desc, 8, 0, &memory));
    for (int i = 0; i < 3; i++) {
      ERROR(zeMemAllocHost(context, &desc, 8, 0, &none), OUT_OF_HOST_MEMORY);
    }
    OK(zeMemFree(context, memory));
  } else if (strcmp(which, "sleep") == 0) {
    // zeEventQueryStatus:2:sleep=100
    ze_event_pool_handle_t pool = make_pool(1, 0);
    ze_event_handle_t event = make_event(pool, 0);
    double start = milliseconds();
    EXPECT(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
    CHECK(milliseconds() - start < 90);
    EXPECT(zeEventQueryStatus(event), ZE_RESULT_NOT_READY);
    CHECK(milliseconds() - start >= 100);
    OK(zeEventDestroy(event));
    OK(zeEventPoolDestroy(pool));
  } else if (strcmp(which, "log") == 0) {
    // zeModuleCreate:1:log=fatal
    OK(create(&module, log));
    CHECK(strstr(log, "backend compiler failed build"));
    OK(zeModuleDestroy(module));
    OK(create(&module, log));
    CHECK(!strstr(log, "failed"));
    OK(zeModuleDestroy(module));
  } else {
    // zeFenceCreate:absent: the loader says so for the driver.
    CHECK(strcmp(which, "absent") == 0);
    ze_command_queue_handle_t queue = make_queue(ZE_COMMAND_QUEUE_MODE_DEFAULT);
    ze_fence_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_fence_handle_t fence = NULL;
    ERROR(zeFenceCreate(queue, &desc, &fence), UNSUPPORTED_FEATURE);
    OK(zeCommandQueueDestroy(queue));
  }
}
