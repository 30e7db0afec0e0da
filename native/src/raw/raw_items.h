// One item of a raw column, at any address, and half-precision floats, which C++ has not.
#ifndef COLKIT_NATIVE_RAW_ITEMS_H_
#define COLKIT_NATIVE_RAW_ITEMS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {
namespace raw_loops {

// How far ahead of a loop memory is asked for: processors do so themselves, but later, and not across a page.
constexpr uintptr_t kAheadBytes = 4096;

COLKIT_INLINE void PrefetchAhead(const uint8_t* items, size_t bytes) {
  const uintptr_t ahead = reinterpret_cast<uintptr_t>(items) + kAheadBytes;
  for (size_t at = 0; at < bytes; at += 64) Prefetch(ahead + at);
}

// `loop(start, end)` for all items: some at a time, with memory asked for ahead, unless they are so narrow that memory
// is faster than the loop.
template <typename T, typename Loop>
COLKIT_INLINE void InSteps(const uint8_t* items, size_t count, Loop loop) {
  if constexpr (sizeof(T) < 4) {
    loop(size_t{0}, count);
  } else {
    constexpr size_t kStep = 256;
    for (size_t start = 0; start < count; start += kStep) {
      PrefetchAhead(items + start * sizeof(T), kStep * sizeof(T));
      loop(start, start + kStep < count ? start + kStep : count);
    }
  }
}

template <typename T>
COLKIT_INLINE T ItemAt(const uint8_t* items, size_t i) {
  T item;
  std::memcpy(&item, items + i * sizeof(T), sizeof(T));
  return item;
}

// A word at any address.
template <typename Word>
COLKIT_INLINE Word WordAt(const uint8_t* bytes) {
  return ItemAt<Word>(bytes, 0);
}

// Half-precision floats by their order: the magnitude with the sign, so that -0 is 0; NaN lies beyond the infinities.
constexpr int16_t kHalfInfinity = 0x7c00;

// Below the key of any number, and with its bits the other way round as well. Not the least of int16: compilers would
// see that it never is the larger one, and make a branch of that.
constexpr int16_t kNoHalf = -0x7fff;

struct Half {
  uint16_t bits;
};

COLKIT_INLINE int16_t HalfKey(uint16_t bits) {
  const auto magnitude = static_cast<int16_t>(bits & 0x7fff);
  const auto sign = static_cast<int16_t>(static_cast<int16_t>(bits) >> 15);
  return static_cast<int16_t>((magnitude ^ sign) - sign);
}

// Of finite halves: their exponent is moved into a float's by a product, which is exact, also where they are subnormal.
COLKIT_INLINE float FloatOfHalf(uint16_t bits) {
  const uint32_t shifted = static_cast<uint32_t>(bits & 0x7fff) << 13;
  float size;
  std::memcpy(&size, &shifted, sizeof(size));
  size *= 0x1p112f;
  return (bits & 0x8000) != 0 ? -size : size;
}

// A code point of a text; what is no character counts as U+FFFD.
constexpr uint32_t kReplacement = 0xfffd;

COLKIT_INLINE uint32_t PointAt(const uint8_t* item, size_t i) {
  const uint32_t point = ItemAt<uint32_t>(item, i);
  return point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? kReplacement : point;
}

}  // namespace raw_loops
}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_ITEMS_H_
