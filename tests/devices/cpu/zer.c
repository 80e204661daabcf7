// The runtime's own small API, which knows devices by number.
#include "tables.h"

#if __has_include(<level_zero/zer_ddi.h>)
#include <level_zero/zer_ddi.h>

ze_result_t zerGetLastErrorDescription(const char **ppString) {
  ENTER();
  NEED_POINTER(ppString);
  *ppString = last_error();
  return ZE_RESULT_SUCCESS;
}

// There is one device: its number is 0.
uint32_t zerTranslateDeviceHandleToIdentifier(ze_device_handle_t hDevice) {
  if (hDevice) return 0;
  fail(__func__, ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "hDevice is null");
  return UINT32_MAX;
}

ze_device_handle_t zerTranslateIdentifierToDeviceHandle(uint32_t identifier) {
  ze_driver_handle_t driver;
  bool found = identifier == 0 && driver_get(&driver) == ZE_RESULT_SUCCESS;
  if (found) return driver->device;
  fail(__func__, ZE_RESULT_ERROR_INVALID_ARGUMENT, "no such device");
  return NULL;
}

ze_context_handle_t zerGetDefaultContext(void) {
  ze_driver_handle_t driver;
  return driver_get(&driver) == ZE_RESULT_SUCCESS ? zeDriverGetDefaultContext(driver) : NULL;
}

#define TABLE zer_global_dditable_t
static const struct entry global[] = {
  HAVE(pfnGetLastErrorDescription, zerGetLastErrorDescription, 14),
  HAVE(pfnTranslateDeviceHandleToIdentifier, zerTranslateDeviceHandleToIdentifier, 14),
  HAVE(pfnTranslateIdentifierToDeviceHandle, zerTranslateIdentifierToDeviceHandle, 14),
  HAVE(pfnGetDefaultContext, zerGetDefaultContext, 14),
};
#undef TABLE
EXPORT(zerGetGlobalProcAddrTable, zer_global_dditable_t, global)
#endif
