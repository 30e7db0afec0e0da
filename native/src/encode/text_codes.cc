// See text_codes.h.
#include "encode/text_codes.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "platform/intrinsics.h"
#include "texts/text_hash.h"

namespace colkit {
namespace {

constexpr uint64_t kSeed = 0x2545f4914f6cdd1dull;

// A slot says which code it has, and all that tells its text from others but for the bytes of long ones.
struct Slot {
  uint64_t hash;
  uint32_t length;
  uint32_t code_above;  // Code + 1; 0: free.
};

// Texts whose hashes are found before the first of them is looked up.
constexpr size_t kAhead = 16;

struct Text {
  uint64_t hash;
  uint32_t from;
  uint32_t length;
};

}  // namespace

size_t CodeTexts(const Texts& texts, size_t byte_length, uint32_t* codes, std::vector<uint32_t>* firsts_of_codes,
                 size_t most) {
  std::vector<uint32_t>& firsts = *firsts_of_codes;
  firsts.clear();
  // Where the text of each code begins.
  std::vector<uint32_t> starts;
  // Grows with the codes, so that few distinct ones stay in a cache however many texts there are.
  std::vector<Slot> slots(1024);
  Text ahead[kAhead];
  uint32_t from = texts.start;
  for (size_t i = 0; i < texts.count; ++i) {
    if (i % kAhead == 0) {
      // Many slots are asked for at a time: each is in another line of a table that no cache holds.
      for (size_t next = i; next < std::min(texts.count, i + kAhead); ++next) {
        const uint32_t end = texts.ends[next];
        if (end < from || end > byte_length) return kBadEnds;
        const uint32_t length = end - from;
        const uint64_t hash = HashOfText(texts.bytes + from, length, kSeed);
        ahead[next % kAhead] = {hash, from, length};
        Prefetch(reinterpret_cast<uintptr_t>(&slots[hash & (slots.size() - 1)]));
        from = end;
      }
    }
    if (texts.valid != nullptr && ((texts.valid[i >> 3] >> (i & 7)) & 1) == 0) {
      codes[i] = 0;
      continue;
    }
    const Text& text = ahead[i % kAhead];
    size_t at = text.hash & (slots.size() - 1);
    for (; slots[at].code_above != 0; at = (at + 1) & (slots.size() - 1)) {
      if (slots[at].hash != text.hash || slots[at].length != text.length) continue;
      if (text.length <= kExactHash) break;
      const uint8_t* known = texts.bytes + starts[slots[at].code_above - 1];
      if (std::memcmp(known, texts.bytes + text.from, text.length) == 0) break;
    }
    if (slots[at].code_above != 0) {
      codes[i] = slots[at].code_above - 1;
      continue;
    }
    if (starts.size() == most) return most + 1;
    codes[i] = static_cast<uint32_t>(starts.size());
    firsts.push_back(static_cast<uint32_t>(i));
    starts.push_back(text.from);
    slots[at] = {text.hash, text.length, static_cast<uint32_t>(starts.size())};
    if (starts.size() * 2 <= slots.size()) continue;
    std::vector<Slot> larger(slots.size() * 4);
    for (const Slot& slot : slots) {
      if (slot.code_above == 0) continue;
      size_t free = slot.hash & (larger.size() - 1);
      while (larger[free].code_above != 0) free = (free + 1) & (larger.size() - 1);
      larger[free] = slot;
    }
    slots = std::move(larger);
  }
  return starts.size();
}

}  // namespace colkit
