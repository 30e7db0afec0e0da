// Symbols of one to eight bytes -> which of them is the longest that begins a text: those of three bytes and more by a
// hash of their first three, shorter ones by a table of all pairs of bytes.
#ifndef COLKIT_NATIVE_SYMBOL_MATCHER_H_
#define COLKIT_NATIVE_SYMBOL_MATCHER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace colkit {

constexpr uint32_t kMostSymbols = 255;
constexpr uint32_t kMostSymbolBytes = 8;
// This code says that the byte behind it stands for itself.
constexpr uint8_t kSymbolEscape = 255;
// Behind the numbers of bytes that stand for themselves come those of the symbols.
constexpr uint32_t kFirstSymbol = 256;

// Symbols by number; bytes that a symbol does not have are 0.
struct SymbolSet {
  uint32_t count = 0;
  uint64_t bytes[kMostSymbols] = {};
  uint8_t lengths[kMostSymbols] = {};
};

// The first `length` bytes, 1 to 8.
constexpr uint64_t SymbolMask(uint32_t length) { return ~uint64_t{0} >> (8 * (kMostSymbolBytes - length)); }

// Eight bytes from `at` on, of which those behind `end` are 0.
inline uint64_t EightBytes(const uint8_t* at, const uint8_t* end) {
  uint64_t word = 0;
  if (end - at >= 8) std::memcpy(&word, at, 8);
  else
    for (unsigned shift = 0; at < end; ++at, shift += 8) word |= uint64_t{*at} << shift;
  return word;
}

class SymbolMatcher {
 public:
  explicit SymbolMatcher(const SymbolSet& symbols);

  const SymbolSet& symbols() const { return symbols_; }

  // The number of what a text begins with of which `left` bytes, one or more, are there.
  uint32_t Find(uint64_t text, uint64_t left) const {
    if (left >= 3) {
      for (uint32_t symbol = heads_[SlotOf(text)]; symbol != kNone; symbol = next_[symbol]) {
        if (((text ^ symbols_.bytes[symbol]) & masks_[symbol]) == 0 && symbols_.lengths[symbol] <= left)
          return kFirstSymbol + symbol;
      }
    }
    return left >= 2 ? pairs_[text & 0xffff] : singles_[text & 0xff];
  }

 private:
  static constexpr unsigned kHashBits = 12;
  static constexpr uint16_t kNone = 0xffff;

  static uint32_t SlotOf(uint64_t text) {
    return (static_cast<uint32_t>(text & 0xffffff) * 0x9e3779b1u) >> (32 - kHashBits);
  }

  SymbolSet symbols_;
  uint64_t masks_[kMostSymbols];
  // The longest symbol of three bytes and more with a hash, and for each symbol the one behind it.
  uint16_t heads_[1 << kHashBits];
  uint16_t next_[kMostSymbols];
  // By the first two bytes, a symbol of one or two of them or the first byte itself.
  uint16_t pairs_[1 << 16];
  uint16_t singles_[256];
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_SYMBOL_MATCHER_H_
