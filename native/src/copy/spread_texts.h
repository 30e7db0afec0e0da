// Texts by code -> the bytes of each row, one behind the other.
#ifndef COLKIT_NATIVE_SPREAD_TEXTS_H_
#define COLKIT_NATIVE_SPREAD_TEXTS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// Text i is bytes [ends[i - 1], ends[i]), the first one from `start` on.
struct TextTable {
  const uint8_t* bytes;
  size_t byte_length;
  uint32_t start;
  const uint32_t* ends;
  size_t count;
};

// A row of this code has no bytes.
constexpr uint32_t kNoText = UINT32_MAX;

// Writes where each row ends, the first one beginning at `at`, and their bytes to `out`, as long as all of them have
// room there; bytes behind the last row are written over. Gives where the last row ends, also where that is beyond
// `room`, or beyond what 32 bits tell; kBadTexts for a code without a text, and for ends that fall or lie outside.
constexpr uint64_t kBadTexts = UINT64_MAX;
uint64_t SpreadTexts(const TextTable& texts, const uint32_t* codes, size_t count, uint8_t* out, size_t room,
                     uint32_t at, uint32_t* ends);

}  // namespace colkit

#endif  // COLKIT_NATIVE_SPREAD_TEXTS_H_
