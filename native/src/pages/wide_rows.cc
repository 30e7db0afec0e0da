// See wide_rows.h.
#include "pages/wide_rows.h"

#include <cstring>

#include "decode/node_values.h"

namespace colkit {
namespace {

uint32_t BitAt(const uint8_t* bitmap, uint32_t row) { return bitmap[row / 8] >> (row % 8) & 1; }

// For each row the index of its value among those that are not null; of a null any index.
const uint32_t* IndexesOf(const DecodedPage& page, const RowSet& rows, Arena* arena) {
  auto* indexes = arena->Take<uint32_t>(rows.count());
  if (indexes == nullptr) return nullptr;
  const uint32_t last = page.value_count - 1;
  uint32_t row = rows.list == nullptr ? rows.start : 0;
  uint32_t index = CountOnes(page.validity, row);
  for (uint32_t i = 0; i < rows.count(); ++i) {
    const uint32_t wanted = rows.list == nullptr ? rows.start + i : rows.list[i];
    for (; row < wanted; ++row) index += BitAt(page.validity, row);
    indexes[i] = index < last ? index : last;
  }
  return indexes;
}

template <typename Of>
void Convert(uint32_t count, uint64_t* words, Of of) {
  for (uint32_t i = 0; i < count; ++i) words[i] = of(words[i]);
}

// Words of which the lowest bits are an item of a column's type -> as WideRows has them.
void ToValues(const ItemType& type, uint32_t count, uint64_t* words) {
  if (type.domain == Domain::kFloat32) {
    Convert(count, words, [](uint64_t word) {
      const auto bits = static_cast<uint32_t>(word);
      float single;
      std::memcpy(&single, &bits, sizeof single);
      const auto value = static_cast<double>(single);
      std::memcpy(&word, &value, sizeof word);
      return word;
    });
    return;
  }
  if (type.bytes == 8) return;
  const unsigned shift = type.is_bool ? 63 : 64 - 8 * type.bytes;
  if (type.is_signed) {
    Convert(count, words,
            [shift](uint64_t word) { return static_cast<uint64_t>(static_cast<int64_t>(word << shift) >> shift); });
  } else {
    Convert(count, words, [shift](uint64_t word) { return word << shift >> shift; });
  }
}

}  // namespace

uint64_t ValueOf(const ItemType& type, uint64_t word) {
  ToValues(type, 1, &word);
  return word;
}

bool PresentRows(const DecodedPage& page, const RowSet& rows, Arena* arena, const uint8_t** present) {
  *present = nullptr;
  if (page.validity == nullptr && page.value_count > 0) return true;
  auto* bytes = arena->Take<uint8_t>(rows.count());
  if (bytes == nullptr) return false;
  *present = bytes;
  for (uint32_t i = 0; i < rows.count(); ++i) {
    const uint32_t row = rows.list == nullptr ? rows.start + i : rows.list[i];
    bytes[i] = page.value_count == 0 ? 0 : static_cast<uint8_t>(BitAt(page.validity, row));
  }
  return true;
}

bool WidenRows(const DecodedPage& page, const ItemType& type, const RowSet& rows, Arena* arena, WideRows* wide) {
  const uint32_t count = rows.count();
  wide->count = count;
  const bool are_words = page.values.kind == NodeValues::Kind::kWide && page.values.patch_count == 0;
  if (are_words && type.bytes == sizeof(uint64_t) && page.validity == nullptr && page.value_count > 0 &&
      rows.list == nullptr) {
    wide->words = page.values.words + rows.start;
    wide->present = nullptr;
    return true;
  }
  auto* words = arena->Take<uint64_t>(count);
  if (words == nullptr || !PresentRows(page, rows, arena, &wide->present)) return false;
  wide->words = words;
  if (page.value_count == 0) {
    std::memset(words, 0, size_t{count} * sizeof words[0]);
    return true;
  }
  const uint32_t* indexes = rows.list;
  if (page.validity != nullptr) {
    indexes = IndexesOf(page, rows, arena);
    if (indexes == nullptr) return false;
  }
  NodeValues values = page.values;
  if (values.kind == NodeValues::Kind::kDecimal || values.patch_count > 0) {
    values = NodeValues();
    values.words = PatternsOf(page.values, type.domain, arena);
    if (values.words == nullptr) return false;
  }
  const bool is_narrow = values.kind == NodeValues::Kind::kNarrow;
  if (indexes == nullptr && is_narrow) {
    const uint32_t* numbers = values.numbers + rows.start;
    for (uint32_t i = 0; i < count; ++i) words[i] = values.base + values.step * numbers[i];
  } else if (indexes == nullptr) {
    std::memcpy(words, values.words + rows.start, size_t{count} * sizeof words[0]);
  } else if (is_narrow) {
    for (uint32_t i = 0; i < count; ++i) words[i] = values.base + values.step * values.numbers[indexes[i]];
  } else {
    for (uint32_t i = 0; i < count; ++i) words[i] = values.words[indexes[i]];
  }
  ToValues(type, count, words);
  if (wide->present != nullptr) {
    for (uint32_t i = 0; i < count; ++i) words[i] &= 0 - uint64_t{wide->present[i]};
  }
  return true;
}

}  // namespace colkit
