// Texts without regard to case.
#ifndef COLKIT_NATIVE_TEXT_FOLDS_H_
#define COLKIT_NATIVE_TEXT_FOLDS_H_

#include <cstdint>

#include "decode/texts/text_values.h"
#include "platform/arena.h"

namespace colkit {

// A character that stands for another one, both as UTF-8 and zeros behind.
struct TextFold {
  uint8_t from[4];
  uint8_t to[4];
};

// Lower case as the folds say, of ASCII letters in any case. False where there is no room.
bool FoldTexts(const uint8_t* folds, uint32_t fold_bytes, Arena* arena, TextValues* texts);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_FOLDS_H_
