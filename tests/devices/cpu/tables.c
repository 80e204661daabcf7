// What fills in dispatch tables.
#include "tables.h"
#include <string.h>

// The loaders before 1.20 have shorter tables than the headers that this compiles with.
enum { OLDEST_MINOR = 12 };

ze_result_t table_check(const char *name, ze_api_version_t version, const void *table) {
  if (!table) return fail(name, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "the table is null");
  if (ZE_MAJOR_VERSION(version) != 1 || ZE_MINOR_VERSION(version) < OLDEST_MINOR) {
    return fail(name, ZE_RESULT_ERROR_UNSUPPORTED_VERSION, "the loader has to be 1.20 or newer");
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t table_fill(
    const char *name, ze_api_version_t version, void *table, const struct entry *entries,
    size_t count) {
  ze_result_t result = table_check(name, version, table);
  if (result != ZE_RESULT_SUCCESS) return result;
  for (size_t i = 0; i < count; i++) {
    const struct entry *entry = &entries[i];
    if (entry->since > ZE_MINOR_VERSION(version)) continue;
    void (*function)(void) = fault_absent(entry->name) ? NULL : entry->function;
    memcpy((unsigned char *)table + entry->offset, &function, sizeof function);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t lacking(const char *function) {
  return fail(function, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "not in this driver");
}
