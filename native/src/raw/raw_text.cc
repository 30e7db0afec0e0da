// See raw_text.h.
#include "raw/raw_text.h"

#include <cstring>

#include "platform/intrinsics.h"
#include "raw/raw_items.h"

namespace colkit {
namespace {

using raw_loops::WordAt;

// Items one by one keep fewer loads on their way than vectors do: the lines that come next are asked for early.
constexpr size_t kAheadBytes = 1024;

struct ByteUnits {
  static constexpr size_t kBytes = 1;
  static COLKIT_INLINE uint32_t At(const uint8_t* item, size_t i) { return item[i]; }
};

struct PointUnits {
  static constexpr size_t kBytes = 4;
  static COLKIT_INLINE uint32_t At(const uint8_t* item, size_t i) { return raw_loops::PointAt(item, i); }
};

template <typename Units>
int CompareWith(const uint8_t* item, size_t length, const TextBound& bound) {
  const size_t shared = length < bound.length ? length : bound.length;
  for (size_t i = 0; i < shared; ++i) {
    const uint32_t unit = Units::At(item, i);
    if (unit != bound.points[i]) return unit < bound.points[i] ? -1 : 1;
  }
  for (size_t i = shared; i < length; ++i) {
    if (Units::At(item, i) != 0) return 1;
  }
  // All characters are the same, but an item never ends in NUL.
  return bound.length > length || (bound.length > 0 && bound.points[bound.length - 1] == 0) ? -1 : 0;
}

template <typename Units>
bool Begins(const uint8_t* item, size_t length, const TextBound& prefix) {
  if (prefix.length > length) return false;
  for (size_t i = 0; i < prefix.length; ++i) {
    if (Units::At(item, i) != prefix.points[i]) return false;
  }
  return true;
}

template <typename Units>
bool Lies(const RawNode& node, const uint8_t* item, size_t length) {
  if (node.low.bounded) {
    const int order = CompareWith<Units>(item, length, node.low);
    if (node.low.open ? order <= 0 : order < 0) return false;
  }
  if (!node.high.bounded) return true;
  const int order = CompareWith<Units>(item, length, node.high);
  return node.high.open ? order < 0 : order <= 0;
}

bool IsEquality(const RawNode& node) {
  return node.operation == kRawOperationText && node.low.bounded && node.high.bounded &&
         node.low.points == node.high.points && node.low.length == node.high.length && !node.low.open &&
         !node.high.open;
}

// The item whose text is the bound; false where there is none, or more than one.
template <typename Units>
bool ItemOf(const TextBound& bound, size_t item_bytes, uint8_t* item) {
  if (bound.length * Units::kBytes > item_bytes) return false;
  if (bound.length > 0 && bound.points[bound.length - 1] == 0) return false;
  std::memset(item, 0, item_bytes);
  for (size_t i = 0; i < bound.length; ++i) {
    const uint32_t point = bound.points[i];
    if (Units::kBytes == 1 ? point > 0xff : point == raw_loops::kReplacement) return false;
    if (Units::kBytes == 1) {
      item[i] = static_cast<uint8_t>(point);
    } else {
      std::memcpy(item + 4 * i, &point, sizeof(point));
    }
  }
  return true;
}

// Items of one word up to two, compared by their first and their last bytes, which may overlap: without a branch.
template <typename Word>
void MatchWords(const uint8_t* wanted, const uint8_t* items, size_t item_bytes, size_t count, uint8_t flip,
                uint8_t* mask) {
  const size_t last = item_bytes - sizeof(Word);
  const Word head = WordAt<Word>(wanted);
  const Word tail = WordAt<Word>(wanted + last);
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* item = items + i * item_bytes;
    Prefetch(reinterpret_cast<uintptr_t>(item) + kAheadBytes);
    const auto differs = static_cast<Word>((WordAt<Word>(item) ^ head) | (WordAt<Word>(item + last) ^ tail));
    mask[i] = static_cast<uint8_t>(differs == 0) ^ flip;
  }
}

void MatchItems(const uint8_t* wanted, const uint8_t* items, size_t item_bytes, size_t count, uint8_t flip,
                uint8_t* mask) {
  if (item_bytes == 1) return MatchWords<uint8_t>(wanted, items, item_bytes, count, flip, mask);
  if (item_bytes < 4) return MatchWords<uint16_t>(wanted, items, item_bytes, count, flip, mask);
  if (item_bytes < 8) return MatchWords<uint32_t>(wanted, items, item_bytes, count, flip, mask);
  if (item_bytes <= 16) return MatchWords<uint64_t>(wanted, items, item_bytes, count, flip, mask);
  // Most items differ in their first bytes, or else in their last ones.
  MatchWords<uint64_t>(wanted, items, item_bytes, count, 0, mask);
  for (size_t i = 0; i < count; ++i) {
    if (mask[i] != 0) mask[i] = std::memcmp(wanted, items + i * item_bytes, item_bytes) == 0 ? 1 : 0;
    mask[i] ^= flip;
  }
}

// The first bytes of an item as a number that orders as its text does, as far as it goes: of bytes, of which there are
// kBytes at least.
template <size_t kBytes>
struct ByteKeys {
  using Units = ByteUnits;
  static COLKIT_INLINE uint64_t At(const uint8_t* item) {
    uint64_t word = 0;
    std::memcpy(&word, item, kBytes);
    return SwapBytes(word);
  }
};

// The same of points, of which there are kPoints at least.
template <size_t kPoints>
struct PointKeys {
  using Units = PointUnits;
  static COLKIT_INLINE uint64_t At(const uint8_t* item) {
    const uint64_t key = static_cast<uint64_t>(Units::At(item, 0)) << 32;
    return kPoints == 1 ? key : key | Units::At(item, 1);
  }
};

// Calls `run` with what gives the keys of a column's items.
template <typename Run>
auto WithKeys(const RawColumn& column, Run run) {
  const size_t bytes = column.item_bytes;
  if (column.type == kRawPoints) return bytes < 8 ? run(PointKeys<1>()) : run(PointKeys<2>());
  switch (bytes) {
    case 1:
      return run(ByteKeys<1>());
    case 2:
      return run(ByteKeys<2>());
    case 3:
      return run(ByteKeys<3>());
    case 4:
      return run(ByteKeys<4>());
    case 5:
      return run(ByteKeys<5>());
    case 6:
      return run(ByteKeys<6>());
    case 7:
      return run(ByteKeys<7>());
    default:
      return run(ByteKeys<8>());
  }
}

// The first bytes of the items whose text begins as the bound does, and which bits of them it tells. False where none
// begins so.
template <typename Units>
bool KeyOfBound(const TextBound& bound, uint64_t* key, uint64_t* known) {
  constexpr size_t kUnits = 8 / Units::kBytes;
  *key = *known = 0;
  for (size_t i = 0; i < bound.length && i < kUnits; ++i) {
    if (Units::kBytes == 1 && bound.points[i] > 0xff) return false;
    const size_t shift = 64 - 8 * Units::kBytes * (i + 1);
    *key |= static_cast<uint64_t>(bound.points[i]) << shift;
    *known |= (Units::kBytes == 1 ? uint64_t{0xff} : uint64_t{0xffffffff}) << shift;
  }
  return true;
}

// Most items are settled by their first bytes; those that have the same ones as a bound are looked at in a second pass.
template <typename Keys>
bool MatchByKeys(const RawNode& node, size_t item_bytes, const uint8_t* items, size_t count, uint8_t* mask) {
  using Units = typename Keys::Units;
  const size_t length = item_bytes / Units::kBytes;
  const bool is_prefix = node.operation == kRawOperationPrefix;
  const bool is_low_free = !is_prefix && !node.low.bounded;
  const bool is_high_free = is_prefix || !node.high.bounded;
  uint64_t low = 0;
  uint64_t high = 0;
  uint64_t known = 0;
  uint64_t all;
  if (!is_low_free && !KeyOfBound<Units>(node.low, &low, &known)) return false;
  if (!is_high_free && !KeyOfBound<Units>(node.high, &high, &all)) return false;
  if (!is_prefix) known = ~uint64_t{0};
  // 2: to be looked at.
  const bool is_told = is_prefix && node.low.length <= length && node.low.length * Units::kBytes <= 8;
  const uint8_t tied = is_told ? 1 : 2;
  uint8_t any = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* item = items + i * item_bytes;
    Prefetch(reinterpret_cast<uintptr_t>(item) + kAheadBytes);
    const uint64_t key = Keys::At(item) & known;
    const bool is_at_low = !is_low_free & (key == low);
    const bool is_at_high = !is_high_free & (key == high);
    const bool is_between = !is_prefix & (is_low_free | (key > low)) & (is_high_free | (key < high));
    const auto found = static_cast<uint8_t>((is_at_low | is_at_high) ? tied : is_between);
    any |= found;
    mask[i] = found;
  }
  for (size_t i = 0; i < count; ++i) {
    if ((any & 2) != 0 && mask[i] == 2) {
      const uint8_t* item = items + i * item_bytes;
      mask[i] = is_prefix ? Begins<Units>(item, length, node.low) : Lies<Units>(node, item, length);
    }
    mask[i] ^= node.flip;
  }
  return true;
}

