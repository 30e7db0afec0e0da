// An advisory lock of a whole open file: the one that writers in other languages take too.
#ifndef COLKIT_NATIVE_PLATFORM_FILE_LOCK_H_
#define COLKIT_NATIVE_PLATFORM_FILE_LOCK_H_

#include <string>

namespace colkit {

enum class FileLock { kLocked, kHeld, kUnsupported, kFailed };

// Takes the lock, without waiting, for as long as the descriptor (and none that was duplicated of it) is open. `kHeld`:
// another open file has it, of this process or another. `error` is set for kFailed.
FileLock LockFile(int fd, std::string* error);

}  // namespace colkit

#endif  // COLKIT_NATIVE_PLATFORM_FILE_LOCK_H_
