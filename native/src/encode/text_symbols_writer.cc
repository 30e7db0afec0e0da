// See text_symbols_writer.h.
#include "encode/text_symbols_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "platform/thread_pool.h"

namespace colkit {
namespace {

// Bytes of texts at equal distances that are read in a round.
constexpr uint32_t kSampleBytes = 1 << 17;
// The rounds, each of other texts, are far from each other in such an order.
constexpr uint8_t kOrder[kMostRounds] = {0, 3, 1, 4, 2, 5};
// Of one string no more than this is in the sample.
constexpr uint32_t kStringBytes = 1 << 10;
// Bits of a code: fewer are tried as long as they make texts shorter.
constexpr uint32_t kWidths[] = {12, 10, 8};
// About what a symbol takes beside codes.
constexpr uint32_t kSymbolBytes = 4;
// One of so many texts of a round shows that.
constexpr uint32_t kJudgedOf = 4;
// Threads spell so many bytes at a time, and more where there would be more pieces.
constexpr size_t kPieceBytes = 1 << 17;
constexpr size_t kMostPieces = 64;

// So often two symbols follow each other before they become one, in texts of so many bytes.
uint32_t OftenIn(uint32_t bytes) { return bytes <= 1 << 16 ? 2 : bytes <= 1 << 18 ? 3 : 4; }

// How often symbols follow each other, in texts of so many bytes.
class PairCounts {
 public:
  explicit PairCounts(uint32_t bytes) {
    while (bits_ < kMostBits && (1u << bits_) < 2 * bytes) ++bits_;
    slots_.resize(size_t{1} << bits_);
  }

  // One time more: how often now, up to 255. Of pairs there are known half as many as there are slots.
  uint32_t Count(uint32_t first, uint32_t second) {
    const uint32_t pair = kMostSymbols * first + second;
    uint32_t slot = (pair * 0x9e3779b1u) >> (32 - bits_);
    while (slots_[slot] != 0 && slots_[slot] >> 8 != pair) slot = (slot + 1) & ((1u << bits_) - 1);
    if (slots_[slot] == 0 && known_++ >= 1u << (bits_ - 1)) return 1;
    const uint32_t times = std::min<uint32_t>(255, (slots_[slot] & 255) + 1);
    slots_[slot] = pair << 8 | times;
    return times;
  }

