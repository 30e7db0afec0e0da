// A process-wide pool of memory blocks for results. Fresh pages cost 1.6 to 2.1 us each where memory comes from a
// virtual machine's host, more than the gather that fills them; a block that comes back is kept and handed out again.
// Sizes are rounded up to classes (at most an eighth is wasted); blocks of 2 MiB and more are aligned to 2 MiB and
// advised to use huge pages. Thread-safe; never destroyed.
#ifndef COLKIT_NATIVE_BLOCK_POOL_H_
#define COLKIT_NATIVE_BLOCK_POOL_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace colkit {

struct Block {
  void* data = nullptr;
  size_t bytes = 0;  // of the size class
};

struct PoolStatistics {
  size_t idle_bytes;
  size_t live_bytes;
  size_t limit_bytes;
};

class BlockPool {
 public:
  static BlockPool& Instance();

  // A block of at least `bytes`, its contents unspecified; `data` is null where the system has no memory.
  Block Take(size_t bytes);
  // Keeps the block for the next Take, or gives it (and the oldest kept ones) back to the system where more than the
  // limit would lie idle.
  void Return(const Block& block);

  void SetLimit(size_t bytes);
  PoolStatistics Statistics() const;

  // The size class of a request: a multiple of 64 KiB, of 2 MiB from there on, at most an eighth larger than asked.
  static size_t ClassBytes(size_t bytes);

 private:
  BlockPool() = default;
  // Moves the oldest idle blocks into `released` until at most `limit` bytes are idle. The caller frees them without
  // the lock.
  void TrimLocked(size_t limit, std::vector<Block>* released);

  mutable std::mutex mutex_;
  std::vector<Block> idle_;  // oldest first
  size_t idle_bytes_ = 0;
  size_t live_bytes_ = 0;
  size_t limit_bytes_ = size_t{256} << 20;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_BLOCK_POOL_H_
