// Byte strings of which the bytes are decompressed when they are first needed.
#ifndef COLKIT_NATIVE_LAZY_TEXTS_H_
#define COLKIT_NATIVE_LAZY_TEXTS_H_

#include <cstdint>

namespace colkit {

// All of it in the body of a page or the arena.
class LazyTexts {
 public:
  // Makes the bytes of the strings from byte `start` to byte `end` be there; false where they are not as the format
  // says.
  virtual bool Load(uint32_t start, uint32_t end) = 0;

  // Those of strings that were not loaded have any value.
  const uint8_t* bytes() const { return buffer_; }
  uint32_t byte_length() const { return byte_length_; }
  // A few bits of the hash of each string; null where there are none.
  const uint32_t* fingerprints() const { return fingerprints_; }
  unsigned fingerprint_bits() const { return fingerprint_bits_; }

 protected:
  ~LazyTexts() = default;

  uint8_t* buffer_ = nullptr;
  uint32_t byte_length_ = 0;
  unsigned fingerprint_bits_ = 0;
  const uint32_t* fingerprints_ = nullptr;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_LAZY_TEXTS_H_
