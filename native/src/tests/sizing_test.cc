// What is asked while encodings are sized, against the plainest loops: pairs in a table and pairs that are hashed,
// distinct numbers of small ranges and of large ones, decimals, codes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "encode/joint_codes.h"
#include "encode/numbers/block_layouts.h"
#include "encode/numbers/decimal_split.h"
#include "encode/numbers/distinct_numbers.h"
#include "encode/numbers/entropy_bins.h"
#include "encode/numbers/outlier_range.h"
#include "encode/numbers/present_items.h"
#include "tests/test_support.h"

namespace {

using namespace colkit;

void CheckSizing(Random* random) {
  for (size_t count = 1; count < 3000; count = count * 2 + 1) {
    for (const uint64_t below : {uint64_t{3}, uint64_t{1000}, uint64_t{1} << 20, uint64_t{1} << 32}) {
      std::vector<uint32_t> values(count);
      for (uint32_t& value : values) value = static_cast<uint32_t>(random->Below(below));
      std::vector<uint32_t> expected(values);
      std::sort(expected.begin(), expected.end());
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
      std::vector<uint32_t> entries(expected.size());
      std::vector<uint32_t> codes(count);
      CHECK(DistinctNumbers(values.data(), count, entries.size(), entries.data(), codes.data()) == entries.size());
      CHECK(entries == expected);
      for (size_t i = 0; i < count; ++i) CHECK(entries[codes[i]] == values[i]);
      CHECK(DistinctNumbers(values.data(), count, entries.size() - 1, entries.data(), codes.data()) == entries.size());

      std::map<std::pair<uint32_t, uint32_t>, uint32_t> pairs;
      std::vector<uint32_t> second(count);
      for (uint32_t& value : second) value = static_cast<uint32_t>(random->Below(5));
      for (size_t i = 0; i < count; ++i) pairs.emplace(std::make_pair(values[i], second[i]), pairs.size());
      CHECK(JoinCodes(values.data(), second.data(), count, count, codes.data()) == pairs.size());
      for (size_t i = 0; i < count; ++i) CHECK(codes[i] == pairs[std::make_pair(values[i], second[i])]);
      CHECK(JoinCodes(values.data(), second.data(), count, pairs.size() - 1, nullptr) == pairs.size());
    }
    std::vector<double> floats(count);
    for (double& value : floats) {
      value = static_cast<double>(random->Below(1u << 20)) / 100;
      if (random->Below(9) == 0) value = random->Below(2) == 0 ? -value : std::sqrt(value) * 1e14;
    }
    std::vector<double> integers(count);
    std::vector<uint32_t> exceptions(count);
    const size_t found = SplitDecimals(floats.data(), count, 100.0, integers.data(), exceptions.data(), count);
    size_t at = 0;
    for (size_t i = 0; i < count; ++i) {
      const double product = floats[i] * 100;
      const double integer = std::floor(product) + (product - std::floor(product) >= 0.5 ? 1 : 0);
      const bool given = integer / 100 == floats[i] && std::fabs(integer) <= 9007199254740992.0 &&
                         !(floats[i] == 0 && std::signbit(floats[i]));
      if (given) CHECK(integers[i] == integer);
      else CHECK(exceptions[at++] == i && integers[i] == (i == 0 ? 0 : integers[i - 1]));
    }
    CHECK(at == found);
    const FloatRange range = RangeOfFloats(floats.data(), count);
    CHECK(range.least == *std::min_element(floats.begin(), floats.end()));
    CHECK(range.most == *std::max_element(floats.begin(), floats.end()) && range.nans == 0);
  }
}

void CheckCodes() {
  const uint32_t codes[] = {5, 6};
  const uint8_t validity[] = {0b1010};
  uint32_t rows[4];
  CHECK(SpreadCodes(codes, 2, validity, 9, rows, 4));
  CHECK(rows[0] == 9 && rows[1] == 5 && rows[2] == 9 && rows[3] == 6);
  CHECK(!SpreadCodes(codes, 1, validity, 9, rows, 4) && !SpreadCodes(codes, 2, validity, 9, rows, 3));
  uint32_t to[2];
  const uint32_t small[] = {1, 0};
  CHECK(ScatterCodes(small, codes, 2, to, 2) && to[0] == 6 && to[1] == 5 && !ScatterCodes(small, codes, 2, to, 1));
  CHECK(MapCodes(small, 2, codes, 2, to) && to[0] == 6 && to[1] == 5 && !MapCodes(small, 2, codes, 1, to));
}

// Bins hold all numbers, and what is coded comes back by the definition of the format.
void CheckBins(Random* random) {
  std::vector<double> logs(1 << 15);
  for (size_t i = 0; i < logs.size(); ++i) logs[i] = std::log2(static_cast<double>(i));
  for (const unsigned shift : {0u, 3u, 12u}) {
    std::vector<uint32_t> values(20000);
    for (uint32_t& value : values)
      value = static_cast<uint32_t>(random->Below(random->Below(3) == 0 ? 200u << shift : 5u << shift));
    std::vector<uint32_t> counts(200);
    for (const uint32_t value : values) ++counts[value >> shift];
    const Buckets buckets = {counts.data(), counts.size(), shift};
    const size_t most = 64;
    std::vector<uint32_t> lows(2 * most + 2), widths(lows), weights(lows);
    double bits = 0;
    const size_t bins = JoinBuckets(buckets, most, {logs.data(), logs.size()},
                                    {lows.data(), widths.data(), weights.data(), lows.size()}, &bits);
    CHECK(bins > 1 && bins < lows.size());
    CHECK(bits + 200 > EntropyBits(buckets, {logs.data(), logs.size()}));
    const BinArrays none = {lows.data(), widths.data(), weights.data(), 0};
    CHECK(JoinBuckets(buckets, most, {logs.data(), logs.size()}, none, &bits) == 0);
    CHECK(JoinBuckets(buckets, most, {logs.data(), 20000}, none, &bits) == 0);
    CHECK(EntropyBits(buckets, {logs.data(), 20000}) < 0);

    std::vector<uint32_t> frequencies(bins, 1);
    frequencies[0] = kEntropyOne - static_cast<uint32_t>(bins - 1);
    std::vector<uint16_t> stream(values.size());
    uint32_t states[kEntropyLanes];
    const CodedBins coded = {lows.data(), bins, shift};
    const size_t words = CodeBins(values.data(), values.size(), coded, frequencies.data(), stream.data(), states);
    CHECK(words <= stream.size());
    std::vector<uint32_t> offsets(values.size());
    CHECK(PackBinOffsets(values.data(), values.size(), coded, widths.data(), offsets.data(), offsets.size()));
    size_t next = 0;
    size_t bit = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      uint32_t& state = states[i % kEntropyLanes];
      uint32_t slot = state % kEntropyOne;
      size_t bin = 0;
      for (; slot >= frequencies[bin]; ++bin) slot -= frequencies[bin];
      state = (state >> 12) * frequencies[bin] + slot;
      if (state < 65536) state = state << 16 | stream[next++];
      uint32_t offset = 0;
      for (uint32_t k = 0; k < widths[bin]; ++k, ++bit) offset |= (offsets[bit / 32] >> (bit % 32) & 1) << k;
      CHECK(lows[bin] + offset == values[i]);
    }
    CHECK(next == words);
    for (const uint32_t state : states) CHECK(state == 65536);
    frequencies[0] -= 1;
    CHECK(CodeBins(values.data(), values.size(), coded, frequencies.data(), stream.data(), states) == SIZE_MAX);
  }
}

