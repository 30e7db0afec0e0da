// Sums of doubles without an error: a fixed-point number that is wide enough for all of them. Exact sums do not depend
// on order, so that rows can be added by any number of threads and in any blocks; they are rounded once, at the end.
#ifndef COLKIT_NATIVE_EXACT_SUM_H_
#define COLKIT_NATIVE_EXACT_SUM_H_

#include <cmath>
#include <cstdint>
#include <cstring>

#include "platform/intrinsics.h"
#include "raw/raw_program.h"

namespace colkit {

// In units of 2^-1074, the smallest double: limb i counts for 2^(32 i). Plain data, zeroed to start.
struct ExactSum {
  int64_t limbs[kRawLimbs];
  // What was added since the limbs were below 2^32: each addition adds less than that to a limb.
  uint32_t additions;
  // The sum of what is not finite: NaN, or an infinity; 0 where everything was finite.
  double special;
};

// Brings every limb but the last into [0, 2^32).
inline void Normalize(ExactSum* sum) {
  int64_t carry = 0;
  for (size_t i = 0; i + 1 < kRawLimbs; ++i) {
    const int64_t value = sum->limbs[i] + carry;
    sum->limbs[i] = value & 0xffffffff;
    carry = value >> 32;
  }
  sum->limbs[kRawLimbs - 1] += carry;
  sum->additions = 0;
}

inline void AddExactly(ExactSum* sum, double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  const auto exponent = static_cast<unsigned>((bits >> 52) & 0x7ff);
  uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  if (exponent == 0x7ff) {
    sum->special += value;
    return;
  }
  unsigned position = 0;
  if (exponent > 0) {
    fraction |= uint64_t{1} << 52;
    position = exponent - 1;
  }
  const unsigned shift = position % 32;
  int64_t* limb = sum->limbs + position / 32;
  // Three parts of at most 32 bits: the fraction has 53, and 31 more by the shift.
  const uint64_t low = (fraction << shift) & 0xffffffff;
  const uint64_t rest = shift == 0 ? fraction >> 32 : (fraction >> (32 - shift));
  const int64_t sign = bits >> 63 != 0 ? -1 : 1;
  limb[0] += sign * static_cast<int64_t>(low);
  limb[1] += sign * static_cast<int64_t>(rest & 0xffffffff);
  limb[2] += sign * static_cast<int64_t>(rest >> 32);
  if (++sum->additions == uint32_t{1} << 30) Normalize(sum);
}

// Both are normalized first, so that nothing overflows.
inline void AddSums(ExactSum* sum, ExactSum* other) {
  Normalize(sum);
  Normalize(other);
  for (size_t i = 0; i < kRawLimbs; ++i) sum->limbs[i] += other->limbs[i];
  sum->special += other->special;
  Normalize(sum);
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_EXACT_SUM_H_
