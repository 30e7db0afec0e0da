// Sums as the numbers of a result.
#ifndef COLKIT_NATIVE_RAW_RESULTS_H_
#define COLKIT_NATIVE_RAW_RESULTS_H_

#include <cstdint>

#include "raw/exact_sum.h"
#include "raw/raw_program.h"

namespace colkit {

// low + 2^32 * high.
inline void WriteTotal(uint64_t low, int64_t high, double* result) {
  high += static_cast<int64_t>(low >> 32);
  result[kRawFoldResultWord0] = static_cast<double>(low & 0xffffffff);
  result[kRawFoldResultWord1] = static_cast<double>(high & 0xffffffff);
  result[kRawFoldResultWord2] = static_cast<double>(high >> 32);
}

inline void WriteExact(ExactSum* sum, double* result) {
  Normalize(sum);
  result[kRawFoldResultSpecial] = sum->special;
  for (size_t i = 0; i < kRawLimbs; ++i) result[kRawFoldResultLimbs + i] = static_cast<double>(sum->limbs[i]);
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_RESULTS_H_
