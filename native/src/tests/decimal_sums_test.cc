// Sums of decimals against integers of 128 bits, of every exponent and of magnitudes near and far.
#include "pages/folds/decimal_sums.h"

#include <cmath>
#include <vector>

#include "tests/test_support.h"

#if defined(__SIZEOF_INT128__)

namespace {

using namespace colkit;

// Sums of the largest values wrap around, on both sides alike.
using Units = unsigned __int128;

// A double in units of 2^-90: of those here every one is a whole number of them.
Units UnitsOf(double value) {
  int exponent;
  const double fraction = std::frexp(value, &exponent);
  auto mantissa = static_cast<__int128>(std::ldexp(fraction, 53));
  int shift = exponent - 53 + 90;
  for (; shift < 0; ++shift) {
    CHECK(mantissa % 2 == 0);
    mantissa /= 2;
  }
  return static_cast<Units>(mantissa) << shift;
}

}  // namespace

int main() {
  Random random(31);
  Arena arena;
  // What is asked for in vain makes it grow.
  while (arena.Take<uint8_t>(1 << 22) == nullptr) arena.Reset();
  size_t refused = 0;
  for (int run = 0; run < 3000; ++run) {
    const unsigned exponent = static_cast<unsigned>(random.Below(8));
    const auto count = static_cast<uint32_t>(1 + random.Below(run % 50 == 0 ? kMaxPageRows : 3000));
    const unsigned bits = static_cast<unsigned>(1 + random.Below(32));
    const auto group_count = static_cast<uint32_t>(1 + random.Below(run % 2 == 0 ? 3 : 200));
    const auto start = static_cast<uint32_t>(random.Below(count));
    std::vector<uint32_t> numbers(count);
    std::vector<uint32_t> groups(count);
    NodeValues values;
    values.kind = NodeValues::Kind::kDecimal;
    values.exponent = exponent;
    values.count = count;
    values.base = run % 3 == 0 ? 0 - random.Below(uint64_t{1} << bits) : random.Below(1000);
    values.step = run % 5 == 0 ? 0 - uint64_t{1} : 1 + random.Below(4);
    values.below = 1;
    std::vector<Units> expected(group_count, 0);
    std::vector<double> expected_counts(group_count, 0);
    Units all = 0;
    for (uint32_t i = 0; i < count; ++i) {
      numbers[i] = static_cast<uint32_t>(random.Below(uint64_t{1} << bits));
      groups[i] = static_cast<uint32_t>(random.Below(group_count));
      if (numbers[i] >= values.below) values.below = uint64_t{numbers[i]} + 1;
    }
    values.numbers = numbers.data();
    for (uint32_t i = start; i < count; ++i) {
      const auto whole = static_cast<int64_t>(values.base + values.step * numbers[i]);
      const Units value = UnitsOf(static_cast<double>(whole) / kPowersOfTen[exponent]);
      all += value;
      expected[groups[i - start]] += value;
      expected_counts[groups[i - start]] += 1;
    }
    arena.Reset();
    ExactPair sum = {0, 0};
    if (SumDecimals(values, start, count - start, &arena, &sum))
      CHECK(UnitsOf(sum.sum) + UnitsOf(sum.lost) == all);
    else
      ++refused;
    std::vector<ExactPair> sums(group_count);
    std::vector<double> counts(group_count);
    if (SumDecimalsByGroup(values, start, count - start, groups.data(), group_count, &arena, sums.data(),
                           counts.data())) {
      for (uint32_t group = 0; group < group_count; ++group)
        CHECK(UnitsOf(sums[group].sum) + UnitsOf(sums[group].lost) == expected[group]);
      CHECK(counts == expected_counts);
    } else {
      ++refused;
    }
  }
  // Amounts of money are what it is for.
  CHECK(refused < 1500);
  NodeValues far;
  far.kind = NodeValues::Kind::kDecimal;
  far.exponent = 22;
  far.base = uint64_t{1} << 52;
  far.step = 1;
  far.below = 2;
  const uint32_t number = 1;
  far.numbers = &number;
  ExactPair sum = {0, 0};
  double count = 0;
  CHECK(!SumDecimals(far, 0, 1, &arena, &sum));
  CHECK(!SumDecimalsByGroup(far, 0, 1, &number, 2, &arena, &sum, &count));
}

#else

int main() {}

#endif
