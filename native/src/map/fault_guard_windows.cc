// The structured exception guard of Windows. See fault_guard.h. Windows refuses to truncate a mapped file; what is left
// are failing disks and network shares.
#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include "map/fault_guard.h"

namespace colkit {

bool RunGuarded(void (*kernel)(void*), void* context) {
#if defined(_MSC_VER)
  __try {
    kernel(context);
  } __except (GetExceptionCode() == EXCEPTION_IN_PAGE_ERROR ? EXCEPTION_EXECUTE_HANDLER : EXCEPTION_CONTINUE_SEARCH) {
    return false;
  }
#else
  kernel(context);  // MinGW has no __try: an in-page error ends the process there.
#endif
  return true;
}

void InstallFaultHandler() {}

}  // namespace colkit

#endif  // _WIN32
