// mmap on POSIX systems. See mapping.h.
#if !defined(_WIN32)

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "map/fault_guard.h"
#include "map/mapping.h"

#if !defined(MAP_NORESERVE)
#define MAP_NORESERVE 0
#endif

namespace colkit {
namespace {

int64_t ModificationTime(const struct stat& status) {
#if defined(__APPLE__)
  return static_cast<int64_t>(status.st_mtimespec.tv_sec) * 1000000000 + status.st_mtimespec.tv_nsec;
#else
  return static_cast<int64_t>(status.st_mtim.tv_sec) * 1000000000 + status.st_mtim.tv_nsec;
#endif
}

}  // namespace

size_t PageBytes() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::shared_ptr<MappedFile> MappedFile::Open(const std::string& path, int fd, std::string* error) {
  InstallFaultHandler();
  std::shared_ptr<MappedFile> file(new MappedFile());
  file->OpenDescriptor(fd);
  struct stat status;
  if (file->fd_ < 0 || fstat(file->fd_, &status) != 0) {
    *error = std::strerror(errno);
    return nullptr;
  }
  if (!S_ISREG(status.st_mode)) {
    *error = "not a regular file";
    return nullptr;
  }
  const uint64_t size = static_cast<uint64_t>(status.st_size);
  if (size > SIZE_MAX) {
    *error = "larger than the address space";
    return nullptr;
  }
  file->modified_ = ModificationTime(status);
  file->path_ = path;
  file->device_ = static_cast<uint64_t>(status.st_dev);
  file->inode_ = static_cast<uint64_t>(status.st_ino);
  if (size == 0) return file;
  void* address = mmap(nullptr, static_cast<size_t>(size), PROT_READ, MAP_SHARED, file->fd_, 0);
  if (address == MAP_FAILED) {
    *error = std::strerror(errno);
    return nullptr;
  }
  file->data_ = static_cast<const uint8_t*>(address);
  file->size_ = size;
  return file;
}

// A description of our own has a position of our own, which makes the size cheap to ask for; a duplicate shares its
// position with the caller's.
void MappedFile::OpenDescriptor(int fd) {
#if defined(__linux__)
  const std::string again = "/proc/self/fd/" + std::to_string(fd);
  fd_ = open(again.c_str(), O_RDONLY | O_CLOEXEC);
  owns_position_ = fd_ >= 0;
#endif
  if (fd_ < 0) fd_ = fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr && parts_.empty() && !is_copy()) munmap(const_cast<uint8_t*>(data_), static_cast<size_t>(size_));
  if (fd_ >= 0) close(fd_);
}

void MappedFile::UnmapBehind(uint64_t byte_length) {
  const uint64_t page = PageBytes();
  const uint64_t kept = (byte_length + page - 1) / page * page;
  if (kept < size_) munmap(const_cast<uint8_t*>(data_) + kept, static_cast<size_t>(size_ - kept));
}

void MappedFile::CloseDescriptor() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
  owns_position_ = false;
}

int64_t MappedFile::CurrentSize() const {
  if (is_copy()) return static_cast<int64_t>(size_);
  if (fd_ < 0) {
    struct stat status;
    // A file that has lost its name cannot be found and cut any more.
    const bool is_it = stat(path_.c_str(), &status) == 0 && static_cast<uint64_t>(status.st_dev) == device_ &&
                       static_cast<uint64_t>(status.st_ino) == inode_;
    return is_it ? static_cast<int64_t>(status.st_size) : static_cast<int64_t>(size_);
  }
  if (owns_position_) return static_cast<int64_t>(lseek(fd_, 0, SEEK_END));  // less than half of what fstat costs
  struct stat status;
  return fstat(fd_, &status) == 0 ? static_cast<int64_t>(status.st_size) : -1;
}

bool MappedFile::WasModified() const {
  for (const auto& part : parts_) {
    if (part->WasModified()) return true;
  }
  if (!parts_.empty() || is_copy()) return false;
  struct stat status;
  if ((fd_ >= 0 ? fstat(fd_, &status) : stat(path_.c_str(), &status)) != 0) return false;
  if (static_cast<uint64_t>(status.st_ino) != inode_ || static_cast<uint64_t>(status.st_dev) != device_) return false;
  return static_cast<uint64_t>(status.st_size) < size_ || ModificationTime(status) != modified_;
}

bool MappedFile::GiveAdvice(Advice advice, uint64_t byte_offset, uint64_t byte_length) const {
  // What is said of pages would be said of the neighbours of a copy too.
  if (byte_length == 0 || data_ == nullptr || is_copy()) return true;
  int flag = MADV_NORMAL;
  switch (advice) {
    case Advice::kNormal:
      flag = MADV_NORMAL;
      break;
    case Advice::kSequential:
      flag = MADV_SEQUENTIAL;
      break;
    case Advice::kRandom:
      flag = MADV_RANDOM;
      break;
    case Advice::kWillNeed:
      flag = MADV_WILLNEED;
      break;
    case Advice::kDontNeed:
      flag = MADV_DONTNEED;
      break;
    case Advice::kHugePage:
#if defined(MADV_HUGEPAGE)
      flag = MADV_HUGEPAGE;
      break;
#else
      return false;
#endif
  }
  const uint64_t page = PageBytes();
  const uint64_t start = byte_offset / page * page;
  const uint64_t end = byte_offset + byte_length;
  return madvise(const_cast<uint8_t*>(data_) + start, static_cast<size_t>(end - start), flag) == 0;
}

bool MappedFile::OpenWindow(uint64_t byte_offset, uint64_t byte_length, Window* window, std::string* error) const {
  const uint64_t page = PageBytes();
  const uint64_t start = byte_offset / page * page;
  const size_t bytes = static_cast<size_t>(byte_offset - start + byte_length);
  // Without MAP_NORESERVE a writable private mapping of a large file is refused for want of swap.
  void* address =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd_, static_cast<off_t>(start));
  if (address == MAP_FAILED) {
    *error = std::strerror(errno);
    return false;
  }
  window->region = address;
  window->region_bytes = bytes;
  window->data = static_cast<uint8_t*>(address) + (byte_offset - start);
  return true;
}

void MappedFile::CloseWindow(const Window& window) { munmap(window.region, window.region_bytes); }

}  // namespace colkit

#endif  // !_WIN32
