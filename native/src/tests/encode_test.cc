// What a writer asks of numbers and texts, against the plainest loops.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "decode/inflate.h"
#include "decode/texts/text_blocks.h"
#include "encode/bit_pack_writer.h"
#include "encode/deflate_blocks.h"
#include "encode/joint_codes.h"
#include "encode/number_sources.h"
#include "encode/text_codes.h"
#include "encode/text_prints.h"
#include "encode/text_symbols_writer.h"
#include "tests/test_support.h"

namespace {

using namespace colkit;

// By 128-bit arithmetic and a divisor of all.
template <typename T>
void CheckNormalForm(const std::vector<T>& items) {
  std::vector<uint32_t> normal(items.size() + 1, 77);
  NormalForm form{};
  const bool done = NormalizeItems(items.data(), items.size(), normal.data(), &form);
  CHECK(normal.back() == 77);
  const auto [low, high] = std::minmax_element(items.begin(), items.end());
  const auto least = static_cast<__int128>(*low);
  const auto range = static_cast<__int128>(*high) - least;
  const auto exact = static_cast<__int128>(1) << 53;
  const bool fits = least >= -exact && static_cast<__int128>(*high) <= exact && range < exact;
  uint64_t divisor = 0;
  for (const T item : items) divisor = std::gcd(divisor, static_cast<uint64_t>(static_cast<__int128>(item) - least));
  divisor = std::max<uint64_t>(divisor, 1);
  const bool expected = fits && range / divisor <= UINT32_MAX;
  CHECK(done == expected);
  if (!done) return;
  CHECK(form.least == static_cast<double>(*low) && form.most == static_cast<double>(*high));
  CHECK(form.divisor == static_cast<double>(divisor));
  for (size_t i = 0; i < items.size(); ++i)
    CHECK(normal[i] == static_cast<uint64_t>(static_cast<__int128>(items[i]) - least) / divisor);
}

template <typename T>
void CheckItems(Random* random) {
  for (int round = 0; round < 200; ++round) {
    const size_t count = 1 + random->Below(70);
    const unsigned bits = 1 + static_cast<unsigned>(random->Below(8 * sizeof(T)));
    const uint64_t step = random->Below(3) == 0 ? 1 + random->Below(9) : 1;
    std::vector<T> items(count);
    for (T& item : items) item = static_cast<T>((random->Next() & ((uint64_t{2} << (bits - 1)) - 1)) / step * step);
    CheckNormalForm(items);
  }
  CheckNormalForm(std::vector<T>{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()});
  CheckNormalForm(std::vector<T>{std::numeric_limits<T>::max(), std::numeric_limits<T>::max()});
}

void CheckNumbers(Random* random) {
  for (size_t count = 1; count < 300; ++count) {
    std::vector<uint32_t> values(count);
    const uint64_t below = random->Below(2) == 0 ? 5 : uint64_t{1} << 32;
    for (uint32_t& value : values) value = static_cast<uint32_t>(random->Below(below));
    std::vector<int64_t> gaps(count);
    for (size_t i = 1; i < count; ++i) gaps[i] = static_cast<int64_t>(values[i]) - values[i - 1];
    if (count > 1) gaps[0] = gaps[1];
    std::vector<uint32_t> normal(count);
    std::vector<uint32_t> expected(count);
    NormalForm form{};
    NormalForm same{};
    const bool done = NormalizeGaps(values.data(), count, normal.data(), &form);
    CHECK(done == NormalizeItems(gaps.data(), count, expected.data(), &same));
    if (done) CHECK(normal == expected && form.least == same.least && form.divisor == same.divisor);

    std::vector<uint32_t> low(count);
    std::vector<uint32_t> high(count);
    BlockRanges(values.data(), count, 3, low.data(), high.data());
    for (size_t i = 0; i < count; i += 8) {
      const auto end = values.begin() + static_cast<ptrdiff_t>(std::min(count, i + 8));
      const auto start = values.begin() + static_cast<ptrdiff_t>(i);
      CHECK(low[i / 8] == *std::min_element(start, end) && high[i / 8] == *std::max_element(start, end));
    }

    const unsigned shift = below == 5 ? 1 : 28;
    std::vector<uint32_t> counts(16, 3);
    CHECK(CountBuckets(values.data(), count, shift, counts.data(), counts.size()));
    for (size_t bucket = 0; bucket < counts.size(); ++bucket)
      CHECK(counts[bucket] ==
            3 + std::count_if(values.begin(), values.end(), [&](uint32_t v) { return v >> shift == bucket; }));
    CHECK(CountBuckets(values.data(), count, 0, counts.data(), 0) == false);

    std::vector<uint32_t> starts;
    for (size_t i = 0; i < count; ++i)
      if (i == 0 || values[i] != values[i - 1]) starts.push_back(static_cast<uint32_t>(i));
    std::vector<uint32_t> found(starts.size() + 1, 77);
    CHECK(RunStarts(values.data(), count, found.data(), starts.size()) == starts.size());
    CHECK(found.back() == 77 && std::equal(starts.begin(), starts.end(), found.begin()));
    CHECK(RunStarts(values.data(), count, found.data(), starts.size() - 1) == starts.size());

    std::vector<uint32_t> inner(count);
    std::vector<uint32_t> positions(count);
    const auto first = static_cast<uint32_t>(random->Below(below));
    const auto above = static_cast<uint32_t>(random->Below(below));
    const size_t outside = PackInside(values.data(), count, first, above, inner.data(), &form);
    const auto base = static_cast<uint32_t>(form.least);
    const auto divisor = static_cast<uint32_t>(form.divisor);
    CHECK(base == first);
    size_t others = 0;
    uint32_t common = 0;
    for (size_t i = 0; i < count; ++i) {
      const bool is_outside = values[i] - first > above;
      CHECK(first + inner[i] * divisor == (is_outside ? first : values[i]));
      common = std::gcd(common, inner[i]);
      others += is_outside ? 1 : 0;
    }
    CHECK(outside == others && common <= 1);
    const size_t found_others = FindOthers(values.data(), inner.data(), count, first, divisor, positions.data());
    size_t at = 0;
    for (size_t i = 0; i < count; ++i)
      if (uint64_t{first} + uint64_t{divisor} * inner[i] != values[i]) CHECK(positions[at++] == i);
    CHECK(at == found_others);
  }
}

void CheckTexts(Random* random) {
  for (size_t count = 0; count < 3000; count = count * 2 + 1) {
    for (const size_t different : {1, 3, 5000}) {
      std::string bytes(2, 'x');
      std::vector<uint32_t> ends;
      std::vector<std::string> all;
      std::vector<uint8_t> valid((count + 7) / 8);
      for (size_t i = 0; i < count; ++i) {
        const size_t which = random->Below(different);
        all.push_back(std::string(which % 40, 'a') + std::to_string(which % 7));
        if (which == 2) all.back().clear();
        bytes += all.back();
        ends.push_back(static_cast<uint32_t>(bytes.size()));
        if (random->Below(4) > 0) valid[i >> 3] = static_cast<uint8_t>(valid[i >> 3] | (1 << (i & 7)));
      }
      for (const bool some : {false, true}) {
        std::map<std::string, uint32_t> known;
        std::vector<uint32_t> expected(count);
        std::vector<uint32_t> expected_firsts;
        for (size_t i = 0; i < count; ++i) {
          if (some && ((valid[i >> 3] >> (i & 7)) & 1) == 0) continue;
          const auto [entry, is_new] = known.emplace(all[i], static_cast<uint32_t>(known.size()));
          if (is_new) expected_firsts.push_back(static_cast<uint32_t>(i));
          expected[i] = entry->second;
        }
        const Texts texts = {reinterpret_cast<const uint8_t*>(bytes.data()), ends.data(), count, 2,
                             some ? valid.data() : nullptr};
        std::vector<uint32_t> codes(count);
        std::vector<uint32_t> firsts;
        CHECK(CodeTexts(texts, bytes.size(), codes.data(), &firsts, known.size()) == known.size());
        CHECK(codes == expected && firsts == expected_firsts);
        if (known.empty()) continue;
        CHECK(CodeTexts(texts, bytes.size(), codes.data(), &firsts, known.size() - 1) == known.size());
        CHECK(firsts.size() == known.size() - 1);
      }
    }
  }
}

std::string TextOf(Random* random, size_t length) {
  static const char* const kWords[] = {"import ", "def ", "self.", "    ", "\xff\xfe", "x"};
  std::string text;
  while (text.size() < length) {
    if (random->Below(9) == 0)
      text += static_cast<char>(random->Below(256));
    else
      text += kWords[random->Below(6)];
  }
  text.resize(length);
  return text;
}

// Spelled out by the plainest loop.
void CheckSymbols(Random* random) {
  for (size_t count = 0; count < 3000; count = count * 3 + 1) {
    std::string bytes = "--";
    std::vector<uint32_t> ends;
    for (size_t i = 0; i < count; ++i) {
      bytes += TextOf(random, random->Below(i % 100 == 0 ? 2000 : 60));
      ends.push_back(static_cast<uint32_t>(bytes.size()));
    }
    // Exactly as long as they are, so that a read beyond is found out.
    const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
    const Texts texts = {exact.data(), ends.data(), count, 2, nullptr};
    const SymbolMatcher matcher = TrainSymbols(texts, 1 + static_cast<uint32_t>(random->Below(kMostRounds)));
    CHECK(matcher.count() <= kMostSymbols);
    std::vector<uint32_t> codes(exact.size() - 2);
    std::vector<uint32_t> counts(count);
    std::vector<uint32_t> ranks(matcher.count());
    const size_t used = SpellTexts(texts, matcher, codes.data(), counts.data(), ranks.data());
    CHECK(used <= codes.size());
    std::vector<uint32_t> symbols;
    for (uint32_t symbol = 0; symbol < matcher.count(); ++symbol) {
      if (ranks[symbol] == kNoRank) continue;
      CHECK(ranks[symbol] == symbols.size());
      symbols.push_back(symbol);
    }
    std::string spelled = "--";
    size_t at = 0;
    for (size_t text = 0; text < count; ++text) {
      for (const size_t end = at + counts[text]; at < end; ++at) {
        CHECK(codes[at] < symbols.size());
        const uint32_t symbol = symbols[codes[at]];
        spelled.append(reinterpret_cast<const char*>(matcher.bytes() + symbol * kMostSymbolBytes),
                       matcher.lengths()[symbol]);
      }
      CHECK(spelled.size() == ends[text]);
    }
    CHECK(at == used && spelled == bytes);
    CHECK(count < 100 || used < exact.size() / 2);
  }
}

void CheckDeflated(Random* random) {
  for (const unsigned log2 : {0u, 3u, 10u, 13u, 15u}) {
    for (const size_t history_bytes : {0, 5, 128, 4096}) {
      if ((size_t{1} << log2) + history_bytes > kMostDeflateWindow) continue;
      for (size_t count = 0; count < 40000; count = count * 5 + 1) {
        if (count > (size_t{2000} << log2)) break;
        const std::string text = TextOf(random, history_bytes + count);
        const std::vector<uint8_t> history(text.begin(), text.begin() + static_cast<ptrdiff_t>(history_bytes));
        const std::vector<uint8_t> bytes(text.begin() + static_cast<ptrdiff_t>(history_bytes), text.end());
        const size_t blocks = (count + (size_t{1} << log2) - 1) >> log2;
        std::vector<uint8_t> out(count);
        std::vector<uint32_t> sizes(blocks);
        const size_t written =
            DeflateBlocks({bytes.data(), count, log2, history.data(), history_bytes}, out.data(), sizes.data());
        size_t at = 0;
        for (size_t block = 0; block < blocks; ++block) {
          const size_t start = block << log2;
          const size_t length = std::min(count - start, size_t{1} << log2);
          const std::vector<uint8_t> piece(out.begin() + static_cast<ptrdiff_t>(at),
                                           out.begin() + static_cast<ptrdiff_t>(at + sizes[block]));
          at += sizes[block];
          const auto expected = bytes.begin() + static_cast<ptrdiff_t>(start);
          if (sizes[block] == length) {
            CHECK(std::equal(piece.begin(), piece.end(), expected));
            continue;
          }
          CHECK(sizes[block] < length);
          std::vector<uint8_t> room(history_bytes + length);
          std::copy(history.begin(), history.end(), room.begin());
          CHECK(Inflate(piece.data(), piece.size(), room.data() + history_bytes, length, history_bytes));
          CHECK(std::equal(room.begin() + static_cast<ptrdiff_t>(history_bytes), room.end(), expected));
        }
        CHECK(at == written);
        CHECK(count < 20000 || log2 < 13 || written < count / 2);
      }
    }
  }
}

void CheckBits(Random* random) {
  for (unsigned width = 1; width <= 32; ++width) {
    for (size_t count = 0; count < 70; ++count) {
      std::vector<uint32_t> values(count);
      for (uint32_t& value : values) value = static_cast<uint32_t>(random->Next());
      const auto less = static_cast<uint32_t>(random->Next());
      std::vector<uint32_t> words((count * width + 31) / 32 + 1, 77);
      PackBits(values.data(), count, width, less, words.data());
      CHECK(words.back() == 77);
      for (size_t bit = 0; bit < (words.size() - 1) * 32; ++bit) {
        const size_t i = bit / width;
        const uint32_t expected = i < count ? ((values[i] - less) >> (bit % width)) & 1 : 0;
        CHECK(((words[bit / 32] >> (bit % 32)) & 1) == expected);
      }
    }
  }
}

void CheckJoint(Random* random) {
  for (size_t count = 0; count < 20000; count = count * 3 + 1) {
    for (const uint64_t below : {1u, 3u, 100u}) {
      std::vector<uint32_t> first(count);
      std::vector<uint32_t> second(count);
      std::map<std::pair<uint32_t, uint32_t>, uint32_t> known;
      std::vector<uint32_t> expected(count);
      for (size_t i = 0; i < count; ++i) {
        first[i] = static_cast<uint32_t>(random->Below(below)) * 0x10000000u;
        second[i] = static_cast<uint32_t>(random->Below(below));
        expected[i] = known.emplace(std::pair(first[i], second[i]), known.size()).first->second;
      }
      std::vector<uint32_t> codes(count);
      CHECK(JoinCodes(first.data(), second.data(), count, known.size(), codes.data()) == known.size());
      CHECK(codes == expected);
      CHECK(JoinCodes(first.data(), second.data(), count, known.size(), nullptr) == known.size());
      if (!known.empty())
        CHECK(JoinCodes(first.data(), second.data(), count, known.size() - 1, nullptr) == known.size());
    }
  }
}

void CheckPrints(Random* random) {
  for (size_t count = 0; count < 40; ++count) {
    std::string bytes = "--";
    std::vector<uint32_t> ends;
    for (size_t i = 0; i < count; ++i) {
      bytes += TextOf(random, random->Below(3) == 0 ? 0 : random->Below(30));
      ends.push_back(static_cast<uint32_t>(bytes.size()));
    }
    const std::vector<uint8_t> exact(bytes.begin(), bytes.end());
    for (const unsigned bits : {1u, 4u, 8u}) {
      std::vector<uint32_t> prints(count);
      PrintTexts({exact.data(), ends.data(), count, 2, nullptr}, bits, prints.data());
      for (size_t i = 0; i < count; ++i) {
        const uint32_t from = i == 0 ? 2 : ends[i - 1];
        CHECK(prints[i] == TextHash(exact.data() + from, ends[i] - from) >> (32 - bits));
      }
    }
  }
}

void CheckBadEnds() {
  const std::string bytes(40, 'a');
  const auto* at = reinterpret_cast<const uint8_t*>(bytes.data());
  uint32_t codes[20];
  std::vector<uint32_t> firsts;
  std::vector<uint32_t> ends(20);
  for (uint32_t i = 0; i < 20; ++i) ends[i] = 2 + i;
  CHECK(CodeTexts({at, ends.data(), 20, 2, nullptr}, 21, codes, &firsts, 20) == 2);
  CHECK(CodeTexts({at, ends.data(), 20, 2, nullptr}, 20, codes, &firsts, 20) == kBadEnds);
  CHECK(CodeTexts({at, ends.data(), 20, 3, nullptr}, 40, codes, &firsts, 20) == kBadEnds);
  ends[17] = 5;
  CHECK(CodeTexts({at, ends.data(), 20, 2, nullptr}, 40, codes, &firsts, 20) == kBadEnds);
}

// All of them empty: there is no memory behind them.
void CheckEmptyTexts() {
  const uint32_t ends[] = {0, 0, 0};
  uint32_t codes[] = {9, 9, 9};
  std::vector<uint32_t> firsts;
  CHECK(CodeTexts({nullptr, ends, 3, 0, nullptr}, 0, codes, &firsts, 3) == 1);
  CHECK(codes[0] == 0 && codes[1] == 0 && codes[2] == 0 && firsts == std::vector<uint32_t>{0});
}

}  // namespace

