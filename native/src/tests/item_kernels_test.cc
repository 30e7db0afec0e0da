// Items of two bytes and the largest number against the plainest loops, for every length up to some; memory behind the
// items stays as it was.
#include "decode/item_kernels.h"

#include <vector>

#include "tests/test_support.h"

int main() {
  using namespace colkit;
  Random random(4);
  for (size_t count = 0; count < 150; ++count) {
    std::vector<uint32_t> numbers(count);
    uint32_t largest = 0;
    for (uint32_t& number : numbers) {
      number = static_cast<uint32_t>(random.Below(2) == 0 ? 0xffffffffu - random.Below(70000) : random.Below(70000));
      if (number > largest) largest = number;
    }
    CHECK(LargestOf(numbers.data(), count) == largest);
    for (const uint32_t base : {0u, 7u, 0xffffu, 0x80000000u, 0xfffffff0u}) {
      for (const uint32_t step : {1u, 3u, 0xffffffffu}) {
        std::vector<uint16_t> out(count + 1, 0x1234);
        WriteShorts(numbers.data(), count, base, step, out.data());
        for (size_t i = 0; i < count; ++i) CHECK(out[i] == static_cast<uint16_t>(base + step * numbers[i]));
        CHECK(out[count] == 0x1234);
      }
    }
  }
}
