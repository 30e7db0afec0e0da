// See outlier_range.h.
#include "encode/numbers/outlier_range.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "encode/number_sources.h"

namespace colkit {
namespace {

// About what a position and a value take.
constexpr double kOutlierBits = 24;
// How much wider the next range is that is looked at.
constexpr double kWider = 1.19;
// Of many values the first of each block say which range is cheapest.
constexpr size_t kLeastSampled = 1 << 14;
constexpr size_t kBlock = 256;
constexpr size_t kSeenOfBlock = 64;

}  // namespace

OutlierAnswer CheapestRange(const OutlierSearch& search, uint32_t* from, uint32_t* to) {
  const size_t buckets = size_t{1} << search.buckets_log2;
  std::vector<uint32_t> counts(buckets);
  const size_t stride = search.count < kLeastSampled ? search.count : kBlock;
  size_t seen = 0;
  for (size_t start = 0; start < search.count; start += stride) {
    const size_t length = std::min(search.count - start, stride == kBlock ? kSeenOfBlock : stride);
    seen += length;
    if (!CountBuckets(search.values + start, length, search.shift, counts.data(), buckets))
      return OutlierAnswer::kBeyond;
  }
  // How many values are before each bucket: those of a range are one difference.
  std::vector<uint32_t> before(buckets + 1);
  for (size_t bucket = 0; bucket < buckets; ++bucket) before[bucket + 1] = before[bucket] + counts[bucket];
  const auto all = static_cast<double>(seen);
  double best_bits = all * search.full_bits;
  OutlierAnswer answer = OutlierAnswer::kNone;
  for (size_t size = 1; size < buckets;
       size = std::max(size + 1, static_cast<size_t>(static_cast<double>(size) * kWider))) {
    const double inside_bits = all * (search.logs[size] + search.shift);
    // Wider ranges take more bits even where they hold everything.
    if (inside_bits >= best_bits) break;
    uint32_t most = 0;
    for (size_t bucket = 0; bucket + size <= buckets; ++bucket)
      most = std::max(most, before[bucket + size] - before[bucket]);
    const double bits = inside_bits + (all - most) * kOutlierBits;
    if (!(bits < best_bits)) continue;
    size_t at = 0;
    while (before[at + size] - before[at] != most) ++at;
    best_bits = bits;
    *from = static_cast<uint32_t>(at);
    *to = static_cast<uint32_t>(at + size);
    answer = OutlierAnswer::kFound;
  }
  return answer;
}

}  // namespace colkit
