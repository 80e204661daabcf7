/*
 * Faults on demand. ZE_CPU_FAULTS holds rules, separated by ";":
 *   FUNCTION:WHICH:code=RESULT   the call does nothing and returns that
 *   FUNCTION:WHICH:sleep=MS      the call takes that many milliseconds longer
 *   FUNCTION:WHICH:log=fatal     zeModuleCreate succeeds, with a fatal error in the build log
 *   FUNCTION:absent              the function is missing from the dispatch table
 * WHICH is the number of a call, from 1; "3+" means that one and all after it.
 */
#define _GNU_SOURCE
#include "cpu.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum action { ACTION_CODE, ACTION_SLEEP, ACTION_LOG, ACTION_ABSENT };

struct rule {
  char *function;
  unsigned first, last;
  enum action action;
  unsigned long value;
};

static struct rule *rules;
static size_t rule_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool fatal_log;

// Splits "FUNCTION:WHICH:ACTION" in place; false if it is none.
static bool parse_rule(char *text, struct rule *rule) {
  char *which = strchr(text, ':');
  if (!which) return false;
  *which++ = 0;
  rule->function = text;
  if (strcmp(which, "absent") == 0) {
    rule->action = ACTION_ABSENT;
    return true;
  }
  char *end;
  rule->first = rule->last = (unsigned)strtoul(which, &end, 10);
  if (end == which || rule->first == 0) return false;
  if (*end == '+') {
    rule->last = (unsigned)-1;
    end++;
  }
  if (*end++ != ':') return false;
  char *value = strchr(end, '=');
  if (!value) return false;
  *value++ = 0;
  if (strcmp(end, "log") == 0 && strcmp(value, "fatal") == 0) {
    rule->action = ACTION_LOG;
    return true;
  }
  if (strcmp(end, "code") == 0) {
    rule->action = ACTION_CODE;
  } else if (strcmp(end, "sleep") == 0) {
    rule->action = ACTION_SLEEP;
  } else {
    return false;
  }
  char *rest;
  rule->value = strtoul(value, &rest, 0);
  return rest != value && *rest == 0;
}

static void parse_rules(void) {
  const char *variable = getenv("ZE_CPU_FAULTS");
  if (!variable || !*variable) return;
  // Kept: the rules point into it.
  static char *copy;
  copy = strdup(variable);
  size_t room = 1;
  for (const char *at = variable; *at; at++) room += *at == ';';
  rules = calloc(room, sizeof *rules);
  if (!copy || !rules) abort();
  char *rest = copy;
  for (char *text; (text = strsep(&rest, ";"));) {
    if (!*text) continue;
    char *shown = strdup(text);
    if (parse_rule(text, &rules[rule_count])) {
      rule_count++;
    } else {
      // A fault that silently does not happen would make a test pass for the wrong reason.
      fprintf(stderr, "ZE_CPU_FAULTS: not a rule: %s\n", shown ? shown : text);
      abort();
    }
    free(shown);
  }
}

static void sleep_milliseconds(unsigned long milliseconds) {
  struct timespec time = {
    .tv_sec = (time_t)(milliseconds / 1000),
    .tv_nsec = (long)(milliseconds % 1000) * 1000000,
  };
  while (nanosleep(&time, &time) != 0 && errno == EINTR) continue;
}

ze_result_t fault_enter(struct fault_point *point) {
  pthread_once(&once, parse_rules);
  fatal_log = false;
  if (rule_count == 0) return ZE_RESULT_SUCCESS;
  unsigned call = atomic_fetch_add(&point->calls, 1) + 1;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (size_t i = 0; i < rule_count; i++) {
    const struct rule *rule = &rules[i];
    if (call < rule->first || call > rule->last || strcmp(rule->function, point->name) != 0) {
      continue;
    }
    if (rule->action == ACTION_SLEEP) sleep_milliseconds(rule->value);
    if (rule->action == ACTION_LOG) fatal_log = true;
    if (rule->action == ACTION_CODE) {
      result = fail(point->name, (ze_result_t)rule->value, "a fault that ZE_CPU_FAULTS asks for");
    }
  }
  return result;
}

bool fault_absent(const char *name) {
  pthread_once(&once, parse_rules);
  for (size_t i = 0; i < rule_count; i++) {
    if (rules[i].action == ACTION_ABSENT && strcmp(rules[i].function, name) == 0) return true;
  }
  return false;
}

bool fault_fatal_log(void) { return fatal_log; }
