// See number_sources.h.
#include "encode/number_sources.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "platform/cpu.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr int64_t kMostExact = int64_t{1} << 53;
constexpr uint64_t kMostNormal = UINT32_MAX;

// A divisor by which multiples are divided, and told from other numbers, by one product: of an odd one that with its
// inverse modulo 2^64.
class Divisor {
 public:
  // Above 0.
  explicit Divisor(uint64_t divisor) : shift_(CountTrailingZeros(divisor)), most_(UINT64_MAX / divisor) {
    const uint64_t odd = divisor >> shift_;
    // Each step doubles the bits that are right, of which there are three at first.
    inverse_ = odd;
    for (int step = 0; step < 5; ++step) inverse_ *= 2 - odd * inverse_;
  }

  // The quotient of a multiple; of other numbers something above all quotients.
  uint64_t Divide(uint64_t number) const {
    const uint64_t product = number * inverse_;
    return shift_ == 0 ? product : (product >> shift_) | (product << (64 - shift_));
  }
  bool IsMultiple(uint64_t number) const { return Divide(number) <= most_; }

 private:
  unsigned shift_;
  uint64_t most_;
  uint64_t inverse_;
};

// The greatest common divisor of all offsets from the least; 1 where all are equal. `offset(i)` gives one.
template <typename Offset>
uint64_t CommonDivisor(size_t count, Offset offset) {
  uint64_t divisor = 0;
  size_t i = 0;
  for (; i < count && divisor == 0; ++i) divisor = offset(i);
  while (i < count && divisor > 1) {
    const Divisor known(divisor);
    for (; i < count; ++i) {
      const uint64_t each = offset(i);
      if (known.IsMultiple(each)) continue;
      divisor = std::gcd(divisor, each);
      ++i;
      break;
    }
  }
  return divisor == 0 ? 1 : divisor;
}

template <typename Offset>
bool Normalize(size_t count, int64_t least, int64_t most, Offset offset, uint32_t* normal, NormalForm* form) {
  const uint64_t range = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
  if (range >= static_cast<uint64_t>(kMostExact)) return false;
  const uint64_t divisor = CommonDivisor(count, offset);
  if (range / divisor > kMostNormal) return false;
  *form = {static_cast<double>(least), static_cast<double>(most), static_cast<double>(divisor)};
  if (normal == nullptr) return true;
  if (divisor == 1) {
    for (size_t i = 0; i < count; ++i) normal[i] = static_cast<uint32_t>(offset(i));
  } else {
    const Divisor known(divisor);
    for (size_t i = 0; i < count; ++i) normal[i] = static_cast<uint32_t>(known.Divide(offset(i)));
  }
  return true;
}

// One loop, compiled for each instruction set; `count` is at least 1.
template <typename T>
COLKIT_INLINE void Extremes(const T* items, size_t count, T* least, T* most) {
  T low = items[0];
  T high = items[0];
  for (size_t i = 1; i < count; ++i) {
    low = std::min(low, items[i]);
    high = std::max(high, items[i]);
  }
  *least = low;
  *most = high;
}

#if COLKIT_X86
template <typename T>
COLKIT_TARGET("avx2")
void ExtremesByAvx2(const T* items, size_t count, T* least, T* most) {
  Extremes(items, count, least, most);
}
#endif

}  // namespace

template <typename T>
bool NormalizeItems(const T* items, size_t count, uint32_t* normal, NormalForm* form) {
  if (count == 0) return false;
  if constexpr (std::is_same_v<T, double>) {
    bool whole = true;
    for (size_t i = 0; i < count; ++i) {
      // Also of what is no number.
      whole &= std::fabs(items[i]) <= static_cast<double>(kMostExact);
    }
    if (!whole) return false;
  }
  T least;
  T most;
#if COLKIT_X86
  if (HasAvx2()) ExtremesByAvx2(items, count, &least, &most);
  else
#endif
    Extremes(items, count, &least, &most);
  if constexpr (std::is_same_v<T, int64_t>) {
    if (least < -kMostExact || most >= kMostExact) return false;
  }
  if constexpr (std::is_same_v<T, uint64_t>) {
    if (most >= static_cast<uint64_t>(kMostExact)) return false;
  }
  const auto from = static_cast<int64_t>(least);
  return Normalize(
      count, from, static_cast<int64_t>(most),
      [=](size_t i) { return static_cast<uint64_t>(static_cast<int64_t>(items[i]) - from); }, normal, form);
}

template bool NormalizeItems(const int8_t*, size_t, uint32_t*, NormalForm*);
template bool NormalizeItems(const uint8_t*, size_t, uint32_t*, NormalForm*);
template bool NormalizeItems(const int16_t*, size_t, uint32_t*, NormalForm*);
template bool NormalizeItems(const uint16_t*, size_t, uint32_t*, NormalForm*);
template bool NormalizeItems(const int32_t*, size_t, uint32_t*, NormalForm*);
template bool NormalizeItems(const uint32_t*, size_t, uint32_t*, NormalForm*);
template bool NormalizeItems(const int64_t*, size_t, uint32_t*, NormalForm*);
template bool NormalizeItems(const uint64_t*, size_t, uint32_t*, NormalForm*);
template bool NormalizeItems(const double*, size_t, uint32_t*, NormalForm*);

