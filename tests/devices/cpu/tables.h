/**
 * Dispatch tables: how the loader finds the driver's functions.
 *
 * A newer version of the API appends to a table. An entry is filled in only if the loader's
 * version has it, as an older loader's table ends before.
 */
#ifndef ZE_CPU_TABLES_H
#define ZE_CPU_TABLES_H

#include "cpu.h"
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>

struct entry {
  const char *name;
  size_t offset;
  /** The minor version that the function came with. */
  unsigned since;
  void (*function)(void);
};

/** Whether the tables of that version can be filled in. */
ze_result_t table_check(const char *name, ze_api_version_t version, const void *table);
ze_result_t table_fill(
    const char *name, ze_api_version_t version, void *table, const struct entry *entries,
    size_t count);
ze_result_t lacking(const char *function);

/** Whether the headers have what came with 1.`minor`. */
#define SINCE(minor) (ZE_API_VERSION_CURRENT_M >= ZE_MAKE_VERSION(1, minor))

/**
 * A function that the driver has not. Its arguments do not matter, so that one without any serves:
 * by the calling convention it is the caller who takes them back.
 */
#define LACKING(api_name)                                                                        \
  static ze_result_t api_name##_lacking(void) {                                                  \
    static struct fault_point point = {.name = #api_name};                                       \
    ze_result_t fault = fault_enter(&point);                                                     \
    return fault == ZE_RESULT_SUCCESS ? lacking(#api_name) : fault;                              \
  }
#define ENTRY(field, api_name, minor, address)                                                   \
  {#api_name, offsetof(TABLE, field), minor, (void (*)(void))address}
#define HAVE(field, api_name, minor) ENTRY(field, api_name, minor, api_name)
#define LACK(field, api_name, minor) ENTRY(field, api_name, minor, api_name##_lacking)

#define EXPORT(getter, type, entries)                                                            \
  ZE_DLLEXPORT ze_result_t getter(ze_api_version_t version, type *pDdiTable) {                   \
    return table_fill(#getter, version, pDdiTable, entries, sizeof entries / sizeof *entries);   \
  }

#endif
