// One loop over the words of a mask for all families: zeros skipped, runs of ones copied whole, mixed words left to the
// family's compression, and words that are too near the end of the output for its wide stores to a plain loop over the
// bits.
#ifndef COLKIT_NATIVE_MASK_WORDS_H_
#define COLKIT_NATIVE_MASK_WORDS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "platform/intrinsics.h"
#include "gather/mask.h"

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

// Asks for the items of a word's rows, kMaskWordsAhead words before they are copied: the hardware's own prefetcher
// stops at the end of each page.
template <uint32_t kWidth>
COLKIT_INLINE void PrefetchWord(const uint64_t* words, size_t word, const uint8_t* source) {
  if (words[word] == 0) return;
  const uintptr_t address = reinterpret_cast<uintptr_t>(source) + word * 64 * kWidth;
  for (uint32_t line = 0; line < kWidth; ++line) Prefetch(address + 64 * line);
}

}  // namespace colkit

// A macro and not a template with a callable: the body must be compiled for the family's instruction set, and compilers
// do not inline a function into one with another target. `COMPRESS(word, source, out)` is an expression: the new end of
// the output; it may write up to 64 items from `out` on.
#define COLKIT_MASK_WORDS_LOOP(WIDTH, COMPRESS)                             \
  for (size_t w = 0; w < word_count;) {                                     \
    const uint64_t word = words[w];                                         \
    PrefetchWord<(WIDTH)>(words, w + kMaskWordsAhead, source);              \
    if (word == 0) {                                                        \
      ++w;                                                                  \
      continue;                                                             \
    }                                                                       \
    const uint8_t* from = source + w * 64 * (WIDTH);                        \
    if (word == ~uint64_t{0}) {                                             \
      size_t run = 1;                                                       \
      while (w + run < word_count && words[w + run] == ~uint64_t{0}) ++run; \
      std::memcpy(out, from, run * 64 * (WIDTH));                           \
      out += run * 64 * (WIDTH);                                            \
      w += run;                                                             \
      continue;                                                             \
    }                                                                       \
    if (static_cast<size_t>(out_end - out) >= 64 * (WIDTH)) {               \
      out = COMPRESS(word, from, out);                                      \
    } else {                                                                \
      out = CopyBits<(WIDTH)>(word, from, out);                             \
    }                                                                       \
    ++w;                                                                    \
  }                                                                         \
  return out

#endif  // COLKIT_NATIVE_MASK_WORDS_H_
