// See inflate_tables.h.
#include "decode/inflate_tables.h"

#include <cstring>

namespace colkit {
namespace {

// The fixed codes are more than those that stand for something.
constexpr unsigned kMostCodes = 288;

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

// Of up to sixteen bits, in the other order.
uint32_t Reversed(uint32_t code, unsigned bits) {
  code = (code & 0x5555) << 1 | (code & 0xaaaa) >> 1;
  code = (code & 0x3333) << 2 | (code & 0xcccc) >> 2;
  code = (code & 0x0f0f) << 4 | (code & 0xf0f0) >> 4;
  code = (code & 0x00ff) << 8 | code >> 8;
  return code >> (16 - bits);
}

// Symbols that have a code, in the order of the codes: by length, then by number.
struct Codes {
  uint32_t counts[kLongestCode + 1] = {};
  // Where those of each length begin, and one more.
  uint32_t firsts[kLongestCode + 2] = {};
  uint16_t symbols[kMostCodes];
};

void SortCodes(const uint8_t* lengths, unsigned count, Codes* codes) {
  for (unsigned symbol = 0; symbol < count; ++symbol) ++codes->counts[lengths[symbol]];
  codes->counts[0] = 0;
  uint32_t next[kLongestCode + 1] = {};
  for (unsigned bits = 1; bits <= kLongestCode; ++bits) {
    next[bits] = codes->firsts[bits];
    codes->firsts[bits + 1] = codes->firsts[bits] + codes->counts[bits];
  }
  for (unsigned symbol = 0; symbol < count; ++symbol)
    if (lengths[symbol] != 0) codes->symbols[next[lengths[symbol]]++] = static_cast<uint16_t>(symbol);
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
  Codes codes;
  SortCodes(lengths, count, &codes);
  uint32_t first_codes[kLongestCode + 1] = {};
  uint32_t code = 0;
  for (unsigned bits = 1; bits <= kLongestCode; ++bits) {
    code = (code + codes.counts[bits - 1]) << 1;
    first_codes[bits] = code;
    if (code + codes.counts[bits] > uint32_t{1} << bits) return false;
  }
  const uint32_t all = codes.firsts[kLongestCode + 1];
  const bool is_complete = code + codes.counts[kLongestCode] == uint32_t{1} << kLongestCode;
  if (!is_complete && !(may_be_short && all == codes.counts[1] && all <= 1)) return false;
  // Of a length each code has a place; what is there is repeated for the next length, which has twice as many places.
  table[0] = kNoCode;
  for (unsigned bits = 1; bits <= table_bits; ++bits) {
    const size_t half = size_t{1} << (bits - 1);
    std::memcpy(table + half, table, half * sizeof *table);
    const uint16_t* symbols = codes.symbols + codes.firsts[bits];
    for (uint32_t i = 0; i < codes.counts[bits]; ++i)
      table[Reversed(first_codes[bits] + i, bits)] = entry_of(symbols[i]) + bits;
  }
  // Longer codes that begin alike follow each other, the longest last: each such run has a table of its own.
  const uint32_t mask = (uint32_t{1} << table_bits) - 1;
  size_t end = size_t{mask} + 1;
  uint32_t* subtable = nullptr;
  uint32_t head = mask + 1;
  unsigned more = 0;
  for (unsigned bits = table_bits + 1; bits <= kLongestCode; ++bits) {
    for (uint32_t i = 0; i < codes.counts[bits]; ++i) {
      const uint32_t reversed = Reversed(first_codes[bits] + i, bits);
      if ((reversed & mask) != head) {
        head = reversed & mask;
        // As long as the codes so far do not fill it, longer ones follow.
        more = bits - table_bits;
        uint32_t filled = codes.counts[bits] - i;
        for (; filled < uint32_t{1} << more; filled = 2 * filled + codes.counts[table_bits + more]) ++more;
        if (end + (size_t{1} << more) > table_entries) return false;
        table[head] =
            kSpecial | kSubtable | static_cast<uint32_t>(end) << kValueShift | more << kExtraShift | table_bits;
        subtable = table + end;
        end += size_t{1} << more;
      }
      const uint32_t entry = entry_of(codes.symbols[codes.firsts[bits] + i]) + bits - table_bits;
      for (uint32_t at = reversed >> table_bits; at < uint32_t{1} << more; at += uint32_t{1} << (bits - table_bits))
        subtable[at] = entry;
    }
  }
  return true;
}

}  // namespace colkit
