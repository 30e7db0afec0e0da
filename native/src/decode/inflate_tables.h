// Codes of DEFLATE as tables: the bits that come next choose an entry, which says what they stand for.
#ifndef COLKIT_NATIVE_INFLATE_TABLES_H_
#define COLKIT_NATIVE_INFLATE_TABLES_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

constexpr unsigned kMostLiteralCodes = 286;
constexpr unsigned kMostDistanceCodes = 30;
constexpr unsigned kLongestCode = 15;
constexpr unsigned kLiteralBits = 11;
constexpr unsigned kDistanceBits = 8;
constexpr unsigned kLengthBits = 7;
constexpr unsigned kEndOfBlock = 256;

// An entry of a table: in the lowest six bits how many bits it takes (the extra ones included), and what stands there.
//   literal:   kLiteral, the byte at 16
//   base:      at 16 a length or distance, at 8 how many extra bits are added to it
//   subtable:  kSpecial, kSubtable, at 16 its first entry, at 8 the bits that choose in it
//   end:       kSpecial, kEnd
constexpr uint32_t kBitsMask = 63;
constexpr uint32_t kExtraShift = 8;
constexpr uint32_t kExtraMask = 31;
constexpr uint32_t kEnd = uint32_t{1} << 13;
constexpr uint32_t kSubtable = uint32_t{1} << 14;
constexpr uint32_t kSpecial = uint32_t{1} << 15;
constexpr uint32_t kValueShift = 16;
constexpr uint32_t kLiteral = uint32_t{1} << 31;
// No code begins with these bits.
constexpr uint32_t kNoCode = kSpecial;

// Entries that codes of up to fifteen bits need at most behind a first table of so many bits.
constexpr size_t kLiteralEntries = 2342;
constexpr size_t kDistanceEntries = 402;

struct Tables {
  uint32_t literals[kLiteralEntries];
  uint32_t distances[kDistanceEntries];
  uint32_t lengths[1 << kLengthBits];
};

uint32_t LiteralEntry(unsigned symbol);
uint32_t DistanceEntry(unsigned symbol);
uint32_t LengthEntry(unsigned symbol);

// The table of a set of codes by their lengths. Its first 1 << table_bits entries are chosen by the next bits. False
// where the codes are too many for their lengths, or too few: but a set of at most one code of one bit is legal for
// distances, where `may_be_short` is true.
bool BuildTable(const uint8_t* lengths, unsigned count, uint32_t (*entry_of)(unsigned), unsigned table_bits,
                bool may_be_short, uint32_t* table, size_t table_entries);

}  // namespace colkit

#endif  // COLKIT_NATIVE_INFLATE_TABLES_H_
