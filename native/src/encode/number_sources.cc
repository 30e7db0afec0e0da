// See number_sources.h.
#include "encode/number_sources.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

namespace colkit {
namespace {

constexpr int64_t kMostExact = int64_t{1} << 53;
constexpr uint64_t kMostNormal = UINT32_MAX;

// Most numbers have 32 bits, of which a division takes a fraction of the time.
uint64_t Rest(uint64_t number, uint64_t divisor) {
  if ((number | divisor) > UINT32_MAX) return number % divisor;
  return static_cast<uint32_t>(number) % static_cast<uint32_t>(divisor);
}

// The greatest common divisor of all offsets from the least; 1 where all are equal. `offset(i)` gives one.
template <typename Offset>
uint64_t CommonDivisor(size_t count, Offset offset) {
  uint64_t divisor = 0;
  for (size_t i = 0; i < count && divisor != 1; ++i) {
    const uint64_t each = offset(i);
    if (divisor == 0) divisor = each;
    else if (Rest(each, divisor) != 0) divisor = std::gcd(divisor, each);
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
  } else if (range <= UINT32_MAX) {
    // Of numbers that another thread changes meanwhile it could be any.
    const uint32_t narrow = std::max(uint32_t{1}, static_cast<uint32_t>(divisor));
    for (size_t i = 0; i < count; ++i) normal[i] = static_cast<uint32_t>(offset(i)) / narrow;
  } else {
    for (size_t i = 0; i < count; ++i) normal[i] = static_cast<uint32_t>(offset(i) / divisor);
  }
  return true;
}

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
  T least = items[0];
  T most = items[0];
  for (size_t i = 1; i < count; ++i) {
    least = std::min(least, items[i]);
    most = std::max(most, items[i]);
  }
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

void BlockRanges(const uint32_t* values, size_t count, unsigned log2, uint32_t* least, uint32_t* most) {
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

bool CountBuckets(const uint32_t* values, size_t count, unsigned shift, uint32_t* counts, size_t bucket_count) {
  for (size_t i = 0; i < count; ++i) {
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
  const auto divisor = static_cast<uint32_t>(CommonDivisor(count, [=](size_t i) { return uint64_t{normal[i]}; }));
  if (divisor > 1)
    for (size_t i = 0; i < count; ++i) normal[i] /= divisor;
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
