// The test program: all tests, or those that are named.
#define _GNU_SOURCE
#include "test.h"
#include <time.h>

int checks, failures;
ze_driver_handle_t driver;
ze_device_handle_t device;
ze_context_handle_t context;
const char *kernel_folder = "../../kernels";

double milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

unsigned char *read_file(const char *name, size_t *size) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", kernel_folder, name);
  FILE *file = fopen(path, "rb");
  unsigned char *bytes = malloc(1 << 20);
  if (!file || !bytes) {
    fprintf(stderr, "can't read %s\n", path);
    exit(2);
  }
  *size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  return bytes;
}

ze_module_handle_t load_module(const char *name) {
  size_t size;
  unsigned char *code = read_file(name, &size);
  ze_module_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
    .format = ZE_MODULE_FORMAT_IL_SPIRV,
    .inputSize = size,
    .pInputModule = code,
  };
  ze_module_handle_t module = NULL;
  OK(zeModuleCreate(context, device, &desc, &module, NULL));
  free(code);
  return module;
}

ze_kernel_handle_t make_kernel(ze_module_handle_t module, const char *name) {
  ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  ze_kernel_handle_t kernel = NULL;
  OK(zeKernelCreate(module, &desc, &kernel));
  return kernel;
}

void *shared_memory(size_t size) {
  ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  OK(zeMemAllocShared(context, &on_device, &on_host, size, 64, device, &memory));
  return memory;
}

ze_command_list_handle_t immediate_list(ze_command_queue_mode_t mode) {
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = mode};
  ze_command_list_handle_t list = NULL;
  OK(zeCommandListCreateImmediate(context, device, &desc, &list));
  return list;
}

ze_command_queue_handle_t make_queue(ze_command_queue_mode_t mode) {
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = mode};
  ze_command_queue_handle_t queue = NULL;
  OK(zeCommandQueueCreate(context, device, &desc, &queue));
  return queue;
}

ze_command_list_handle_t make_list(void) {
  ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ze_command_list_handle_t list = NULL;
  OK(zeCommandListCreate(context, device, &desc, &list));
  return list;
}

ze_event_pool_handle_t make_pool(uint32_t count, ze_event_pool_flags_t flags) {
  ze_event_pool_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
    .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | flags,
    .count = count,
  };
  ze_event_pool_handle_t pool = NULL;
  OK(zeEventPoolCreate(context, &desc, 1, &device, &pool));
  return pool;
}

ze_event_handle_t make_event(ze_event_pool_handle_t pool, uint32_t index) {
  ze_event_desc_t desc = {
    .stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
    .index = index,
    .signal = ZE_EVENT_SCOPE_FLAG_HOST,
    .wait = ZE_EVENT_SCOPE_FLAG_HOST,
  };
  ze_event_handle_t event = NULL;
  OK(zeEventCreate(pool, &desc, &event));
  return event;
}

static const struct {
  const char *name;
  void (*run)(void);
} TESTS[] = {
  {"device", test_device},     {"memory", test_memory},   {"events", test_events},
  {"counters", test_counters}, {"commands", test_commands}, {"getters", test_getters},
  {"modules", test_modules},   {"kernels", test_kernels}, {"images", test_images},
  {"misuse", test_misuse},     {"threads", test_threads},
};

// The way of loaders from 1.19 on, and the older one.
static void initialize(bool old_way) {
  uint32_t count = 1;
  if (old_way) {
    OK(zeInit(0));
    OK(zeDriverGet(&count, &driver));
  } else {
    ze_init_driver_type_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC, .flags = UINT32_MAX};
    OK(zeInitDrivers(&count, &driver, &desc));
  }
  if (!driver) exit(2);
  OK(zeDeviceGet(driver, &count, &device));
  CHECK(count == 1);
  ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  OK(zeContextCreate(driver, &desc, &context));
}

int main(int argc, char **argv) {
  const char *folder = getenv("ZE_TEST_KERNELS");
  if (folder) kernel_folder = folder;
  initialize(argc > 1 && strcmp(argv[1], "old-way") == 0);
  bool speed = argc > 1 && strcmp(argv[1], "speed") == 0;
  if (argc > 2 && strcmp(argv[1], "faults") == 0) {
    test_faults(argv[2]);
  } else if (speed) {
    test_speed();
  } else {
    for (size_t i = 0; i < sizeof TESTS / sizeof *TESTS; i++) {
      bool wanted = argc < 2 || strcmp(argv[1], "old-way") == 0;
      for (int k = 1; k < argc; k++) wanted |= strcmp(argv[k], TESTS[i].name) == 0;
      if (!wanted) continue;
      int before = checks;
      double start = milliseconds();
      TESTS[i].run();
      printf("%-9s %4d checks, %.0f ms\n", TESTS[i].name, checks - before, milliseconds() - start);
    }
  }
  OK(zeContextDestroy(context));
  printf("%d checks, %d failures\n", checks, failures);
  return failures ? 1 : 0;
}
