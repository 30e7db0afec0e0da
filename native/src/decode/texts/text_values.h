// The byte strings of a page.
#ifndef COLKIT_NATIVE_TEXT_VALUES_H_
#define COLKIT_NATIVE_TEXT_VALUES_H_

#include <cstdint>

#include "decode/column_nodes.h"
#include "decode/texts/lazy_texts.h"

namespace colkit {

// Texts back to back and where each ends, in the body or the arena.
struct TextValues {
  const uint8_t* bytes = nullptr;
  // Where the bytes have to be loaded before they are looked at, where they are; null: they are there. In the arena.
  LazyTexts* lazy = nullptr;
  uint32_t byte_length = 0;
  const uint32_t* ends = nullptr;
  uint32_t count = 0;
  const uint32_t* codes = nullptr;  // which text each value is; null: the texts are the values

  uint32_t Start(uint32_t i) const { return i == 0 ? 0 : ends[i - 1]; }
};

// Makes all bytes be there; false where they are not as the format says.
bool LoadTexts(const TextValues& texts);

// The values of a node of byte strings. False where it is declined.
bool DecodeTexts(const PageBody& body, const Node& node, TextValues* texts);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_VALUES_H_
