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
//   the constants, back to back
// `test` may change while it is read: it is read once.
const uint8_t* TestTexts(const TextValues& texts, const uint8_t* test, uint32_t test_bytes, Arena* arena);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_TEST_H_
