// Columns of texts; see csv_columns.h. Distinct texts have codes in the order in which they come, as long as they
// repeat.
#include <algorithm>
#include <cstring>

#include "csv/csv_columns.h"
#include "csv/csv_digits.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

// After so many values, or bytes of distinct ones, it is asked whether they repeat.
constexpr size_t kLookRows = 2048;
constexpr size_t kLookBytes = 1 << 16;
constexpr size_t kMostEntries = 65'536;
constexpr size_t kFirstSlots = 512;
constexpr uint64_t kEachByte = 0x0101010101010101;

uint64_t Mixed(uint64_t hash) {
  hash = (hash ^ (hash >> 32)) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

// Byte strings -> codes; each distinct one is kept once.
class TextTable {
 public:
  // `room`: bytes behind `text` that can be read.
  uint32_t CodeOf(const uint8_t* text, size_t length, size_t room) {
    const uint64_t head = Head(text, length, room);
    if (length == last_length_ && head == last_head_ && (length <= 8 || IsEntry(last_code_, text, length)))
      return last_code_;
    uint64_t hash = Mixed(head ^ (length * 0x2545f4914f6cdd1dull));
    for (size_t i = 8; i < length; i += 8) hash = Mixed(hash ^ Head(text + i, length - i, room - i));
    size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      const uint32_t code = slots_[at] - 1;
      if (entries_[code].hash == hash && IsEntry(code, text, length)) return Last(code, length, head);
    }
    const auto code = static_cast<uint32_t>(entries_.size());
    slots_[at] = code + 1;
    bytes_.insert(bytes_.end(), text, text + length);
    entries_.push_back({hash, static_cast<uint32_t>(bytes_.size())});
    if (2 * entries_.size() > slots_.size()) Grow();
    return Last(code, length, head);
  }

  size_t count() const { return entries_.size(); }
  size_t byte_length() const { return bytes_.size(); }

  // The ends, and then the bytes.
  void Copy(uint8_t* to) const {
    for (const Entry& entry : entries_) {
      std::memcpy(to, &entry.end, sizeof(entry.end));
      to += sizeof(entry.end);
    }
    std::copy(bytes_.begin(), bytes_.end(), to);
  }

 private:
  struct Entry {
    uint64_t hash;
    uint32_t end;
  };

  // Up to eight bytes.
  static uint64_t Head(const uint8_t* text, size_t length, size_t room) {
    if (length >= 8) return LoadWord(text);
    if (length == 0) return 0;
    if (room >= 8) return LoadWord(text) & ((uint64_t{1} << (8 * length)) - 1);
    uint64_t word = 0;
    std::memcpy(&word, text, length);
    return word;
  }

  bool IsEntry(uint32_t code, const uint8_t* text, size_t length) const {
    const size_t from = code == 0 ? 0 : entries_[code - 1].end;
    return entries_[code].end - from == length && (length == 0 || std::memcmp(bytes_.data() + from, text, length) == 0);
  }

  uint32_t Last(uint32_t code, size_t length, uint64_t head) {
    last_code_ = code;
    last_length_ = length;
    last_head_ = head;
    return code;
  }

  void Grow() {
    slots_.assign(4 * slots_.size(), 0);
    for (size_t code = 0; code < entries_.size(); ++code) {
      size_t at = entries_[code].hash & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<uint32_t>(code + 1);
    }
  }

  std::vector<uint8_t> bytes_;
  std::vector<Entry> entries_;
  // Code + 1; 0: free. Never more than half full.
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(kFirstSlots);
  // The text that came last comes again more often than any other.
  uint32_t last_code_ = 0;
  size_t last_length_ = SIZE_MAX;
  uint64_t last_head_ = 0;
};

// The text of a cell in which every quote is doubled; gives its length. Room for the cell is there.
size_t Unescape(const CsvCell& cell, uint8_t quote, uint8_t* to) {
  size_t length = 0;
  const uint8_t* from = cell.from;
  // Eight bytes are copied, of which those up to the first quote are kept.
  while (cell.to - from >= 8) {
    const uint64_t word = LoadWord(from);
    std::memcpy(to + length, &word, sizeof word);
    const uint64_t others = word ^ kEachByte * quote;
    // The highest bit of the lowest byte that is 0, and perhaps of others.
    const uint64_t quotes = (others - kEachByte) & ~others & kEachByte << 7;
    const size_t kept = quotes == 0 ? 8 : CountTrailingZeros(quotes) / 8 + 1;
    length += kept;
    from += kept + (quotes != 0);
  }
  for (; from < cell.to; ++from) {
    const uint8_t byte = *from;
    to[length++] = byte;
    if (byte == quote) ++from;
  }
  return length;
}

