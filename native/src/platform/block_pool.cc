// See block_pool.h.
#include "platform/block_pool.h"

#include "platform/system_memory.h"

namespace colkit {
namespace {

constexpr size_t kHugePageBytes = size_t{2} << 20;
constexpr size_t kSmallestStep = size_t{64} << 10;  // the largest page size in use; a multiple of all others

size_t RoundUp(size_t bytes, size_t step) { return (bytes + step - 1) / step * step; }

}  // namespace

BlockPool& BlockPool::Instance() {
  static BlockPool* const pool = new BlockPool();  // leaked: buffers may come back while the process exits
  return *pool;
}

size_t BlockPool::ClassBytes(size_t bytes) {
  size_t step = bytes >= kHugePageBytes ? kHugePageBytes : kSmallestStep;
  while (step * 16 <= bytes) step *= 2;  // eight classes in each power of two
  return RoundUp(bytes == 0 ? 1 : bytes, step);
}

Block BlockPool::Take(size_t bytes) {
  if (bytes > SIZE_MAX / 2) return Block();
  Block block;
  block.bytes = ClassBytes(bytes);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (size_t i = idle_.size(); i-- > 0;) {
      if (idle_[i].bytes != block.bytes) continue;
      block = idle_[i];
      idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
      idle_bytes_ -= block.bytes;
      live_bytes_ += block.bytes;
      return block;
    }
  }
  block.data = AllocatePages(block.bytes, block.bytes >= kHugePageBytes ? kHugePageBytes : kSmallestStep);
  if (block.data == nullptr) return Block();
  std::lock_guard<std::mutex> lock(mutex_);
  live_bytes_ += block.bytes;
  return block;
}

void BlockPool::Return(const Block& block) {
  std::vector<Block> released;
  OfferPages(block.data, block.bytes);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    live_bytes_ -= block.bytes;
    idle_.push_back(block);
    idle_bytes_ += block.bytes;
    TrimLocked(limit_bytes_, &released);
  }
  for (const Block& old : released) FreePages(old.data, old.bytes);
}

void BlockPool::SetLimit(size_t bytes) {
  std::vector<Block> released;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    limit_bytes_ = bytes;
    TrimLocked(bytes, &released);
  }
  for (const Block& old : released) FreePages(old.data, old.bytes);
}

void BlockPool::TrimLocked(size_t limit, std::vector<Block>* released) {
  size_t count = 0;
  while (idle_bytes_ > limit) idle_bytes_ -= idle_[count++].bytes;
  released->assign(idle_.begin(), idle_.begin() + static_cast<std::ptrdiff_t>(count));
  idle_.erase(idle_.begin(), idle_.begin() + static_cast<std::ptrdiff_t>(count));
}

PoolStatistics BlockPool::Statistics() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return {idle_bytes_, live_bytes_, limit_bytes_};
}

}  // namespace colkit
