// Pairs of words -> numbers of the distinct ones, in the order in which they are first met. The memory is the caller's,
// who makes it larger, and who looks single pairs up in the same tables.
#ifndef COLKIT_NATIVE_PAIR_NUMBERS_H_
#define COLKIT_NATIVE_PAIR_NUMBERS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// Pair i is left[i * stride] and right[i * stride].
struct WordPairs {
  const uint32_t* left;
  const uint32_t* right;
  size_t stride;
  size_t count;
  // One bit a pair: 0 for those that are passed over. Null: none is.
  const uint8_t* valid;
};

struct KnownPairs {
  uint32_t* left;
  uint32_t* right;
  // Room for so many.
  size_t room;
  size_t known;
  // The number of a pair plus one; 0 where the slot is free. A power of two.
  uint32_t* slots;
  size_t slot_count;
};

constexpr uint32_t kNoPair = UINT32_MAX;

// Writes the number of each pair from `first` on, kNoPair for those that are passed over. Returns how many were done:
// all, or those before one that is new and has no room; more than half of the slots are never taken.
size_t NumberPairs(const WordPairs& pairs, size_t first, uint32_t* numbers, KnownPairs* known);

}  // namespace colkit

#endif  // COLKIT_NATIVE_PAIR_NUMBERS_H_
