// See item_kernels.h.
#include "decode/item_kernels.h"

#include "platform/cpu.h"

namespace colkit {
namespace {

bool HasAvx2() {
  static const bool has = SupportedFamily() == KernelFamily::kAvx2 || SupportedFamily() == KernelFamily::kAvx512;
  return has;
}

}  // namespace

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
