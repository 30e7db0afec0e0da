// See raw_groups.h.
#include "raw/groups/raw_groups.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "raw/raw_items.h"
#include "raw/raw_text.h"

namespace colkit {
namespace {

using raw_loops::WordAt;

constexpr uint32_t kFree = UINT32_MAX;
constexpr unsigned kFirstSlotBits = 8;

bool IsText(RawType type) { return type == kRawBytes || type == kRawPoints; }
bool IsWide(RawType type) { return type == kRawInt64 || type == kRawUint64 || type == kRawTicks; }

size_t BytesOfKey(const RawColumn& column) { return IsText(column.type) ? column.item_bytes : 8; }

constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;

COLKIT_INLINE uint64_t HashOf(const uint64_t* key, size_t words) {
  uint64_t hash = key[0];
  for (size_t i = 1; i < words; ++i) {
    hash *= kFactor;
    hash = (hash ^ (hash >> 29)) + key[i];
  }
  return hash;
}

// The last bytes of a text of `bytes` bytes, `rest` of them, fewer than 8, as the lower ones of a word. Loads overlap,
// none goes beyond the text.
COLKIT_INLINE uint64_t LastWord(const uint8_t* item, size_t bytes, size_t rest) {
  if (bytes >= 8) return WordAt<uint64_t>(item + bytes - 8) >> (8 * (8 - rest));
  if (rest >= 4) return WordAt<uint32_t>(item) | uint64_t{WordAt<uint32_t>(item + rest - 4)} << (8 * (rest - 4));
  if (rest == 1) return item[0];
  return WordAt<uint16_t>(item) | uint64_t{WordAt<uint16_t>(item + rest - 2)} << (8 * (rest - 2));
}

unsigned LogarithmOf(size_t item_bytes) { return item_bytes == 8 ? 3 : item_bytes == 4 ? 2 : item_bytes == 2 ? 1 : 0; }

// The items of the rows that match, one behind the other: of numbers, which kernels move.
const uint8_t* MatchingItems(const RawBlock& block, const RawColumn& column, const uint8_t* mask) {
  const uint8_t* items = ItemsOf(block, column);
  if (mask == nullptr) return items;
  block.kernels->pack[LogarithmOf(column.item_bytes)](items, block.count, mask, block.scratch->packed);
  return block.scratch->packed;
}

// Texts to the keys of their rows, `offset` bytes into each; the rest of a key is 0.
void WriteTexts(const RawColumn& column, const uint8_t* items, const uint16_t* rows, size_t count, size_t offset,
                size_t key_bytes, uint8_t* keys) {
  const size_t bytes = column.item_bytes;
  const size_t rest = bytes % 8;
  // Whether what is behind the text belongs to the key as well: it is written to later.
  const bool has_room = offset + (bytes + 7) / 8 * 8 <= key_bytes;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* item = items + rows[i] * bytes;
    uint8_t* key = keys + i * key_bytes + offset;
    if (column.type == kRawBytes) {
      for (size_t at = 0; at + 8 <= bytes; at += 8) std::memcpy(key + at, item + at, 8);
      if (rest == 0) continue;
      const uint64_t last = LastWord(item, bytes, rest);
      std::memcpy(key + bytes - rest, &last, has_room ? 8 : rest);
      continue;
    }
    for (size_t point = 0; point < bytes / 4; ++point) {
      const uint32_t value = raw_loops::PointAt(item, point);
      std::memcpy(key + 4 * point, &value, sizeof(value));
    }
  }
}

void WriteWords(const uint64_t* words, size_t count, size_t offset, size_t key_bytes, uint8_t* keys) {
  for (size_t i = 0; i < count; ++i) std::memcpy(keys + i * key_bytes + offset, words + i, sizeof(words[i]));
}

}  // namespace

KeyTable::KeyTable(size_t words)
    : words_(words), slots_(size_t{1} << kFirstSlotBits, Slot{0, kFree}), shift_(64 - kFirstSlotBits) {}

// The words of round doubles differ in their upper bits alone.
COLKIT_INLINE size_t KeyTable::SlotOf(uint64_t word) const {
  return static_cast<size_t>(((word ^ (word >> 32)) * kFactor) >> shift_);
}

template <bool kIsSingle>
COLKIT_INLINE void KeyTable::Find(const uint64_t* keys, size_t count, uint32_t* numbers) {
  const size_t words = kIsSingle ? 1 : words_;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t* key = keys + i * words;
    const uint64_t word = kIsSingle ? key[0] : HashOf(key, words);
    size_t slot = SlotOf(word);
    for (;; slot = (slot + 1) & (slots_.size() - 1)) {
      const Slot& found = slots_[slot];
      if (found.number == kFree) {
        slots_[slot] = {word, count_};
        numbers[i] = count_++;
        keys_.insert(keys_.end(), key, key + words);
        if (4 * size_t{count_} > slots_.size()) Grow();
        break;
      }
      if (found.word == word && (kIsSingle || std::memcmp(KeyOf(found.number), key, words * sizeof(key[0])) == 0)) {
        numbers[i] = found.number;
        break;
      }
    }
  }
}

void KeyTable::NumbersOf(const uint64_t* keys, size_t count, uint32_t* numbers) {
  if (words_ == 1) {
    Find<true>(keys, count, numbers);
  } else {
    Find<false>(keys, count, numbers);
  }
}

