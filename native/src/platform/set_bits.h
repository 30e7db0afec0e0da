// Where the set bits of a byte are: what brings the wanted ones of eight things to the front.
#ifndef COLKIT_NATIVE_SET_BITS_H_
#define COLKIT_NATIVE_SET_BITS_H_

#include <cstdint>

namespace colkit {

// For each byte the indices of its set bits in ascending order, one byte each; the rest is 0.
struct SetBitsTable {
  uint64_t indices[256];
};

constexpr SetBitsTable MakeSetBits() {
  SetBitsTable table = {};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned slot = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) table.indices[byte] |= static_cast<uint64_t>(bit) << (8 * slot++);
    }
  }
  return table;
}

inline constexpr SetBitsTable kSetBits = MakeSetBits();

}  // namespace colkit

#endif  // COLKIT_NATIVE_SET_BITS_H_
