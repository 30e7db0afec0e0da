// How the blocks of a BITPACK node are laid out in the fewest bytes, and the blocks themselves: columna's
// bit-pack/layouts.ts and size.ts have the same loops.
#ifndef COLKIT_NATIVE_BLOCK_LAYOUTS_H_
#define COLKIT_NATIVE_BLOCK_LAYOUTS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// A number's low bits, and behind them digits of base 3 and of base 5: numbers below `capacity` fit.
struct BlockPlan {
  double capacity;
  uint32_t low_bits;
  uint32_t threes;
  uint32_t fives;
};

struct BlockLayout {
  uint64_t byte_length;
  unsigned log2;
  bool one_plan;
};

// Blocks of 2^log2 numbers, 2^(log2 + 2), ... up to 2^most_log2; `least` and `most` get the extremes of the shortest,
// and there is room for all. `plans` have ascending capacities, the last one 2^32. `header` bytes are in front of all.
struct LayoutSearch {
  const uint32_t* values;
  size_t count;
  unsigned log2;
  unsigned most_log2;
  const BlockPlan* plans;
  size_t plan_count;
  size_t header;
};

// The layout of the fewest bytes in whole bits, and of any plans; `count` is at least 1.
void BestLayouts(const LayoutSearch& search, uint32_t* least, uint32_t* most, BlockLayout* whole,
                 BlockLayout* fractional);

// Blocks of 2^log2 numbers less the reference of each, by the plan of each (its low bits, threes << 8, fives << 12),
// one behind the other to zeroed words. Returns how many words that takes; more than `room` where it does not fit.
size_t PackBlocks(const uint32_t* values, size_t count, unsigned log2, const uint32_t* references,
                  const uint32_t* plans, uint32_t* words, size_t room);

}  // namespace colkit

#endif  // COLKIT_NATIVE_BLOCK_LAYOUTS_H_
