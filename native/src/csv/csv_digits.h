// Digits in text, eight at a time.
#ifndef COLKIT_NATIVE_CSV_DIGITS_H_
#define COLKIT_NATIVE_CSV_DIGITS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace colkit {

constexpr uint64_t kAsciiZeros = 0x3030303030303030ull;

inline uint64_t LoadWord(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// The first `length` bytes, 0 to 8, of which `room` can be read, as the last ones of eight, behind '0's.
inline uint64_t LoadDigits(const uint8_t* bytes, size_t length, size_t room) {
  if (length == 0) return kAsciiZeros;
  uint64_t word = 0;
  if (room >= 8) word = LoadWord(bytes);
  else std::memcpy(&word, bytes, length);
  const unsigned shift = static_cast<unsigned>(8 * (8 - length));
  return shift == 0 ? word : (word << shift) | (kAsciiZeros >> (64 - shift));
}

inline bool AreDigits(uint64_t word) {
  constexpr uint64_t kHighNibbles = 0xf0f0f0f0f0f0f0f0ull;
  // Six more, and what is above nine has another high half. Nothing is carried where all of them were threes.
  return (word & kHighNibbles) == kAsciiZeros && ((word + 0x0606060606060606ull) & kHighNibbles) == kAsciiZeros;
}

// Eight digits, the first in the lowest byte: pairs, fours, all.
inline uint32_t DigitsValue(uint64_t word) {
  word -= kAsciiZeros;
  word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ffull;
  word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffffull;
  return static_cast<uint32_t>(word * 10'000 + (word >> 32));
}

inline bool IsDigit(uint8_t byte) { return static_cast<uint8_t>(byte - '0') <= 9; }

}  // namespace colkit

#endif  // COLKIT_NATIVE_CSV_DIGITS_H_