void MarkNull(uint8_t* validity, size_t row, CsvFacts* facts) {
  validity[row >> 3] = static_cast<uint8_t>(validity[row >> 3] & ~(1u << (row & 7)));
  ++facts->null_count;
}

// `kLeft` where most texts are distinct, or too many.
CsvFill FillCodes(const CsvBlock& block, size_t column, uint8_t* codes, uint8_t* validity, TextTable* table,
                  CsvFacts* facts) {
  std::vector<uint8_t> own;
  for (size_t row = 0, number = column; row < block.rows; ++row, number += block.columns) {
    CsvCell cell;
    if (!ReadCsvCell(block, number, &cell)) return CsvFill::kBad;
    if (IsCsvNull(block, cell)) {
      MarkNull(validity, row, facts);
      continue;
    }
    uint32_t code;
    if (cell.flag == kEscapedCell) {
      own.resize(cell.length());
      const size_t length = Unescape(cell, block.quote, own.data());
      code = table->CodeOf(own.data(), length, length);
    } else {
      code = table->CodeOf(cell.from, cell.length(), static_cast<size_t>(block.bytes + block.length - cell.from));
    }
    const auto narrow = static_cast<uint16_t>(code);
    std::memcpy(codes + sizeof(narrow) * row, &narrow, sizeof(narrow));
    // More than three of four.
    const bool distinct = 4 * table->count() > 3 * (row - facts->null_count);
    const bool look = code >= kLookRows - 1 || table->byte_length() >= kLookBytes;
    if (code == kMostEntries - 1 || (look && distinct)) return CsvFill::kLeft;
  }
  return CsvFill::kDone;
}

CsvFill CopyAll(const CsvBlock& block, size_t column, uint8_t* validity, uint8_t* texts, size_t room,
                CsvFacts* facts) {
  const size_t ends_bytes = sizeof(uint32_t) * block.rows;
  if (ends_bytes > room) return CsvFill::kLeft;
  uint8_t* const bytes = texts + ends_bytes;
  const size_t most = room - ends_bytes;
  size_t used = 0;
  for (size_t row = 0, number = column; row < block.rows; ++row, number += block.columns) {
    CsvCell cell;
    if (!ReadCsvCell(block, number, &cell)) return CsvFill::kBad;
    if (IsCsvNull(block, cell)) {
      MarkNull(validity, row, facts);
    } else if (cell.length() > most - used) {
      return CsvFill::kLeft;
    } else if (cell.flag == kEscapedCell) {
      used += Unescape(cell, block.quote, bytes + used);
    } else {
      // A caller may give the same memory twice.
      if (cell.length() > 0) std::memmove(bytes + used, cell.from, cell.length());
      used += cell.length();
    }
    const auto end = static_cast<uint32_t>(used);
    std::memcpy(texts + sizeof(end) * row, &end, sizeof(end));
  }
  facts->text_count = static_cast<uint32_t>(block.rows);
  facts->text_bytes = static_cast<uint32_t>(used);
  return CsvFill::kDone;
}

}  // namespace

CsvFill FillCsvTexts(const CsvBlock& block, size_t column, uint8_t* codes, uint8_t* validity, uint8_t* texts,
                     size_t room, CsvFacts* facts) {
  SetAllValid(validity, block.rows);
  TextTable table;
  const CsvFill filled = FillCodes(block, column, codes, validity, &table, facts);
  if (filled == CsvFill::kLeft) {
    SetAllValid(validity, block.rows);
    facts->null_count = 0;
    return CopyAll(block, column, validity, texts, room, facts);
  }
  if (filled != CsvFill::kDone) return filled;
  if (sizeof(uint32_t) * table.count() + table.byte_length() > room) return CsvFill::kLeft;
  table.Copy(texts);
  facts->text_count = static_cast<uint32_t>(table.count());
  facts->text_bytes = static_cast<uint32_t>(table.byte_length());
  facts->is_coded = true;
  return CsvFill::kDone;
}

}  // namespace colkit
