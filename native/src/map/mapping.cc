// What a mapping does alike on all systems. See mapping.h.
#include "map/mapping.h"

#include <cstring>
#include <utility>

#include "map/fault_guard.h"

namespace colkit {
namespace {

// A file that is read so often is worth reading its last page for.
constexpr unsigned kChecksBeforeWitness = 8;
constexpr uint64_t kWitnessWithin = 4096;

struct GuardedByte {
  const uint8_t* at;
  uint8_t value;
};

// 0 where it cannot be read.
uint8_t ReadByte(const uint8_t* at) {
  GuardedByte byte = {at, 0};
  const bool read = RunGuarded(
      [](void* context) {
        auto* own = static_cast<GuardedByte*>(context);
        own->value = *static_cast<const volatile uint8_t*>(own->at);
      },
      &byte);
  return read ? byte.value : 0;
}

}  // namespace

std::shared_ptr<MappedFile> MappedFile::Copy(const uint8_t* bytes, size_t byte_length) {
  // As in a mapping, items are aligned as they are in the file, and a kernel may look at some bytes behind the end.
  constexpr size_t kAround = 64;
  std::shared_ptr<MappedFile> file(new MappedFile());
  file->copy_.reset(new uint8_t[byte_length + 2 * kAround]);
  uint8_t* data = file->copy_.get();
  data += (kAround - reinterpret_cast<uintptr_t>(data) % kAround) % kAround;
  std::memcpy(data, bytes, byte_length);
  std::memset(data + byte_length, 0, kAround);
  file->data_ = data;
  file->size_ = byte_length;
  file->expects_cold_.store(false, std::memory_order_relaxed);
  return file;
}

std::shared_ptr<MappedFile> MappedFile::Join(std::vector<std::shared_ptr<MappedFile>> files) {
  std::shared_ptr<MappedFile> joined(new MappedFile());
  for (const auto& file : files) {
    // Of all before the first is waited for. A fault on a page that nobody asked for would read much around it.
    if (file->size_ > 0) file->WillRead(file->size_ - 1, 1);
  }
  for (const auto& file : files) {
    // Without a descriptor the size costs more: what stands for it is looked for now.
    file->FindWitness();
    file->CloseDescriptor();
  }
  joined->data_ = files.front()->data_;
  joined->advice_.store(files.front()->advice(), std::memory_order_relaxed);
  joined->parts_ = std::move(files);
  return joined;
}

void MappedFile::Shrink(uint64_t byte_length) {
  if (!is_copy()) UnmapBehind(byte_length);
  size_ = byte_length;
  // It may lie behind.
  witness_.store(nullptr, std::memory_order_relaxed);
  checks_.store(0, std::memory_order_relaxed);
}

bool MappedFile::StillWhole() const {
  for (const auto& part : parts_) {
    if (!part->StillWhole()) return false;
  }
  if (!parts_.empty() || is_copy()) return true;
  const uint8_t* witness = witness_.load(std::memory_order_acquire);
  if (witness != nullptr && ReadByte(witness) == witness_value_) return true;
  if (CurrentSize() < static_cast<int64_t>(size_)) return false;
  if (witness == nullptr && checks_.fetch_add(1, std::memory_order_relaxed) == kChecksBeforeWitness) FindWitness();
  return true;
}

// Called once: by the thread that counted to the number of checks.
void MappedFile::FindWitness() const {
  for (uint64_t behind = size_; behind > 0 && size_ - behind < kWitnessWithin; --behind) {
    const uint8_t* at = data_ + behind - 1;
    const uint8_t value = ReadByte(at);
    if (value == 0) continue;
    witness_value_ = value;
    witness_.store(at, std::memory_order_release);
    return;
  }
}

bool MappedFile::Advise(Advice advice, uint64_t byte_offset, uint64_t byte_length) {
  advice_.store(advice, std::memory_order_relaxed);
  return GiveAdvice(advice, byte_offset, byte_length);
}

}  // namespace colkit
