// See text_numbers.h. Another thread may write to the tables meanwhile: each number is read once, and what was checked
// is what is used.
#include "texts/text_numbers.h"

#include <algorithm>
#include <cstring>

#include "platform/intrinsics.h"
#include "texts/text_hash.h"

namespace colkit {
namespace {

// Texts whose hashes are found before the first of them is looked up.
constexpr size_t kAhead = 16;

// Where a known text lies; false for one that does not.
bool Find(const KnownTexts& known, uint32_t number, uint32_t* from, uint32_t* length) {
  if (number >= known.known) return false;
  const uint32_t start = number == 0 ? 0 : known.ends[number - 1];
  const uint32_t end = known.ends[number];
  if (start > end || end > known.byte_length) return false;
  *from = start;
  *length = end - start;
  return true;
}

}  // namespace

size_t NumberTexts(const Texts& texts, size_t first, uint32_t* numbers, KnownTexts* known) {
  const size_t mask = known->slot_count - 1;
  uint32_t used = known->known == 0 ? 0 : known->ends[known->known - 1];
  const auto length_of = [&](size_t text, uint32_t* from) {
    *from = text == 0 ? texts.start : texts.ends[text - 1];
    return texts.ends[text] - *from;
  };
  uint64_t hashes[kAhead];
  for (size_t i = first; i < texts.count; ++i) {
    if ((i - first) % kAhead == 0) {
      // Many slots are asked for at a time: each is in another line of a table that no cache holds.
      for (size_t ahead = i; ahead < std::min(texts.count, i + kAhead); ++ahead) {
        uint32_t from;
        const uint32_t length = length_of(ahead, &from);
        const uint64_t hash = HashOfText(texts.bytes + from, length, known->seed);
        hashes[(ahead - first) % kAhead] = hash;
        Prefetch(reinterpret_cast<uintptr_t>(known->slots + 2 * (hash & mask)));
      }
    }
    uint32_t from;
    const uint32_t length = length_of(i, &from);
    const uint64_t hash = hashes[(i - first) % kAhead];
    const auto print = static_cast<uint32_t>(hash);
    size_t at = hash & mask;
    uint32_t number_above = known->slots[2 * at];
    for (size_t steps = 0; number_above != 0; ++steps) {
      // Never, but where another thread fills the table.
      if (steps > mask) return i;
      if (known->slots[2 * at + 1] == print) {
        uint32_t other;
        uint32_t other_length;
        if (Find(*known, number_above - 1, &other, &other_length) && other_length == length &&
            (length == 0 || std::memcmp(known->bytes + other, texts.bytes + from, length) == 0))
          break;
      }
      at = (at + 1) & mask;
      number_above = known->slots[2 * at];
    }
    if (number_above != 0) {
      numbers[i] = number_above - 1;
      continue;
    }
    if (known->known == known->room || (known->known + 1) * 2 > known->slot_count || used > known->byte_length ||
        length > known->byte_length - used)
      return i;
    // A caller may give the same memory twice.
    if (length > 0) std::memmove(known->bytes + used, texts.bytes + from, length);
    used += length;
    known->ends[known->known] = used;
    numbers[i] = static_cast<uint32_t>(known->known);
    ++known->known;
    known->slots[2 * at] = static_cast<uint32_t>(known->known);
    known->slots[2 * at + 1] = print;
  }
  return texts.count;
}

bool MoveSlots(const uint32_t* slots, size_t slot_count, uint32_t* larger, size_t larger_count) {
  const size_t mask = larger_count - 1;
  std::fill_n(larger, 2 * larger_count, 0);
  size_t moved = 0;
  for (size_t slot = 0; slot < slot_count; ++slot) {
    const uint32_t number_above = slots[2 * slot];
    if (number_above == 0) continue;
    if (++moved * 2 > larger_count) return false;
    const uint32_t print = slots[2 * slot + 1];
    size_t at = print & mask;
    for (size_t steps = 0; larger[2 * at] != 0; at = (at + 1) & mask)
      if (++steps > mask) return false;
    larger[2 * at] = number_above;
    larger[2 * at + 1] = print;
  }
  return true;
}

}  // namespace colkit
