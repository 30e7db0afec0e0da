// See joint_codes.h.
#include "encode/joint_codes.h"

#include <vector>

namespace colkit {
namespace {

// A pair, and its code plus one; 0: free.
struct Slot {
  uint64_t pair;
  uint32_t code_above;
};

uint64_t HashOf(uint64_t pair) {
  const uint64_t mixed = (pair ^ (pair >> 32)) * 0x9e3779b97f4a7c15ull;
  return mixed >> 32;
}

}  // namespace

size_t JoinCodes(const uint32_t* first, const uint32_t* second, size_t count, size_t most, uint32_t* codes) {
  // Grows with the pairs, so that few of them stay in a cache.
  std::vector<Slot> slots(1024);
  size_t used = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t pair = uint64_t{first[i]} << 32 | second[i];
    size_t at = HashOf(pair) & (slots.size() - 1);
    while (slots[at].code_above != 0 && slots[at].pair != pair) at = (at + 1) & (slots.size() - 1);
    if (slots[at].code_above == 0) {
      if (used == most) return most + 1;
      slots[at] = {pair, static_cast<uint32_t>(++used)};
      if (codes != nullptr) codes[i] = static_cast<uint32_t>(used - 1);
      if (used * 2 <= slots.size()) continue;
      std::vector<Slot> larger(slots.size() * 4);
      for (const Slot& slot : slots) {
        if (slot.code_above == 0) continue;
        size_t free = HashOf(slot.pair) & (larger.size() - 1);
        while (larger[free].code_above != 0) free = (free + 1) & (larger.size() - 1);
        larger[free] = slot;
      }
      slots = std::move(larger);
      continue;
    }
    if (codes != nullptr) codes[i] = slots[at].code_above - 1;
  }
  return used;
}

}  // namespace colkit