 private:
  static constexpr unsigned kMostBits = 17;
  unsigned bits_ = 8;
  uint32_t known_ = 0;
  std::vector<uint32_t> slots_;  // the pair, and in the lowest eight bits how often it was there; 0: free
};

// A text, or as much of it as is looked at.
struct Part {
  const uint8_t* start;
  const uint8_t* end;
};

uint32_t BytesOf(const Texts& texts) { return texts.count == 0 ? 0 : texts.ends[texts.count - 1] - texts.start; }

// Every how many texts one is read in a round.
size_t StepOf(const Texts& texts) {
  const size_t every = std::max<size_t>(1, (uint64_t{BytesOf(texts)} + kSampleBytes - 1) / kSampleBytes);
  // Long strings are few: each of them is looked at, a part of it.
  return std::min(every, std::max<size_t>(1, texts.count / 64));
}

// Calls `read` with each text of some rounds, or as much of it as is looked at, for as long as it says so.
template <typename Read>
void ReadSample(const Texts& texts, uint32_t rounds, Read read) {
  const size_t step = StepOf(texts);
  for (uint32_t round = 0; round < std::min<size_t>(rounds, step); ++round) {
    uint32_t bytes = 0;
    for (size_t i = step < kMostRounds ? round : step * kOrder[round] / kMostRounds;
         i < texts.count && bytes < kSampleBytes; i += step) {
      const uint32_t from = i == 0 ? texts.start : texts.ends[i - 1];
      const uint32_t length = std::min({texts.ends[i] - from, kStringBytes, kSampleBytes - bytes});
      bytes += length;
      if (!read(Part{texts.bytes + from, texts.bytes + from + length})) return;
    }
  }
}

// Joins what follows each other often, until there are as many symbols as there may be. Returns the bytes read.
uint64_t JoinPairs(const Texts& texts, uint32_t rounds, SymbolMatcher* matcher) {
  const uint8_t* const end = texts.bytes + texts.start + BytesOf(texts);
  const uint32_t often = OftenIn(BytesOf(texts));
  PairCounts pairs(BytesOf(texts));
  uint64_t bytes = 0;
  ReadSample(texts, rounds, [&](const Part& part) {
    const uint8_t* at = part.start;
    uint32_t before = kMostSymbols;
    while (at < part.end && matcher->count() < kMostSymbols) {
      const uint32_t symbol = matcher->Find(at, part.end, end);
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
    bytes += static_cast<uint64_t>(part.end - part.start);
    return matcher->count() < kMostSymbols;
  });
  return bytes;
}

// How often each symbol is one of those that spell a sample of so many bytes.
std::vector<uint32_t> CountUses(const Texts& texts, const SymbolMatcher& matcher, uint64_t bytes) {
  const uint8_t* const end = texts.bytes + texts.start + BytesOf(texts);
  std::vector<uint32_t> uses(kMostSymbols);
  ReadSample(texts, kMostRounds, [&](const Part& part) {
    for (const uint8_t* at = part.start; at < part.end;) {
      const uint32_t symbol = matcher.Find(at, part.end, end);
      ++uses[symbol];
      at += matcher.lengths()[symbol];
    }
    bytes -= std::min(bytes, static_cast<uint64_t>(part.end - part.start));
    return bytes > 0;
  });
  return uses;
}

// Of the symbols, as many of the first ones as make the texts shortest: fewer have shorter codes.
SymbolMatcher BestOf(const Texts& texts, const SymbolMatcher& matcher) {
  const uint8_t* const end = texts.bytes + texts.start + BytesOf(texts);
  std::vector<Part> parts;
  bool occurs[kSingleBytes] = {};
  uint64_t bytes = 0;
  uint32_t number = 0;
  ReadSample(texts, 1, [&](const Part& part) {
    for (const uint8_t* at = part.start; at < part.end; ++at) occurs[*at] = true;
    if (number++ % kJudgedOf != 0) return true;
    bytes += static_cast<uint64_t>(part.end - part.start);
    parts.push_back(part);
    return true;
  });
  const auto single = static_cast<uint32_t>(std::count(occurs, occurs + kSingleBytes, true));
  SymbolMatcher best;
  uint64_t least = UINT64_MAX;
  for (const uint32_t width : kWidths) {
    const uint32_t count = std::min(matcher.count(), kSingleBytes + (1u << width) - std::min(1u << width, single));
    SymbolMatcher first = matcher.First(count);
    uint64_t codes = 0;
    for (const Part& part : parts) {
      for (const uint8_t* at = part.start; at < part.end; ++codes) at += first.lengths()[first.Find(at, part.end, end)];
    }
    const uint64_t bits = codes * width * BytesOf(texts) + uint64_t{8 * kSymbolBytes} * (count - kSingleBytes) * bytes;
    if (bits >= least) break;
    least = bits;
    best = std::move(first);
  }
  return best.Sorted();
}

}  // namespace

SymbolMatcher TrainSymbols(const Texts& texts, uint32_t rounds) {
  SymbolMatcher matcher;
  const uint64_t bytes = JoinPairs(texts, rounds, &matcher);
  if (matcher.count() == kMostSymbols && rounds == kMostRounds) {
    // Longer ones have taken the place of some: they make room for others.
    matcher = matcher.MostUsed(CountUses(texts, matcher, bytes), OftenIn(BytesOf(texts)));
    JoinPairs(texts, rounds, &matcher);
  }
  return BestOf(texts, matcher);
}

size_t SpellTexts(const Texts& texts, const SymbolMatcher& matcher, uint32_t* codes, uint32_t* counts,
                  uint32_t* ranks) {
  const uint8_t* const lengths = matcher.lengths();
  const uint8_t* const last = texts.bytes + texts.start + BytesOf(texts);
  // Each piece has its codes where its bytes begin, since there is no more than one for each.
  struct Piece {
    size_t first;
    const uint8_t* at;
    uint32_t* codes;
    size_t count;
    bool is_used[kMostSymbols];
  };
  std::vector<Piece> pieces(std::min(kMostPieces, 1 + BytesOf(texts) / kPieceBytes));
  for (size_t piece = 0, text = 0; piece < pieces.size(); ++piece) {
    const uint32_t from = text == 0 ? texts.start : texts.ends[text - 1];
    pieces[piece].first = text;
    pieces[piece].at = texts.bytes + from;
    pieces[piece].codes = codes + (from - texts.start);
    const uint64_t until = texts.start + uint64_t{BytesOf(texts)} * (piece + 1) / pieces.size();
    while (text < texts.count && texts.ends[text] <= until) ++text;
  }
  ThreadPool::Instance().ParallelFor(pieces.size(), [&](size_t number) {
    Piece& piece = pieces[number];
    const size_t past = number + 1 < pieces.size() ? pieces[number + 1].first : texts.count;
    const uint8_t* at = piece.at;
    uint32_t* to = piece.codes;
    for (size_t text = piece.first; text < past; ++text) {
      const uint8_t* const end = texts.bytes + texts.ends[text];
      const uint32_t* const before = to;
      while (at < end) {
        const uint32_t symbol = matcher.Find(at, end, last);
        piece.is_used[symbol] = true;
        *to++ = symbol;
        at += lengths[symbol];
      }
      counts[text] = static_cast<uint32_t>(to - before);
    }
    piece.count = static_cast<size_t>(to - piece.codes);
  });
  std::vector<uint32_t> ranked(kMostSymbols, kNoRank);
  uint32_t used = 0;
  for (uint32_t symbol = 0; symbol < matcher.count(); ++symbol) {
    if (std::any_of(pieces.begin(), pieces.end(), [&](const Piece& piece) { return piece.is_used[symbol]; }))
      ranked[symbol] = used++;
  }
  // Another thread may have written to the codes.
  static_assert((kMostSymbols & (kMostSymbols - 1)) == 0, "a mask");
  uint32_t* to = codes;
  for (const Piece& piece : pieces) {
    for (size_t i = 0; i < piece.count; ++i) *to++ = ranked[piece.codes[i] & (kMostSymbols - 1)];
  }
  std::copy_n(ranked.begin(), matcher.count(), ranks);
  return static_cast<size_t>(to - codes);
}

}  // namespace colkit
