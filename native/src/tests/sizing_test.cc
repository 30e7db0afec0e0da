// What is asked while encodings are sized, against the plainest loops: pairs in a table and pairs that are hashed,
// distinct numbers of small ranges and of large ones, decimals, codes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "encode/joint_codes.h"
#include "encode/numbers/decimal_split.h"
#include "encode/numbers/distinct_numbers.h"
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

}  // namespace

int main() {
  Random random(5);
  CheckSizing(&random);
  CheckCodes();
  std::puts("sizing: ok");
  return 0;
}
