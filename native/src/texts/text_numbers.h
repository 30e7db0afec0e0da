// Byte strings, run after run -> numbers of the distinct ones, in the order in which they are first met. The memory is
// the caller's, who makes it larger.
#ifndef COLKIT_NATIVE_TEXT_NUMBERS_H_
#define COLKIT_NATIVE_TEXT_NUMBERS_H_

#include <cstddef>
#include <cstdint>

#include "encode/text_codes.h"

namespace colkit {

// The distinct texts so far: `known` of them, with room for `room`, back to back from the first byte on.
struct KnownTexts {
  uint8_t* bytes;
  size_t byte_length;
  uint32_t* ends;
  size_t room;
  size_t known;
  // Two words each: the number of a text plus one, 0 where the slot is free, and the hash of the text. A power of two.
  uint32_t* slots;
  size_t slot_count;
  uint64_t seed;
};

// Writes the number of each text from `first` on. Returns how many texts were done: all, or those before one that is
// new and has no room; more than half of the slots are never taken.
size_t NumberTexts(const Texts& texts, size_t first, uint32_t* numbers, KnownTexts* known);

// Moves slots to a larger table, whatever that holds. False where it is too small.
bool MoveSlots(const uint32_t* slots, size_t slot_count, uint32_t* larger, size_t larger_count);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_NUMBERS_H_
