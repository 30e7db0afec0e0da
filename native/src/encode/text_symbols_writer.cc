// See text_symbols_writer.h.
#include "encode/text_symbols_writer.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <vector>

namespace colkit {
namespace {

constexpr uint32_t kSampleBytes = 1 << 15;
// Of one string no more than this is in the sample.
constexpr uint32_t kStringBytes = 1 << 10;
constexpr int kRounds = 5;
// What occurs less often in the sample is no symbol.
constexpr uint32_t kLeastTimes = 4;
// Bytes without a symbol take two: those with one are worth more than their length says.
constexpr uint32_t kWorthOfByte = 8;
constexpr uint32_t kNumbers = kFirstSymbol + kMostSymbols;

// What symbols are made of: bytes, and where strings end.
struct Sample {
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> ends;
};

// Strings at equal distances.
Sample SampleOf(const Texts& texts) {
  Sample sample;
  const uint32_t total = texts.count == 0 ? 0 : texts.ends[texts.count - 1] - texts.start;
  const size_t every = std::max<size_t>(1, (uint64_t{total} + kSampleBytes - 1) / kSampleBytes);
  // Long strings are few: each of them is looked at, a part of it.
  const size_t step = std::min(every, std::max<size_t>(1, texts.count / 64));
  for (size_t i = 0; i < texts.count && sample.bytes.size() < kSampleBytes; i += step) {
    const uint32_t from = i == 0 ? texts.start : texts.ends[i - 1];
    const auto room = kSampleBytes - static_cast<uint32_t>(sample.bytes.size());
    const uint32_t length = std::min({texts.ends[i] - from, kStringBytes, room});
    sample.bytes.insert(sample.bytes.end(), texts.bytes + from, texts.bytes + from + length);
    sample.ends.push_back(static_cast<uint32_t>(sample.bytes.size()));
  }
  return sample;
}

// How often numbers (bytes and symbols) occur, alone and behind each other.
struct Counts {
  uint32_t single[kNumbers];
  uint16_t pairs[kNumbers][kNumbers];

  void Count(const Sample& sample, const SymbolMatcher& matcher, bool with_pairs) {
    std::fill(std::begin(single), std::end(single), 0);
    if (with_pairs) std::fill(&pairs[0][0], &pairs[0][0] + kNumbers * kNumbers, uint16_t{0});
    const uint8_t* const bytes = sample.bytes.data();
    const uint8_t* const all = bytes + sample.bytes.size();
    uint32_t at = 0;
    for (const uint32_t end : sample.ends) {
      for (uint32_t before = kNumbers; at < end;) {
        const uint32_t found = matcher.Find(EightBytes(bytes + at, all), end - at);
        const uint32_t length = found < kFirstSymbol ? 1 : matcher.symbols().lengths[found - kFirstSymbol];
        ++single[found];
        // What begins a longer symbol may become one of its own.
        const uint8_t byte = bytes[at];
        if (length > 1) ++single[byte];
        if (with_pairs && before < kNumbers) {
          ++pairs[before][found];
          if (length > 1) ++pairs[before][byte];
        }
        before = found;
        at += length;
      }
    }
  }
};

constexpr unsigned kSlotBits = 14;
constexpr uint32_t kMostCandidates = 1 << 13;

// Texts with how often they occur, each text once.
struct Candidates {
  uint32_t count = 0;
  uint16_t slots[1 << kSlotBits] = {};
  uint64_t bytes[kMostCandidates];
  uint8_t lengths[kMostCandidates];
  uint64_t gains[kMostCandidates];

  void Add(uint64_t text, uint32_t length, uint32_t times) {
    uint32_t slot = static_cast<uint32_t>(((text ^ length) * 0x9e3779b97f4a7c15ull) >> (64 - kSlotBits));
    uint32_t found = slots[slot];
    while (found != 0 && (bytes[found - 1] != text || lengths[found - 1] != length)) {
      slot = (slot + 1) & ((1 << kSlotBits) - 1);
      found = slots[slot];
    }
    if (found == 0) {
      if (count == kMostCandidates) return;
      bytes[count] = text;
      lengths[count] = static_cast<uint8_t>(length);
      gains[count] = 0;
      found = ++count;
      slots[slot] = static_cast<uint16_t>(found);
    }
    gains[found - 1] += uint64_t{times} * length;
  }

