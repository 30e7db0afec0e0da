// See symbol_matcher.h.
#include "encode/symbol_matcher.h"

#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {

SymbolMatcher::SymbolMatcher()
    : symbols_(kMostSymbols), lengths_(kMostSymbols), lengths_of_(1u << kHeadBits), slots_(kSlots), pairs_(1u << 16) {
  for (uint32_t byte = 0; byte < kSingleBytes; ++byte) {
    symbols_[byte].low = byte;
    lengths_[byte] = 1;
  }
}

template <uint32_t kLeast, uint32_t kMost>
bool SymbolMatcher::FindOf(const Bytes& text, uint64_t left, uint32_t* found) const {
  if (left < kLeast) return false;
  uint32_t lengths = lengths_of_[HeadOf(text.Cut(kLeast))] & ((2u << kMost) - (1u << kLeast));
  if (left < kMost) lengths &= (2u << left) - 1;
  while (lengths != 0) {
    const uint32_t length = 63 - CountLeadingZeros(lengths);
    lengths ^= 1u << length;
    const Bytes cut = text.Cut(length);
    for (uint32_t slot = SlotOf(cut); slots_[slot] != 0; slot = (slot + 1) & (kSlots - 1)) {
      const uint32_t symbol = slots_[slot] - 1u;
      if (symbols_[symbol] == cut && lengths_[symbol] == length) {
        *found = symbol;
        return true;
      }
    }
  }
  return false;
}

uint32_t SymbolMatcher::Find(const uint8_t* at, const uint8_t* end, const uint8_t* all) const {
  Bytes text = {};
  if (all - at >= static_cast<ptrdiff_t>(kMostSymbolBytes))
    std::memcpy(&text, at, kMostSymbolBytes);
  else
    std::memcpy(&text, at, static_cast<size_t>(all - at));
  const auto left = static_cast<uint64_t>(end - at);
  uint32_t symbol;
  if (FindOf<9, 16>(text, left, &symbol) || FindOf<5, 8>(text, left, &symbol) || FindOf<3, 4>(text, left, &symbol))
    return symbol;
  const auto pair = static_cast<uint16_t>(text.low);
  return left >= 2 && pairs_[pair] != 0 ? pairs_[pair] - 1u : static_cast<uint8_t>(text.low);
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
