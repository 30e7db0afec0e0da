// Working memory of one thread, taken in pieces and given back all at once. It grows while nothing is taken from it, so
// that a kernel which a page fault ends leaves nothing behind.
#ifndef COLKIT_NATIVE_ARENA_H_
#define COLKIT_NATIVE_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

// gcc says it by the first, clang by the second.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COLKIT_POISONS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define COLKIT_POISONS 1
#endif

#if defined(COLKIT_POISONS)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#endif

namespace colkit {

class Arena {
 public:
  // The calling thread's own.
  static Arena& OfThread() {
    thread_local Arena arena;
    return arena;
  }

  // Everything is free again. Where something was asked for in vain, there is more now; false where there is all that
  // there may be.
  bool Reset() {
    const bool small = TooSmall();
    const bool grows = small && size_ < kLargest;
    if (grows) {
      size_t size = size_ == 0 ? kSmallest : 2 * size_;
      while (size < wanted_ && size < kLargest) size *= 2;
      ASAN_UNPOISON_MEMORY_REGION(memory_.get(), size_);
      memory_.reset(new (std::nothrow) uint8_t[size]);
      size_ = memory_ == nullptr ? 0 : size;
    }
    used_ = 0;
    wanted_ = 0;
    ASAN_POISON_MEMORY_REGION(memory_.get(), size_);
    return !small || (grows && size_ > 0);
  }

  // `count` uninitialised elements at a multiple of 16 bytes, or null where there is no room. A few bytes behind them
  // may be read and written.
  template <typename T>
  T* Take(size_t count) {
    const size_t bytes = (count * sizeof(T) + kSlack + 15) / 16 * 16;
    wanted_ += bytes;
    if (bytes > size_ - used_) return nullptr;
    T* taken = reinterpret_cast<T*>(memory_.get() + used_);
    used_ += bytes;
    // The last bytes of the slack stay forbidden to kernels under test.
    ASAN_UNPOISON_MEMORY_REGION(taken, count * sizeof(T) + kSlack / 2);
    return taken;
  }

  // Whether something was asked for in vain since Reset.
  bool TooSmall() const { return wanted_ > size_; }

  static constexpr size_t kSlack = 64;
  static constexpr size_t kSmallest = size_t{1} << 20;
  static constexpr size_t kLargest = size_t{1} << 24;

 private:
  std::unique_ptr<uint8_t[]> memory_;
  size_t size_ = 0;
  size_t used_ = 0;
  size_t wanted_ = 0;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_ARENA_H_
