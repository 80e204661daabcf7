// Results, their texts, time and signals.
#define _GNU_SOURCE
#include "cpu.h"
#include <errno.h>
#include <stdio.h>
#include <time.h>

static _Thread_local char error_text[256];

ze_result_t fail(const char *function, ze_result_t code, const char *text) {
  snprintf(error_text, sizeof error_text, "%s: %s", function, text);
  return code;
}

const char *last_error(void) { return error_text; }

ze_result_t result_of_opencl(cl_int status) {
  switch (status) {
    case CL_SUCCESS: return ZE_RESULT_SUCCESS;
    case CL_OUT_OF_HOST_MEMORY: return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    case CL_OUT_OF_RESOURCES:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    case CL_BUILD_PROGRAM_FAILURE: return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    case CL_INVALID_BINARY: return ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
    case CL_INVALID_KERNEL_NAME: return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
    case CL_INVALID_ARG_INDEX: return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
    case CL_INVALID_ARG_SIZE: return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
    case CL_INVALID_WORK_GROUP_SIZE:
    case CL_INVALID_WORK_ITEM_SIZE: return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
    case CL_INVALID_IMAGE_SIZE: return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
    case CL_INVALID_IMAGE_FORMAT_DESCRIPTOR:
    case CL_IMAGE_FORMAT_NOT_SUPPORTED: return ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT;
    case CL_INVALID_KERNEL_ARGS:
    case CL_INVALID_VALUE: return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    case CL_INVALID_OPERATION: return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    default: return ZE_RESULT_ERROR_UNKNOWN;
  }
}

// How every structure that can be in a pNext chain starts.
struct chained {
  ze_structure_type_t type;
  const void *next;
};

const void *find_next(const void *next, ze_structure_type_t type) {
  for (const struct chained *link = next; link; link = link->next) {
    if (link->type == type) return link;
  }
  return NULL;
}

uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t deadline_of(uint64_t timeout) {
  uint64_t start = now();
  // A time further away than the clock's own range never comes.
  return timeout > INT64_MAX - start ? UINT64_MAX : start + timeout;
}

void condition_init(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

bool condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline) {
  if (deadline == UINT64_MAX) {
    pthread_cond_wait(condition, mutex);
    return true;
  }
  // Linux wakes a thread later than it asked for, by as much as this. The rest is looked at the
  // clock for, so that a timeout ends when it should.
  const uint64_t lateness = 150000;
  uint64_t until = deadline - lateness;
  struct timespec time = {
    .tv_sec = (time_t)(until / 1000000000u),
    .tv_nsec = (long)(until % 1000000000u),
  };
  if (pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT) return true;
  pthread_mutex_unlock(mutex);
  // Not yielding: on a busy machine the processor comes back milliseconds later.
  while (now() < deadline) continue;
  pthread_mutex_lock(mutex);
  return false;
}

void signal_init(struct signal *signal, bool set) {
  pthread_mutex_init(&signal->mutex, NULL);
  condition_init(&signal->changed);
  signal->set = set;
}

void signal_destroy(struct signal *signal) {
  pthread_cond_destroy(&signal->changed);
  pthread_mutex_destroy(&signal->mutex);
}

void signal_set(struct signal *signal) {
  pthread_mutex_lock(&signal->mutex);
  signal->set = true;
  // Inside the lock: a waiter may destroy the signal as soon as it has the lock.
  pthread_cond_broadcast(&signal->changed);
  pthread_mutex_unlock(&signal->mutex);
}

void signal_reset(struct signal *signal) {
  pthread_mutex_lock(&signal->mutex);
  signal->set = false;
  pthread_mutex_unlock(&signal->mutex);
}

bool signal_wait(struct signal *signal, uint64_t timeout) {
  pthread_mutex_lock(&signal->mutex);
  if (!signal->set && timeout > 0) {
    uint64_t deadline = deadline_of(timeout);
    while (!signal->set && condition_wait(&signal->changed, &signal->mutex, deadline)) continue;
  }
  bool set = signal->set;
  pthread_mutex_unlock(&signal->mutex);
  return set;
}
