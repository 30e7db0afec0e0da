// Loops over packed numbers that a compiler makes several times faster than a JavaScript engine does: which of them lie
// in a range, and their sums by code.
#ifndef COLKIT_NATIVE_NUMBER_KERNELS_H_
#define COLKIT_NATIVE_NUMBER_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "decode/page_format.h"
#include "pages/page_program.h"

namespace colkit {

// Indices of the numbers with first <= number <= first + above (modulo 2^32), ascending, to `indices`, which has room
// for `count`; returns how many there are.
size_t SelectWithin(const uint32_t* numbers, size_t count, uint32_t first, uint32_t above, uint32_t* indices);

// The same for processors that have AVX2, of the first `done` numbers: a multiple of 8, the rest is fewer than 8 (or
// all of them, elsewhere).
size_t SelectWithinAvx2(const uint32_t* numbers, size_t count, uint32_t first, uint32_t above, uint32_t* indices,
                        size_t* done);

// Sums for each code, so that no addition waits for the one before.
constexpr size_t kSumLanes = 4;

// Adds the numbers of each code and how many they are: at most kMaxPageRows of them, codes below `code_count`. `lanes`
// is room for kSumLanes sums a code. False for another code.
bool SumByCode(const uint32_t* numbers, const uint32_t* codes, size_t count, size_t code_count, uint64_t* lanes,
               double* sums, double* counts);

}  // namespace colkit

#endif  // COLKIT_NATIVE_NUMBER_KERNELS_H_