  SymbolSet Best() const {
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    SymbolSet best;
    best.count = std::min(count, kMostSymbols);
    std::partial_sort(order.begin(), order.begin() + best.count, order.end(), [this](uint32_t a, uint32_t b) {
      return gains[a] != gains[b] ? gains[a] > gains[b] : a < b;
    });
    for (uint32_t symbol = 0; symbol < best.count; ++symbol) {
      best.bytes[symbol] = bytes[order[symbol]];
      best.lengths[symbol] = lengths[order[symbol]];
    }
    return best;
  }
};

// The symbols that save most.
SymbolSet BestSymbols(const Counts& counts, const SymbolSet& old, bool with_pairs) {
  const auto bytes_of = [&](uint32_t number) {
    return number < kFirstSymbol ? uint64_t{number} : old.bytes[number - kFirstSymbol];
  };
  const auto length_of = [&](uint32_t number) {
    return number < kFirstSymbol ? uint32_t{1} : uint32_t{old.lengths[number - kFirstSymbol]};
  };
  const auto candidates = std::make_unique<Candidates>();
  for (uint32_t first = 0; first < kNumbers; ++first) {
    const uint32_t times = counts.single[first];
    if (times == 0) continue;
    const uint32_t length = length_of(first);
    const uint64_t bytes = bytes_of(first);
    candidates->Add(bytes, length, times * (length == 1 ? kWorthOfByte : 1));
    if (!with_pairs || length == kMostSymbolBytes) continue;
    for (uint32_t second = 0; second < kNumbers; ++second) {
      const uint32_t together = counts.pairs[first][second];
      if (together < kLeastTimes) continue;
      const uint32_t joined = std::min(kMostSymbolBytes, length + length_of(second));
      candidates->Add((bytes | bytes_of(second) << (8 * length)) & SymbolMask(joined), joined, together);
    }
  }
  return candidates->Best();
}

}  // namespace

SymbolSet TrainSymbols(const Texts& texts) {
  const Sample sample = SampleOf(texts);
  const auto counts = std::make_unique<Counts>();
  SymbolSet symbols;
  for (int round = 1; round <= kRounds; ++round) {
    const bool is_last = round == kRounds;
    const auto matcher = std::make_unique<SymbolMatcher>(symbols);
    counts->Count(sample, *matcher, !is_last);
    symbols = BestSymbols(*counts, matcher->symbols(), !is_last);
  }
  return symbols;
}

size_t SpellTexts(const Texts& texts, const SymbolMatcher& matcher, uint8_t* codes, uint32_t* counts) {
  const uint8_t* const lengths = matcher.symbols().lengths;
  const uint8_t* const all = texts.count == 0 ? texts.bytes : texts.bytes + texts.ends[texts.count - 1];
  const uint8_t* at = texts.bytes + texts.start;
  uint8_t* to = codes;
  for (size_t text = 0; text < texts.count; ++text) {
    const uint8_t* const end = texts.bytes + texts.ends[text];
    const uint8_t* const before = to;
    while (at < end) {
      const uint64_t word = EightBytes(at, all);
      const uint32_t found = matcher.Find(word, static_cast<uint64_t>(end - at));
      if (found < kFirstSymbol) {
        *to++ = kSymbolEscape;
        *to++ = static_cast<uint8_t>(found);
        ++at;
      } else {
        *to++ = static_cast<uint8_t>(found - kFirstSymbol);
        at += lengths[found - kFirstSymbol];
      }
    }
    counts[text] = static_cast<uint32_t>(to - before);
  }
  return static_cast<size_t>(to - codes);
}

}  // namespace colkit
