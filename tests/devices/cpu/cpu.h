/**
 * A Level Zero driver for the CPU, on PoCL's OpenCL: what its files share.
 *
 * A command list is a list of commands. A command queue, and an immediate command list, has an
 * executor: one thread that runs commands in order. So every wait that an application makes is
 * a wait for work that really happens.
 */
#ifndef ZE_CPU_H
#define ZE_CPU_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if ZE_API_VERSION_CURRENT_M < ZE_MAKE_VERSION(1, 13)
// Newer than the oldest headers that this compiles with.
#define ZE_RESULT_ERROR_ADDRESS_NOT_FOUND ((ze_result_t)0x78000021)
#endif

/** The queue groups: one for everything, and one that only copies, as GPUs have. */
enum { COMPUTE_ORDINAL, COPY_ORDINAL, GROUP_COUNT };
/** Queues in each group. */
enum { QUEUE_COUNT = 4 };
enum { MAX_FILL_PATTERN = 4096 };

// Results and faults -----------------------------------------------------------------------

/** Remembers `text` for zeDriverGetLastErrorDescription on this thread, and returns `code`. */
ze_result_t fail(const char *function, ze_result_t code, const char *text);
const char *last_error(void);
ze_result_t result_of_opencl(cl_int status);

#define FAIL(code, text) fail(__func__, ZE_RESULT_ERROR_##code, text)
#define NEED(condition, code)                                                                    \
  do {                                                                                           \
    if (!(condition)) return FAIL(code, "not so: " #condition);                                  \
  } while (0)
#define NEED_HANDLE(handle)                                                                      \
  do {                                                                                           \
    if (!(handle)) return FAIL(INVALID_NULL_HANDLE, #handle " is null");                         \
  } while (0)
#define NEED_POINTER(pointer)                                                                    \
  do {                                                                                           \
    if (!(pointer)) return FAIL(INVALID_NULL_POINTER, #pointer " is null");                      \
  } while (0)

/** Counts the calls of one function, so that the n-th can be given a fault. */
struct fault_point {
  const char *name;
  atomic_uint calls;
};
/** Sleeps if this call is to take time; returns the code that it is to fail with. */
ze_result_t fault_enter(struct fault_point *point);
/** Whether the function is to be missing from the dispatch tables. */
bool fault_absent(const char *name);
/** Whether the call that this thread is in is to succeed with a fatal build log. */
bool fault_fatal_log(void);

/** The first thing in every function of the API. */
#define ENTER()                                                                                  \
  do {                                                                                           \
    static struct fault_point point_ = {.name = __func__};                                       \
    ze_result_t fault_ = fault_enter(&point_);                                                   \
    if (fault_ != ZE_RESULT_SUCCESS) return fault_;                                              \
  } while (0)

/** The structure of that type in a pNext chain, or null. */
const void *find_next(const void *next, ze_structure_type_t type);

// Time and signals -------------------------------------------------------------------------

/** Nanoseconds of the clock that is both the device's and the host's. */
uint64_t now(void);

/** Something that one thread sets and others wait for. */
struct signal {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool set;
};
void signal_init(struct signal *signal, bool set);
void signal_destroy(struct signal *signal);
void signal_set(struct signal *signal);
void signal_reset(struct signal *signal);
/** Whether it was set within `timeout` nanoseconds; UINT64_MAX waits for ever. */
bool signal_wait(struct signal *signal, uint64_t timeout);
/** A condition variable on the monotonic clock. */
void condition_init(pthread_cond_t *condition);
/** Like pthread_cond_timedwait; a deadline of UINT64_MAX never comes. False: it has come. */
bool condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline);
/** The time at which a timeout that starts now ends. */
uint64_t deadline_of(uint64_t timeout);

// Objects: the handles are pointers to these -----------------------------------------------

struct executor;

struct _ze_driver_handle_t {
  cl_platform_id platform;
  ze_device_handle_t device;
};

struct _ze_device_handle_t {
  ze_driver_handle_t driver;
  ze_device_type_t type;
  cl_device_id opencl;
  cl_context opencl_context;
  clSetKernelArgMemPointerINTEL_fn set_pointer;
  size_t max_group_total;
  size_t max_group[3];
  uint64_t memory_size, max_allocation, local_memory_size;
  uint32_t compute_units, clock_megahertz;
  char name[ZE_MAX_DEVICE_NAME];
  // Every executor there is, for zeDeviceSynchronize and for memory that is freed when idle.
  pthread_mutex_t mutex;
  struct executor *executors;
  /** How much work was ever submitted to them: each has its number, from 1. */
  atomic_ullong submissions;
};

struct _ze_context_handle_t {
  ze_driver_handle_t driver;
  /** The driver's own, which is never destroyed. */
  bool is_default;
  /** The handle, and each object that was made from it and still is. */
  atomic_int references;
};
void context_retain(ze_context_handle_t context);
void context_release(ze_context_handle_t context);
/**
 * Whether an object can't be destroyed while others that were made from it exist, which
 * ZE_CPU_STRICT=1 asks for. The specification lets a driver refuse that or not.
 */
bool strict_destruction(void);
/**
 * Whether an argument's size may differ from what the kernel declares, which ZE_CPU_LENIENT=1
 * asks for: Intel's driver takes any.
 */
bool lenient_sizes(void);

/** The one driver, or why there is none; OpenCL is looked for at the first call. */
ze_result_t driver_get(ze_driver_handle_t *driver);
ze_result_t opencl_find(ze_driver_handle_t driver, ze_device_handle_t device);

struct allocation {
  uintptr_t base;
  size_t size;
  ze_memory_type_t type;
  uint64_t id;
  ze_device_handle_t device;
};
/** Finds the allocation that an address lies in. */
bool allocation_find(const void *address, struct allocation *found);

// Commands ---------------------------------------------------------------------------------

struct command;
typedef ze_result_t (*command_run_t)(struct command *command, struct executor *executor);
typedef void (*command_release_t)(struct command *command);

/** What an event stands for, see point.c. */
struct point {
  atomic_int references;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  /** How often; an ordinary event's is reached once, until it is reset. */
  uint64_t submitted, reached;
  /** When the command that reached it started and ended. */
  uint64_t start, end;
  /** The list that reaches it; 0 if it is an ordinary event's. */
  uint64_t list;
};
struct point *point_new(uint64_t list);
void point_release(struct point *point);
void point_submit(struct point *point);
void point_reach(struct point *point, uint64_t start, uint64_t end);
void point_reset(struct point *point);
/** What a wait that starts now waits for: how often it is to have been reached. */
uint64_t point_target(struct point *point);
/** Whether it was reached that often within `timeout` nanoseconds; UINT64_MAX waits for ever. */
bool point_wait(struct point *point, uint64_t target, uint64_t timeout);
ze_kernel_timestamp_result_t point_timestamps(struct point *point);

struct wait {
  struct point *point;
  uint64_t target;
};

struct command {
  struct command *next;
  command_run_t run;
  /** Gives back what the payload holds; may be null. */
  command_release_t release;
  struct point *signal;
  uint32_t wait_count;
  struct wait *waits;
  /** What `run` needs, in its own layout. */
  max_align_t payload[];
};
static inline void *payload_of(struct command *command) { return command->payload; }

struct _ze_command_list_handle_t {
  ze_context_handle_t context;
  ze_device_handle_t device;
  /** Only an immediate list has one. */
  struct executor *executor;
  ze_command_queue_desc_t queue_desc;
  ze_command_list_flags_t flags;
  /** No other list has it, nor has this one after a reset. */
  uint64_t id;
  struct command *first, *last;
  bool closed;
  /** Some command waits for a counter-based event, or signals one. */
  bool counts;
};

struct _ze_command_queue_handle_t {
  ze_context_handle_t context;
  ze_device_handle_t device;
  struct executor *executor;
  ze_command_queue_desc_t desc;
};

struct _ze_fence_handle_t {
  ze_command_queue_handle_t queue;
  struct signal signal;
  ze_result_t result;
};

struct _ze_event_pool_handle_t {
  ze_context_handle_t context;
  ze_event_pool_flags_t flags;
  /** For counter-based events: of which lists. */
  uint32_t counter;
  uint32_t count;
  /** The handle, and each event. */
  atomic_int references;
};

enum { COUNTER_IMMEDIATE = 1, COUNTER_NON_IMMEDIATE = 2 };
struct _ze_event_handle_t {
  /** Null if it is counter-based and was made without. */
  ze_event_pool_handle_t pool;
  ze_context_handle_t context;
  ze_event_scope_flags_t signal_scope, wait_scope;
  bool timestamps;
  /** Which lists a counter-based event is for; 0: it is an ordinary one. */
  uint32_t counter, counter_flags;
  /** Guards the point of a counter-based event, which is null before the first append. */
  pthread_mutex_t mutex;
  struct point *point;
};
/** The point that the event stands for now, to be released; null for one that counts as reached. */
struct point *event_point(ze_event_handle_t event);
/** The point that a command of the list is to reach for the event. */
ze_result_t event_signalled_by(
    const char *function, ze_event_handle_t event, ze_command_list_handle_t list,
    struct point **point);
bool event_wait(ze_event_handle_t event, uint64_t timeout);
ze_result_t wait_list_check(const char *function, uint32_t count, ze_event_handle_t *events);

/** A new command with room for a payload; not appended yet. */
ze_result_t command_new(
    const char *function, ze_command_list_handle_t list, command_run_t run, size_t payload_size,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits,
    struct command **command);
/** Appends; an immediate list runs it, and a synchronous one waits for it. */
ze_result_t command_append(ze_command_list_handle_t list, struct command *command);
/**
 * Runs a chain of commands in order; returns what went wrong first. `targets` are those of all
 * their waits, where the submission fixed them; otherwise null.
 */
ze_result_t commands_run(
    struct command *commands, const uint64_t *targets, struct executor *executor);
/** Counts a submission of a closed list, and fixes what its waits wait for, to be freed. */
bool list_submit(ze_command_list_handle_t list, uint64_t **targets);
void commands_free(struct command *commands);
bool queue_is_synchronous(const ze_command_queue_desc_t *desc);
ze_result_t queue_desc_check(
    const char *function, ze_device_handle_t device, const ze_command_queue_desc_t *desc);

// Executors --------------------------------------------------------------------------------

/** One submission: commands of its own, or the commands of a closed list. */
struct work {
  struct work *next;
  /** Of the device's submissions. */
  uint64_t number;
  struct command *commands;
  ze_command_list_handle_t list;
  uint64_t *targets;
  ze_fence_handle_t fence;
};

/** Frees a chain of work that was not submitted. */
void work_free_all(struct work *work);
ze_result_t executor_create(ze_device_handle_t device, struct executor **executor);
/** Ends waits for events that nobody will signal, and drops what has not started. */
void executor_destroy(struct executor *executor);
cl_command_queue executor_queue(struct executor *executor);
bool executor_stopping(struct executor *executor);
/** Takes over the chain of work. With `wait`, returns when all of it has run. */
ze_result_t executor_submit(struct executor *executor, struct work *work, bool wait);
/** Waits until all that has been submitted has run; reports what went wrong, once. */
ze_result_t executor_synchronize(struct executor *executor, uint64_t timeout);
/** Runs pending work on the calling thread, until there is none or `until` is set. */
void executor_help(struct executor *executor, struct signal *until);
/** Waits until every executor of the device has run what was submitted before. */
void device_wait(ze_device_handle_t device);
bool device_is_idle(ze_device_handle_t device);
/** What went wrong in any executor of the device; reported once. */
ze_result_t device_take_error(ze_device_handle_t device);

// Modules ----------------------------------------------------------------------------------

enum argument_kind {
  ARGUMENT_VALUE,
  ARGUMENT_POINTER,
  ARGUMENT_LOCAL,
  ARGUMENT_IMAGE,
  ARGUMENT_SAMPLER,
};
struct spirv_argument {
  enum argument_kind kind;
  /** Bytes; 0 if that can't be told. */
  size_t size;
};
struct spirv_kernel {
  char *name;
  uint32_t id;
  uint32_t group_size[3];
  uint32_t subgroup_size;
  /** What its source said in __attribute__, in OpenCL C's words with a space between; or null. */
  char *attributes;
  uint32_t argument_count;
  struct spirv_argument *arguments;
};
struct spirv_constant {
  uint32_t id;
  uint32_t size;
};
struct spirv {
  uint32_t kernel_count;
  struct spirv_kernel *kernels;
  uint32_t constant_count;
  struct spirv_constant *constants;
  /** Local memory that is declared in kernels. */
  size_t local_size;
  /** Names of functions and variables that other modules may use. */
  uint32_t export_count;
  char **exports;
};
/** Null, or what is wrong with the module. */
const char *spirv_parse(const void *code, size_t size, struct spirv *spirv);
void spirv_free(struct spirv *spirv);

struct _ze_module_handle_t {
  ze_context_handle_t context;
  ze_device_handle_t device;
  cl_program program;
  struct spirv spirv;
  unsigned char *code;
  size_t code_size;
  /** The handle, and each kernel. */
  atomic_int references;
};

struct _ze_module_build_log_handle_t {
  size_t size;
  char text[];
};

struct argument {
  size_t size;
  size_t offset;
  bool set;
};
struct _ze_kernel_handle_t {
  ze_module_handle_t module;
  const struct spirv_kernel *info;
  cl_kernel opencl;
  // OpenCL keeps arguments in the kernel, and queues share it.
  pthread_mutex_t mutex;
  uint32_t group_size[3];
  uint32_t global_offset[3];
  ze_kernel_indirect_access_flags_t indirect_access;
  struct argument *arguments;
  unsigned char *bytes;
  size_t bytes_size;
  /** The handle, and each command that launches it. */
  atomic_int references;
};
void module_release(ze_module_handle_t module);
void kernel_release(ze_kernel_handle_t kernel);
ze_result_t kernel_set_argument(
    const char *function, ze_kernel_handle_t kernel, uint32_t index, size_t size,
    const void *value);
ze_result_t kernel_set_group_size(
    const char *function, ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z);

struct _ze_image_handle_t {
  ze_context_handle_t context;
  cl_mem memory;
  ze_image_desc_t desc;
  size_t pixel_size;
};
struct _ze_sampler_handle_t {
  ze_context_handle_t context;
  cl_sampler sampler;
};

#endif
