// See symbol_matcher.h.
#include "encode/symbol_matcher.h"

namespace colkit {

SymbolMatcher::SymbolMatcher()
    : symbols_(kMostSymbols), lengths_(kMostSymbols), lengths_of_(1u << kHeadBits), slots_(kSlots), pairs_(1u << 16) {
  for (uint32_t byte = 0; byte < kSingleBytes; ++byte) {
    symbols_[byte].low = byte;
    lengths_[byte] = 1;
  }
}

bool SymbolMatcher::Add(const uint8_t* bytes, uint32_t length) {
  if (length < 2 || length > kMostSymbolBytes || count_ == kMostSymbols) return false;
  if (lengths_[Find(bytes, bytes + length, bytes + length)] == length) return false;
  Bytes symbol = {};
  std::memcpy(&symbol, bytes, length);
  symbols_[count_] = symbol;
  lengths_[count_] = static_cast<uint8_t>(length);
  ++count_;
  if (length == 2) {
    pairs_[symbol.low] = static_cast<uint16_t>(count_);
    return true;
  }
  lengths_of_[HeadOf(symbol.Cut(HeadLength(length)))] |= 1u << length;
  uint32_t slot = SlotOf(symbol);
  while (slots_[slot] != 0) slot = (slot + 1) & (kSlots - 1);
  slots_[slot] = static_cast<uint16_t>(count_);
  return true;
}

bool SymbolMatcher::Join(uint32_t first, uint32_t second) {
  uint8_t joined[kMostSymbolBytes];
  const uint32_t length = lengths_[first];
  const uint32_t more = lengths_[second];
  if (length + more > kMostSymbolBytes) return false;
  std::memcpy(joined, bytes() + first * kMostSymbolBytes, length);
  std::memcpy(joined + length, bytes() + second * kMostSymbolBytes, more);
  return Add(joined, length + more);
}

SymbolMatcher SymbolMatcher::First(uint32_t count) const {
  SymbolMatcher matcher;
  for (uint32_t symbol = kSingleBytes; symbol < count; ++symbol)
    matcher.Add(bytes() + symbol * kMostSymbolBytes, lengths_[symbol]);
  return matcher;
}

}  // namespace colkit
