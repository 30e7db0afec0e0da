// The first bytes of strings of which each begins with bytes of the one before it, in registers: from memory they would
// be read before the processor has written them there.
#ifndef COLKIT_NATIVE_SHARED_WORDS_H_
#define COLKIT_NATIVE_SHARED_WORDS_H_

#include <cstdint>
#include <cstring>

namespace colkit {

constexpr uint32_t kWordsBytes = 32;

// Members, not an array, which compilers keep in memory.
struct Words {
  uint64_t a, b, c, d;
};

inline uint64_t LoadWord(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

inline Words LoadWords(const uint8_t* bytes) {
  return {LoadWord(bytes), LoadWord(bytes + 8), LoadWord(bytes + 16), LoadWord(bytes + 24)};
}

inline void StoreWords(const Words& words, uint8_t* out) {
  std::memcpy(out, &words.a, sizeof words.a);
  std::memcpy(out + 8, &words.b, sizeof words.b);
  std::memcpy(out + 16, &words.c, sizeof words.c);
  std::memcpy(out + 24, &words.d, sizeof words.d);
}

// From its byte `kWordsBytes - n` on there are n bytes of ones, and then zeros.
struct OnesAndZeros {
  uint8_t bytes[2 * kWordsBytes] = {};
  constexpr OnesAndZeros() {
    for (uint32_t i = 0; i < kWordsBytes; ++i) bytes[i] = 255;
  }
};
inline constexpr OnesAndZeros kOnesAndZeros;

// The string that has `shared` (at most kWordsBytes) bytes of `before`, and then those at `own`, before which there are
// `shared` others.
inline Words NextWords(const Words& before, uint32_t shared, const uint8_t* own) {
  const Words next = LoadWords(own - shared);
  const Words is_shared = LoadWords(kOnesAndZeros.bytes + kWordsBytes - shared);
  const auto word = [](uint64_t mask, uint64_t set, uint64_t unset) { return unset ^ (mask & (set ^ unset)); };
  return {word(is_shared.a, before.a, next.a), word(is_shared.b, before.b, next.b), word(is_shared.c, before.c, next.c),
          word(is_shared.d, before.d, next.d)};
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_SHARED_WORDS_H_
