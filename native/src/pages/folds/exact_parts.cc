// See exact_parts.h. Where all values are at most 2^above, adding 1.5 * 2^(above + 15) rounds to multiples of
// 2^(above - 37), of which 2^16 values add up to at most 2^53; what is left of a value is at most 2^(above - 38).
#include "pages/folds/exact_parts.h"

#include <cmath>
#include <cstddef>
#include <cstring>

#include "decode/page_format.h"
#include "platform/cpu.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kLevels = 3;
constexpr int kPageBits = 16;
static_assert(kMaxPageRows == 1u << kPageBits, "see above");
constexpr int kPartBits = 52 - kPageBits + 2;

COLKIT_INLINE double DoubleOf(uint64_t word) {
  double value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// The cuts of each level, and sums with lanes side by side, so that a compiler makes vectors of them.
struct Sums {
  double cuts[kLevels];
  double sums[kLevels][kLanes];
  double rest[kLanes];
};

// Without a branch: what is left of values behind all cuts is looked at once, at the end.
COLKIT_INLINE void Add(const uint64_t* words, const uint32_t* times, Sums* to) {
  double values[kLanes];
  for (size_t lane = 0; lane < kLanes; ++lane) values[lane] = DoubleOf(words[lane]);
  for (size_t level = 0; level < kLevels; ++level) {
    const double cut = to->cuts[level];
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const double part = cut + values[lane] - cut;
      to->sums[level][lane] += times == nullptr ? part : part * static_cast<double>(static_cast<int32_t>(times[lane]));
      values[lane] -= part;
    }
  }
  for (size_t lane = 0; lane < kLanes; ++lane) to->rest[lane] += std::fabs(values[lane]);
}

COLKIT_INLINE bool AddAll(const uint64_t* words, const uint32_t* times, uint32_t count, ExactParts* sum) {
  // The largest magnitude, NaN left out: the sums show it.
  double largest[kLanes] = {0, 0, 0, 0};
  const uint32_t whole = count - count % kLanes;
  for (uint32_t i = 0; i < whole; i += kLanes) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const double magnitude = std::fabs(DoubleOf(words[i + lane]));
      largest[lane] = magnitude > largest[lane] ? magnitude : largest[lane];
    }
  }
  uint64_t last_words[kLanes] = {0, 0, 0, 0};
  uint32_t last_times[kLanes] = {0, 0, 0, 0};
  for (uint32_t i = whole; i < count; ++i) {
    last_words[i - whole] = words[i];
    last_times[i - whole] = times == nullptr ? 1 : times[i];
    const double magnitude = std::fabs(DoubleOf(words[i]));
    largest[0] = magnitude > largest[0] ? magnitude : largest[0];
  }
  int above;
  std::frexp(std::fmax(std::fmax(largest[0], largest[1]), std::fmax(largest[2], largest[3])), &above);
  Sums sums = {};
  for (size_t level = 0; level < kLevels; ++level)
    sums.cuts[level] = std::ldexp(1.5, above - static_cast<int>(level) * kPartBits + kPageBits - 1);
  if (times == nullptr) {
    for (uint32_t i = 0; i < whole; i += kLanes) Add(words + i, nullptr, &sums);
  } else {
    for (uint32_t i = 0; i < whole; i += kLanes) Add(words + i, times + i, &sums);
  }
  Add(last_words, last_times, &sums);
  for (size_t level = 0; level < kLevels; ++level) {
    const double* lanes = sums.sums[level];
    sum->parts[level] = lanes[0] + lanes[1] + lanes[2] + lanes[3];
  }
  // Of infinity and NaN it is NaN.
  return sums.rest[0] + sums.rest[1] + sums.rest[2] + sums.rest[3] == 0;
}

#if COLKIT_X86
// The same, with wider vectors.
COLKIT_TARGET("avx2")
bool AddAllAvx2(const uint64_t* words, const uint32_t* times, uint32_t count, ExactParts* sum) {
  return AddAll(words, times, count, sum);
}
#endif

}  // namespace

bool SumInParts(const uint64_t* words, const uint32_t* times, uint32_t count, ExactParts* sum) {
#if COLKIT_X86
  if (HasAvx2()) return AddAllAvx2(words, times, count, sum);
#endif
  return AddAll(words, times, count, sum);
}

}  // namespace colkit
