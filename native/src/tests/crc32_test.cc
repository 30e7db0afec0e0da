// CRC-32: the check value of the standard, and every length and alignment against a division bit by bit, in each way
// that this processor has.
#include "platform/crc32.h"

#include <vector>

#include "platform/cpu.h"
#include "tests/test_support.h"

namespace colkit {
namespace {

uint32_t BitByBit(const uint8_t* bytes, size_t count) {
  uint32_t remainder = ~0u;
  for (size_t i = 0; i < count; ++i) {
    remainder ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder & 1) != 0 ? remainder >> 1 ^ 0xEDB88320u : remainder >> 1;
  }
  return ~remainder;
}

}  // namespace
}  // namespace colkit

int main() {
  using namespace colkit;
  CHECK(Crc32(reinterpret_cast<const uint8_t*>("123456789"), 9) == 0xCBF43926u);
  std::vector<uint8_t> bytes(1500);
  Random random(3);
  for (auto& byte : bytes) byte = static_cast<uint8_t>(random.Next());
  for (size_t start = 0; start < 17; ++start) {
    for (size_t count = 0; start + count <= 700; ++count) {
      const uint32_t expected = BitByBit(bytes.data() + start, count);
      CHECK(Crc32(bytes.data() + start, count) == expected);
      for (const unsigned bits : {0u, 128u, 256u})
        CHECK(bits > CarrylessMultiplyBits() || Crc32By(bits, bytes.data() + start, count) == expected);
    }
  }
  CHECK(Crc32(bytes.data(), bytes.size()) == BitByBit(bytes.data(), bytes.size()));
}
