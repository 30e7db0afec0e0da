// See bit_pack_writer.h.
#include "encode/bit_pack_writer.h"

namespace colkit {

void PackBits(const uint32_t* values, size_t count, unsigned width, uint32_t less, uint32_t* words) {
  const uint32_t mask = UINT32_MAX >> (32 - width);
  uint64_t pending = 0;
  unsigned filled = 0;
  for (size_t i = 0; i < count; ++i) {
    pending |= uint64_t{(values[i] - less) & mask} << filled;
    filled += width;
    if (filled >= 32) {
      *words++ = static_cast<uint32_t>(pending);
      pending >>= 32;
      filled -= 32;
    }
  }
  if (filled > 0) *words = static_cast<uint32_t>(pending);
}

}  // namespace colkit
