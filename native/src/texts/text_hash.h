// The hash of a byte string that tables of texts are looked up by.
#ifndef COLKIT_NATIVE_TEXT_HASH_H_
#define COLKIT_NATIVE_TEXT_HASH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace colkit {

inline uint64_t MixedHash(uint64_t hash) {
  hash = (hash ^ (hash >> 32)) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

// Up to eight bytes: of one length, other bytes give another word.
inline uint64_t WordOfText(const uint8_t* bytes, size_t length) {
  if (length >= 4) {
    uint32_t first;
    uint32_t last;
    std::memcpy(&first, bytes, 4);
    std::memcpy(&last, bytes + length - 4, 4);
    return uint64_t{last} << 32 | first;
  }
  if (length == 0) return 0;
  return bytes[0] | uint32_t{bytes[length / 2]} << 8 | uint32_t{bytes[length - 1]} << 16;
}

// Of one length up to kExactHash, other bytes have another hash.
constexpr size_t kExactHash = 8;

inline uint64_t HashOfText(const uint8_t* bytes, size_t length, uint64_t seed) {
  uint64_t hash = seed ^ length;
  if (length <= kExactHash) return MixedHash(hash ^ WordOfText(bytes, length));
  // Two at a time, of which neither waits for the other.
  uint64_t other = ~seed;
  uint64_t words[2];
  size_t i = 0;
  for (; i + 16 < length; i += 16) {
    std::memcpy(words, bytes + i, 16);
    hash = MixedHash(hash ^ words[0]);
    other = MixedHash(other ^ words[1]);
  }
  // The last eight bytes, or sixteen, of which some may have been there before.
  std::memcpy(words, bytes + std::min(i, length - 8), 8);
  std::memcpy(words + 1, bytes + length - 8, 8);
  return MixedHash(MixedHash(hash ^ words[0]) + MixedHash(other ^ words[1]));
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_HASH_H_
