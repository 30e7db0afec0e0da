// See spread_texts.h. Another thread may write to any of the arrays meanwhile: each number is read once, and what was
// checked is what is used.
#include "copy/spread_texts.h"

#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

// Bytes that are copied whatever the text's length: a copy of a length that is known costs less than a call.
constexpr size_t kShort = 32;
constexpr size_t kLong = 64;

// Texts of at most so many bytes are laid out with as many each, as long as they are few: a row is then one load and
// one store, whatever its text.
constexpr size_t kSlot = 16;
constexpr size_t kMostSlots = 512;
// Fewer rows than so many for each text are not worth it.
constexpr size_t kRowsPerSlot = 4;

// Loaded before they are stored: a caller may give the same memory twice.
template <size_t kBytes>
COLKIT_INLINE void CopyBytes(const uint8_t* from, uint8_t* to) {
  uint8_t bytes[kBytes];
  std::memcpy(bytes, from, kBytes);
  std::memcpy(to, bytes, kBytes);
}

struct Slots {
  uint8_t bytes[kMostSlots * kSlot];
  uint32_t lengths[kMostSlots];
};

// False where a text is longer than a slot, or does not lie in the bytes.
bool FillSlots(const TextTable& texts, Slots* slots) {
  uint32_t from = texts.start;
  for (size_t i = 0; i < texts.count; ++i) {
    const uint32_t to = texts.ends[i];
    if (from > to || to > texts.byte_length || to - from > kSlot) return false;
    std::memcpy(slots->bytes + i * kSlot, texts.bytes + from, to - from);
    slots->lengths[i] = to - from;
    from = to;
  }
  return true;
}

// SpreadTexts of texts in slots, from a row on, as long as a whole slot has room; gives the row that it came to.
size_t SpreadSlots(const Slots& slots, size_t text_count, const uint32_t* codes, size_t count, uint8_t* out,
                   size_t room, uint64_t* at, uint32_t* ends) {
  uint64_t end = *at;
  const uint64_t last = room < UINT32_MAX ? room : UINT32_MAX;
  size_t row = 0;
  for (; row < count && end + kSlot <= last; ++row) {
    const uint32_t code = codes[row];
    if (code < text_count) {
      CopyBytes<kSlot>(slots.bytes + code * kSlot, out + end);
      end += slots.lengths[code];
    } else if (code != kNoText) {
      break;
    }
    ends[row] = static_cast<uint32_t>(end);
  }
  *at = end;
  return row;
}

}  // namespace

uint64_t SpreadTexts(const TextTable& texts, const uint32_t* codes, size_t count, uint8_t* out, size_t room,
                     uint32_t at, uint32_t* ends) {
  uint64_t end = at;
  size_t row = 0;
  if (texts.count <= kMostSlots && texts.count * kRowsPerSlot <= count) {
    Slots slots;
    if (FillSlots(texts, &slots)) row = SpreadSlots(slots, texts.count, codes, count, out, room, &end, ends);
  }
  for (; row < count; ++row) {
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
          CopyBytes<kShort>(texts.bytes + from, out + before);
        else if (length <= kLong && texts.byte_length - from >= kLong && room - before >= kLong)
          CopyBytes<kLong>(texts.bytes + from, out + before);
        else if (length > 0)  // where there is none, there may be no memory either
          std::memmove(out + before, texts.bytes + from, length);
      }
    }
    ends[row] = end < UINT32_MAX ? static_cast<uint32_t>(end) : UINT32_MAX;
  }
  return end;
}

}  // namespace colkit
