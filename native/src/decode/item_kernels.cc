// See item_kernels.h.
#include "decode/item_kernels.h"

#include <cstring>

#include "platform/cpu.h"

namespace colkit {
namespace {

template <typename T>
size_t SpreadEach(const uint8_t* bytes, const uint8_t* validity, size_t byte_count, uint8_t* out) {
  const uint8_t* from = bytes;
  for (size_t byte = 0; byte < byte_count; ++byte) {
    const unsigned bits = validity[byte];
    // Which row is null cannot be predicted, so it is arithmetic and not a branch.
    for (unsigned bit = 0; bit < 8; ++bit, out += sizeof(T)) {
      const unsigned present = bits >> bit & 1;
      T item;
      std::memcpy(&item, from, sizeof item);
      item = static_cast<T>(item & (T{0} - static_cast<T>(present)));
      std::memcpy(out, &item, sizeof item);
      from += present * sizeof item;
    }
  }
  return static_cast<size_t>(from - bytes) / sizeof(T);
}

}  // namespace

size_t SpreadEights(const uint8_t* items, const uint8_t* validity, size_t bytes, unsigned item_bytes, uint8_t* out) {
  if (HasAvx2()) return SpreadEightsAvx2(items, validity, bytes, item_bytes, out);
  switch (item_bytes) {
    case 1:
      return SpreadEach<uint8_t>(items, validity, bytes, out);
    case 2:
      return SpreadEach<uint16_t>(items, validity, bytes, out);
    case 4:
      return SpreadEach<uint32_t>(items, validity, bytes, out);
    default:
      return SpreadEach<uint64_t>(items, validity, bytes, out);
  }
}

void WriteShorts(const uint32_t* numbers, size_t count, uint32_t base, uint32_t step, uint16_t* out) {
  size_t i = HasAvx2() ? WriteShortsAvx2(numbers, count, base, step, out) : 0;
  for (; i < count; ++i) out[i] = static_cast<uint16_t>(base + step * numbers[i]);
}

uint32_t LargestOf(const uint32_t* numbers, size_t count) {
  uint32_t largest = 0;
  size_t i = HasAvx2() ? LargestOfAvx2(numbers, count, &largest) : 0;
  for (; i < count; ++i) largest = numbers[i] > largest ? numbers[i] : largest;
  return largest;
}

}  // namespace colkit