int main() {
  CheckBadEnds();
  CheckEmptyTexts();
  Random random(4);
  CheckItems<int8_t>(&random);
  CheckItems<uint8_t>(&random);
  CheckItems<int16_t>(&random);
  CheckItems<uint16_t>(&random);
  CheckItems<int32_t>(&random);
  CheckItems<uint32_t>(&random);
  CheckNormalForm<double>({-9007199254740992.0, 0, 3 * 4294967296.0});
  CheckNormalForm<double>({-0.0, 25, 50, -100});
  CheckNormalForm<int64_t>({-(int64_t{1} << 53), 0});
  CheckNormalForm<int64_t>({5, 5 + (int64_t{1} << 40), 5 + (int64_t{3} << 40)});
  NormalForm form{};
  uint32_t normal[2];
  const double none[2] = {1, std::nan("")};
  CHECK(!NormalizeItems(none, 2, normal, &form));
  const uint64_t large[2] = {uint64_t{1} << 53, uint64_t{1} << 53};
  CHECK(!NormalizeItems(large, 2, normal, &form));
  const uint32_t few[2] = {3, 5};
  CHECK(NormalizeItems(few, 2, nullptr, &form) && form.least == 3 && form.most == 5 && form.divisor == 2);
  CheckNumbers(&random);
  CheckTexts(&random);
  CheckSymbols(&random);
  CheckDeflated(&random);
  CheckBits(&random);
  CheckJoint(&random);
  CheckPrints(&random);
}
