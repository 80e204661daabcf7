/** What the test program's files share. Everything goes through the real loader. */
#ifndef ZE_CPU_TEST_H
#define ZE_CPU_TEST_H

#include <level_zero/ze_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int checks, failures;
extern ze_driver_handle_t driver;
extern ze_device_handle_t device;
extern ze_context_handle_t context;
/** The folder with the SPIR-V modules. */
extern const char *kernel_folder;

#define CHECK(condition)                                                                         \
  do {                                                                                           \
    __atomic_add_fetch(&checks, 1, __ATOMIC_RELAXED);                                            \
    if (!(condition)) {                                                                          \
      __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);                                        \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                    \
    }                                                                                            \
  } while (0)
#define EXPECT(call, expected)                                                                   \
  do {                                                                                           \
    ze_result_t result_ = (call);                                                                \
    __atomic_add_fetch(&checks, 1, __ATOMIC_RELAXED);                                            \
    if (result_ != (ze_result_t)(expected)) {                                                    \
      __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);                                        \
      fprintf(stderr, "%s:%d: %s gave 0x%x, not %s\n", __FILE__, __LINE__, #call, result_,       \
              #expected);                                                                        \
    }                                                                                            \
  } while (0)
#define OK(call) EXPECT(call, ZE_RESULT_SUCCESS)
#define ERROR(call, code) EXPECT(call, ZE_RESULT_ERROR_##code)

double milliseconds(void);
/** A file's bytes; ends the program if there is none. */
unsigned char *read_file(const char *name, size_t *size);
ze_module_handle_t load_module(const char *name);
ze_kernel_handle_t make_kernel(ze_module_handle_t module, const char *name);
void *shared_memory(size_t size);
ze_command_list_handle_t immediate_list(ze_command_queue_mode_t mode);
ze_command_queue_handle_t make_queue(ze_command_queue_mode_t mode);
ze_command_list_handle_t make_list(void);
ze_event_pool_handle_t make_pool(uint32_t count, ze_event_pool_flags_t flags);
ze_event_handle_t make_event(ze_event_pool_handle_t pool, uint32_t index);

void test_device(void);
void test_memory(void);
void test_events(void);
void test_counters(void);
void test_commands(void);
void test_getters(void);
void test_modules(void);
void test_kernels(void);
void test_images(void);
void test_misuse(void);
void test_threads(void);
void test_speed(void);
/** What a run with faults in ZE_CPU_FAULTS checks; test_faults.sh says which. */
void test_faults(const char *which);

#endif