void KeyTable::Grow() {
  shift_ -= 2;
  const size_t size = slots_.size() * 4;
  slots_.assign(size, Slot{0, kFree});
  for (uint32_t number = 0; number < count_; ++number) {
    const uint64_t word = words_ == 1 ? *KeyOf(number) : HashOf(KeyOf(number), words_);
    size_t slot = SlotOf(word);
    while (slots_[slot].number != kFree) slot = (slot + 1) & (size - 1);
    slots_[slot] = {word, number};
  }
}

size_t KeyBytes(const RawProgram& program) {
  size_t bytes = 0;
  for (const uint32_t key : program.keys) bytes += BytesOfKey(program.columns[key]);
  return bytes;
}

GroupedRows::GroupedRows(const RawProgram& program)
    : program_(&program),
      words_((KeyBytes(program) + 7) / 8),
      table_(words_),
      keys_(words_ * kBlockRows),
      groups_(kBlockRows),
      rows_(kBlockRows),
      values_(kBlockRows) {
  for (const RawFold& fold : program.folds) folds_.emplace_back(program, fold);
}

void GroupedRows::WriteKeys(const RawBlock& block, const uint8_t* mask, size_t matches) {
  const RawProgram& program = *program_;
  const size_t key_bytes = words_ * 8;
  auto* keys = reinterpret_cast<uint8_t*>(keys_.data());
  size_t offset = 0;
  // Behind the last column a key may have bytes that none writes.
  if (KeyBytes(program) % 8 != 0) std::memset(keys, 0, matches * key_bytes);
  for (const uint32_t number : program.keys) {
    const RawColumn& column = program.columns[number];
    if (IsText(column.type)) {
      WriteTexts(column, ItemsOf(block, column), rows_.data(), matches, offset, key_bytes, keys);
    } else {
      const uint8_t* items = MatchingItems(block, column, mask);
      auto* words = reinterpret_cast<uint64_t*>(values_.data());
      if (IsWide(column.type)) {
        std::memcpy(words, items, matches * sizeof(words[0]));
      } else {
        block.kernels->load[column.type](items, matches, values_.data());
        // One pattern for both zeros, and one for NaN.
        for (size_t i = 0; i < matches; ++i) {
          const double value = values_[i];
          values_[i] = value == value ? value + 0.0 : std::numeric_limits<double>::quiet_NaN();
        }
      }
      WriteWords(words, matches, offset, key_bytes, keys);
    }
    offset += BytesOfKey(column);
  }
}

bool GroupedRows::Add(const RawBlock& block, const uint8_t* mask, size_t matches) {
  if (matches == 0) return true;
  size_t listed = 0;
  for (size_t i = 0; i < block.count; ++i) {
    // A row that does not match is written over by the next one.
    rows_[listed] = static_cast<uint16_t>(i);
    listed += mask == nullptr ? 1 : mask[i];
    if (listed == matches) break;
  }
  WriteKeys(block, mask, matches);
  table_.NumbersOf(keys_.data(), matches, groups_.data());
  for (size_t i = 0; i < matches; ++i) {
    const uint32_t group = groups_[i];
    if (group == counts_.size()) {
      firsts_.push_back(block.start + rows_[i]);
      counts_.push_back(0);
    }
    ++counts_[group];
  }
  if (table_.count() > program_->most_groups) return false;
  for (GroupFold& fold : folds_) {
    const RawColumn& column = fold.column();
    fold.Resize(counts_.size());
    if (fold.TakesTexts()) {
      auto* texts = reinterpret_cast<uint64_t*>(values_.data());
      TextKeys(column, ItemsOf(block, column), rows_.data(), matches, texts);
      fold.AddTexts(block, texts, groups_.data(), rows_.data(), matches);
      continue;
    }
    const uint8_t* items = MatchingItems(block, column, mask);
    if (fold.TakesDoubles()) {
      block.kernels->load[column.type](items, matches, values_.data());
    } else {
      std::memcpy(values_.data(), items, matches * sizeof(values_[0]));
    }
    fold.Add(values_.data(), groups_.data(), rows_.data(), matches, block.start);
  }
  return true;
}

void GroupedRows::Flush() {
  for (GroupFold& fold : folds_) fold.Flush();
}

bool GroupedRows::Merge(const RawBlock& block, GroupedRows* other) {
  Flush();
  other->Flush();
  group_of_.resize(other->count());
  table_.NumbersOf(other->table_.KeyOf(0), other->count(), group_of_.data());
  if (table_.count() > program_->most_groups) return false;
  for (uint32_t group = 0; group < other->count(); ++group) {
    const uint32_t own = group_of_[group];
    if (own == counts_.size()) {
      firsts_.push_back(other->firsts_[group]);
      counts_.push_back(0);
    }
    firsts_[own] = std::min(firsts_[own], other->firsts_[group]);
    counts_[own] += other->counts_[group];
  }
  for (size_t fold = 0; fold < folds_.size(); ++fold) {
    folds_[fold].Resize(counts_.size());
    folds_[fold].Merge(block, &other->folds_[fold], group_of_);
  }
  return true;
}

void GroupedRows::Write(double* results) {
  Flush();
  std::vector<uint32_t> order(counts_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) { return firsts_[a] < firsts_[b]; });
  for (const uint32_t group : order) {
    results[kRawGroupFirst] = static_cast<double>(firsts_[group]);
    results[kRawGroupCount] = static_cast<double>(counts_[group]);
    results += kRawGroupNumbers;
    for (GroupFold& fold : folds_) {
      fold.Write(group, results);
      results += kRawFoldResultNumbers;
    }
  }
}

}  // namespace colkit
