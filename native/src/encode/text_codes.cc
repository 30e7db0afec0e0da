// See text_codes.h.
#include "encode/text_codes.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "platform/intrinsics.h"
#include "texts/text_hash.h"

namespace colkit {
namespace {

constexpr uint64_t kSeed = 0x2545f4914f6cdd1dull;

// A slot says which code it has, and enough of the hash that bytes are hardly ever compared in vain.
struct Slot {
  uint32_t code_above;  // Code + 1; 0: free.
  uint32_t print;
};

// Texts whose hashes are found before the first of them is looked up.
constexpr size_t kAhead = 16;

}  // namespace

size_t CodeTexts(const Texts& texts, uint32_t* codes, std::vector<uint32_t>* firsts_of_codes, size_t most) {
  std::vector<uint32_t>& firsts = *firsts_of_codes;
  firsts.clear();
  // Grows with the codes, so that few distinct ones stay in a cache however many texts there are.
  std::vector<Slot> slots(1024);
  size_t used = 0;
  const auto length_of = [&](uint32_t text, uint32_t* from) {
    *from = text == 0 ? texts.start : texts.ends[text - 1];
    return texts.ends[text] - *from;
  };
  uint64_t hashes[kAhead];
  for (size_t i = 0; i < texts.count; ++i) {
    if (i % kAhead == 0) {
      // Many slots are asked for at a time: each is in another line of a table that no cache holds.
      for (size_t ahead = i; ahead < std::min(texts.count, i + kAhead); ++ahead) {
        uint32_t from;
        const uint32_t length = length_of(static_cast<uint32_t>(ahead), &from);
        hashes[ahead % kAhead] = HashOfText(texts.bytes + from, length, kSeed);
        Prefetch(reinterpret_cast<uintptr_t>(&slots[hashes[ahead % kAhead] & (slots.size() - 1)]));
      }
    }
    if (texts.valid != nullptr && ((texts.valid[i >> 3] >> (i & 7)) & 1) == 0) {
      codes[i] = 0;
      continue;
    }
    uint32_t from;
    const uint32_t length = length_of(static_cast<uint32_t>(i), &from);
    const uint64_t hash = hashes[i % kAhead];
    const auto print = static_cast<uint32_t>(hash >> 32);
    size_t at = hash & (slots.size() - 1);
    for (; slots[at].code_above != 0; at = (at + 1) & (slots.size() - 1)) {
      if (slots[at].print != print) continue;
      uint32_t other;
      if (length_of(firsts[slots[at].code_above - 1], &other) != length) continue;
      // Where all texts are empty there may be no bytes at all.
      if (length == 0 || std::memcmp(texts.bytes + other, texts.bytes + from, length) == 0) break;
    }
    if (slots[at].code_above != 0) {
      codes[i] = slots[at].code_above - 1;
      continue;
    }
    if (used == most) return most + 1;
    codes[i] = static_cast<uint32_t>(used);
    firsts.push_back(static_cast<uint32_t>(i));
    ++used;
    slots[at] = {static_cast<uint32_t>(used), print};
    if (used * 2 <= slots.size()) continue;
    slots.assign(slots.size() * 4, Slot{});
    for (size_t code = 0; code < used; ++code) {
      uint32_t first;
      const uint32_t bytes = length_of(firsts[code], &first);
      const uint64_t again = HashOfText(texts.bytes + first, bytes, kSeed);
      size_t free = again & (slots.size() - 1);
      while (slots[free].code_above != 0) free = (free + 1) & (slots.size() - 1);
      slots[free] = {static_cast<uint32_t>(code + 1), static_cast<uint32_t>(again >> 32)};
    }
  }
  return used;
}

}  // namespace colkit