void CheckPresent() {
  uint32_t items[20];
  uint32_t expected[20];
  const uint8_t validity[] = {0xff, 0x5a, 0x09};
  size_t count = 0;
  for (uint32_t row = 0; row < 20; ++row) {
    items[row] = row * 3;
    if ((validity[row >> 3] >> (row & 7) & 1) != 0) expected[count++] = row * 3;
  }
  uint32_t to[20];
  const auto* const bytes = reinterpret_cast<const uint8_t*>(items);
  CHECK(PackPresent(bytes, 20, 4, validity, reinterpret_cast<uint8_t*>(to), count) == count);
  CHECK(std::equal(to, to + count, expected));
  CHECK(PackPresent(bytes, 20, 4, validity, reinterpret_cast<uint8_t*>(to), count - 1) == count);
  CHECK(PackPresent(bytes, 20, 4, validity, reinterpret_cast<uint8_t*>(to), 7) == 8);
  std::fill(to, to + 20, 0);
  CHECK(MapPresent<uint32_t>(nullptr, 20, validity, items, 20, to, 20) == count);
  CHECK(std::equal(to, to + count, expected));
  const uint16_t codes[] = {2, 1, 20};
  CHECK(MapPresent(codes, 2, nullptr, items, 20, to, 20) == 2 && to[0] == 6 && to[1] == 3);
  CHECK(MapPresent(codes, 3, nullptr, items, 20, to, 20) == SIZE_MAX);
  CHECK(MapPresent(codes, 2, nullptr, items, 20, to, 1) == 2);
}

