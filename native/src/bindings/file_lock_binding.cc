// lockFile: the advisory lock of an open file.
#include "bindings/args.h"
#include "bindings/bindings.h"
#include "platform/file_lock.h"

namespace colkit {

napi_value LockFileOf(const Call& call) {
  const int fd = static_cast<int>(ReadCount(call.env, call[0], "fd", INT32_MAX));
  std::string error;
  switch (LockFile(fd, &error)) {
    case FileLock::kLocked:
      return Napi::String::New(call.env, "locked");
    case FileLock::kHeld:
      return Napi::String::New(call.env, "held");
    case FileLock::kUnsupported:
      return Napi::String::New(call.env, "unsupported");
    case FileLock::kFailed:
      break;
  }
  throw CodedError(call.env, "ERR_WRITE", error);
}

}  // namespace colkit
