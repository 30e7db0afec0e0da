// See spread_texts.h. Another thread may write to any of the arrays meanwhile: each number is read once, and what was
// checked is what is used.
#include "copy/spread_texts.h"

#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

// Bytes that are copied whatever the text's length: a copy of a length that is known costs less than a call.
constexpr size_t kTiny = 16;
constexpr size_t kShort = 32;
constexpr size_t kLong = 64;

// So many texts, which have so many bytes together, are copied to where bytes behind the last one can be read, too: a
// row is then a load and a store of so many bytes as the longest text has, and no branch depends on its text.
constexpr size_t kMostFew = 2048;
constexpr size_t kMostFewBytes = 16384;
// Fewer rows than so many for each text are not worth it.
constexpr size_t kRowsPerText = 4;

// Loaded before they are stored: a caller may give the same memory twice.
template <size_t kBytes>
COLKIT_INLINE void CopyBytes(const uint8_t* from, uint8_t* to) {
  uint8_t bytes[kBytes];
  std::memcpy(bytes, from, kBytes);
  std::memcpy(to, bytes, kBytes);
}

// Text i at i + 1: the code of a row without one is kNoText, and kNoText + 1 is 0.
struct FewTexts {
  struct {
    uint32_t from;
    uint32_t length;
  } texts[kMostFew + 1];
  uint8_t bytes[kMostFewBytes + kLong];
  uint32_t lengths;  // all of them, or-ed
};

// False where they are too many bytes, one is longer than kLong, or does not lie in the bytes.
bool CopyFew(const TextTable& texts, FewTexts* few) {
  few->texts[0] = {0, 0};
  few->lengths = 0;
  uint32_t from = texts.start;
  for (size_t i = 0; i < texts.count; ++i) {
    const uint32_t to = texts.ends[i];
    if (from > to || to > texts.byte_length || to - from > kLong || to - texts.start > kMostFewBytes) return false;
    few->texts[i + 1] = {from - texts.start, to - from};
    few->lengths |= to - from;
    from = to;
  }
  if (from > texts.start) std::memcpy(few->bytes, texts.bytes + texts.start, from - texts.start);
  return true;
}

// SpreadTexts of few texts, from the first row on, as long as so many bytes have room; or, of no bytes, where the rows
// end. Gives the row that it came to.
template <size_t kBytes>
size_t SpreadFew(const FewTexts& few, size_t text_count, const uint32_t* codes, size_t count, uint8_t* out, size_t room,
                 uint64_t* at, uint32_t* ends) {
  uint64_t end = *at;
  const uint64_t last = kBytes > 0 && room < UINT32_MAX ? room : UINT32_MAX;
  size_t row = 0;
  for (; row < count && end + (kBytes > 0 ? kBytes : kLong) <= last; ++row) {
    const uint32_t text = codes[row] + 1;
    if (text > text_count) break;
    if constexpr (kBytes > 0) CopyBytes<kBytes>(few.bytes + few.texts[text].from, out + end);
    end += few.texts[text].length;
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
  if (texts.count <= kMostFew && texts.count * kRowsPerText <= count) {
    FewTexts few;
    if (CopyFew(texts, &few)) {
      const auto spread = room == 0              ? SpreadFew<0>
                          : few.lengths < kTiny  ? SpreadFew<kTiny>
                          : few.lengths < kShort ? SpreadFew<kShort>
                                                 : SpreadFew<kLong>;
      row = spread(few, texts.count, codes, count, out, room, &end, ends);
    }
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
