/*
 * C functions that the adapter's tests call, for what the C library has no
 * function for: many parameters of mixed types, callbacks from other threads,
 * structs by value, results with more bits than their type.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Sixteen parameters: more integers and more floats than registers. */
double spread(int64_t *integers, double *floats, uint8_t a, float b, int16_t c, double d, uint32_t e,
              float f, int64_t g, double h, int8_t i, float j, uint64_t k, double l, uint16_t m,
              float n, bool o, double p, float q, double r, int32_t s) {
  int64_t all[] = {a, c, e, g, i, (int64_t)k, m, o, s};
  double others[] = {b, d, f, h, j, l, n, p, q, r};
  for (int x = 0; x < 9; x++) integers[x] = all[x];
  for (int x = 0; x < 10; x++) floats[x] = others[x];
  return r + s;
}

/* What is left in the upper bits of the register is not the caller's business. */
int8_t narrow_i8(int64_t value) { return (int8_t)value; }
uint8_t narrow_u8(int64_t value) { return (uint8_t)value; }
int16_t narrow_i16(int64_t value) { return (int16_t)value; }
uint16_t narrow_u16(int64_t value) { return (uint16_t)value; }
int32_t narrow_i32(int64_t value) { return (int32_t)value; }
uint32_t narrow_u32(int64_t value) { return (uint32_t)value; }
bool narrow_bool(int64_t value) { return value & 1; }

int64_t widen_i8(int8_t value) { return value; }
int64_t widen_u8(uint8_t value) { return value; }
int64_t widen_i16(int16_t value) { return value; }
int64_t widen_u16(uint16_t value) { return value; }
int64_t widen_i32(int32_t value) { return value; }
int64_t widen_u32(uint32_t value) { return value; }
double widen_f32(float value) { return value; }

static uint32_t count;
uint32_t increment(void) { return ++count; }

/* As much as a driver's compiler may put on a thread's stack. */
uint32_t use_stack(uint32_t bytes) {
  volatile uint8_t space[bytes];
  uint32_t sum = 0;
  for (uint32_t i = 0; i < bytes; i += 4096) space[i] = 1;
  for (uint32_t i = 0; i < bytes; i += 4096) sum += space[i];
  return sum;
}

int32_t call_i32(int32_t (*f)(int32_t), int32_t x) { return f(x); }
int64_t call_i64(int64_t (*f)(int64_t), int64_t x) { return f(x); }
uint64_t call_u64(uint64_t (*f)(uint64_t), uint64_t x) { return f(x); }
uint8_t call_u8(uint8_t (*f)(uint8_t), uint8_t x) { return f(x); }
float call_f32(float (*f)(float), float x) { return f(x); }
double call_f64(double (*f)(double), double x) { return f(x); }
bool call_bool(bool (*f)(bool), bool x) { return f(x); }

typedef void (*notice)(uint64_t, double, int32_t, uint8_t);
struct task {
  notice notify;
  uint64_t times;
};

static void *notify(void *data) {
  struct task *task = data;
  for (uint64_t i = 0; i < task->times; i++)
    task->notify((1ull << 53) + 1 + i, 0.5 * (double)i, -(int32_t)i, (uint8_t)(200 + i));
  return 0;
}

/* Calls back from a thread of its own, and returns when that has ended. */
int32_t notify_from_thread(notice function, uint64_t times) {
  struct task task = {function, times};
  pthread_t thread;
  int failure = pthread_create(&thread, 0, notify, &task);
  return failure ? failure : pthread_join(thread, 0);
}

struct pair { uint32_t low; uint64_t high; };
struct triple { uint64_t a, b, c; };

/* A struct that goes in registers, one that goes on the stack, and scalars around them. */
uint64_t by_value(uint32_t before, struct pair pair, double factor, struct triple triple, uint64_t after) {
  return before + pair.low + pair.high + (uint64_t)factor + triple.a + triple.b + triple.c + after;
}
