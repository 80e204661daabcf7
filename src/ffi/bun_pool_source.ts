/**
 * The C half of Bun's nonblocking calls, compiled by the TinyCC inside Bun.
 *
 * It includes nothing, since a bare image has no C headers, and links to
 * nothing: {@linkcode IMPORTS} are looked up at start and handed to `setup`.
 *
 * @module
 */

/** The C functions that the pool calls, in the order in which `setup` takes their addresses. */
export const IMPORTS = [
  "malloc",
  "free",
  "clock_gettime",
  "pthread_create",
  "pthread_detach",
  "pthread_attr_init",
  "pthread_attr_setstacksize",
  "pthread_mutex_init",
  "pthread_mutex_lock",
  "pthread_mutex_unlock",
  "pthread_cond_init",
  "pthread_cond_signal",
  "pthread_cond_timedwait",
  "napi_create_threadsafe_function",
  "napi_call_threadsafe_function",
  "napi_ref_threadsafe_function",
  "napi_unref_threadsafe_function",
  "napi_create_string_utf8",
  "napi_create_promise",
  "napi_resolve_deferred",
  "napi_get_undefined",
  "napi_get_boolean",
  "napi_create_int32",
  "napi_create_uint32",
  "napi_create_double",
  "napi_create_bigint_int64",
  "napi_create_bigint_uint64",
] as const;

const DECLARATIONS = `
typedef signed char i8; typedef unsigned char u8; typedef short i16; typedef unsigned short u16;
typedef int i32; typedef unsigned int u32; typedef long long i64; typedef unsigned long long u64;
typedef float f32; typedef double f64; typedef _Bool boolean;

struct job {
  struct job *next;
  void (*run)(struct job *);
  void *(*result)(void *env, struct job *);
  void *deferred;
};

enum { ${IMPORTS.map((name) => `I_${name}`).join(", ")}, IMPORTS };
static void *imports[IMPORTS];
#define CALL(type, name) ((type)imports[I_##name])

/* The table is JavaScript's; threads may be there for longer. */
static void import(void **table) {
  int i;
  for (i = 0; i < IMPORTS; i++) imports[i] = table[i];
}
`;

/**
 * The pool: `submit` queues a job and sees to it that a thread runs it. Threads
 * are made while jobs wait and fewer than the cap are there; one that has had
 * nothing to do for `IDLE_SECONDS` ends. The threadsafe function keeps the
 * process alive only while a job is pending.
 *
 * pthread types are opaque and larger on some systems than on others; 256 bytes
 * hold each of them everywhere. `wait_until` is given in CLOCK_REALTIME.
 */
export function poolSource(threads: number, idleSeconds: number, stackBytes: number): string {
  return `${DECLARATIONS}
#define THREADS ${threads}
#define IDLE_SECONDS ${idleSeconds}
#define STACK_BYTES ${stackBytes}ULL

struct time { long seconds, nanoseconds; };
static u64 mutex[32], wake[32], attributes[32];
static struct job *head, *tail;
static u32 queued, waiting, threads, pending;
static void *channel;
static u32 open;

static void lock(void) { CALL(int (*)(void *), pthread_mutex_lock)(mutex); }
static void unlock(void) { CALL(int (*)(void *), pthread_mutex_unlock)(mutex); }

static void settle(void *env, void *callback, void *context, void *data) {
  struct job *job = data;
  if (env) {
    CALL(int (*)(void *, void *, void *), napi_resolve_deferred)(env, job->deferred, job->result(env, job));
    if (--pending == 0) CALL(int (*)(void *, void *), napi_unref_threadsafe_function)(env, channel);
  }
  CALL(void (*)(void *), free)(job);
}

/* The environment goes, as when a Worker is terminated, and with it the buffers
   that calls not begun were to use. */
static void closing(void *env, void *data, void *hint) {
  struct job *job;
  lock();
  open = 0;
  while ((job = head)) {
    head = job->next;
    CALL(void (*)(void *), free)(job);
  }
  tail = 0;
  queued = 0;
  unlock();
}

static void *work(void *unused) {
  struct job *job;
  lock();
  for (;;) {
    if (!head) {
      struct time until;
      int timed_out;
      CALL(int (*)(int, struct time *), clock_gettime)(0, &until);
      until.seconds += IDLE_SECONDS;
      waiting++;
      timed_out = CALL(int (*)(void *, void *, struct time *), pthread_cond_timedwait)(wake, mutex, &until);
      waiting--;
      if (!head && (timed_out || !open)) break;
      continue;
    }
    job = head;
    head = job->next;
    if (!head) tail = 0;
    queued--;
    unlock();
    job->run(job);
    lock();
    /* The environment may have gone while the job ran; then nobody wants its result. */
    if (open) CALL(int (*)(void *, void *, int), napi_call_threadsafe_function)(channel, job, 0);
    else CALL(void (*)(void *), free)(job);
  }
  threads--;
  unlock();
  return 0;
}

static int grow(void) {
  u64 thread;
  if (CALL(int (*)(u64 *, void *, void *(*)(void *), void *), pthread_create)(&thread, attributes, work, 0)) return 0;
  CALL(int (*)(u64), pthread_detach)(thread);
  threads++;
  return 1;
}

/* Returns 0 if there is no thread that will ever run the job. */
u32 submit(void *env, struct job *job) {
  u32 taken = 1;
  lock();
  job->next = 0;
  if (tail) tail->next = job; else head = job;
  tail = job;
  queued++;
  if (waiting >= queued) CALL(int (*)(void *), pthread_cond_signal)(wake);
  else if (threads >= THREADS || grow()) CALL(int (*)(void *), pthread_cond_signal)(wake);
  else if (threads == 0) { head = tail = 0; queued = 0; taken = 0; }
  unlock();
  if (taken && pending++ == 0) CALL(int (*)(void *, void *), napi_ref_threadsafe_function)(env, channel);
  return taken;
}

u32 thread_count(void) { return threads; }

u64 setup(void *env, void *table) {
  void *name;
  import(table);
  CALL(int (*)(void *, void *), pthread_mutex_init)(mutex, 0);
  CALL(int (*)(void *, void *), pthread_cond_init)(wake, 0);
  CALL(int (*)(void *), pthread_attr_init)(attributes);
  CALL(int (*)(void *, u64), pthread_attr_setstacksize)(attributes, STACK_BYTES);
  if (CALL(int (*)(void *, const char *, u64, void **), napi_create_string_utf8)(env, "level-zero", 10, &name)) return 0;
  if (CALL(int (*)(void *, void *, void *, void *, u64, u64, void *, void *, void *, void *, void **),
           napi_create_threadsafe_function)(env, 0, 0, name, 0, 1, 0, closing, 0, settle, &channel)) return 0;
  CALL(int (*)(void *, void *), napi_unref_threadsafe_function)(env, channel);
  open = 1;
  return (u64)submit;
}
`;
}

