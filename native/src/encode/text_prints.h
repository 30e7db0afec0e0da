// Byte strings -> a few bits of the hash of each.
#ifndef COLKIT_NATIVE_TEXT_PRINTS_H_
#define COLKIT_NATIVE_TEXT_PRINTS_H_

#include <cstdint>

#include "encode/text_codes.h"

namespace colkit {

// The highest `bits` bits, 1 to 8, of TextHash of each text.
void PrintTexts(const Texts& texts, unsigned bits, uint32_t* prints);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_PRINTS_H_
