/*
 * Points in the work of lists: what an event stands for.
 *
 * An ordinary event has one point for life, which is reached or not. A counter-based event gets
 * a new one with each append that signals it; whoever waits for the one before keeps that. Its
 * point counts how often the list that reaches it was submitted, and how often it was reached.
 */
#include "cpu.h"
#include <stdlib.h>

struct point *point_new(uint64_t list) {
  struct point *point = calloc(1, sizeof *point);
  if (!point) return NULL;
  atomic_init(&point->references, 1);
  pthread_mutex_init(&point->mutex, NULL);
  condition_init(&point->changed);
  point->list = list;
  return point;
}

void point_release(struct point *point) {
  if (!point || atomic_fetch_sub(&point->references, 1) != 1) return;
  pthread_cond_destroy(&point->changed);
  pthread_mutex_destroy(&point->mutex);
  free(point);
}

void point_submit(struct point *point) {
  pthread_mutex_lock(&point->mutex);
  if (point->list) point->submitted++;
  pthread_mutex_unlock(&point->mutex);
}

void point_reach(struct point *point, uint64_t start, uint64_t end) {
  pthread_mutex_lock(&point->mutex);
  point->start = start;
  point->end = end;
  point->reached = point->list ? point->reached + 1 : 1;
  // Inside the lock: a waiter may give the point back as soon as it has the lock.
  pthread_cond_broadcast(&point->changed);
  pthread_mutex_unlock(&point->mutex);
}

void point_reset(struct point *point) {
  pthread_mutex_lock(&point->mutex);
  point->reached = 0;
  pthread_mutex_unlock(&point->mutex);
}

uint64_t point_target(struct point *point) {
  pthread_mutex_lock(&point->mutex);
  // Before the first submission, that is what is waited for.
  uint64_t target = point->submitted > 0 ? point->submitted : 1;
  pthread_mutex_unlock(&point->mutex);
  return target;
}

bool point_wait(struct point *point, uint64_t target, uint64_t timeout) {
  pthread_mutex_lock(&point->mutex);
  if (point->reached < target && timeout > 0) {
    uint64_t deadline = deadline_of(timeout);
    while (point->reached < target &&
           condition_wait(&point->changed, &point->mutex, deadline)) {
      continue;
    }
  }
  bool reached = point->reached >= target;
  pthread_mutex_unlock(&point->mutex);
  return reached;
}

ze_kernel_timestamp_result_t point_timestamps(struct point *point) {
  pthread_mutex_lock(&point->mutex);
  ze_kernel_timestamp_data_t data = {.kernelStart = point->start, .kernelEnd = point->end};
  pthread_mutex_unlock(&point->mutex);
  return (ze_kernel_timestamp_result_t){.global = data, .context = data};
}
