// See spread_texts.h. Another thread may write to any of the arrays meanwhile: each number is read once, and what was
// checked is what is used.
#include "copy/spread_texts.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "platform/cpu.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

// Bytes that are copied whatever the text's length: a copy of a length that is known costs less than a call.
constexpr size_t kTiny = 16;
constexpr size_t kShort = 32;
constexpr size_t kLong = 64;

// Fewer rows than so many for each text are not worth a table.
constexpr size_t kRowsPerText = 4;

// Loaded before they are stored: a caller may give the same memory twice.
template <size_t kBytes>
COLKIT_INLINE void CopyBytes(const uint8_t* from, uint8_t* to) {
  uint8_t bytes[kBytes];
  std::memcpy(bytes, from, kBytes);
  std::memcpy(to, bytes, kBytes);
}

struct Plain {
  template <size_t kBytes>
  static COLKIT_INLINE void Copy(const uint8_t* from, uint8_t* to) {
    CopyBytes<kBytes>(from, to);
  }
};

#if COLKIT_X86 && defined(__GNUC__)

#define COLKIT_WIDE_TARGET COLKIT_TARGET("avx2")

// The same for callers that are compiled for AVX2: gcc copies bytes by 16 there too, but a vector of 32 is a register.
struct Wide {
  typedef uint8_t Vector __attribute__((vector_size(32), aligned(1), may_alias));

  template <size_t kBytes>
  static COLKIT_INLINE void Copy(const uint8_t* from, uint8_t* to) {
    constexpr size_t kVectors = kBytes / sizeof(Vector);
    Vector vectors[kVectors];
    for (size_t i = 0; i < kVectors; ++i) vectors[i] = reinterpret_cast<const Vector*>(from)[i];
    for (size_t i = 0; i < kVectors; ++i) reinterpret_cast<Vector*>(to)[i] = vectors[i];
  }
};

#else

#define COLKIT_WIDE_TARGET

using Wide = Plain;

#endif

// A copy of the texts, and where each is by code + 1: that of a row without one, kNoText, is then 0. With it a row is a
// load and a store of so many bytes as the longest text has, and no branch depends on its code.
class Table {
 public:
  explicit Table(const TextTable& texts) : entries_(new (std::nothrow) Entry[texts.count + 1]), count_(texts.count) {
    if (entries_ == nullptr) return;
    entries_[0] = {0, 0};
    uint32_t from = texts.start;
    for (size_t i = 0; i < count_; ++i) {
      const uint32_t to = texts.ends[i];
      if (from > to || to > texts.byte_length) return;
      longest_ = std::max(longest_, to - from);
      entries_[i + 1] = {from - texts.start, to - from};
      from = to;
    }
    const size_t byte_length = from - texts.start;
    bytes_.reset(new (std::nothrow) uint8_t[byte_length + kLong]);
    if (bytes_ == nullptr) return;
    if (byte_length > 0) std::memcpy(bytes_.get(), texts.bytes + texts.start, byte_length);
    std::memset(bytes_.get() + byte_length, 0, kLong);
  }

  // False where a text does not lie in the bytes, or there is no memory.
  bool is_whole() const { return bytes_ != nullptr; }
  uint32_t longest() const { return longest_; }

  // SpreadTexts from the first row on, as long as so many bytes have room; or, of no bytes, where the rows end. Gives
  // the row that it came to. Only texts that are copied kLong bytes at once may be longer.
  template <size_t kBytes>
  size_t Spread(const uint32_t* codes, size_t count, uint8_t* out, size_t room, uint64_t* at, uint32_t* ends) const {
    return SpreadBy<Plain, kBytes>(codes, count, out, room, at, ends);
  }

  template <size_t kBytes>
  COLKIT_WIDE_TARGET size_t SpreadAvx2(const uint32_t* codes, size_t count, uint8_t* out, size_t room, uint64_t* at,
                                       uint32_t* ends) const {
    return SpreadBy<Wide, kBytes>(codes, count, out, room, at, ends);
  }

 private:
  template <typename Copier, size_t kBytes>
  COLKIT_INLINE size_t SpreadBy(const uint32_t* codes, size_t count, uint8_t* out, size_t room, uint64_t* at,
                                uint32_t* ends) const {
    uint64_t end = *at;
    const uint64_t last = kBytes > 0 && room < UINT32_MAX ? room : UINT32_MAX;
    // What is written could be any member.
    const uint8_t* const bytes = bytes_.get();
    const Entry* const entries = entries_.get();
    const size_t text_count = count_;
    size_t row = 0;
    for (; row < count && end + kBytes <= last; ++row) {
      const uint32_t code = codes[row] + 1;
      if (code > text_count) break;
      const Entry text = entries[code];
      if (kBytes != 0 && (kBytes != kLong || text.length <= kLong)) {
        Copier::template Copy<kBytes>(bytes + text.from, out + end);
      } else {
        if (end + text.length > last) break;
        if (kBytes != 0) std::memmove(out + end, bytes + text.from, text.length);
      }
      end += text.length;
      ends[row] = static_cast<uint32_t>(end);
    }
    *at = end;
    return row;
  }

  struct Entry {
    uint32_t from;
    uint32_t length;
  };

  std::unique_ptr<Entry[]> entries_;
  std::unique_ptr<uint8_t[]> bytes_;
  size_t count_;
  uint32_t longest_ = 0;
};

}  // namespace

uint64_t SpreadTexts(const TextTable& texts, const uint32_t* codes, size_t count, uint8_t* out, size_t room,
                     uint32_t at, uint32_t* ends) {
  uint64_t end = at;
  size_t row = 0;
  if (texts.count * kRowsPerText <= count) {
    const Table table(texts);
    if (table.is_whole()) {
      const bool wide = HasAvx2();
      const auto spread = room == 0                   ? &Table::Spread<0>
                          : table.longest() <= kTiny  ? &Table::Spread<kTiny>
                          : table.longest() <= kShort ? (wide ? &Table::SpreadAvx2<kShort> : &Table::Spread<kShort>)
                          : wide                      ? &Table::SpreadAvx2<kLong>
                                                      : &Table::Spread<kLong>;
      row = (table.*spread)(codes, count, out, room, &end, ends);
    }
  }
  for (; row < count; ++row) {
    const uint32_t code = codes[row];
    if (code != kNoText) {
      if (code >= texts.count) return kBadTexts;
      const uint32_t from = code == 0 ? texts.start : texts.ends[code - 1];
      const uint32_t to = texts.ends[code];
      if (from > to || to > texts.byte_length) return kBadTexts;
      const size_t length = to - from;
      const size_t before = end;
      end += length;
      if (end <= room) {
        if (length <= kShort && texts.byte_length - from >= kShort && room - before >= kShort)
          CopyBytes<kShort>(texts.bytes + from, out + before);
        else if (length <= kLong && texts.byte_length - from >= kLong && room - before >= kLong)
          CopyBytes<kLong>(texts.bytes + from, out + before);
        else if (length > 0)  // where there is none, there may be no memory either
          std::memmove(out + before, texts.bytes + from, length);
      }
    }
    ends[row] = end < UINT32_MAX ? static_cast<uint32_t>(end) : UINT32_MAX;
  }
  return end;
}

}  // namespace colkit