template <typename Keys>
void Match(const RawNode& node, size_t item_bytes, const uint8_t* items, size_t count, uint8_t* mask) {
  using Units = typename Keys::Units;
  const size_t length = item_bytes / Units::kBytes;
  uint8_t wanted[kMostRawItemBytes];
  if (IsEquality(node) && ItemOf<Units>(node.low, item_bytes, wanted))
    return MatchItems(wanted, items, item_bytes, count, node.flip, mask);
  if (MatchByKeys<Keys>(node, item_bytes, items, count, mask)) return;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* item = items + i * item_bytes;
    const bool matches =
        node.operation == kRawOperationPrefix ? Begins<Units>(item, length, node.low) : Lies<Units>(node, item, length);
    mask[i] = static_cast<uint8_t>(matches) ^ node.flip;
  }
}

template <typename Units>
int Compare(const uint8_t* a, const uint8_t* b, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    const uint32_t one = Units::At(a, i);
    const uint32_t other = Units::At(b, i);
    if (one != other) return one < other ? -1 : 1;
  }
  return 0;
}

// The first row that has the best text, and is better than `best`; -1: none is. Most rows are settled by their key.
template <typename Keys>
int64_t BestOf(bool most, const uint8_t* best, size_t item_bytes, const uint8_t* items, size_t count,
               const uint8_t* mask) {
  using Units = typename Keys::Units;
  const size_t length = item_bytes / Units::kBytes;
  int64_t row = -1;
  uint64_t key = best == nullptr ? 0 : Keys::At(best);
  for (size_t i = 0; i < count; ++i) {
    if (mask != nullptr && mask[i] == 0) continue;
    const uint8_t* item = items + i * item_bytes;
    Prefetch(reinterpret_cast<uintptr_t>(item) + kAheadBytes);
    const uint64_t own = Keys::At(item);
    if (best != nullptr) {
      if (most ? own < key : own > key) continue;
      if (own == key) {
        if (length * Units::kBytes <= 8) continue;
        const int order = Compare<Units>(item, best, length);
        if (most ? order <= 0 : order >= 0) continue;
      }
    }
    best = item;
    key = own;
    row = static_cast<int64_t>(i);
  }
  return row;
}

}  // namespace

int64_t BestText(const RawColumn& column, bool most, const uint8_t* best, const uint8_t* items, size_t count,
                 const uint8_t* mask) {
  return WithKeys(column, [&](auto keys) {
    return BestOf<decltype(keys)>(most, best, column.item_bytes, items, count, mask);
  });
}

void MatchTexts(const RawNode& node, const RawColumn& column, const uint8_t* items, size_t count, uint8_t* mask) {
  WithKeys(column, [&](auto keys) { Match<decltype(keys)>(node, column.item_bytes, items, count, mask); });
}

void TextKeys(const RawColumn& column, const uint8_t* items, const uint16_t* rows, size_t count, uint64_t* keys) {
  WithKeys(column, [&](auto of) {
    for (size_t i = 0; i < count; ++i) keys[i] = decltype(of)::At(items + size_t{rows[i]} * column.item_bytes);
  });
}

bool AreWholeTexts(const RawColumn& column) { return column.item_bytes <= 8; }

int CompareTexts(const RawColumn& column, const uint8_t* a, const uint8_t* b) {
  if (column.type == kRawBytes) return std::memcmp(a, b, column.item_bytes);
  return Compare<PointUnits>(a, b, column.item_bytes / 4);
}

}  // namespace colkit
