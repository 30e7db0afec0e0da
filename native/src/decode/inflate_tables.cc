// See inflate_tables.h.
#include "decode/inflate_tables.h"

#include <cstring>

namespace colkit {
namespace {

constexpr uint16_t kLengthBases[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr uint8_t kLengthExtra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr uint16_t kDistanceBases[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                       33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                       1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr uint8_t kDistanceExtra[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                      6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

uint32_t BaseEntry(uint32_t base, uint32_t extra) { return base << kValueShift | extra << kExtraShift | extra; }

uint32_t Reversed(uint32_t code, unsigned bits) {
  uint32_t reversed = 0;
  for (unsigned i = 0; i < bits; ++i) reversed |= (code >> i & 1) << (bits - 1 - i);
  return reversed;
}

}  // namespace

uint32_t LiteralEntry(unsigned symbol) {
  if (symbol < kEndOfBlock) return kLiteral | symbol << kValueShift;
  if (symbol == kEndOfBlock) return kSpecial | kEnd;
  const unsigned index = symbol - kEndOfBlock - 1;
  return BaseEntry(kLengthBases[index], kLengthExtra[index]);
}

uint32_t DistanceEntry(unsigned symbol) { return BaseEntry(kDistanceBases[symbol], kDistanceExtra[symbol]); }

uint32_t LengthEntry(unsigned symbol) { return symbol << kValueShift; }

bool BuildTable(const uint8_t* lengths, unsigned count, uint32_t (*entry_of)(unsigned), unsigned table_bits,
                bool may_be_short, uint32_t* table, size_t table_entries) {
  uint32_t counts[kLongestCode + 1] = {};
  for (unsigned symbol = 0; symbol < count; ++symbol) ++counts[lengths[symbol]];
  counts[0] = 0;
  uint32_t first_codes[kLongestCode + 2] = {};
  uint32_t code = 0;
  uint32_t codes = 0;
  for (unsigned bits = 1; bits <= kLongestCode; ++bits) {
    code = (code + counts[bits - 1]) << 1;
    first_codes[bits] = code;
    if (code + counts[bits] > uint32_t{1} << bits) return false;
    codes += counts[bits];
  }
  const bool is_complete = code + counts[kLongestCode] == uint32_t{1} << kLongestCode;
  if (!is_complete && !(may_be_short && codes == counts[1] && codes <= 1)) return false;
  const uint32_t mask = (uint32_t{1} << table_bits) - 1;
  for (uint32_t i = 0; i <= mask; ++i) table[i] = kNoCode;
  // The longest code of each subtable, by its first bits.
  uint8_t longest[1 << kLiteralBits] = {};
  uint32_t next_codes[kLongestCode + 1];
  std::memcpy(next_codes, first_codes, sizeof next_codes);
  for (unsigned symbol = 0; symbol < count; ++symbol) {
    const unsigned bits = lengths[symbol];
    if (bits == 0) continue;
    const uint32_t reversed = Reversed(next_codes[bits]++, bits);
    if (bits > table_bits && longest[reversed & mask] < bits) longest[reversed & mask] = static_cast<uint8_t>(bits);
  }
  std::memcpy(next_codes, first_codes, sizeof next_codes);
  size_t end = size_t{mask} + 1;
  for (unsigned symbol = 0; symbol < count; ++symbol) {
    const unsigned bits = lengths[symbol];
    if (bits == 0) continue;
    const uint32_t reversed = Reversed(next_codes[bits]++, bits);
    const uint32_t entry = entry_of(symbol);
    if (bits <= table_bits) {
      for (uint32_t i = reversed; i <= mask; i += uint32_t{1} << bits) table[i] = entry + bits;
      continue;
    }
    uint32_t* head = table + (reversed & mask);
    const unsigned more = longest[reversed & mask] - table_bits;
    if (*head == kNoCode) {
      if (end + (size_t{1} << more) > table_entries) return false;
      *head = kSpecial | kSubtable | static_cast<uint32_t>(end) << kValueShift | more << kExtraShift | table_bits;
      for (uint32_t i = 0; i < uint32_t{1} << more; ++i) table[end + i] = kNoCode;
      end += size_t{1} << more;
    }
    uint32_t* subtable = table + (*head >> kValueShift);
    for (uint32_t i = reversed >> table_bits; i < uint32_t{1} << more; i += uint32_t{1} << (bits - table_bits))
      subtable[i] = entry + bits - table_bits;
  }
  return true;
}

}  // namespace colkit
