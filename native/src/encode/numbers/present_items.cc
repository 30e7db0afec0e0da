// See present_items.h.
#include "encode/numbers/present_items.h"

#include <cstring>

namespace colkit {
namespace {

template <typename T>
size_t Pack(const uint8_t* items, size_t count, const uint8_t* validity, uint8_t* to, size_t most) {
  size_t found = 0;
  for (size_t row = 0; row < count;) {
    const uint8_t bits = validity[row >> 3];
    const size_t end = row + 8 <= count ? row + 8 : count;
    if (bits == 0xff && end - row == 8 && most - found >= 8) {
      std::memmove(to + found * sizeof(T), items + row * sizeof(T), 8 * sizeof(T));
      found += 8;
      row = end;
      continue;
    }
    for (; row < end; ++row) {
      if (((bits >> (row & 7)) & 1) == 0) continue;
      if (found == most) return most + 1;
      std::memmove(to + found * sizeof(T), items + row * sizeof(T), sizeof(T));
      ++found;
    }
  }
  return found;
}

}  // namespace

size_t PackPresent(const uint8_t* items, size_t count, size_t width, const uint8_t* validity, uint8_t* to,
                   size_t most) {
  switch (width) {
    case 1:
      return Pack<uint8_t>(items, count, validity, to, most);
    case 2:
      return Pack<uint16_t>(items, count, validity, to, most);
    case 4:
      return Pack<uint32_t>(items, count, validity, to, most);
    default:
      return Pack<uint64_t>(items, count, validity, to, most);
  }
}

template <typename Code>
size_t MapPresent(const Code* codes, size_t count, const uint8_t* validity, const uint32_t* ranks, size_t rank_count,
                  uint32_t* to, size_t most) {
  size_t found = 0;
  for (size_t row = 0; row < count; ++row) {
    if (validity != nullptr && ((validity[row >> 3] >> (row & 7)) & 1) == 0) continue;
    if (found == most) return most + 1;
    const size_t code = codes == nullptr ? row : codes[row];
    if (code >= rank_count) return SIZE_MAX;
    to[found++] = ranks[code];
  }
  return found;
}

template size_t MapPresent(const uint16_t*, size_t, const uint8_t*, const uint32_t*, size_t, uint32_t*, size_t);
template size_t MapPresent(const uint32_t*, size_t, const uint8_t*, const uint32_t*, size_t, uint32_t*, size_t);

}  // namespace colkit
