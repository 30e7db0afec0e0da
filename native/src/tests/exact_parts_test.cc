// Sums of doubles in three parts against a sum of fixed point that has room for all of them: of every exponent, of
// magnitudes near and far, once each and many times.
#include "pages/folds/exact_parts.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "raw/exact_sum.h"
#include "tests/test_support.h"

namespace {

using namespace colkit;

uint64_t WordOf(double value) {
  uint64_t word;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

bool AreEqual(ExactSum a, ExactSum b) {
  Normalize(&a);
  Normalize(&b);
  return std::memcmp(a.limbs, b.limbs, sizeof a.limbs) == 0;
}

}  // namespace

int main() {
  Random random(41);
  size_t summed = 0;
  constexpr int kRuns = 3000;
  for (int run = 0; run < kRuns; ++run) {
    const auto count = static_cast<uint32_t>(1 + random.Below(run % 100 == 0 ? 65536 : 500));
    // Up to 150 bits between the largest and the smallest, from the smallest doubles to the largest.
    const int spread = static_cast<int>(random.Below(100));
    const int top = static_cast<int>(random.Below(2098)) - 1074;
    const bool weighted = run % 3 == 0;
    std::vector<uint64_t> words(count);
    std::vector<uint32_t> times(count, 1);
    ExactSum expected = {};
    uint32_t left = 65536 - count;
    for (uint32_t i = 0; i < count; ++i) {
      const double fraction = static_cast<double>(random.Next() >> 11) * (random.Below(2) == 0 ? 1 : -1);
      const double value = std::ldexp(fraction, top - 53 - static_cast<int>(random.Below(spread + 1)));
      words[i] = WordOf(value);
      if (weighted) {
        times[i] = static_cast<uint32_t>(random.Below(left / 8 + 1));
        left -= times[i];
      }
      for (uint32_t time = 0; time < times[i]; ++time) AddExactly(&expected, value);
    }
    ExactParts sum;
    if (!SumInParts(words.data(), weighted ? times.data() : nullptr, count, &sum)) continue;
    ++summed;
    ExactSum found = {};
    for (const double part : sum.parts) AddExactly(&found, part);
    CHECK(AreEqual(found, expected));
  }
  CHECK(summed > kRuns / 2);
  ExactParts sum;
  const uint64_t zeros[] = {0, WordOf(-0.0), 0};
  CHECK(SumInParts(zeros, nullptr, 3, &sum) && sum.parts[0] == 0 && sum.parts[1] == 0 && sum.parts[2] == 0);
  CHECK(SumInParts(zeros, nullptr, 0, &sum) && sum.parts[0] == 0);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double special : {kInfinity, -kInfinity, std::nan("")}) {
    const uint64_t words[] = {WordOf(1), WordOf(2), WordOf(3), WordOf(4), WordOf(5), WordOf(special)};
    for (uint32_t first = 0; first < 6; ++first) CHECK(!SumInParts(words + first, nullptr, 6 - first, &sum));
  }
  const uint64_t far[] = {WordOf(1), WordOf(std::ldexp(1.0, -200))};
  CHECK(!SumInParts(far, nullptr, 2, &sum));
}