// Blocks come back by the definition of the format, and no layout is smaller than the one that is found.
void CheckBlocks(Random* random) {
  std::vector<BlockPlan> plans;
  for (uint32_t bits = 0; bits <= 32; ++bits) plans.push_back({std::ldexp(1.0, static_cast<int>(bits)), bits, 0, 0});
  for (const size_t count : {size_t{1}, size_t{300}, size_t{5000}}) {
    std::vector<uint32_t> values(count);
    uint64_t below = 1;
    for (size_t i = 0; i < count; ++i) {
      if (i % 256 == 0) below = uint64_t{1} << random->Below(32);
      values[i] = static_cast<uint32_t>(random->Below(below));
    }
    const size_t blocks = ((count - 1) >> 8) + 1;
    std::vector<uint32_t> least(blocks), most(blocks);
    BlockLayout whole;
    BlockLayout fractional;
    BestLayouts({values.data(), count, 8, 16, plans.data(), plans.size(), 24}, least.data(), most.data(), &whole,
                &fractional);
    // Digits that there are none of take what whole bits do.
    CHECK(whole.byte_length == fractional.byte_length && whole.log2 == fractional.log2);
    // One plan for blocks of 256 is one of the layouts.
    uint32_t widest = 0;
    for (size_t block = 0; block < blocks; ++block) widest = std::max(widest, most[block] - least[block]);
    uint64_t width = 0;
    while (uint64_t{widest} >> width != 0) ++width;
    CHECK(whole.byte_length <= 24 + 4 + 4 * (blocks + blocks * 8 * width));
    for (size_t i = 0; i < count; ++i) CHECK(least[i >> 8] <= values[i] && values[i] <= most[i >> 8]);
  }
  const uint32_t numbers[] = {7, 100, 9, 31, 8, 7};
  const uint32_t references[] = {7, 8};
  // Two low bits and digits of base 3, 3, 5: up to 4 * 45 numbers; then one bit, and one of base 5.
  const uint32_t codes[] = {2u | 2u << 8 | 1u << 12, 5};
  uint32_t words[8] = {};
  CHECK(PackBlocks(numbers, 6, 2, references, codes, words, 8) == 5);
  CHECK(PackBlocks(numbers, 6, 2, references, codes, words, 4) == 5);
  uint32_t packed[8] = {};
  CHECK(PackBlocks(numbers, 6, 2, references, codes, packed, 8) == 5);
  const uint32_t bits[] = {0, 93, 2, 24};
  for (size_t i = 0; i < 4; ++i) {
    const uint32_t low = packed[0] >> (2 * i) & 3;
    const uint32_t power = i == 0 ? 1 : i == 1 ? 3 : i == 2 ? 9 : 27;
    const uint32_t three = (packed[1] & 255) / power % 3;
    const uint32_t nine = (packed[2] & 255) / power % 3;
    const uint32_t group = i < 3 ? packed[3] & 127 : packed[3] >> 7 & 127;
    const uint32_t five = group / (i % 3 == 0 ? 1 : i == 1 ? 5 : 25) % 5;
    CHECK(low + 4 * (three + 3 * (nine + 3 * five)) == bits[i]);
  }
  // 0, and what is less than its reference modulo 2^5.
  CHECK(packed[4] == 31u << 5);
}

void CheckOutliers() {
  std::vector<double> logs(513);
  for (size_t i = 0; i < logs.size(); ++i) logs[i] = std::log2(static_cast<double>(i));
  std::vector<uint32_t> values(4000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<uint32_t>(i % 200 == 0 ? 60000 : 1000 + i % 50);
  uint32_t from = 0;
  uint32_t to = 0;
  const OutlierSearch search = {values.data(), values.size(), 7, 9, 16, logs.data()};
  CHECK(CheapestRange(search, &from, &to) == OutlierAnswer::kFound && from == 7 && to == 9);
  for (uint32_t& value : values) value = static_cast<uint32_t>((&value - values.data()) * 16);
  CHECK(CheapestRange(search, &from, &to) == OutlierAnswer::kNone);
  values[5] = 1u << 16;
  CHECK(CheapestRange(search, &from, &to) == OutlierAnswer::kBeyond);
}

}  // namespace

int main() {
  Random random(5);
  CheckSizing(&random);
  CheckCodes();
  CheckBins(&random);
  CheckPresent();
  CheckBlocks(&random);
  CheckOutliers();
  std::puts("sizing: ok");
  return 0;
}
