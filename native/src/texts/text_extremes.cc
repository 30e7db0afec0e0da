// See text_extremes.h. Another thread may write to any of the arrays meanwhile: each number is read once, and what was
// checked is what is used.
#include "texts/text_extremes.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

struct Best {
  // The first bytes as a number that orders as the text does, as far as they go.
  uint64_t key;
  uint32_t code;
  uint32_t from;
  uint32_t length;
};

// Bytes behind the text are 0. `left`: bytes from the text on.
COLKIT_INLINE uint64_t KeyOf(const uint8_t* text, uint32_t length, size_t left) {
  if (length == 0) return 0;
  uint64_t word = 0;
  if (left >= sizeof(word)) {
    std::memcpy(&word, text, sizeof(word));
    word = SwapBytes(word);
    return length >= sizeof(word) ? word : word & ~(~uint64_t{0} >> (8 * length));
  }
  for (uint32_t i = 0; i < length && i < sizeof(word); ++i) word |= uint64_t{text[i]} << (56 - 8 * i);
  return word;
}

// Whether a text comes before another one that has the same key.
bool Precedes(const uint8_t* a, uint32_t a_length, const uint8_t* b, uint32_t b_length) {
  const uint32_t shared = std::min(a_length, b_length);
  const int order = shared == 0 ? 0 : std::memcmp(a, b, shared);
  return order != 0 ? order < 0 : a_length < b_length;
}

template <bool kMost>
bool Find(const TextTable& texts, const TextRows& rows, std::vector<Best>* all) {
  Best* const found = all->data();
  const size_t group_count = all->size();
  for (size_t row = 0; row < rows.count; ++row) {
    const uint32_t code = rows.codes == nullptr ? static_cast<uint32_t>(row) : rows.codes[row];
    if (code == kNoText) continue;
    const uint32_t group = rows.groups == nullptr ? 0 : rows.groups[row];
    if (code >= texts.count || group >= group_count) return false;
    const uint32_t from = code == 0 ? texts.start : texts.ends[code - 1];
    const uint32_t end = texts.ends[code];
    if (from > end || end > texts.byte_length) return false;
    const uint32_t length = end - from;
    const uint8_t* const text = texts.bytes + from;
    const uint64_t key = KeyOf(text, length, texts.byte_length - from);
    Best& best = found[group];
    if (best.code != kNoText) {
      if (kMost ? key < best.key : key > best.key) continue;
      if (key == best.key) {
        if (code == best.code) continue;
        const uint8_t* const other = texts.bytes + best.from;
        if (kMost ? !Precedes(other, best.length, text, length) : !Precedes(text, length, other, best.length)) continue;
      }
    }
    best = {key, code, from, length};
  }
  return true;
}

// A table of which texts a group has is worth it for so many rows to each of its places.
constexpr size_t kRowsPerPlace = 4;
constexpr size_t kMostPlaces = 1 << 16;

// Each text of each group once. False for codes and groups that there are not.
bool FindDistinct(const TextTable& texts, const TextRows& rows, size_t group_count, std::vector<uint32_t>* codes,
                  std::vector<uint32_t>* groups) {
  std::vector<uint8_t> has(texts.count * group_count);
  for (size_t row = 0; row < rows.count; ++row) {
    const uint32_t code = rows.codes[row];
    if (code == kNoText) continue;
    const uint32_t group = rows.groups == nullptr ? 0 : rows.groups[row];
    if (code >= texts.count || group >= group_count) return false;
    has[group * texts.count + code] = 1;
  }
  for (size_t place = 0; place < has.size(); ++place) {
    if (has[place] == 0) continue;
    codes->push_back(static_cast<uint32_t>(place % texts.count));
    groups->push_back(static_cast<uint32_t>(place / texts.count));
  }
  return true;
}

}  // namespace

bool BestTexts(const TextTable& texts, const TextRows& rows, bool most, uint32_t* best, size_t group_count) {
  std::vector<uint32_t> codes;
  std::vector<uint32_t> groups;
  TextRows looked_at = rows;
  const bool is_small = group_count > 0 && texts.count <= kMostPlaces / group_count;
  if (rows.codes != nullptr && is_small && texts.count * group_count <= rows.count / kRowsPerPlace) {
    if (!FindDistinct(texts, rows, group_count, &codes, &groups)) return false;
    looked_at = {codes.size(), codes.data(), groups.data()};
  }
  std::vector<Best> found(group_count, Best{0, kNoText, 0, 0});
  if (!(most ? Find<true>(texts, looked_at, &found) : Find<false>(texts, looked_at, &found))) return false;
  for (size_t group = 0; group < group_count; ++group) best[group] = found[group].code;
  return true;
}

}  // namespace colkit
