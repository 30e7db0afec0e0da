// See symbol_matcher.h.
#include "encode/symbol_matcher.h"

#include <algorithm>
#include <iterator>

namespace colkit {

SymbolMatcher::SymbolMatcher(const SymbolSet& symbols) : symbols_(symbols) {
  std::fill(std::begin(heads_), std::end(heads_), kNone);
  std::fill(std::begin(next_), std::end(next_), kNone);
  for (uint32_t byte = 0; byte < 256; ++byte) singles_[byte] = static_cast<uint16_t>(byte);
  for (uint32_t symbol = 0; symbol < symbols_.count; ++symbol) {
    masks_[symbol] = SymbolMask(symbols_.lengths[symbol]);
    symbols_.bytes[symbol] &= masks_[symbol];
    if (symbols_.lengths[symbol] == 1)
      singles_[symbols_.bytes[symbol]] = static_cast<uint16_t>(kFirstSymbol + symbol);
  }
  for (uint32_t pair = 0; pair < 1u << 16; ++pair) pairs_[pair] = singles_[pair & 0xff];
  // Those of one hash from short to long, each put in front of those before.
  for (uint32_t length = 2; length <= kMostSymbolBytes; ++length) {
    for (uint32_t symbol = 0; symbol < symbols_.count; ++symbol) {
      if (symbols_.lengths[symbol] != length) continue;
      const uint64_t bytes = symbols_.bytes[symbol];
      if (length == 2) {
        pairs_[bytes] = static_cast<uint16_t>(kFirstSymbol + symbol);
      } else {
        next_[symbol] = heads_[SlotOf(bytes)];
        heads_[SlotOf(bytes)] = static_cast<uint16_t>(symbol);
      }
    }
  }
}

}  // namespace colkit