const RESULTS: Record<string, string> = {
  void: "CALL(int (*)(void *, void **), napi_get_undefined)(env, &value);",
  bool: "CALL(int (*)(void *, boolean, void **), napi_get_boolean)(env, call->value, &value);",
  i8: "CALL(int (*)(void *, i32, void **), napi_create_int32)(env, call->value, &value);",
  u8: "CALL(int (*)(void *, u32, void **), napi_create_uint32)(env, call->value, &value);",
  f64: "CALL(int (*)(void *, f64, void **), napi_create_double)(env, call->value, &value);",
  i64: "CALL(int (*)(void *, i64, void **), napi_create_bigint_int64)(env, call->value, &value);",
  u64: "CALL(int (*)(void *, u64, void **), napi_create_bigint_uint64)(env, call->value, &value);",
};
const RESULT_OF: Record<string, string> = {
  i16: "i8",
  i32: "i8",
  u16: "u8",
  u32: "u8",
  f32: "f64",
};

/** The types that `start` gets as `f64` and casts. */
export const SMALL_INTEGERS: ReadonlySet<string> = new Set([
  "i8",
  "u8",
  "i16",
  "u16",
  "i32",
  "u32",
]);

/**
 * The C function that starts a call of one prototype. `start` copies the
 * arguments, hands the call to the pool and returns its Promise, or null if it
 * could not be begun.
 */
export function starterSource(parameters: readonly string[], result: string): string {
  const type = (name: string): string => name === "bool" ? "boolean" : name;
  const names = parameters.map((_, i) => `a${i}`);
  const declared = parameters.map((p, i) => `${type(p)} a${i}`);
  const taken = parameters.map((p, i) => `${SMALL_INTEGERS.has(p) ? "f64" : type(p)} a${i}`);
  const cast = (p: string): string => SMALL_INTEGERS.has(p) ? `(${p})(i64)` : "";
  const called = names.map((name) => `call->${name}`).join(", ");
  const invoke = `call->function(${called})`;
  return `${DECLARATIONS}
typedef ${type(result)} (*prototype)(${parameters.map(type).join(", ") || "void"});
struct call {
  struct job job;
  prototype function;
  ${declared.map((d) => `${d};`).join(" ")}
  ${result === "void" ? "" : `${type(result)} value;`}
};
static u32 (*submit)(void *, struct job *);

static void run(struct job *job) {
  struct call *call = (struct call *)job;
  ${result === "void" ? "" : "call->value = "}${invoke};
}

static void *to_value(void *env, struct job *job) {
  struct call *call = (struct call *)job;
  void *value = 0;
  ${RESULTS[RESULT_OF[result] ?? result]}
  return value;
}

void setup(void *table, u64 pool_submit) {
  import(table);
  submit = (u32 (*)(void *, struct job *))pool_submit;
}

void *start(void *env, u64 function${taken.map((t) => `, ${t}`).join("")}) {
  void *promise = 0, *nothing = 0;
  struct call *call = CALL(void *(*)(u64), malloc)(sizeof(struct call));
  CALL(int (*)(void *, void **), napi_get_undefined)(env, &nothing);
  if (!call) return nothing;
  call->job.run = run;
  call->job.result = to_value;
  call->function = (prototype)function;
  ${parameters.map((p, i) => `call->a${i} = ${cast(p)}a${i};`).join(" ")}
  if (CALL(int (*)(void *, void **, void **), napi_create_promise)(env, &call->job.deferred, &promise)) {
    CALL(void (*)(void *), free)(call);
    return nothing;
  }
  if (!submit(env, &call->job)) {
    CALL(int (*)(void *, void *, void *), napi_resolve_deferred)(env, call->job.deferred, nothing);
    CALL(void (*)(void *), free)(call);
    return nothing;
  }
  return promise;
}
`;
}
