// See joint_codes.h.
#include "encode/joint_codes.h"

#include <algorithm>
#include <vector>

#include "decode/item_kernels.h"

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

// Pairs of few codes in a table of all that there could be.
size_t JoinByTable(const uint32_t* first, const uint32_t* second, size_t count, size_t most, uint32_t* codes,
                   uint64_t seconds, size_t pairs) {
  std::vector<uint32_t> codes_above(pairs);
  size_t used = 0;
  for (size_t i = 0; i < count; ++i) {
    // Of codes that another thread changes meanwhile it could be any pair.
    const uint64_t pair = std::min<uint64_t>(first[i] * seconds + second[i], pairs - 1);
    if (codes_above[pair] == 0) {
      if (used == most) return most + 1;
      codes_above[pair] = static_cast<uint32_t>(++used);
    }
    if (codes != nullptr) codes[i] = codes_above[pair] - 1;
  }
  return used;
}

// How many pairs there are: a bit for each that there could be.
size_t CountByBits(const uint32_t* first, const uint32_t* second, size_t count, uint64_t seconds, size_t pairs) {
  std::vector<uint64_t> seen(pairs / 64 + 1);
  size_t used = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t pair = std::min<uint64_t>(first[i] * seconds + second[i], pairs - 1);
    uint64_t& word = seen[pair / 64];
    const uint64_t bit = uint64_t{1} << (pair % 64);
    used += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }
  return used;
}

// Zeroing a table of so many pairs a row, or so many bits, takes less than hashing them.
constexpr uint64_t kPairsOfRow = 4;
constexpr uint64_t kBitsOfRow = 128;

}  // namespace

size_t JoinCodes(const uint32_t* first, const uint32_t* second, size_t count, size_t most, uint32_t* codes) {
  if (count == 0) return 0;
  const uint64_t seconds = uint64_t{LargestOf(second, count)} + 1;
  const uint64_t firsts = uint64_t{LargestOf(first, count)} + 1;
  if (codes == nullptr && firsts <= kBitsOfRow * count / seconds)
    return std::min(CountByBits(first, second, count, seconds, static_cast<size_t>(firsts * seconds)), most + 1);
  if (firsts <= kPairsOfRow * count / seconds)
    return JoinByTable(first, second, count, most, codes, seconds, static_cast<size_t>(firsts * seconds));
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

bool SpreadCodes(const uint32_t* codes, size_t code_count, const uint8_t* validity, uint32_t null_code, uint32_t* rows,
                 size_t row_count) {
  size_t used = 0;
  for (size_t row = 0; row < row_count; ++row) {
    const bool valid = ((validity[row >> 3] >> (row & 7)) & 1) != 0;
    if (used == code_count) {
      if (valid) return false;
      rows[row] = null_code;
      continue;
    }
    rows[row] = valid ? codes[used] : null_code;
    used += valid ? 1 : 0;
  }
  return used == code_count;
}

bool ScatterCodes(const uint32_t* codes, const uint32_t* values, size_t count, uint32_t* to, size_t room) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t code = codes[i];
    if (code >= room) return false;
    to[code] = values[i];
  }
  return true;
}

bool MapCodes(const uint32_t* codes, size_t count, const uint32_t* ranks, size_t rank_count, uint32_t* to) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t code = codes[i];
    if (code >= rank_count) return false;
    to[i] = ranks[code];
  }
  return true;
}

}  // namespace colkit
