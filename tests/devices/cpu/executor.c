/*
 * Executors: what runs the commands of one queue, or of one immediate list, in order.
 *
 * Work runs on a thread of the executor's own; or, to spare two changes of thread, on a thread
 * of the application that would only wait for it: one that submits synchronously while nothing
 * else is pending, or one that waits without a timeout.
 */
#include "cpu.h"
#include <stdlib.h>

struct executor {
  ze_device_handle_t device;
  struct executor *next;
  cl_command_queue queue;
  pthread_mutex_t mutex;
  pthread_cond_t submitted, finished;
  struct work *first, *last;
  uint64_t submitted_count, finished_count;
  // Some thread is running work; no other one may, as work runs in order.
  bool running;
  uint64_t running_number;
  bool thread_started;
  atomic_bool stopping;
  pthread_t thread;
  ze_result_t error;
};

ze_result_t executor_create(ze_device_handle_t device, struct executor **executor) {
  struct executor *made = calloc(1, sizeof *made);
  if (!made) return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  cl_int status;
  made->queue =
      clCreateCommandQueueWithProperties(device->opencl_context, device->opencl, NULL, &status);
  if (status != CL_SUCCESS) {
    free(made);
    return fail(__func__, result_of_opencl(status), "clCreateCommandQueueWithProperties");
  }
  made->device = device;
  pthread_mutex_init(&made->mutex, NULL);
  condition_init(&made->submitted);
  condition_init(&made->finished);
  pthread_mutex_lock(&device->mutex);
  made->next = device->executors;
  device->executors = made;
  pthread_mutex_unlock(&device->mutex);
  *executor = made;
  return ZE_RESULT_SUCCESS;
}

void work_free_all(struct work *work) {
  while (work) {
    struct work *next = work->next;
    commands_free(work->commands);
    free(work->targets);
    free(work);
    work = next;
  }
}

void executor_destroy(struct executor *executor) {
  ze_device_handle_t device = executor->device;
  pthread_mutex_lock(&device->mutex);
  for (struct executor **link = &device->executors; *link; link = &(*link)->next) {
    if (*link == executor) {
      *link = executor->next;
      break;
    }
  }
  pthread_mutex_unlock(&device->mutex);
  pthread_mutex_lock(&executor->mutex);
  atomic_store(&executor->stopping, true);
  pthread_cond_broadcast(&executor->submitted);
  bool started = executor->thread_started;
  pthread_mutex_unlock(&executor->mutex);
  if (started) pthread_join(executor->thread, NULL);
  work_free_all(executor->first);
  clReleaseCommandQueue(executor->queue);
  pthread_cond_destroy(&executor->finished);
  pthread_cond_destroy(&executor->submitted);
  pthread_mutex_destroy(&executor->mutex);
  free(executor);
}

cl_command_queue executor_queue(struct executor *executor) { return executor->queue; }

bool executor_stopping(struct executor *executor) { return atomic_load(&executor->stopping); }

// Takes the first work and runs it. The mutex is locked before and after, not during.
static void run_first(struct executor *executor) {
  struct work *work = executor->first;
  executor->first = work->next;
  if (!executor->first) executor->last = NULL;
  executor->running = true;
  executor->running_number = work->number;
  pthread_mutex_unlock(&executor->mutex);

  struct command *commands = work->list ? work->list->first : work->commands;
  ze_result_t result = commands_run(commands, work->targets, executor);
  ze_fence_handle_t fence = work->fence;
  work->next = NULL;
  work_free_all(work);

  pthread_mutex_lock(&executor->mutex);
  executor->running = false;
  executor->finished_count++;
  if (executor->error == ZE_RESULT_SUCCESS) executor->error = result;
  // Only now, so that a queue is idle for whoever has seen its last fence.
  if (fence && !executor_stopping(executor)) {
    fence->result = result;
    signal_set(&fence->signal);
  }
  pthread_cond_broadcast(&executor->finished);
}

// Runs work on a thread of the application while there is any and `until` is not reached. The
// executor's thread, if it exists, found work running and went to sleep: what is left is its.
static void run_here(struct executor *executor, uint64_t until) {
  while (executor->finished_count < until && executor->first && !executor->running) {
    run_first(executor);
  }
  if (executor->first && !executor->running) pthread_cond_signal(&executor->submitted);
}

static void *run_thread(void *argument) {
  struct executor *executor = argument;
  pthread_mutex_lock(&executor->mutex);
  while (!executor_stopping(executor)) {
    if (executor->first && !executor->running) {
      run_first(executor);
    } else {
      pthread_cond_wait(&executor->submitted, &executor->mutex);
    }
  }
  pthread_mutex_unlock(&executor->mutex);
  return NULL;
}

