// See file_lock.h. POSIX systems have flock() of the open file; Windows locks ranges, and the byte at 2^62, where no
// file ends, stands for the whole file: what Python's msvcrt.locking takes there.
#include "platform/file_lock.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#else
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#endif

namespace colkit {

#if defined(_WIN32)

namespace {

// Descriptors of Node are those of its own C library: it alone knows their handles.
HANDLE HandleOf(int fd) {
  using GetHandle = HANDLE (*)(int);
  static const auto get =
      reinterpret_cast<GetHandle>(GetProcAddress(GetModuleHandleW(nullptr), "uv_get_osfhandle"));
  return get == nullptr ? INVALID_HANDLE_VALUE : get(fd);
}

}  // namespace

FileLock LockFile(int fd, std::string* error) {
  HANDLE handle = HandleOf(fd);
  if (handle == INVALID_HANDLE_VALUE) return FileLock::kUnsupported;
  OVERLAPPED where = {};
  where.OffsetHigh = 1u << 30;
  const DWORD how = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  if (LockFileEx(handle, how, 0, 1, 0, &where)) return FileLock::kLocked;
  const DWORD code = GetLastError();
  if (code == ERROR_LOCK_VIOLATION || code == ERROR_IO_PENDING) return FileLock::kHeld;
  if (code == ERROR_NOT_SUPPORTED || code == ERROR_INVALID_FUNCTION) return FileLock::kUnsupported;
  *error = "LockFileEx: error " + std::to_string(code);
  return FileLock::kFailed;
}

#else

FileLock LockFile(int fd, std::string* error) {
  int result;
  do result = flock(fd, LOCK_EX | LOCK_NB);
  while (result != 0 && errno == EINTR);
  if (result == 0) return FileLock::kLocked;
  const int code = errno;
  if (code == EWOULDBLOCK) return FileLock::kHeld;
  constexpr int kNoSupportInKernel = 524;  // Linux's ENOTSUPP, which reaches programs from some network file systems
  if (code == ENOLCK || code == ENOSYS || code == EOPNOTSUPP || code == ENOTSUP || code == kNoSupportInKernel)
    return FileLock::kUnsupported;
  *error = std::string("flock: ") + std::strerror(code);
  return FileLock::kFailed;
}

#endif

}  // namespace colkit
