// See text_symbols_writer.h.
#include "encode/text_symbols_writer.h"

#include <algorithm>
#include <vector>

namespace colkit {
namespace {

constexpr uint32_t kSampleBytes = 1 << 17;
// Of one string no more than this is in the sample.
constexpr uint32_t kStringBytes = 1 << 10;
// So often two symbols follow each other before they become one: less often in a small sample.
constexpr uint32_t kOften = 3;
constexpr uint32_t kOftenOfFew = 2;
constexpr uint32_t kFewBytes = 1 << 16;

// How often symbols follow each other, in a sample of so many bytes.
class PairCounts {
 public:
  explicit PairCounts(uint32_t bytes) {
    while ((1u << bits_) < 2 * bytes) ++bits_;
    slots_.resize(size_t{1} << bits_);
  }

  // One time more: how often now, up to 255.
  uint32_t Count(uint32_t first, uint32_t second) {
    const uint32_t pair = kMostSymbols * first + second;
    uint32_t slot = (pair * 0x9e3779b1u) >> (32 - bits_);
    while (slots_[slot] != 0 && slots_[slot] >> 8 != pair) slot = (slot + 1) & ((1u << bits_) - 1);
    const uint32_t times = std::min<uint32_t>(255, (slots_[slot] & 255) + 1);
    slots_[slot] = pair << 8 | times;
    return times;
  }

 private:
  unsigned bits_ = 8;
  std::vector<uint32_t> slots_;  // the pair, and in the lowest eight bits how often it was there; 0: free
};

}  // namespace

void TrainSymbols(const Texts& texts, SymbolMatcher* matcher) {
  const uint32_t all = texts.count == 0 ? 0 : texts.ends[texts.count - 1] - texts.start;
  const size_t every = std::max<size_t>(1, (uint64_t{all} + kSampleBytes - 1) / kSampleBytes);
  // Long strings are few: each of them is looked at, a part of it.
  const size_t step = std::min(every, std::max<size_t>(1, texts.count / 64));
  const uint32_t often = all <= kFewBytes ? kOftenOfFew : kOften;
  PairCounts pairs(std::min(all, kSampleBytes));
  const uint8_t* const last = texts.bytes + texts.start + all;
  uint32_t used = 0;
  for (size_t i = 0; i < texts.count && used < kSampleBytes && matcher->count() < kMostSymbols; i += step) {
    const uint32_t from = i == 0 ? texts.start : texts.ends[i - 1];
    const uint32_t length = std::min({texts.ends[i] - from, kStringBytes, kSampleBytes - used});
    used += length;
    const uint8_t* at = texts.bytes + from;
    const uint8_t* const end = at + length;
    uint32_t before = kMostSymbols;
    while (at < end) {
      const uint32_t symbol = matcher->Find(at, end, last);
      const uint8_t* const lengths = matcher->lengths();
      at += lengths[symbol];
      const bool fits = before < kMostSymbols && uint32_t{lengths[before]} + lengths[symbol] <= kMostSymbolBytes;
      if (fits && pairs.Count(before, symbol) >= often && matcher->count() < kMostSymbols) {
        matcher->Join(before, symbol);
        before = kMostSymbols;
      } else {
        before = symbol;
      }
    }
  }
}

size_t SpellTexts(const Texts& texts, const SymbolMatcher& matcher, uint32_t* codes, uint32_t* counts) {
  const uint8_t* const lengths = matcher.lengths();
  const uint8_t* at = texts.bytes + texts.start;
  const uint8_t* const last = texts.count == 0 ? at : texts.bytes + texts.ends[texts.count - 1];
  uint32_t* to = codes;
  for (size_t text = 0; text < texts.count; ++text) {
    const uint8_t* const end = texts.bytes + texts.ends[text];
    const uint32_t* const before = to;
    while (at < end) {
      const uint32_t symbol = matcher.Find(at, end, last);
      *to++ = symbol;
      at += lengths[symbol];
    }
    counts[text] = static_cast<uint32_t>(to - before);
  }
  return static_cast<size_t>(to - codes);
}

}  // namespace colkit
