// Commands: how they come into lists, and how they run.
#include "cpu.h"
#include <stdlib.h>
#include <string.h>

enum { STOP_CHECK_NANOSECONDS = 20000000 };

// Takes hold of what the events stand for now.
static ze_result_t hold_points(
    const char *function, ze_command_list_handle_t list, struct command *command,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  for (uint32_t i = 0; i < wait_count; i++) {
    struct point *point = event_point(waits[i]);
    // A list runs in order: what it reaches itself, it has reached before. Nor is there anything
    // to wait for before the first append that signals a counter-based event.
    if (!point || point->list == list->id) {
      point_release(point);
      continue;
    }
    if (point->list) list->counts = true;
    command->waits[command->wait_count++] =
        (struct wait){.point = point, .target = point_target(point)};
  }
  if (!signal) return ZE_RESULT_SUCCESS;
  if (signal->counter) list->counts = true;
  return event_signalled_by(function, signal, list, &command->signal);
}

ze_result_t command_new(
    const char *function, ze_command_list_handle_t list, command_run_t run, size_t payload_size,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits,
    struct command **command) {
  ze_result_t result = wait_list_check(function, wait_count, waits);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (list->closed) return fail(function, ZE_RESULT_ERROR_INVALID_ARGUMENT, "the list is closed");
  // The waits come after the payload, where they are aligned for pointers.
  size_t payload_room = (payload_size + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
  struct command *made =
      calloc(1, sizeof *made + payload_room + wait_count * sizeof *made->waits);
  if (!made) return fail(function, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "calloc");
  made->run = run;
  made->waits = (struct wait *)((unsigned char *)payload_of(made) + payload_room);
  result = hold_points(function, list, made, signal, wait_count, waits);
  if (result != ZE_RESULT_SUCCESS) {
    commands_free(made);
    return result;
  }
  *command = made;
  return ZE_RESULT_SUCCESS;
}

ze_result_t command_append(ze_command_list_handle_t list, struct command *command) {
  if (!list->executor) {
    if (list->last) {
      list->last->next = command;
    } else {
      list->first = command;
    }
    list->last = command;
    return ZE_RESULT_SUCCESS;
  }
  struct work *work = calloc(1, sizeof *work);
  if (!work) {
    commands_free(command);
    return FAIL(OUT_OF_HOST_MEMORY, "calloc");
  }
  work->commands = command;
  if (command->signal) point_submit(command->signal);
  return executor_submit(list->executor, work, queue_is_synchronous(&list->queue_desc));
}

void commands_free(struct command *commands) {
  while (commands) {
    struct command *next = commands->next;
    if (commands->release) commands->release(commands);
    for (uint32_t i = 0; i < commands->wait_count; i++) point_release(commands->waits[i].point);
    point_release(commands->signal);
    free(commands);
    commands = next;
  }
}

bool list_submit(ze_command_list_handle_t list, uint64_t **targets) {
  *targets = NULL;
  if (!list->counts) return true;
  size_t count = 0;
  for (struct command *each = list->first; each; each = each->next) count += each->wait_count;
  *targets = malloc((count ? count : 1) * sizeof **targets);
  if (!*targets) return false;
  uint64_t *next = *targets;
  for (struct command *each = list->first; each; each = each->next) {
    for (uint32_t i = 0; i < each->wait_count; i++) *next++ = point_target(each->waits[i].point);
  }
  for (struct command *each = list->first; each; each = each->next) {
    if (each->signal) point_submit(each->signal);
  }
  return true;
}

static ze_result_t command_run(
    struct command *command, const uint64_t *targets, struct executor *executor) {
  for (uint32_t i = 0; i < command->wait_count; i++) {
    const struct wait *wait = &command->waits[i];
    uint64_t target = targets ? targets[i] : wait->target;
    // An executor that is destroyed must not wait for an event that nobody signals any more.
    while (!point_wait(wait->point, target, STOP_CHECK_NANOSECONDS)) {
      if (executor_stopping(executor)) return ZE_RESULT_ERROR_DEVICE_LOST;
    }
  }
  uint64_t start = now();
  ze_result_t result = command->run(command, executor);
  if (command->signal) point_reach(command->signal, start, now());
  return result;
}

ze_result_t commands_run(
    struct command *commands, const uint64_t *targets, struct executor *executor) {
  ze_result_t first_error = ZE_RESULT_SUCCESS;
  for (struct command *next; commands; commands = next) {
    if (executor_stopping(executor)) return ZE_RESULT_ERROR_DEVICE_LOST;
    // Read before: whoever waits for the last command's event may then reset the list.
    next = commands->next;
    uint32_t wait_count = commands->wait_count;
    ze_result_t result = command_run(commands, targets, executor);
    if (targets) targets += wait_count;
    // What comes after still runs, so that nobody waits for its events for ever.
    if (first_error == ZE_RESULT_SUCCESS) first_error = result;
  }
  return first_error;
}
