// The loops over items of raw columns, compiled for each instruction set. Tables are indexed by RawType; null where a
// type has no such loop.
#ifndef COLKIT_NATIVE_RAW_KERNELS_H_
#define COLKIT_NATIVE_RAW_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "platform/cpu.h"
#include "raw/exact_sum.h"
#include "raw/raw_program.h"

namespace colkit {

// Rows that are looked at together: their masks and copies stay in the first caches.
constexpr size_t kBlockRows = 1024;

// Of integers: low + 2^32 * high; of floats the exact sum. Plain data, zeroed to start.
struct RawSum {
  uint64_t low;
  int64_t high;
  ExactSum exact;
  // Of floats: the exponent of the last block (as SumFloats has it), by which the next one is added in one pass; 0 is
  // none. How many blocks go without trying, and how many go the next time.
  int32_t expected;
  uint32_t waiting;
  uint32_t patience;
};

// An item, and how much is known. Plain data, zeroed to start.
struct RawExtreme {
  RawFound found;
  int64_t whole;  // of integers, ticks and booleans; of uint64 its bits less 2^63, so that it orders as they do
  double number;  // of floats
};

struct RawKernels {
  void (*within[kRawTypes])(const uint8_t* items, size_t count, const uint8_t* bounds, uint8_t flip, uint8_t* mask);
  void (*sum[kRawTypes])(const uint8_t* items, size_t count, RawSum* sum);
  // The largest of signed integers, of each less `less` and then with the bits of `turned` the other way round: with
  // all of them the smallest is found, with the uppermost one that of unsigned ones. By the logarithm of the item's
  // bytes. The least that there is where there are none.
  int64_t (*largest_whole[4])(const uint8_t* items, size_t count, uint64_t less, uint64_t turned);
  // The same of halves, by HalfKey. NaN is passed over; kNoHalf where there are none.
  int16_t (*largest_half)(const uint8_t* items, size_t count, int16_t turned);
  // Of float32 and float64; `turned`: of each its negative. NaN is passed over; minus infinity where there are none.
  double (*largest_float[2])(const uint8_t* items, size_t count, bool turned);
  // Numbers as doubles; arithmetic and comparisons of them, by RawStep and RawComparison.
  void (*load[kRawTypes])(const uint8_t* items, size_t count, double* out);
  void (*compute[kRawSteps])(double* left, const double* right, size_t count);
  void (*compare[kRawComparisons])(const double* left, const double* right, size_t count, uint8_t flip, uint8_t* mask);
  // By the logarithm of the item's bytes: 1, 2, 4, 8. Room for one item more than there are ones.
  void (*pack[4])(const uint8_t* items, size_t count, const uint8_t* mask, uint8_t* out);
  size_t (*count_ones)(const uint8_t* mask, size_t count);
  void (*and_masks)(const uint8_t* other, size_t count, uint8_t* mask);
  void (*or_masks)(const uint8_t* other, size_t count, uint8_t* mask);
  void (*bits_of_mask)(const uint8_t* mask, size_t count, uint8_t* bits);
};

extern const RawKernels kBaselineRawKernels;
extern const RawKernels kAvx2RawKernels;

const RawKernels& RawKernelsOf(KernelFamily family);

}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_KERNELS_H_
