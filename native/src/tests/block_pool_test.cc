// The pool of result memory: size classes, reuse, the limit on idle bytes, alignment.
#include <cstring>

#include "platform/block_pool.h"
#include "tests/test_support.h"

namespace colkit {
namespace {

constexpr size_t kMebi = size_t{1} << 20;
#if defined(_WIN32)
constexpr size_t kAlignment = size_t{64} << 10;  // see AllocatePages: huge pages need a privilege there
#else
constexpr size_t kAlignment = 2 * kMebi;
#endif

void TestClasses() {
  for (size_t bytes = 1; bytes < (size_t{1} << 40); bytes += bytes / 3 + 1) {
    const size_t rounded = BlockPool::ClassBytes(bytes);
    CHECK(rounded >= bytes && BlockPool::ClassBytes(rounded) == rounded);
    if (bytes >= 2 * kMebi) CHECK(rounded % (2 * kMebi) == 0);
    if (bytes >= 16 * kMebi) CHECK(rounded <= bytes + bytes / 8);
  }
}

void TestReuse() {
  BlockPool& pool = BlockPool::Instance();
  const Block first = pool.Take(5 * kMebi);
  CHECK(first.data != nullptr && first.bytes == 6 * kMebi && reinterpret_cast<uintptr_t>(first.data) % kAlignment == 0);
  std::memset(first.data, 7, first.bytes);
  CHECK(pool.Statistics().live_bytes == first.bytes && pool.Statistics().idle_bytes == 0);
  pool.Return(first);
  CHECK(pool.Statistics().live_bytes == 0 && pool.Statistics().idle_bytes == first.bytes);
  const Block other = pool.Take(3 * kMebi);
  CHECK(other.data != first.data);
  const Block again = pool.Take(6 * kMebi);
  CHECK(again.data == first.data);
  pool.Return(other);
  pool.Return(again);
  // Over the limit the oldest goes first.
  pool.SetLimit(6 * kMebi);
  CHECK(pool.Statistics().idle_bytes == again.bytes);
  const Block large = pool.Take(40 * kMebi);
  pool.Return(large);
  CHECK(pool.Statistics().idle_bytes == 0 && pool.Statistics().live_bytes == 0);
  pool.SetLimit(0);
  const Block unpooled = pool.Take(100000);
  pool.Return(unpooled);
  CHECK(pool.Statistics().idle_bytes == 0 && pool.Statistics().limit_bytes == 0);
  CHECK(pool.Take(SIZE_MAX / 2 - 1).data == nullptr && pool.Take(SIZE_MAX).data == nullptr);
  CHECK(pool.Statistics().live_bytes == 0);
}

}  // namespace
}  // namespace colkit

int main() {
  colkit::TestClasses();
  colkit::TestReuse();
}
