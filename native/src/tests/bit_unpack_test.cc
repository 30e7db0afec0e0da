// Bit streams of every width and length against a reader bit by bit; digits of every group.
#include "decode/bit_unpack.h"

#include <vector>

#include "tests/test_support.h"

namespace colkit {
namespace {

uint32_t BitsAt(const std::vector<uint8_t>& bytes, size_t bit, unsigned width) {
  uint32_t value = 0;
  for (unsigned i = 0; i < width; ++i) value |= static_cast<uint32_t>(bytes[(bit + i) / 8] >> ((bit + i) % 8) & 1) << i;
  return value;
}

std::vector<uint8_t> RandomBytes(size_t count, uint64_t seed) {
  std::vector<uint8_t> bytes(count + 8);
  Random random(seed);
  for (auto& byte : bytes) byte = static_cast<uint8_t>(random.Next());
  return bytes;
}

void TestBits() {
  for (unsigned width = 0; width <= 32; ++width) {
    for (size_t count = 0; count < 140; ++count) {
      const auto bytes = RandomBytes(StreamBytes(count, width), width * 1000 + count);
      for (const auto unpack : {UnpackBits, UnpackBitsPortably}) {
        std::vector<uint32_t> out(count + 1, 77);
        unpack(bytes.data(), width, count, 0xfffffff0u, out.data());
        for (size_t i = 0; i < count; ++i) CHECK(out[i] == BitsAt(bytes, i * width, width) + 0xfffffff0u);
        CHECK(out[count] == 77);
      }
    }
  }
}

void TestDigits() {
  Random random(5);
  std::vector<size_t> counts = {958, 959, 960, 961, 1919, 1920, 2881, 5000};
  for (size_t count = 1; count < 60; ++count) counts.push_back(count);
  for (const size_t count : counts) {
    std::vector<uint8_t> threes(ThreesBytes(count) + 8);
    std::vector<uint8_t> fives(FivesBytes(count) + 8);
    std::vector<uint32_t> expected(count, 9);
    for (size_t i = 0; i < count; ++i) {
      const uint32_t three = static_cast<uint32_t>(random.Below(3));
      const uint32_t five = static_cast<uint32_t>(random.Below(5));
      constexpr unsigned of_three[] = {1, 3, 9, 27, 81};
      constexpr unsigned of_five[] = {1, 5, 25};
      threes[i / 5] = static_cast<uint8_t>(threes[i / 5] + three * of_three[i % 5]);
      const unsigned group = five * of_five[i % 3] + BitsAt(fives, i / 3 * 7, 7);
      for (unsigned bit = 0; bit < 7; ++bit) {
        const size_t at = i / 3 * 7 + bit;
        fives[at / 8] = static_cast<uint8_t>((fives[at / 8] & ~(1u << (at % 8))) | (group >> bit & 1) << (at % 8));
      }
      expected[i] += 4 * three + 12 * five;
    }
    std::vector<uint32_t> out(count, 9);
    CHECK(AddThrees(threes.data(), count, 4, out.data()));
    CHECK(AddFives(fives.data(), count, 12, out.data()));
    CHECK(out == expected);
    threes[(count - 1) / 5] = 243;
    CHECK(!AddThrees(threes.data(), count, 4, out.data()));
    const size_t at = (count - 1) / 3 * 7;
    for (size_t bit = at; bit < at + 7; ++bit)
      fives[bit / 8] =
          static_cast<uint8_t>((fives[bit / 8] & ~(1u << (bit % 8))) | (125u >> (bit - at) & 1) << (bit % 8));
    CHECK(!AddFives(fives.data(), count, 12, out.data()));
  }
}

}  // namespace
}  // namespace colkit

int main() {
  colkit::TestBits();
  colkit::TestDigits();
}
