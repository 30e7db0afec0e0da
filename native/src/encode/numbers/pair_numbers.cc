// See pair_numbers.h. Another thread may write to the tables meanwhile: each number is read once, and what was checked
// is what is used.
#include "encode/numbers/pair_numbers.h"

#include <algorithm>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

// Pairs whose slots, and what these tell of, are asked for before the first of them is looked up.
constexpr size_t kAhead = 16;

// The same as `hash` in packages/table/src/aggregate/codes/pair-codes.ts.
COLKIT_INLINE uint32_t HashOf(uint32_t left, uint32_t right) {
  uint32_t mixed = (left * 0x85ebca6bu) ^ (right * 0xc2b2ae35u);
  mixed = (mixed ^ (mixed >> 16)) * 0x7feb352du;
  mixed = (mixed ^ (mixed >> 15)) * 0x846ca68bu;
  return mixed ^ (mixed >> 16);
}

}  // namespace

size_t NumberPairs(const WordPairs& pairs, size_t first, uint32_t* numbers, KnownPairs* known) {
  const uint32_t mask = static_cast<uint32_t>(known->slot_count - 1);
  uint32_t at_of[kAhead];
  for (size_t start = first; start < pairs.count; start += kAhead) {
    const size_t end = std::min(pairs.count, start + kAhead);
    for (size_t i = start; i < end; ++i) {
      const uint32_t at = HashOf(pairs.left[i * pairs.stride], pairs.right[i * pairs.stride]) & mask;
      at_of[i - start] = at;
      Prefetch(reinterpret_cast<uintptr_t>(known->slots + at));
    }
    for (size_t i = start; i < end; ++i) {
      const uint32_t above = known->slots[at_of[i - start]];
      if (above == 0 || above > known->known) continue;
      Prefetch(reinterpret_cast<uintptr_t>(known->left + above - 1));
      Prefetch(reinterpret_cast<uintptr_t>(known->right + above - 1));
    }
    for (size_t i = start; i < end; ++i) {
      if (pairs.valid != nullptr && ((pairs.valid[i >> 3] >> (i & 7)) & 1) == 0) {
        numbers[i] = kNoPair;
        continue;
      }
      const uint32_t left = pairs.left[i * pairs.stride];
      const uint32_t right = pairs.right[i * pairs.stride];
      uint32_t at = at_of[i - start];
      uint32_t above = known->slots[at];
      for (uint32_t steps = 0; above != 0; ++steps) {
        if (above <= known->known && known->left[above - 1] == left && known->right[above - 1] == right) break;
        // Never, but where another thread fills the table.
        if (steps == mask) return i;
        at = (at + 1) & mask;
        above = known->slots[at];
      }
      if (above != 0) {
        numbers[i] = above - 1;
        continue;
      }
      if (known->known == known->room || (known->known + 1) * 2 > known->slot_count) return i;
      known->left[known->known] = left;
      known->right[known->known] = right;
      numbers[i] = static_cast<uint32_t>(known->known);
      known->slots[at] = static_cast<uint32_t>(++known->known);
    }
  }
  return pairs.count;
}

}  // namespace colkit
