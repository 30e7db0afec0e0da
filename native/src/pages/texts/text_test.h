// A test of texts, as bytes, and which texts pass it.
#ifndef COLKIT_NATIVE_TEXT_TEST_H_
#define COLKIT_NATIVE_TEXT_TEST_H_

#include <cstdint>

#include "decode/texts/text_values.h"
#include "platform/arena.h"

namespace colkit {

// A byte a text, 1 where it passes. Null where the working memory is too small or `test` is no test. Its words, then
// its bytes:
//   u32 kind       one of TextTestKind
//   u32 flags      TextTestFlag
//   u32 count      of constants
//   u32 × count    how long each of them is
//   the constants, back to back; in those of like a byte of 0xff is any one character
// The first constant of a like without regard to case is no segment: it tells which characters above ASCII become
// those of the segments, four bytes of UTF-8 (and zeros) each and four of what each becomes.
// `test` may change while it is read: it is read once.
const uint8_t* TestTexts(const TextValues& texts, const uint8_t* test, uint32_t test_bytes, Arena* arena);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_TEST_H_
