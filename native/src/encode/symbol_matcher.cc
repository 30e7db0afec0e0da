// See symbol_matcher.h.
#include "encode/symbol_matcher.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr uint64_t kFactors[] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0xd6e8feb86659fd93};
static_assert(sizeof kFactors == kMostSymbolBytes, "one for each word of a symbol");

// Of lengths: those that heads of five bytes are for, and in place of 1, which none has, that longer ones begin so.
constexpr uint32_t kFiveToEight = 0xf0;
constexpr uint32_t kLonger = 1;

// The first bytes of a word, 1 to 8, and zeros.
uint64_t FirstOf(uint64_t word, uint32_t bytes) { return word & ~uint64_t{0} >> (64 - 8 * bytes); }

// Of whole words.
uint64_t HashOfWords(const uint64_t* text, uint32_t count) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < count; ++i) hash ^= text[i] * kFactors[i];
  return hash;
}

// Of the first bytes, one and more.
uint64_t HashOf(const uint64_t* text, uint32_t bytes) {
  const uint32_t whole = (bytes - 1) / 8;
  return HashOfWords(text, whole) ^ FirstOf(text[whole], bytes - 8 * whole) * kFactors[whole];
}

}  // namespace

SymbolMatcher::SymbolMatcher()
    : symbols_(kMostSymbols), lengths_(kMostSymbols), lengths_of_(1u << kHeadBits), slots_(kSlots), pairs_(1u << 16) {
  for (uint32_t byte = 0; byte < kSingleBytes; ++byte) {
    symbols_[byte].words[0] = byte;
    lengths_[byte] = 1;
  }
}

uint32_t SymbolMatcher::Find(const uint8_t* at, const uint8_t* end, const uint8_t* all) const {
  Bytes text = {};
  if (all - at >= static_cast<ptrdiff_t>(kMostSymbolBytes))
    std::memcpy(&text, at, kMostSymbolBytes);
  else
    std::memcpy(&text, at, static_cast<size_t>(all - at));
  const uint64_t* const words = text.words;
  // Of the words before each.
  const uint64_t second = words[0] * kFactors[0];
  const uint64_t third = second ^ words[1] * kFactors[1];
  const uint64_t whole[] = {0, second, third, third ^ words[2] * kFactors[2]};
  const uint32_t five = lengths_of_[HeadOf(FirstOf(words[0], 5) * kFactors[0])];
  uint32_t lengths = LengthsOf<3, 4>(FirstOf(words[0], 3) * kFactors[0]) | (five & kFiveToEight);
  if ((five & kLonger) != 0)
    lengths |= LengthsOf<9, 16>(whole[1] ^ FirstOf(words[1], 1) * kFactors[1]) |
               LengthsOf<17, 24>(whole[2] ^ FirstOf(words[2], 1) * kFactors[2]) |
               LengthsOf<25, 32>(whole[3] ^ FirstOf(words[3], 1) * kFactors[3]);
  const auto left = static_cast<uint64_t>(end - at);
  if (left < kMostSymbolBytes) lengths &= (1u << left) - 1;
  while (lengths != 0) {
    const uint32_t length = 64 - CountLeadingZeros(lengths);
    lengths ^= 1u << (length - 1);
    const uint32_t word = (length - 1) / 8;
    const uint64_t last = FirstOf(words[word], length - 8 * word);
    for (uint32_t slot = SlotOf(whole[word] ^ last * kFactors[word]); slots_[slot] != 0;
         slot = (slot + 1) & (kSlots - 1)) {
      const uint32_t symbol = slots_[slot] - 1u;
      const uint64_t* const own = symbols_[symbol].words;
      if (lengths_[symbol] == length && own[word] == last && std::equal(own, own + word, words)) return symbol;
    }
  }
  const auto pair = static_cast<uint16_t>(words[0]);
  return left >= 2 && pairs_[pair] != 0 ? pairs_[pair] - 1u : static_cast<uint8_t>(pair);
}

bool SymbolMatcher::Add(const uint8_t* bytes, uint32_t length) {
  if (length < 2 || length > kMostSymbolBytes || count_ == kMostSymbols) return false;
  if (lengths_[Find(bytes, bytes + length, bytes + length)] == length) return false;
  Bytes symbol = {};
  std::memcpy(&symbol, bytes, length);
  Append(symbol, length);
  return true;
}

void SymbolMatcher::Append(const Bytes& symbol, uint32_t length) {
  symbols_[count_] = symbol;
  lengths_[count_] = static_cast<uint8_t>(length);
  ++count_;
  if (length == 2) {
    pairs_[symbol.words[0]] = static_cast<uint16_t>(count_);
    return;
  }
  lengths_of_[HeadOf(HashOf(symbol.words, HeadLength(length)))] |= 1u << (length - 1);
  if (length > 8) lengths_of_[HeadOf(HashOf(symbol.words, 5))] |= kLonger;
  uint32_t slot = SlotOf(HashOf(symbol.words, length));
  while (slots_[slot] != 0) slot = (slot + 1) & (kSlots - 1);
  slots_[slot] = static_cast<uint16_t>(count_);
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
  for (uint32_t symbol = kSingleBytes; symbol < count; ++symbol) matcher.Append(symbols_[symbol], lengths_[symbol]);
  return matcher;
}

SymbolMatcher SymbolMatcher::MostUsed(const std::vector<uint32_t>& uses, uint32_t least) const {
  std::vector<uint16_t> order(count_ - kSingleBytes);
  std::iota(order.begin(), order.end(), static_cast<uint16_t>(kSingleBytes));
  std::sort(order.begin(), order.end(), [&](uint16_t a, uint16_t b) {
    if (uses[a] != uses[b]) return uses[a] > uses[b];
    uint32_t word = 0;
    while (word < std::size(kFactors) - 1 && symbols_[a].words[word] == symbols_[b].words[word]) ++word;
    const uint64_t first = SwapBytes(symbols_[a].words[word]);
    const uint64_t second = SwapBytes(symbols_[b].words[word]);
    return first != second ? first < second : lengths_[a] < lengths_[b];
  });
  SymbolMatcher matcher;
  for (const uint16_t symbol : order) {
    if (uses[symbol] >= least) matcher.Append(symbols_[symbol], lengths_[symbol]);
  }
  return matcher;
}

SymbolMatcher SymbolMatcher::Sorted() const { return MostUsed(std::vector<uint32_t>(kMostSymbols), 0); }

}  // namespace colkit
