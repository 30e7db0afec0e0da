// Symbols of one to 32 bytes: which of them is the longest that begins a text. Every byte is a symbol. Those of three
// bytes and more are looked up by a hash, from long to short, at the lengths that are known for how they begin; those
// of two by a table of all pairs.
#ifndef COLKIT_NATIVE_SYMBOL_MATCHER_H_
#define COLKIT_NATIVE_SYMBOL_MATCHER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "decode/page_format.h"

namespace colkit {

constexpr uint32_t kSingleBytes = 256;

class SymbolMatcher {
 public:
  SymbolMatcher();

  uint32_t count() const { return count_; }
  // kMostSymbolBytes for each symbol, of which those that it does not have are 0.
  const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(symbols_.data()); }
  const uint8_t* lengths() const { return lengths_.data(); }

  // A symbol of 2 to 32 bytes more, where it is none yet and there is room; false else.
  bool Add(const uint8_t* bytes, uint32_t length);
  // Makes two symbols, which have no more bytes together, one.
  bool Join(uint32_t first, uint32_t second);
  // The first so many symbols alone.
  SymbolMatcher First(uint32_t count) const;
  // The same with those of more than one byte in the order of their bytes.
  SymbolMatcher Sorted() const;
  // Those alone that are used so often, the most used ones first, as often used ones in the order of their bytes.
  SymbolMatcher MostUsed(const std::vector<uint32_t>& uses, uint32_t least) const;

  // The longest symbol that the text from `at` to `end` begins with, which has a byte and more; up to `all` there are
  // bytes.
  uint32_t Find(const uint8_t* at, const uint8_t* end, const uint8_t* all) const;

 private:
  struct Bytes {
    uint64_t words[kMostSymbolBytes / 8];
  };
  static_assert(sizeof(Bytes) == kMostSymbolBytes, "symbols lie back to back");

  static constexpr unsigned kSlotBits = 14;
  static constexpr unsigned kHeadBits = 14;
  static constexpr uint32_t kSlots = 1u << kSlotBits;
  static_assert(kSlots >= 2 * kMostSymbols, "there is always a free slot");

  // One that is none yet.
  void Append(const Bytes& symbol, uint32_t length);

  // A bit, one lower, for each length from `kLeast` to `kMost` of symbols whose heads may have such a hash.
  template <uint32_t kLeast, uint32_t kMost>
  uint32_t LengthsOf(uint64_t head) const {
    return lengths_of_[HeadOf(head)] & ((2u << (kMost - 1)) - (1u << (kLeast - 1)));
  }
  // How many bytes of a symbol say which lengths are looked up for it.
  static uint32_t HeadLength(uint32_t length) {
    return length >= 25 ? 25 : length >= 17 ? 17 : length >= 9 ? 9 : length >= 5 ? 5 : 3;
  }
  static uint32_t HeadOf(uint64_t hash) { return static_cast<uint32_t>(hash >> (64 - kHeadBits)); }
  static uint32_t SlotOf(uint64_t hash) { return static_cast<uint32_t>(hash >> (64 - kSlotBits)); }

  std::vector<Bytes> symbols_;
  std::vector<uint8_t> lengths_;
  // By a hash of a head, a bit for each length, one lower, that a symbol which begins with it has.
  std::vector<uint32_t> lengths_of_;
  std::vector<uint16_t> slots_;  // symbol + 1; 0: free
  std::vector<uint16_t> pairs_;
  uint32_t count_ = kSingleBytes;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_SYMBOL_MATCHER_H_
