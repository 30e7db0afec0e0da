// Arithmetic on blocks of doubles, for any instruction set, as the other loops of raw_loops.h. One operation a loop: no
// compiler makes one rounding of two.
#ifndef COLKIT_NATIVE_RAW_COMPUTING_H_
#define COLKIT_NATIVE_RAW_COMPUTING_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "platform/intrinsics.h"
#include "raw/raw_items.h"
#include "raw/raw_kernels.h"

namespace colkit {
namespace raw_loops {

template <typename T>
COLKIT_INLINE void LoadDoubles(const uint8_t* items, size_t count, double* out) {
  for (size_t i = 0; i < count; ++i) {
    if constexpr (std::is_same<T, Half>::value) {
      const uint16_t bits = ItemAt<uint16_t>(items, i);
      const double infinity = (bits & 0x8000) != 0 ? -std::numeric_limits<double>::infinity()
                                                   : std::numeric_limits<double>::infinity();
      const double unknown =
          (bits & 0x3ff) != 0 ? std::numeric_limits<double>::quiet_NaN() : infinity;
      const auto size = static_cast<int16_t>(bits & 0x7fff);
      out[i] = size < kHalfInfinity ? static_cast<double>(FloatOfHalf(bits)) : unknown;
    } else if constexpr (std::is_same<T, bool>::value) {
      out[i] = items[i] != 0 ? 1 : 0;
    } else {
      out[i] = static_cast<double>(ItemAt<T>(items, i));
    }
  }
}

template <RawStep kStep>
COLKIT_INLINE void Compute(double* left, const double* right, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if constexpr (kStep == kRawStepAdd) left[i] += right[i];
    if constexpr (kStep == kRawStepSub) left[i] -= right[i];
    if constexpr (kStep == kRawStepMul) left[i] *= right[i];
    if constexpr (kStep == kRawStepDiv) left[i] /= right[i];
    if constexpr (kStep == kRawStepWhole) left[i] += 0.0;
  }
}

template <RawComparison kComparison>
COLKIT_INLINE void Compare(const double* left, const double* right, size_t count, uint8_t flip, uint8_t* mask) {
  for (size_t i = 0; i < count; ++i) {
    bool holds = false;
    if constexpr (kComparison == kRawComparisonEq) holds = left[i] == right[i];
    if constexpr (kComparison == kRawComparisonNe) holds = left[i] != right[i];
    if constexpr (kComparison == kRawComparisonLt) holds = left[i] < right[i];
    if constexpr (kComparison == kRawComparisonLe) holds = left[i] <= right[i];
    if constexpr (kComparison == kRawComparisonGt) holds = left[i] > right[i];
    if constexpr (kComparison == kRawComparisonGe) holds = left[i] >= right[i];
    mask[i] = static_cast<uint8_t>(holds) ^ flip;
  }
}

}  // namespace raw_loops
}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_COMPUTING_H_
