// A read-only mapping of a whole file, of any size, with the descriptor that it was made from: the memory that every
// kernel reads. Shared by the JavaScript handle and by each running job; the last one unmaps. Private windows are
// mappings of their own and outlive it.
#ifndef COLKIT_NATIVE_MAPPING_H_
#define COLKIT_NATIVE_MAPPING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace colkit {

enum class Advice : uint8_t { kNormal, kSequential, kRandom, kWillNeed, kDontNeed, kHugePage };

// A private copy-on-write mapping of a byte range of a file. `data` is where the range starts; `region` and
// `region_bytes` are what to unmap.
struct Window {
  void* region = nullptr;
  size_t region_bytes = 0;
  uint8_t* data = nullptr;
};

class MappedFile {
 public:
  // Null where it failed; `error` then says why, in the system's words.
  static std::shared_ptr<MappedFile> Open(const std::string& path, int fd, std::string* error);
  // The bytes of a file that is not there: a copy, for those that fit in little memory. There are no windows of it, and
  // nobody cuts it. At least one byte.
  static std::shared_ptr<MappedFile> Copy(const uint8_t* bytes, size_t byte_length);
  // Several mapped files as one, for the kernels of gathers: its data() is that of the first, the others lie at any
  // distance from it (see distance()); it has no bytes of its own, size() is 0. The files give up their descriptors,
  // and are used through it alone from then on. At least one file, none of them joined or empty.
  static std::shared_ptr<MappedFile> Join(std::vector<std::shared_ptr<MappedFile>> files);
  // From now on it is the first `byte_length` bytes alone, at most size(), at least 1: what is behind them may be cut
  // off the file. Only while nobody else uses the mapping.
  void Shrink(uint64_t byte_length);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // Of joined files; empty for a single one.
  const std::vector<std::shared_ptr<MappedFile>>& parts() const { return parts_; }
  // From data() to the data of a part; taken modulo 2^64, as the offsets that kernels add up are.
  int64_t distance(size_t part) const {
    return static_cast<int64_t>(reinterpret_cast<uintptr_t>(parts_[part]->data_) - reinterpret_cast<uintptr_t>(data_));
  }

  bool is_copy() const { return copy_ != nullptr; }
  const uint8_t* data() const { return data_; }
  uint64_t size() const { return size_; }

  // The file's size now; -1 where the system does not tell.
  int64_t CurrentSize() const;
  // Whether the file is still at least as long as it was when mapped, or what it lost were zeros: those read as before,
  // or end in a fault.
  bool StillWhole() const;
  // Whether it was written to or resized since it was mapped: tells a truncation from a failing disk after a fault.
  bool WasModified() const;

  bool Advise(Advice advice, uint64_t byte_offset, uint64_t byte_length);
  // The last advice that the caller gave, for whichever range.
  Advice advice() const { return advice_.load(std::memory_order_relaxed); }
  // Asks for huge pages in a range that will be read densely: no effect on what is in the page cache already, but what
  // is read now comes in huge pages.
  void ExpectDenseReads(uint64_t byte_offset, uint64_t byte_length) const {
    GiveAdvice(Advice::kHugePage, byte_offset, byte_length);
  }
  // Starts to bring the pages of a range into memory, without waiting for them.
  void WillRead(uint64_t byte_offset, uint64_t byte_length) const {
    GiveAdvice(Advice::kWillNeed, byte_offset, byte_length);
  }
  // Whether small reads from anywhere should expect to wait for a device; what they met themselves is remembered here.
  bool expects_cold() const { return expects_cold_.load(std::memory_order_relaxed); }
  void set_expects_cold(bool expects) const { expects_cold_.store(expects, std::memory_order_relaxed); }
  // False where it failed; `error` then says why. The range lies within the mapping.
  bool OpenWindow(uint64_t byte_offset, uint64_t byte_length, Window* window, std::string* error) const;
  static void CloseWindow(const Window& window);

 private:
  MappedFile() = default;
  void CloseDescriptor();
  void UnmapBehind(uint64_t byte_length);
  bool GiveAdvice(Advice advice, uint64_t byte_offset, uint64_t byte_length) const;
  void FindWitness() const;

  std::vector<std::shared_ptr<MappedFile>> parts_;
  std::unique_ptr<uint8_t[]> copy_;
  const uint8_t* data_ = nullptr;
  uint64_t size_ = 0;
  std::atomic<Advice> advice_{Advice::kNormal};
  mutable std::atomic<bool> expects_cold_{true};
  // A byte near the end that is not zero. Behind the end of a file its last page reads as zeros, and further pages
  // cannot be read: while this byte reads as it did, nothing before it was cut off. To look at it spares a system call.
  mutable std::atomic<const uint8_t*> witness_{nullptr};
  mutable uint8_t witness_value_ = 0;  // written before `witness_`
  mutable std::atomic<unsigned> checks_{0};
  int64_t modified_ = 0;  // the system's modification time when mapped
#if defined(_WIN32)
  void* file_ = nullptr;
  void* section_ = nullptr;
#else
  void OpenDescriptor(int fd);

  int fd_ = -1;
  bool owns_position_ = false;
  // Where there is no descriptor any more, the path tells of the file, for as long as it leads to it.
  std::string path_;
  uint64_t device_ = 0;
  uint64_t inode_ = 0;
#endif
};

// The system's page size in bytes (4 KiB, 16 KiB, 64 KiB …).
size_t PageBytes();

}  // namespace colkit

#endif  // COLKIT_NATIVE_MAPPING_H_
