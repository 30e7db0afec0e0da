// One loop over the words of a mask for all families: zeros skipped, runs of ones copied whole, mixed words left to the family's compression, and words that are too
// near the end of the output for its wide stores to a plain loop over the bits.
#ifndef COLKIT_NATIVE_MASK_WORDS_H_
#define COLKIT_NATIVE_MASK_WORDS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "intrinsics.h"

namespace colkit {

template <uint32_t kWidth>
COLKIT_INLINE uint8_t* CopyBits(uint64_t word, const uint8_t* source, uint8_t* out) {
  while (word != 0) {
    std::memcpy(out, source + CountTrailingZeros(word) * kWidth, kWidth);
    out += kWidth;
    word &= word - 1;
  }
  return out;
}

}  // namespace colkit

// A macro and not a template with a callable: the body must be compiled for the family's instruction set, and compilers do not inline a function into one with another
// target. `COMPRESS(word, source, out)` is an expression: the new end of the output; it may write up to 64 items from `out` on.
#define COLKIT_MASK_WORDS_LOOP(WIDTH, COMPRESS)                                              \
  for (size_t w = 0; w < word_count;) {                                                      \
    const uint64_t word = words[w];                                                          \
    if (word == 0) {                                                                         \
      ++w;                                                                                   \
      continue;                                                                              \
    }                                                                                        \
    const uint8_t* from = source + w * 64 * (WIDTH);                                         \
    if (word == ~uint64_t{0}) {                                                              \
      size_t run = 1;                                                                        \
      while (w + run < word_count && words[w + run] == ~uint64_t{0}) ++run;                  \
      std::memcpy(out, from, run * 64 * (WIDTH));                                            \
      out += run * 64 * (WIDTH);                                                             \
      w += run;                                                                              \
      continue;                                                                              \
    }                                                                                        \
    if (static_cast<size_t>(out_end - out) >= 64 * (WIDTH)) {                                \
      out = COMPRESS(word, from, out);                                                       \
    } else {                                                                                 \
      out = CopyBits<(WIDTH)>(word, from, out);                                              \
    }                                                                                        \
    ++w;                                                                                     \
  }                                                                                          \
  return out

#endif  // COLKIT_NATIVE_MASK_WORDS_H_
