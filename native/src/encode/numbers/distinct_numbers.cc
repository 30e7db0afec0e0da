// See distinct_numbers.h. Numbers of a small range are looked up in a table, others are hashed.
#include "encode/numbers/distinct_numbers.h"

#include <algorithm>
#include <vector>

namespace colkit {
namespace {

constexpr uint32_t kTableBelow = 1u << 17;

size_t ByTable(const uint32_t* values, size_t count, uint32_t below, size_t most, uint32_t* entries, uint32_t* codes) {
  std::vector<uint32_t> ranks(below);
  // A number that another thread changed meanwhile counts as the last.
  const auto slot = [&](size_t i) { return std::min(values[i], below - 1); };
  for (size_t i = 0; i < count; ++i) ranks[slot(i)] = 1;
  size_t found = 0;
  for (uint32_t value = 0; value < below; ++value) {
    if (ranks[value] == 0) continue;
    if (found == most) return most + 1;
    entries[found] = value;
    ranks[value] = static_cast<uint32_t>(found++);
  }
  for (size_t i = 0; i < count; ++i) codes[i] = ranks[slot(i)];
  return found;
}

struct Slot {
  uint32_t value;
  uint32_t code_above;  // Code + 1; 0: free.
};

size_t HashOf(uint32_t value) { return static_cast<size_t>((value * 0x9e3779b97f4a7c15ull) >> 32); }

size_t ByHash(const uint32_t* values, size_t count, size_t most, uint32_t* entries, uint32_t* codes) {
  // Grows with the entries, so that few of them stay in a cache.
  std::vector<Slot> slots(1024);
  std::vector<uint32_t> found;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t value = values[i];
    size_t at = HashOf(value) & (slots.size() - 1);
    while (slots[at].code_above != 0 && slots[at].value != value) at = (at + 1) & (slots.size() - 1);
    if (slots[at].code_above != 0) {
      codes[i] = slots[at].code_above - 1;
      continue;
    }
    if (found.size() == most) return most + 1;
    codes[i] = static_cast<uint32_t>(found.size());
    found.push_back(value);
    slots[at] = {value, static_cast<uint32_t>(found.size())};
    if (found.size() * 2 <= slots.size()) continue;
    std::vector<Slot> larger(slots.size() * 4);
    for (const Slot& slot : slots) {
      if (slot.code_above == 0) continue;
      size_t free = HashOf(slot.value) & (larger.size() - 1);
      while (larger[free].code_above != 0) free = (free + 1) & (larger.size() - 1);
      larger[free] = slot;
    }
    slots = std::move(larger);
  }
  std::vector<uint64_t> order(found.size());
  for (size_t code = 0; code < found.size(); ++code) order[code] = uint64_t{found[code]} << 32 | code;
  std::sort(order.begin(), order.end());
  std::vector<uint32_t> ranks(found.size());
  for (size_t rank = 0; rank < order.size(); ++rank) {
    entries[rank] = static_cast<uint32_t>(order[rank] >> 32);
    ranks[static_cast<uint32_t>(order[rank])] = static_cast<uint32_t>(rank);
  }
  // Codes of the caller's memory, which another thread may have changed.
  for (size_t i = 0; i < count; ++i) codes[i] = codes[i] < ranks.size() ? ranks[codes[i]] : 0;
  return found.size();
}

struct WordSlot {
  uint64_t word;
  uint32_t code_above;  // Code + 1; 0: free.
};

size_t HashOfWord(uint64_t word) { return static_cast<size_t>(((word ^ (word >> 32)) * 0x9e3779b97f4a7c15ull) >> 32); }

}  // namespace

size_t DistinctWords(const uint32_t* words, size_t count, size_t most, uint32_t* entries, uint32_t* codes) {
  // Grows with the entries, so that few of them stay in a cache.
  std::vector<WordSlot> slots(1024);
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t word = uint64_t{words[2 * i + 1]} << 32 | words[2 * i];
    size_t at = HashOfWord(word) & (slots.size() - 1);
    while (slots[at].code_above != 0 && slots[at].word != word) at = (at + 1) & (slots.size() - 1);
    if (slots[at].code_above != 0) {
      codes[i] = slots[at].code_above - 1;
      continue;
    }
    if (found == most) return most + 1;
    codes[i] = static_cast<uint32_t>(found);
    entries[2 * found] = static_cast<uint32_t>(word);
    entries[2 * found + 1] = static_cast<uint32_t>(word >> 32);
    slots[at] = {word, static_cast<uint32_t>(++found)};
    if (found * 2 <= slots.size()) continue;
    std::vector<WordSlot> larger(slots.size() * 4);
    for (const WordSlot& slot : slots) {
      if (slot.code_above == 0) continue;
      size_t free = HashOfWord(slot.word) & (larger.size() - 1);
      while (larger[free].code_above != 0) free = (free + 1) & (larger.size() - 1);
      larger[free] = slot;
    }
    slots = std::move(larger);
  }
  return found;
}

size_t DistinctNumbers(const uint32_t* values, size_t count, size_t most, uint32_t* entries, uint32_t* codes) {
  if (count == 0) return 0;
  const uint32_t largest = *std::max_element(values, values + count);
  return largest < kTableBelow && largest / 8 < count ? ByTable(values, count, largest + 1, most, entries, codes)
                                                      : ByHash(values, count, most, entries, codes);
}

}  // namespace colkit
