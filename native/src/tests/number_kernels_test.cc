// Ranges and sums against the plainest loops, for every length up to some and codes up to the most.
#include "pages/number_kernels.h"

#include <vector>

#include "tests/test_support.h"

int main() {
  using namespace colkit;
  Random random(9);
  for (size_t count = 0; count < 200; ++count) {
    const size_t code_count = 1 + random.Below(count % 2 == 0 ? 5 : kMostSumCodes);
    std::vector<uint32_t> numbers(count);
    std::vector<uint32_t> codes(count);
    std::vector<double> expected_sums(code_count, 1);
    std::vector<double> expected_counts(code_count, 2);
    for (size_t i = 0; i < count; ++i) {
      numbers[i] = static_cast<uint32_t>(random.Below(3) == 0 ? 0xffffffffu - random.Below(9) : random.Below(100));
      codes[i] = static_cast<uint32_t>(random.Below(code_count));
      expected_sums[codes[i]] += numbers[i];
      expected_counts[codes[i]] += 1;
    }
    std::vector<uint64_t> lanes(kSumLanes * code_count, 5);
    std::vector<double> sums(code_count, 1);
    std::vector<double> counts(code_count, 2);
    CHECK(SumByCode(numbers.data(), codes.data(), count, code_count, lanes.data(), sums.data(), counts.data()));
    CHECK(sums == expected_sums && counts == expected_counts);
    for (const uint32_t first : {0u, 1u, 50u, 0xfffffffau}) {
      for (const uint32_t above : {0u, 30u, 0xffffffffu}) {
        std::vector<uint32_t> indices(count + 1, 77);
        const size_t found = SelectWithin(numbers.data(), count, first, above, indices.data());
        size_t at = 0;
        for (size_t i = 0; i < count; ++i) {
          if (static_cast<uint32_t>(numbers[i] - first) <= above) CHECK(indices[at++] == i);
        }
        CHECK(at == found && indices[count] == 77);
      }
    }
    if (count == 0) continue;
    codes[random.Below(count)] = static_cast<uint32_t>(code_count);
    CHECK(!SumByCode(numbers.data(), codes.data(), count, code_count, lanes.data(), sums.data(), counts.data()));
  }
  std::vector<uint32_t> most(kMaxPageRows, 0xffffffffu);
  std::vector<uint32_t> zeros(kMaxPageRows, 0);
  double sum = 0;
  double all = 0;
  uint64_t lanes[kSumLanes];
  CHECK(SumByCode(most.data(), zeros.data(), most.size(), 1, lanes, &sum, &all));
  CHECK(sum == 4294967295.0 * kMaxPageRows && all == kMaxPageRows);
}
