// See small_files.h.
#include "platform/small_files.h"

#if !defined(_WIN32)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace colkit {
namespace {

#if defined(_WIN32)

int32_t ReadFile(const std::string&, size_t, uint8_t*) { return -1; }

#else

int32_t ReadOpened(int fd, size_t most, uint8_t* out) {
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 1) return -1;
  const size_t size = static_cast<size_t>(status.st_size);
  if (size > most) return -1;
  size_t done = 0;
  while (done < size) {
    const ssize_t count = read(fd, out + done, size - done);
    if (count <= 0) return -1;
    done += static_cast<size_t>(count);
  }
  return static_cast<int32_t>(size);
}

// -1 where there is none.
int OpenFile(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) return -1;
  // Without waiting: opening a pipe that nobody writes to would block for ever.
  return open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

int32_t ReadFile(const std::string& path, size_t most, uint8_t* out) {
  const int fd = OpenFile(path);
  if (fd < 0) return -1;
  const int32_t length = ReadOpened(fd, most, out);
  close(fd);
  return length;
}

#endif

}  // namespace

void WillReadFiles(const std::vector<std::string>& paths, uint64_t byte_length) {
#if defined(POSIX_FADV_WILLNEED)
  for (const std::string& path : paths) {
    const int fd = OpenFile(path);
    if (fd < 0) continue;
    posix_fadvise(fd, 0, static_cast<off_t>(byte_length), POSIX_FADV_WILLNEED);
    close(fd);
  }
#else
  static_cast<void>(paths);
  static_cast<void>(byte_length);
#endif
}

void ReadSmallFiles(const std::vector<std::string>& paths, size_t most, uint8_t* out, int32_t* lengths,
                    const std::atomic<bool>& cancelled) {
  for (size_t k = 0; k < paths.size(); ++k) {
    lengths[k] = cancelled.load(std::memory_order_relaxed) ? -1 : ReadFile(paths[k], most, out);
    if (lengths[k] > 0) out += (static_cast<size_t>(lengths[k]) + kSmallFileAlignment - 1) & ~(kSmallFileAlignment - 1);
  }
}

}  // namespace colkit
