// See number_kernels.h.
#include "pages/number_kernels.h"

#include <cstring>

#include "platform/cpu.h"

namespace colkit {

size_t SelectWithin(const uint32_t* numbers, size_t count, uint32_t first, uint32_t above, uint32_t* indices) {
  size_t found = 0;
  size_t i = 0;
  if (HasAvx2()) found = SelectWithinAvx2(numbers, count, first, above, indices, &i);
  // Which one is within cannot be predicted, so it is arithmetic and not a branch: what is not is written over.
  for (; i < count; ++i) {
    indices[found] = static_cast<uint32_t>(i);
    found += numbers[i] - first <= above ? 1 : 0;
  }
  return found;
}

bool SumByCode(const uint32_t* numbers, const uint32_t* codes, size_t count, size_t code_count, uint64_t* lanes,
               double* sums, double* counts) {
  // Above 48 bits how many there are: 16,384 numbers below 2^32 leave them free.
  constexpr size_t kLanes = kSumLanes;
  constexpr unsigned kCountShift = 48;
  constexpr uint64_t kOne = uint64_t{1} << kCountShift;
  std::memset(lanes, 0, code_count * kLanes * sizeof lanes[0]);
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const uint32_t a = codes[i], b = codes[i + 1], c = codes[i + 2], d = codes[i + 3];
    if (a >= code_count || b >= code_count || c >= code_count || d >= code_count) return false;
    lanes[a * kLanes] += numbers[i] + kOne;
    lanes[b * kLanes + 1] += numbers[i + 1] + kOne;
    lanes[c * kLanes + 2] += numbers[i + 2] + kOne;
    lanes[d * kLanes + 3] += numbers[i + 3] + kOne;
  }
  for (; i < count; ++i) {
    // Read once: another thread may write where the memory is shared.
    const uint32_t code = codes[i];
    if (code >= code_count) return false;
    lanes[code * kLanes + i % kLanes] += numbers[i] + kOne;
  }
  for (size_t code = 0; code < code_count; ++code) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const uint64_t both = lanes[code * kLanes + lane];
      sums[code] += static_cast<double>(both & (kOne - 1));
      counts[code] += static_cast<double>(both >> kCountShift);
    }
  }
  return true;
}

}  // namespace colkit
