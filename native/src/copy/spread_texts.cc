// See spread_texts.h. Another thread may write to any of the arrays meanwhile: each number is read once, and what was
// checked is what is used.
#include "copy/spread_texts.h"

#include <algorithm>
#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

// Bytes that are copied whatever the text's length: a copy of a length that is known costs less than a call.
constexpr size_t kTiny = 16;
constexpr size_t kShort = 32;
constexpr size_t kLong = 64;

// The lengths of so many texts are looked up in a table, with where they can be read from together with what is behind
// them: a row is then a load and a store of so many bytes as the longest text has, and no branch depends on its text.
constexpr size_t kMostFew = 2048;
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
    const uint8_t* bytes;
    size_t length;
  } texts[kMostFew + 1];
  uint32_t lengths;         // all of them, or-ed
  uint8_t tail[2 * kLong];  // the last bytes, and some behind them
};

// False where a text is longer than kLong, or does not lie in the bytes.
bool FillFew(const TextTable& texts, FewTexts* few) {
  const size_t tail = texts.byte_length - std::min(texts.byte_length, kLong);
  std::memset(few->tail, 0, sizeof few->tail);
  if (texts.byte_length > 0) std::memcpy(few->tail, texts.bytes + tail, texts.byte_length - tail);
  few->texts[0] = {few->tail, 0};
  few->lengths = 0;
  uint32_t from = texts.start;
  for (size_t i = 0; i < texts.count; ++i) {
    const uint32_t to = texts.ends[i];
    if (from > to || to > texts.byte_length || to - from > kLong) return false;
    few->texts[i + 1] = {from < tail ? texts.bytes + from : few->tail + (from - tail), to - from};
    few->lengths |= to - from;
    from = to;
  }
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
    if constexpr (kBytes > 0) CopyBytes<kBytes>(few.texts[text].bytes, out + end);
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
    if (FillFew(texts, &few)) {
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
