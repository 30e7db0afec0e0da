// Packed numbers -> items of every width, against arithmetic of 64 bits whose lowest bits are kept: with the bases,
// steps and numbers whose products leave narrower types.
#include "decode/column_items.h"

#include <cstring>
#include <vector>

#include "tests/test_support.h"

int main() {
  using namespace colkit;
  const std::vector<uint32_t> numbers = {0,     1,     2,           32767,       32768,       46341,
                                         65535, 65536, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu};
  const uint64_t edges[] = {0,
                            1,
                            2,
                            255,
                            32767,
                            32768,
                            65535,
                            65536,
                            0x7fffffffu,
                            0x80000000u,
                            0xffffffffu,
                            uint64_t{1} << 53,
                            (uint64_t{1} << 53) + 1,
                            uint64_t{1} << 63,
                            ~uint64_t{0}};
  for (unsigned id = 0; id < 13; ++id) {
    ItemType type;
    CHECK(ItemTypeOf(id, &type));
    if (type.domain != Domain::kIntegers) continue;
    const uint64_t mask = type.is_bool ? 1 : type.bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * type.bytes)) - 1;
    for (const uint64_t base : edges) {
      for (const uint64_t step : edges) {
        NodeValues values;
        values.kind = NodeValues::Kind::kNarrow;
        values.count = static_cast<uint32_t>(numbers.size());
        values.base = base;
        values.step = step;
        values.below = uint64_t{1} << 32;
        values.numbers = numbers.data();
        std::vector<uint64_t> out(numbers.size());
        auto* bytes = reinterpret_cast<uint8_t*>(out.data());
        WriteItems(values, 0, numbers.size(), type, bytes);
        for (size_t i = 0; i < numbers.size(); ++i) {
          uint64_t item = 0;
          std::memcpy(&item, bytes + i * type.bytes, type.bytes);
          CHECK(item == ((base + step * numbers[i]) & mask));
        }
      }
    }
  }
}
