// Items of two bytes, the largest number, and items with their nulls in place, against the plainest loops, for every
// length up to some; memory behind the items stays as it was.
#include "decode/item_kernels.h"

#include <cstring>
#include <vector>

#include "tests/test_support.h"

namespace colkit {
namespace {

void CheckSpread(Random* random, size_t bytes, unsigned item_bytes) {
  // None, some, most, all rows.
  const uint64_t odds = random->Below(5);
  std::vector<uint8_t> validity(bytes);
  for (uint8_t& byte : validity) {
    for (unsigned bit = 0; bit < 8; ++bit)
      byte = static_cast<uint8_t>(byte | (random->Below(4) < odds ? 1u : 0u) << bit);
  }
  std::vector<uint8_t> items(8 * bytes * item_bytes + 32);
  for (uint8_t& byte : items) byte = static_cast<uint8_t>(random->Next());
  std::vector<uint8_t> expected(8 * bytes * item_bytes + 1);
  size_t count = 0;
  for (size_t row = 0; row < 8 * bytes; ++row) {
    if ((validity[row / 8] >> (row % 8) & 1) == 0) continue;
    std::memcpy(&expected[row * item_bytes], &items[count++ * item_bytes], item_bytes);
  }
  expected.back() = 0x5a;
  std::vector<uint8_t> out(expected.size(), 0x5a);
  CHECK(SpreadEights(items.data(), validity.data(), bytes, item_bytes, out.data()) == count);
  CHECK(out == expected);
}

}  // namespace
}  // namespace colkit

int main() {
  using namespace colkit;
  Random random(4);
  for (const unsigned item_bytes : {1u, 2u, 4u, 8u}) {
    for (size_t bytes = 0; bytes < 40; ++bytes) {
      for (int i = 0; i < 20; ++i) CheckSpread(&random, bytes, item_bytes);
    }
  }
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