bool NormalizeGaps(const uint32_t* values, size_t count, uint32_t* normal, NormalForm* form) {
  if (count == 0) return false;
  const auto gap = [=](size_t i) {
    const size_t at = i == 0 && count > 1 ? 1 : i;
    return at == 0 ? int64_t{0} : static_cast<int64_t>(values[at]) - static_cast<int64_t>(values[at - 1]);
  };
  int64_t least = gap(0);
  int64_t most = least;
  for (size_t i = 2; i < count; ++i) {
    const int64_t each = static_cast<int64_t>(values[i]) - static_cast<int64_t>(values[i - 1]);
    least = std::min(least, each);
    most = std::max(most, each);
  }
  return Normalize(
      count, least, most, [=](size_t i) { return static_cast<uint64_t>(gap(i) - least); }, normal, form);
}

namespace {

// As above.
COLKIT_INLINE void RangesOf(const uint32_t* values, size_t count, unsigned log2, uint32_t* least, uint32_t* most) {
  const size_t length = size_t{1} << log2;
  for (size_t start = 0, block = 0; start < count; start += length, ++block) {
    const size_t end = std::min(count, start + length);
    uint32_t low = UINT32_MAX;
    uint32_t high = 0;
    for (size_t i = start; i < end; ++i) {
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
    least[block] = low;
    most[block] = high;
  }
}

#if COLKIT_X86
COLKIT_TARGET("avx2")
void RangesByAvx2(const uint32_t* values, size_t count, unsigned log2, uint32_t* least, uint32_t* most) {
  RangesOf(values, count, log2, least, most);
}
#endif

}  // namespace

void BlockRanges(const uint32_t* values, size_t count, unsigned log2, uint32_t* least, uint32_t* most) {
#if COLKIT_X86
  if (HasAvx2()) return RangesByAvx2(values, count, log2, least, most);
#endif
  RangesOf(values, count, log2, least, most);
}

bool CountBuckets(const uint32_t* values, size_t count, unsigned shift, uint32_t* counts, size_t bucket_count) {
  // Of neighbours in the same bucket each would wait for the one before: four tables that stay in the first cache.
  constexpr size_t kTables = 4;
  constexpr size_t kMostInTables = 1024;
  size_t i = 0;
  if (bucket_count <= kMostInTables && count >= kTables * bucket_count) {
    uint32_t tables[kTables][kMostInTables] = {};
    for (; i + kTables <= count; i += kTables) {
      for (size_t table = 0; table < kTables; ++table) {
        const uint32_t bucket = values[i + table] >> shift;
        if (bucket >= bucket_count) return false;
        ++tables[table][bucket];
      }
    }
    for (size_t bucket = 0; bucket < bucket_count; ++bucket)
      for (size_t table = 0; table < kTables; ++table) counts[bucket] += tables[table][bucket];
  }
  for (; i < count; ++i) {
    const uint32_t bucket = values[i] >> shift;
    if (bucket >= bucket_count) return false;
    ++counts[bucket];
  }
  return true;
}

size_t RunStarts(const uint32_t* values, size_t count, uint32_t* starts, size_t most) {
  size_t runs = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0 && values[i] == values[i - 1]) continue;
    if (runs == most) return most + 1;
    starts[runs++] = static_cast<uint32_t>(i);
  }
  return runs;
}

size_t PackInside(const uint32_t* values, size_t count, uint32_t first, uint32_t above, uint32_t* normal,
                  NormalForm* form) {
  size_t outside = 0;
  uint32_t most = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t distance = values[i] - first;
    const bool is_inside = distance <= above;
    normal[i] = is_inside ? distance : 0;
    most = std::max(most, normal[i]);
    outside += is_inside ? 0 : 1;
  }
  const uint64_t divisor = CommonDivisor(count, [=](size_t i) { return uint64_t{normal[i]}; });
  if (divisor > 1) {
    const Divisor known(divisor);
    for (size_t i = 0; i < count; ++i) normal[i] = static_cast<uint32_t>(known.Divide(normal[i]));
  }
  *form = {static_cast<double>(first), static_cast<double>(first) + most, static_cast<double>(divisor)};
  return outside;
}

size_t FindOthers(const uint32_t* values, const uint32_t* normal, size_t count, uint32_t first, uint32_t factor,
                  uint32_t* positions) {
  size_t found = 0;
  // No branch: which one is another cannot be predicted.
  for (size_t i = 0; i < count; ++i) {
    positions[found] = static_cast<uint32_t>(i);
    found += first + uint64_t{factor} * normal[i] != values[i] ? 1 : 0;
  }
  return found;
}

}  // namespace colkit
