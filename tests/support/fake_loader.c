/*
 * A Level Zero loader with one driver and one device, which fails as it is told:
 * for faults that a real driver can't be made to produce.
 *
 * Variables, read at each call:
 *   FAKE_CALLS          a file that each call's name is appended to
 *   FAKE_MODULE_RESULT  what zeModuleCreate returns, as a number
 *   FAKE_BUILD_LOG      what the build log says
 *   FAKE_KERNEL_RESULT  what zeKernelCreate returns
 *   FAKE_KERNELS        the names of the module's kernels, with spaces between
 *   FAKE_DESCRIPTION    the driver's words for the last error on a thread
 *   FAKE_SLEEP_MS       how long zeModuleCreate takes
 *
 * With -DOLD it lacks what a loader of before 1.19 lacks.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uint32_t result;
typedef uint64_t handle;

enum {
  DRIVER = 0x1001,
  DEVICE = 0x2001,
  CONTEXT = 0x3001,
  MODULE = 0x4001,
  LOG = 0x5001,
  KERNEL = 0x6001,
  QUEUE = 0x7001,
  FENCE = 0x8001,
  LIST = 0x9001,
  POOL = 0xa001,
  EVENT = 0xb001
};

static __thread char description[256];

static const char *variable(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value ? value : otherwise;
}

static result number(const char *name) { return (result)strtoul(variable(name, "0"), NULL, 0); }

static void called(const char *name) {
  const char *file = getenv("FAKE_CALLS");
  FILE *calls = file ? fopen(file, "a") : NULL;
  if (calls) {
    fprintf(calls, "%s\n", name);
    fclose(calls);
  }
}

static result fail(result code) {
  if (code) snprintf(description, sizeof description, "%s", variable("FAKE_DESCRIPTION", ""));
  return code;
}

static result one(uint32_t *count, handle *list, handle only) {
  if (list && *count > 0) list[0] = only;
  *count = 1;
  return 0;
}

static result text(size_t *size, char *to, const char *from) {
  if (to) memcpy(to, from, *size);
  else *size = strlen(from) + 1;
  return 0;
}

result zeInit(uint32_t flags) { (void)flags; called("zeInit"); return 0; }
result zeDriverGet(uint32_t *count, handle *drivers) { called("zeDriverGet"); return one(count, drivers, DRIVER); }
#ifndef OLD
result zeInitDrivers(uint32_t *count, handle *drivers, void *desc) {
  (void)desc;
  called("zeInitDrivers");
  return one(count, drivers, DRIVER);
}
#endif
result zeDeviceGet(handle driver, uint32_t *count, handle *devices) {
  (void)driver;
  called("zeDeviceGet");
  return one(count, devices, DEVICE);
}
result zeDeviceGetModuleProperties(handle device, uint32_t *properties) {
  (void)device;
  properties[4] = 0x10005; /* spirvVersionSupported, after stype and pNext */
  return 0;
}
result zeDeviceGetComputeProperties(handle device, void *properties) {
  (void)device, (void)properties;
  return 0;
}
result zeDeviceGetCommandQueueGroupProperties(handle device, uint32_t *count, uint32_t *properties) {
  (void)device;
  if (properties && *count > 0) {
    properties[4] = 3; /* flags: compute and copy */
    properties[8] = 1; /* numQueues */
  }
  *count = 1;
  return 0;
}
result zeContextCreate(handle driver, void *desc, handle *context) {
  (void)driver, (void)desc;
  called("zeContextCreate");
  *context = CONTEXT;
  return 0;
}
result zeContextDestroy(handle context) { (void)context; called("zeContextDestroy"); return 0; }
result zeContextGetStatus(handle context) { (void)context; called("zeContextGetStatus"); return fail(0x70000001); }
result zeModuleCreate(handle context, handle device, void *desc, handle *module, handle *log) {
  (void)context, (void)device, (void)desc;
  called("zeModuleCreate");
  usleep(number("FAKE_SLEEP_MS") * 1000);
  *module = MODULE;
  if (log) *log = LOG;
  return fail(number("FAKE_MODULE_RESULT"));
}
result zeModuleDestroy(handle module) { (void)module; called("zeModuleDestroy"); return 0; }
result zeModuleBuildLogGetString(handle log, size_t *size, char *to) {
  (void)log;
  return text(size, to, variable("FAKE_BUILD_LOG", ""));
}
result zeModuleBuildLogDestroy(handle log) { (void)log; called("zeModuleBuildLogDestroy"); return 0; }
result zeModuleGetKernelNames(handle module, uint32_t *count, const char **names) {
  static char kernels[256];
  uint32_t found = 0;
  (void)module;
  called("zeModuleGetKernelNames");
  snprintf(kernels, sizeof kernels, "%s", variable("FAKE_KERNELS", ""));
  for (char *name = strtok(kernels, " "); name; name = strtok(NULL, " ")) {
    if (names && found < *count) names[found] = name;
    found++;
  }
  *count = found;
  return 0;
}
result zeKernelCreate(handle module, void *desc, handle *kernel) {
  (void)module, (void)desc;
  called("zeKernelCreate");
  *kernel = KERNEL;
  return fail(number("FAKE_KERNEL_RESULT"));
}
result zeKernelGetProperties(handle kernel, void *properties) { (void)kernel, (void)properties; return 0; }
result zeKernelDestroy(handle kernel) { (void)kernel; called("zeKernelDestroy"); return 0; }
result zeCommandQueueCreate(handle context, handle device, void *desc, handle *queue) {
  (void)context, (void)device, (void)desc;
  *queue = QUEUE;
  return 0;
}
result zeCommandQueueDestroy(handle queue) { (void)queue; called("zeCommandQueueDestroy"); return 0; }
result zeFenceCreate(handle queue, void *desc, handle *fence) {
  (void)queue, (void)desc;
  *fence = FENCE;
  return 0;
}
result zeFenceDestroy(handle fence) { (void)fence; called("zeFenceDestroy"); return 0; }
result zeCommandListCreate(handle context, handle device, void *desc, handle *list) {
  (void)context, (void)device, (void)desc;
  *list = LIST;
  return 0;
}
result zeCommandListDestroy(handle list) { (void)list; called("zeCommandListDestroy"); return 0; }
result zeEventPoolCreate(handle context, void *desc, uint32_t count, handle *devices, handle *pool) {
  (void)context, (void)desc, (void)count, (void)devices;
  *pool = POOL;
  return 0;
}
result zeEventPoolDestroy(handle pool) { (void)pool; called("zeEventPoolDestroy"); return 0; }
result zeEventCreate(handle pool, void *desc, handle *event) {
  (void)pool, (void)desc;
  *event = EVENT;
  return 0;
}
result zeEventDestroy(handle event) { (void)event; called("zeEventDestroy"); return 0; }
result zeDriverGetLastErrorDescription(handle driver, const char **to) {
  (void)driver;
  *to = description;
  return 0;
}
