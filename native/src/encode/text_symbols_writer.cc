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
// Bits of a code that are tried.
constexpr uint32_t kWidths[] = {8, 10, 12};

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

// A text, or as much of it as is looked at.
struct Part {
  const uint8_t* start;
  const uint8_t* end;
};

struct Sample {
  std::vector<Part> parts;
  const uint8_t* end = nullptr;  // of all texts
  uint32_t bytes = 0;
  uint32_t all = 0;  // bytes of all texts
};

// Texts at equal distances.
Sample SampleOf(const Texts& texts) {
  Sample sample;
  if (texts.count == 0) return sample;
  sample.all = texts.ends[texts.count - 1] - texts.start;
  sample.end = texts.bytes + texts.ends[texts.count - 1];
  const size_t every = std::max<size_t>(1, (uint64_t{sample.all} + kSampleBytes - 1) / kSampleBytes);
  // Long strings are few: each of them is looked at, a part of it.
  const size_t step = std::min(every, std::max<size_t>(1, texts.count / 64));
  for (size_t i = 0; i < texts.count && sample.bytes < kSampleBytes; i += step) {
    const uint32_t from = i == 0 ? texts.start : texts.ends[i - 1];
    const uint32_t length = std::min({texts.ends[i] - from, kStringBytes, kSampleBytes - sample.bytes});
    sample.parts.push_back({texts.bytes + from, texts.bytes + from + length});
    sample.bytes += length;
  }
  return sample;
}

// Of the symbols, as many of the first ones as make the texts shortest: fewer have shorter codes.
void TakeBest(const Sample& sample, SymbolMatcher* matcher) {
  bool occurs[kSingleBytes] = {};
  for (const Part& part : sample.parts) {
    for (const uint8_t* at = part.start; at < part.end; ++at) occurs[*at] = true;
  }
  const auto single = static_cast<uint32_t>(std::count(occurs, occurs + kSingleBytes, true));
  uint32_t best = matcher->count();
  uint64_t least = UINT64_MAX;
  for (const uint32_t width : kWidths) {
    const uint32_t count = std::min(matcher->count(), kSingleBytes + (1u << width) - std::min(1u << width, single));
    const SymbolMatcher first = matcher->First(count);
    uint64_t codes = 0;
    for (const Part& part : sample.parts) {
      for (const uint8_t* at = part.start; at < part.end; ++codes)
        at += first.lengths()[first.Find(at, part.end, sample.end)];
    }
    uint64_t symbol_bytes = 0;
    for (uint32_t symbol = kSingleBytes; symbol < count; ++symbol) symbol_bytes += first.lengths()[symbol];
    const uint64_t bits = codes * width * sample.all + 8 * symbol_bytes * sample.bytes;
    if (bits < least) {
      least = bits;
      best = count;
    }
    if (count == matcher->count()) break;
  }
  if (best < matcher->count()) *matcher = matcher->First(best);
}

}  // namespace

void TrainSymbols(const Texts& texts, SymbolMatcher* matcher) {
  const Sample sample = SampleOf(texts);
  const uint32_t often = sample.all <= kFewBytes ? kOftenOfFew : kOften;
  PairCounts pairs(std::min(sample.all, kSampleBytes));
  for (const Part& part : sample.parts) {
    const uint8_t* at = part.start;
    uint32_t before = kMostSymbols;
    while (at < part.end && matcher->count() < kMostSymbols) {
      const uint32_t symbol = matcher->Find(at, part.end, sample.end);
      const uint8_t* const lengths = matcher->lengths();
      at += lengths[symbol];
      const bool fits = before < kMostSymbols && uint32_t{lengths[before]} + lengths[symbol] <= kMostSymbolBytes;
      if (fits && pairs.Count(before, symbol) >= often) {
        matcher->Join(before, symbol);
        before = kMostSymbols;
      } else {
        before = symbol;
      }
    }
  }
  TakeBest(sample, matcher);
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
