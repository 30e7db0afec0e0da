// Symbols of one to sixteen bytes: which of them is the longest that begins a text. Every byte is a symbol. Those of
// three bytes and more are looked up by a hash, from long to short, at the lengths that are known for their first three
// bytes; those of two by a table of all pairs.
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
  // Sixteen bytes for each symbol, of which those that it does not have are 0.
  const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(symbols_.data()); }
  const uint8_t* lengths() const { return lengths_.data(); }

  // A symbol of 2 to 16 bytes more, where it is none yet and there is room; false else.
  bool Add(const uint8_t* bytes, uint32_t length);
  // Makes two symbols, which have no more bytes together, one.
  bool Join(uint32_t first, uint32_t second);
  // The first so many symbols alone.
  SymbolMatcher First(uint32_t count) const;

  // The longest symbol that the text from `at` to `end` begins with, which has a byte and more; up to `all` there are
  // bytes.
  uint32_t Find(const uint8_t* at, const uint8_t* end, const uint8_t* all) const;

 private:
  struct Bytes {
    uint64_t low;
    uint64_t high;

    // The first of them, 1 to 16, and zeros.
    Bytes Cut(uint32_t length) const {
      return length <= 8 ? Bytes{low & (~uint64_t{0} >> (64 - 8 * length)), 0}
                         : Bytes{low, high & (~uint64_t{0} >> (128 - 8 * length))};
    }
    bool operator==(const Bytes& other) const { return ((low ^ other.low) | (high ^ other.high)) == 0; }
  };
  static_assert(sizeof(Bytes) == kMostSymbolBytes, "symbols lie back to back");

  static constexpr unsigned kSlotBits = 14;
  static constexpr unsigned kHeadBits = 14;
  static constexpr uint32_t kSlots = 1u << kSlotBits;
  static_assert(kSlots >= 2 * kMostSymbols, "there is always a free slot");

  // The longest symbol of `kLeast` to `kMost` bytes.
  template <uint32_t kLeast, uint32_t kMost>
  bool FindOf(const Bytes& text, uint64_t left, uint32_t* found) const;

  // How many bytes of a symbol say which lengths are looked up for it.
  static uint32_t HeadLength(uint32_t length) { return length >= 9 ? 9 : length >= 5 ? 5 : 3; }
  static uint64_t Mixed(const Bytes& cut) { return cut.low * 0x9e3779b97f4a7c15ull ^ cut.high * 0xc2b2ae3d27d4eb4full; }
  static uint32_t HeadOf(const Bytes& head) { return static_cast<uint32_t>(Mixed(head) >> (64 - kHeadBits)); }
  static uint32_t SlotOf(const Bytes& cut) { return static_cast<uint32_t>(Mixed(cut) >> (64 - kSlotBits)); }

  std::vector<Bytes> symbols_;
  std::vector<uint8_t> lengths_;
  // By a hash of a head, a bit for each length that a symbol which begins with it has.
  std::vector<uint32_t> lengths_of_;
  std::vector<uint16_t> slots_;  // symbol + 1; 0: free
  std::vector<uint16_t> pairs_;
  uint32_t count_ = kSingleBytes;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_SYMBOL_MATCHER_H_
