// Byte strings of which the bytes are decompressed when they are first needed.
#ifndef COLKIT_NATIVE_LAZY_TEXTS_H_
#define COLKIT_NATIVE_LAZY_TEXTS_H_

#include <cstdint>
#include <cstring>

#include "platform/arena.h"

namespace colkit {

// Bytes of the strings of a page that are decoded here.
constexpr uint64_t kMostTextBytes = uint64_t{1} << 23;

// Which of a string and a text comes first by their bytes.
enum class TextOrder : uint8_t {
  kBelow,
  kEqual,
  kBegins,  // the string begins with the text, and is longer
  kAbove,
};

// All of it in the body of a page or the arena.
class LazyTexts {
 public:
  // Makes the bytes of the strings from byte `start` to byte `end` be there; false where they are not as the format
  // says.
  virtual bool Load(uint32_t start, uint32_t end) = 0;

  // The same for string number `index`, which they are the bytes of.
  virtual bool LoadString(uint32_t index, uint32_t start, uint32_t end) {
    (void)index;
    return Load(start, end);
  }

  // The same for the strings `indexes`, of which number `i` ends at `ends[i]`; those that lie one behind the other come
  // together.
  virtual bool LoadListed(const uint32_t* indexes, uint32_t count, const uint32_t* ends) {
    for (uint32_t i = 0; i < count;) {
      const uint32_t first = indexes[i];
      uint32_t last = first;
      while (++i < count && indexes[i] == last + 1) ++last;
      if (!Load(first == 0 ? 0 : ends[first - 1], ends[last])) return false;
    }
    return true;
  }

  // Whether string number `index` may begin with eight bytes (fewer and zeros, where the string is no longer): false
  // says that it does not, without making its bytes be there.
  virtual bool MayBegin(uint32_t index, uint64_t eight) {
    (void)index;
    (void)eight;
    return true;
  }

  // How each string stands to a text, in the arena, without making the bytes of most be there; null where that cannot
  // be told.
  virtual const TextOrder* OrdersTo(const uint8_t* text, uint32_t length) {
    (void)text;
    (void)length;
    return nullptr;
  }

  // All bytes of the strings to `out`, which has at least room for them: loaded there, where nothing was loaded before
  // and there is as much room behind them as in the arena.
  bool LoadInto(uint8_t* out, uint64_t room) {
    if (is_fresh_ && room - byte_length_ >= Arena::kSlack / 2) {
      buffer_ = out;
      return Load(0, byte_length_);
    }
    if (!Load(0, byte_length_)) return false;
    std::memcpy(out, buffer_, byte_length_);
    return true;
  }

  // Those of strings that were not loaded have any value.
  const uint8_t* bytes() const { return buffer_; }
  uint32_t byte_length() const { return byte_length_; }
  // A few bits of the hash of each string; null where there are none.
  const uint32_t* fingerprints() const { return fingerprints_; }
  unsigned fingerprint_bits() const { return fingerprint_bits_; }

 protected:
  ~LazyTexts() = default;

  uint8_t* buffer_ = nullptr;
  bool is_fresh_ = true;
  uint32_t byte_length_ = 0;
  unsigned fingerprint_bits_ = 0;
  const uint32_t* fingerprints_ = nullptr;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_LAZY_TEXTS_H_
