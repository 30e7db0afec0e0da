// See inflate.h. The bits wait in a word that is filled eight bytes at a time; codes are looked up in tables by the
// bits that come next, long ones in a second table. While there is room for the longest match and input for it, nothing
// is checked byte by byte.
#include "decode/inflate.h"

#include <cstring>

#include "decode/inflate_tables.h"

namespace colkit {
namespace {

constexpr size_t kLongestMatch = 258;
constexpr uint8_t kLengthOrder[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

class Inflater {
 public:
  Inflater(const uint8_t* stored, size_t stored_bytes, uint8_t* out, size_t byte_length, size_t history)
      : in_(stored),
        in_end_(stored + stored_bytes),
        out_(out),
        out_start_(out - history),
        out_end_(out + byte_length) {}

  bool Run() {
    bool is_last = false;
    while (!is_last) {
      if (!Need(3)) return false;
      is_last = Take(1) == 1;
      const uint32_t kind = Take(2);
      const bool is_sound = kind == 0   ? CopyStored()
                            : kind == 1 ? FixedTables() && DecodeBlock()
                            : kind == 2 ? ReadTables() && DecodeBlock()
                                        : false;
      if (!is_sound) return false;
    }
    // Whole bytes that were not used are input that is left.
    return out_ == out_end_ && in_ - bit_count_ / 8 == in_end_;
  }

 private:
  // Bits of whole bytes; as many as there are where there are not enough.
  void Fill() {
    while (bit_count_ < 56 && in_ < in_end_) {
      bits_ |= uint64_t{*in_++} << bit_count_;
      bit_count_ += 8;
    }
  }

  bool Need(unsigned count) {
    if (bit_count_ < count) Fill();
    return bit_count_ >= count;
  }

  uint32_t Take(unsigned count) {
    const auto taken = static_cast<uint32_t>(bits_ & ((uint64_t{1} << count) - 1));
    Drop(count);
    return taken;
  }

  void Drop(unsigned count) {
    bits_ >>= count;
    bit_count_ -= count;
  }

  bool CopyStored() {
    Drop(bit_count_ % 8);
    if (!Need(32)) return false;
    const uint32_t length = Take(16);
    if (Take(16) != (~length & 0xffff)) return false;
    // What waits in the word is input again.
    in_ -= bit_count_ / 8;
    bits_ = 0;
    bit_count_ = 0;
    if (length > static_cast<size_t>(in_end_ - in_) || length > static_cast<size_t>(out_end_ - out_)) return false;
    std::memcpy(out_, in_, length);
    in_ += length;
    out_ += length;
    return true;
  }

  bool FixedTables() {
    uint8_t lengths[288];
    for (unsigned symbol = 0; symbol < 288; ++symbol)
      lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    // The last two literal codes and the last two distances stand for nothing: they have entries that nobody may meet.
    if (!BuildTable(
            lengths, 288, [](unsigned symbol) { return symbol < kMostLiteralCodes ? LiteralEntry(symbol) : kNoCode; },
            kLiteralBits, false, tables_.literals, kLiteralEntries))
      return false;
    std::memset(lengths, 5, 32);
    return BuildTable(
        lengths, 32, [](unsigned symbol) { return symbol < kMostDistanceCodes ? DistanceEntry(symbol) : kNoCode; },
        kDistanceBits, false, tables_.distances, kDistanceEntries);
  }

  bool ReadTables() {
    if (!Need(14)) return false;
    const unsigned literals = Take(5) + 257;
    const unsigned distances = Take(5) + 1;
    const unsigned ordered = Take(4) + 4;
    if (literals > kMostLiteralCodes || distances > kMostDistanceCodes) return false;
    uint8_t lengths[kMostLiteralCodes + kMostDistanceCodes] = {};
    for (unsigned i = 0; i < ordered; ++i) {
      if (!Need(3)) return false;
      lengths[kLengthOrder[i]] = static_cast<uint8_t>(Take(3));
    }
    if (!BuildTable(lengths, 19, LengthEntry, kLengthBits, false, tables_.lengths, 1 << kLengthBits)) return false;
    std::memset(lengths, 0, 19);
    const unsigned all = literals + distances;
    for (unsigned at = 0; at < all;) {
      Fill();
      const uint32_t entry = tables_.lengths[bits_ & ((1 << kLengthBits) - 1)];
      if ((entry & kSpecial) != 0 || bit_count_ < (entry & kBitsMask)) return false;
      Drop(entry & kBitsMask);
      const uint32_t symbol = entry >> kValueShift;
      if (symbol < 16) {
        lengths[at++] = static_cast<uint8_t>(symbol);
        continue;
      }
      const unsigned extra = symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
      if (bit_count_ < extra || (symbol == 16 && at == 0)) return false;
      const unsigned times = Take(extra) + (symbol == 18 ? 11 : 3);
      if (times > all - at) return false;
      std::memset(lengths + at, symbol == 16 ? lengths[at - 1] : 0, times);
      at += times;
    }
    // Every block ends.
    return lengths[kEndOfBlock] != 0 &&
           BuildTable(lengths, literals, LiteralEntry, kLiteralBits, false, tables_.literals, kLiteralEntries) &&
           BuildTable(lengths + literals, distances, DistanceEntry, kDistanceBits, true, tables_.distances,
                      kDistanceEntries);
  }

  static bool IsSubtable(uint32_t entry) { return (entry & kSubtable) != 0; }

  // The entry of a code that goes on behind its first bits, which were dropped.
  static uint32_t InSubtable(const uint32_t* table, uint32_t entry, uint64_t bits) {
    const uint32_t more = entry >> kExtraShift & kExtraMask;
    return table[(entry >> kValueShift) + (bits & ((uint64_t{1} << more) - 1))];
  }

  // What a base stands for with the extra bits, which are the last ones of `bits` that its entry takes.
  static uint32_t WithExtra(uint32_t entry, uint64_t bits) {
    const uint32_t extra = entry >> kExtraShift & kExtraMask;
    const uint32_t code = (entry & kBitsMask) - extra;
    return (entry >> kValueShift) + static_cast<uint32_t>(bits >> code & ((uint64_t{1} << extra) - 1));
  }

  // One symbol after another; true where the block ended.
  bool DecodeBlock() {
    if (in_end_ - in_ > kInputAhead && out_end_ - out_ > kOutputAhead && !DecodeFast()) return false;
    if (ended_) {
      ended_ = false;
      return true;
    }
    return DecodeSlow();
  }

  // Bytes that one round of the fast loop reads and writes at most, and what it reads and writes beyond.
  static constexpr ptrdiff_t kInputAhead = 32;
  static constexpr ptrdiff_t kOutputAhead = kLongestMatch + 64;

  // False where something is wrong. It stops before the input or the output come to their end.
  bool DecodeFast() {
    const uint8_t* in = in_;
    uint8_t* out = out_;
    uint64_t bits = bits_;
    // Only the lowest eight bits count: entries are subtracted whole.
    uint32_t bit_count = bit_count_;
    const uint8_t* const in_last = in_end_ - kInputAhead;
    uint8_t* const out_last = out_end_ - kOutputAhead;
    const uint32_t* const literals = tables_.literals;
    const uint32_t* const distances = tables_.distances;
    constexpr uint64_t kLiteralMask = (uint64_t{1} << kLiteralBits) - 1;
    constexpr uint64_t kDistanceMask = (uint64_t{1} << kDistanceBits) - 1;
    bool is_sound = true;
    // At least 56 bits afterwards.
    const auto fill = [&] {
      uint64_t next;
      std::memcpy(&next, in, sizeof next);
      bits |= next << (bit_count & kBitsMask);
      in += 7 - (bit_count >> 3 & 7);
      bit_count |= 56;
    };
    const auto drop = [&](uint32_t entry) {
      bits >>= entry & kBitsMask;
      bit_count -= entry;
    };
    fill();
    uint32_t entry = literals[bits & kLiteralMask];
    for (;;) {
      // Three literals take 45 bits at most, so that a length with its extra bits may follow two.
      if ((entry & kLiteral) != 0) {
        drop(entry);
        *out++ = static_cast<uint8_t>(entry >> kValueShift);
        entry = literals[bits & kLiteralMask];
        if ((entry & kLiteral) != 0) {
          drop(entry);
          *out++ = static_cast<uint8_t>(entry >> kValueShift);
          entry = literals[bits & kLiteralMask];
          if ((entry & kLiteral) != 0) {
            drop(entry);
            *out++ = static_cast<uint8_t>(entry >> kValueShift);
            if (in >= in_last || out >= out_last) break;
            fill();
            entry = literals[bits & kLiteralMask];
            continue;
          }
        }
      }
      if ((entry & kSpecial) != 0) {
        if (IsSubtable(entry)) {
          drop(entry);
          entry = InSubtable(literals, entry, bits);
        }
        if ((entry & kLiteral) != 0) {
          drop(entry);
          *out++ = static_cast<uint8_t>(entry >> kValueShift);
          if (in >= in_last || out >= out_last) break;
          fill();
          entry = literals[bits & kLiteralMask];
          continue;
        }
        if ((entry & kSpecial) != 0) {
          is_sound = (entry & kEnd) != 0;
          ended_ = is_sound;
          if (is_sound) drop(entry);
          break;
        }
      }
      const uint32_t length = WithExtra(entry, bits);
      drop(entry);
      fill();
      entry = distances[bits & kDistanceMask];
      if ((entry & kSpecial) != 0) {
        if (IsSubtable(entry)) {
          drop(entry);
          entry = InSubtable(distances, entry, bits);
        }
        if ((entry & kSpecial) != 0) {
          is_sound = false;
          break;
        }
      }
      const uint32_t distance = WithExtra(entry, bits);
      drop(entry);
      if (distance > static_cast<size_t>(out - out_start_)) {
        is_sound = false;
        break;
      }
      // The next entry is on its way while bytes are copied.
      const bool goes_on = in < in_last;
      if (goes_on) {
        fill();
        entry = literals[bits & kLiteralMask];
      }
      CopyMatch(out, distance, length);
      out += length;
      if (!goes_on || out >= out_last) break;
    }
    bit_count &= kBitsMask;
    // Bits beyond the count are input that was not used.
    bits_ = bits & ((uint64_t{1} << bit_count) - 1);
    bit_count_ = bit_count;
    in_ = in;
    out_ = out;
    return is_sound;
  }

  // Words beyond the end are written over later.
  static void CopyMatch(uint8_t* out, uint32_t distance, uint32_t length) {
    const uint8_t* from = out - distance;
    uint8_t* const end = out + length;
    const auto copy_word = [&] {
      uint64_t word;
      std::memcpy(&word, from, sizeof word);
      std::memcpy(out, &word, sizeof word);
      from += sizeof word;
      out += sizeof word;
    };
    if (distance >= sizeof(uint64_t)) {
      copy_word();
      copy_word();
      copy_word();
      while (out < end) copy_word();
    } else if (distance == 1) {
      std::memset(out, *from, length);
    } else {
      while (out < end) *out++ = *from++;
    }
  }

  // Every byte is checked.
  bool DecodeSlow() {
    for (;;) {
      uint32_t entry;
      if (!NextEntry(tables_.literals, kLiteralBits, &entry)) return false;
      if ((entry & kLiteral) != 0) {
        if (out_ == out_end_) return false;
        *out_++ = static_cast<uint8_t>(entry >> kValueShift);
        Drop(entry & kBitsMask);
        continue;
      }
      if ((entry & kSpecial) != 0) {
        Drop(entry & kBitsMask);
        return (entry & kEnd) != 0;
      }
      const uint32_t length = WithExtra(entry, bits_);
      Drop(entry & kBitsMask);
      if (!NextEntry(tables_.distances, kDistanceBits, &entry) || (entry & kSpecial) != 0) return false;
      const uint32_t distance = WithExtra(entry, bits_);
      Drop(entry & kBitsMask);
      if (distance > static_cast<size_t>(out_ - out_start_) || length > static_cast<size_t>(out_end_ - out_))
        return false;
      for (uint32_t i = 0; i < length; ++i, ++out_) *out_ = *(out_ - distance);
    }
  }

  // False where the input ends before the code and its extra bits do.
  bool NextEntry(const uint32_t* table, unsigned table_bits, uint32_t* entry) {
    Fill();
    *entry = table[bits_ & ((uint64_t{1} << table_bits) - 1)];
    if (IsSubtable(*entry)) {
      if (bit_count_ < table_bits) return false;
      Drop(table_bits);
      *entry = InSubtable(table, *entry, bits_);
    }
    return (*entry & kBitsMask) <= bit_count_;
  }

  const uint8_t* in_;
  const uint8_t* in_end_;
  uint8_t* out_;
  uint8_t* out_start_;
  uint8_t* out_end_;
  uint64_t bits_ = 0;
  unsigned bit_count_ = 0;
  bool ended_ = false;
  Tables tables_;
};

}  // namespace

bool Inflate(const uint8_t* stored, size_t stored_bytes, uint8_t* out, size_t byte_length, size_t history) {
  return Inflater(stored, stored_bytes, out, byte_length, history).Run();
}

}  // namespace colkit
