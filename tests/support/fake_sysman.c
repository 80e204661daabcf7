/*
 * The fake loader with one sysman device, which has another handle than the core device.
 * FAKE_ZES_INIT is what zesInit returns. FAKE_EVENT_MS is how long after its registration each
 * event happens, once. With -DNO_LISTEN_EX it lacks zesDriverEventListenEx, as the first ones do. With -DNO_ZES_INIT it lacks zesInit, as a loader of
 * before 1.10 does.
 */
#include "fake_loader.c"
#include <pthread.h>
#include <time.h>

enum { ZES_DRIVER = 0x7001, ZES_DEVICE = 0x8001 };

typedef struct { uint8_t id[16]; } uuid;

static const uuid UUID = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};

result zeDeviceGetProperties(handle device, uint8_t *properties) {
  (void)device;
  *(uint32_t *)(properties + 20) = 0x8086; /* vendorId */
  memcpy(properties + 96, &UUID, sizeof UUID);
  return 0;
}
#ifndef NO_ZES_INIT
result zesInit(uint32_t flags) { (void)flags; called("zesInit"); return number("FAKE_ZES_INIT"); }
#endif
result zesDriverGet(uint32_t *count, handle *drivers) { called("zesDriverGet"); return one(count, drivers, ZES_DRIVER); }
result zesDriverGetDeviceByUuidExp(handle driver, uuid wanted, handle *device, uint8_t *on_subdevice, uint32_t *subdevice) {
  called("zesDriverGetDeviceByUuidExp");
  if (driver != ZES_DRIVER || memcmp(&wanted, &UUID, sizeof UUID)) return 0x78000004;
  *device = ZES_DEVICE;
  *on_subdevice = 0;
  *subdevice = 0;
  return 0;
}
result zesDeviceGetProperties(handle device, uint8_t *properties) {
  called("zesDeviceGetProperties");
  if (device != ZES_DEVICE) abort();
  *(uint32_t *)(properties + 384) = 2; /* numSubdevices */
  strcpy((char *)properties + 644, "Nobody"); /* vendorName */
  return 0;
}
result zesDeviceGetState(handle device, uint32_t *state) {
  if (device != ZES_DEVICE) abort();
  state[4] = 1; /* reset: wedged */
  state[5] = 2; /* repaired: performed */
  return 0;
}
result zesDeviceProcessesGetState(handle device, uint32_t *count, uint8_t *processes) {
  if (device != ZES_DEVICE) abort();
  *count = 1;
  if (!processes) return 0;
  *(uint32_t *)(processes + 16) = 4711;
  *(uint64_t *)(processes + 24) = 1 << 20; /* memSize */
  *(uint32_t *)(processes + 40) = 2; /* engines: compute */
  return 0;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t registered;
static uint64_t happens;

static uint64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
result zesDeviceEventRegister(handle device, uint32_t events) {
  called("zesDeviceEventRegister");
  if (device != ZES_DEVICE) abort();
  pthread_mutex_lock(&mutex);
  registered = events;
  happens = milliseconds() + number("FAKE_EVENT_MS");
  pthread_mutex_unlock(&mutex);
  return 0;
}
static result listen(handle driver, uint64_t timeout, uint32_t count, handle *devices, uint32_t *number_of_devices, uint32_t *events) {
  if (driver != ZES_DRIVER || count != 1 || devices[0] != ZES_DEVICE) abort();
  uint64_t end = milliseconds() + timeout;
  for (;;) {
    pthread_mutex_lock(&mutex);
    *events = milliseconds() >= happens ? registered : 0;
    registered &= ~*events;
    pthread_mutex_unlock(&mutex);
    *number_of_devices = *events != 0;
    if (*events || milliseconds() >= end) return 0;
    usleep(1000);
  }
}
result zesDriverEventListen(handle driver, uint32_t timeout, uint32_t count, handle *devices, uint32_t *number_of_devices, uint32_t *events) {
  called("zesDriverEventListen");
  return listen(driver, timeout, count, devices, number_of_devices, events);
}
#ifndef NO_LISTEN_EX
result zesDriverEventListenEx(handle driver, uint64_t timeout, uint32_t count, handle *devices, uint32_t *number_of_devices, uint32_t *events) {
  called("zesDriverEventListenEx");
  return listen(driver, timeout, count, devices, number_of_devices, events);
}
#endif
