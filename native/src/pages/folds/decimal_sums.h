// Decimals of a page -> the exact sum of the doubles that they stand for. A decimal is an integer divided by a power of
// ten and rounded, so that the sum of the integers, divided, is another number than the sum of the values.
#ifndef COLKIT_NATIVE_DECIMAL_SUMS_H_
#define COLKIT_NATIVE_DECIMAL_SUMS_H_

#include <cstdint>

#include "decode/column_items.h"
#include "platform/arena.h"
#include "platform/intrinsics.h"

namespace colkit {

// A sum as two doubles: what it is nearly, and what is missing.
struct ExactPair {
  double sum;
  double lost;
};

// Whether nothing was lost: what an addition of doubles misses is what it differs by, both ways.
template <typename Pair>
COLKIT_INLINE bool AddOne(double value, Pair* pair) {
  const double next = pair->sum + value;
  const double taken = next - pair->sum;
  const double error = pair->sum - (next - taken) + (value - taken);
  const double less = pair->lost + error;
  const double missed = less - pair->lost;
  const bool exact = error == missed && pair->lost == less - missed;
  pair->sum = next;
  pair->lost = less;
  return exact;
}

// Adds up `count` of a page's decimals, which are narrow and without patches, from `start` on. False where their
// magnitudes are too different for the two doubles of a sum, or there is no room: then nothing is known.
bool SumDecimals(const NodeValues& values, uint32_t start, uint32_t count, Arena* arena, ExactPair* sum);

// The same for each group, and how many values it has. The groups are below `group_count`.
bool SumDecimalsByGroup(const NodeValues& values, uint32_t start, uint32_t count, const uint32_t* groups,
                        uint32_t group_count, Arena* arena, ExactPair* sums, double* counts);

}  // namespace colkit

#endif  // COLKIT_NATIVE_DECIMAL_SUMS_H_
