// See spread_texts.h. Another thread may write to any of the arrays meanwhile: each number is read once, and what was
// checked is what is used.
#include "copy/spread_texts.h"

#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

// Bytes that are copied whatever the text's length: a copy of a length that is known costs less than a call.
constexpr size_t kShort = 32;

// Loaded before they are stored: a caller may give the same memory twice.
COLKIT_INLINE void CopyShort(const uint8_t* from, uint8_t* to) {
  uint8_t bytes[kShort];
  std::memcpy(bytes, from, kShort);
  std::memcpy(to, bytes, kShort);
}

}  // namespace

uint64_t SpreadTexts(const TextTable& texts, const uint32_t* codes, size_t count, uint8_t* out, size_t room,
                     uint32_t at, uint32_t* ends) {
  uint64_t end = at;
  for (size_t row = 0; row < count; ++row) {
    const uint32_t code = codes[row];
    if (code != kNoText) {
      if (code >= texts.count) return kBadTexts;
      const uint32_t from = code == 0 ? texts.start : texts.ends[code - 1];
      const uint32_t to = texts.ends[code];
      if (from > to || to > texts.byte_length) return kBadTexts;
      const size_t length = to - from;
      const size_t before = end;
      end += length;
      if (end <= room) {
        if (length <= kShort && texts.byte_length - from >= kShort && room - before >= kShort)
          CopyShort(texts.bytes + from, out + before);
        else
          std::memmove(out + before, texts.bytes + from, length);
      }
    }
    ends[row] = end < UINT32_MAX ? static_cast<uint32_t>(end) : UINT32_MAX;
  }
  return end;
}

}  // namespace colkit
