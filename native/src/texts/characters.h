// Characters of UTF-8.
#ifndef COLKIT_NATIVE_CHARACTERS_H_
#define COLKIT_NATIVE_CHARACTERS_H_

#include <cstdint>

namespace colkit {

// Bytes of the character at `at`; of what is none, those that a decoder replaces by one.
inline uint32_t CharacterLength(const uint8_t* at, const uint8_t* end) {
  const uint8_t first = *at;
  uint8_t least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  uint8_t most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  const uint32_t longest = first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  uint32_t length = 1;
  for (; length < longest && at + length < end && at[length] >= least && at[length] <= most; ++length) {
    least = 0x80;
    most = 0xbf;
  }
  return length;
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_CHARACTERS_H_
