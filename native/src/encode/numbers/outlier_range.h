// Which range of numbers is cheapest when all others are patched: columna's patched/index.ts has the same loops.
#ifndef COLKIT_NATIVE_OUTLIER_RANGE_H_
#define COLKIT_NATIVE_OUTLIER_RANGE_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

struct OutlierSearch {
  const uint32_t* values;
  size_t count;
  // 2^buckets_log2 buckets of 2^shift numbers, which hold all values.
  unsigned shift;
  unsigned buckets_log2;
  // What a value takes with the range of all of them.
  double full_bits;
  // Logarithms to the base 2 of 0 to the number of buckets.
  const double* logs;
};

enum class OutlierAnswer { kNone, kFound, kBeyond };

// Buckets [from, to), by all values or by a quarter of many: for every width the range that holds most values, and of
// those the cheapest. None where all values are; beyond, where a value is in no bucket.
OutlierAnswer CheapestRange(const OutlierSearch& search, uint32_t* from, uint32_t* to);

}  // namespace colkit

#endif  // COLKIT_NATIVE_OUTLIER_RANGE_H_