static ze_result_t start_thread(struct executor *executor) {
  if (executor->thread_started) return ZE_RESULT_SUCCESS;
  if (pthread_create(&executor->thread, NULL, run_thread, executor) != 0) {
    return FAIL(OUT_OF_HOST_MEMORY, "pthread_create");
  }
  executor->thread_started = true;
  return ZE_RESULT_SUCCESS;
}

// What went wrong since it was last asked for. The mutex is locked.
static ze_result_t take_error(struct executor *executor) {
  ze_result_t error = executor->error;
  executor->error = ZE_RESULT_SUCCESS;
  if (error != ZE_RESULT_SUCCESS) return fail("executor", error, "a command went wrong");
  return ZE_RESULT_SUCCESS;
}

ze_result_t executor_submit(struct executor *executor, struct work *work, bool wait) {
  pthread_mutex_lock(&executor->mutex);
  bool direct = wait && !executor->first && !executor->running;
  if (!direct) {
    ze_result_t result = start_thread(executor);
    if (result != ZE_RESULT_SUCCESS) {
      pthread_mutex_unlock(&executor->mutex);
      work_free_all(work);
      return result;
    }
  }
  if (executor->last) {
    executor->last->next = work;
  } else {
    executor->first = work;
  }
  for (; work; work = work->next) {
    executor->last = work;
    executor->submitted_count++;
    work->number = atomic_fetch_add(&executor->device->submissions, 1) + 1;
  }
  uint64_t until = executor->submitted_count;
  if (direct) {
    // The lock was not given up since, so that the first work is what was submitted here.
    run_here(executor, until);
  } else {
    pthread_cond_signal(&executor->submitted);
  }
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (wait) {
    while (executor->finished_count < until) {
      pthread_cond_wait(&executor->finished, &executor->mutex);
    }
    result = take_error(executor);
  }
  pthread_mutex_unlock(&executor->mutex);
  return result;
}

void executor_help(struct executor *executor, struct signal *until) {
  pthread_mutex_lock(&executor->mutex);
  while (executor->first && !executor->running && !signal_wait(until, 0)) {
    run_here(executor, executor->finished_count + 1);
  }
  pthread_mutex_unlock(&executor->mutex);
}

ze_result_t executor_synchronize(struct executor *executor, uint64_t timeout) {
  pthread_mutex_lock(&executor->mutex);
  uint64_t until = executor->submitted_count;
  uint64_t deadline = timeout == UINT64_MAX ? UINT64_MAX : deadline_of(timeout);
  while (executor->finished_count < until) {
    if (timeout == UINT64_MAX && executor->first && !executor->running) {
      run_here(executor, until);
    } else if (timeout == 0 ||
               !condition_wait(&executor->finished, &executor->mutex, deadline)) {
      break;
    }
  }
  ze_result_t result =
      executor->finished_count < until ? ZE_RESULT_NOT_READY : take_error(executor);
  pthread_mutex_unlock(&executor->mutex);
  return result;
}

// Whether the device has run all work up to that number.
static bool device_has_run(ze_device_handle_t device, uint64_t number) {
  bool all = true;
  pthread_mutex_lock(&device->mutex);
  for (struct executor *each = device->executors; each && all; each = each->next) {
    pthread_mutex_lock(&each->mutex);
    if (each->running) {
      all = each->running_number > number;
    } else if (each->first) {
      all = each->first->number > number;
    }
    pthread_mutex_unlock(&each->mutex);
  }
  pthread_mutex_unlock(&device->mutex);
  return all;
}

bool device_is_idle(ze_device_handle_t device) { return device_has_run(device, UINT64_MAX); }

// Waiting happens without the device's lock, as others must be able to make and destroy executors
// meanwhile, so polling is what is left.
void device_wait(ze_device_handle_t device) {
  uint64_t number = atomic_load(&device->submissions);
  struct signal never;
  signal_init(&never, false);
  while (!device_has_run(device, number)) signal_wait(&never, 100000);
  signal_destroy(&never);
}

ze_result_t device_take_error(ze_device_handle_t device) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  pthread_mutex_lock(&device->mutex);
  for (struct executor *each = device->executors; each; each = each->next) {
    pthread_mutex_lock(&each->mutex);
    if (result == ZE_RESULT_SUCCESS) result = take_error(each);
    pthread_mutex_unlock(&each->mutex);
  }
  pthread_mutex_unlock(&device->mutex);
  return result;
}
