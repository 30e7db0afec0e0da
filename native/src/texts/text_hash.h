// The hash of a byte string that tables of texts are looked up by.
#ifndef COLKIT_NATIVE_TEXT_HASH_H_
#define COLKIT_NATIVE_TEXT_HASH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace colkit {

inline uint64_t MixedHash(uint64_t hash) {
  hash = (hash ^ (hash >> 32)) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

inline uint64_t HashOfText(const uint8_t* bytes, size_t length, uint64_t seed) {
  uint64_t hash = seed ^ length;
  size_t i = 0;
  for (; i + 8 <= length; i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    hash = MixedHash(hash ^ word);
  }
  uint64_t rest = 0;
  for (unsigned shift = 0; i < length; ++i, shift += 8) rest |= uint64_t{bytes[i]} << shift;
  return MixedHash(hash ^ rest);
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_HASH_H_
