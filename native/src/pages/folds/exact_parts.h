// Doubles -> their exact sum as three doubles, in loops that know no order: each value is cut at bits that are the same
// for all, so that the parts of a page are multiples of one power of two and add up without a rounding.
#ifndef COLKIT_NATIVE_EXACT_PARTS_H_
#define COLKIT_NATIVE_EXACT_PARTS_H_

#include <cstdint>

namespace colkit {

struct ExactParts {
  double parts[3];
};

// The sum of doubles, given as their patterns, each as often as `times` says (null: once), all together at most
// kMaxPageRows times. False where one is not finite, or has bits that lie 113 or more below the first of the largest.
bool SumInParts(const uint64_t* words, const uint32_t* times, uint32_t count, ExactParts* sum);

}  // namespace colkit

#endif  // COLKIT_NATIVE_EXACT_PARTS_H_
