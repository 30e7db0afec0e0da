// See bit_unpack.h. Every width is a loop of its own with all shifts known; values start within 64 bits of a byte, so
// one load has all of any value.
#include "decode/bit_unpack.h"

#include <cstring>
#include <utility>

#include "platform/cpu.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

// Groups start at whole bytes. Larger ones are no faster and take several times as much code.
constexpr size_t kGroup = 8;

COLKIT_INLINE uint64_t Load64(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

constexpr uint32_t MaskOf(unsigned width) { return width == 32 ? ~0u : (1u << width) - 1; }

template <unsigned kWidth, size_t kIndex>
COLKIT_INLINE void UnpackOne(const uint8_t* stream, uint32_t more, uint32_t* out) {
  constexpr size_t bit = kIndex * kWidth;
  out[kIndex] = (static_cast<uint32_t>(Load64(stream + bit / 8) >> (bit % 8)) & MaskOf(kWidth)) + more;
}

template <unsigned kWidth, size_t... kIndex>
COLKIT_INLINE void UnpackGroup(const uint8_t* stream, uint32_t more, uint32_t* out, std::index_sequence<kIndex...>) {
  (UnpackOne<kWidth, kIndex>(stream, more, out), ...);
}

template <unsigned kWidth>
void UnpackWidth(const uint8_t* stream, size_t count, uint32_t more, uint32_t* out) {
  size_t i = 0;
  for (; i + kGroup <= count; i += kGroup, stream += kGroup / 8 * kWidth)
    UnpackGroup<kWidth>(stream, more, out + i, std::make_index_sequence<kGroup>());
  for (size_t bit = 0; i < count; ++i, bit += kWidth)
    out[i] = (static_cast<uint32_t>(Load64(stream + bit / 8) >> (bit % 8)) & MaskOf(kWidth)) + more;
}

using Kernel = void (*)(const uint8_t*, size_t, uint32_t, uint32_t*);

template <size_t... kWidth>
constexpr Kernel KernelAt(size_t index, std::index_sequence<kWidth...>) {
  constexpr Kernel kernels[] = {UnpackWidth<kWidth + 1>...};
  return kernels[index];
}

// For every group of digits the digits, four bytes each, in whole registers of 16 bytes: more of them than there are
// digits.
template <unsigned kRadix, unsigned kDigits, unsigned kGroups>
struct GroupTable {
  static constexpr unsigned kLanes = (kDigits + 3) / 4 * 4;
  uint32_t digits[kGroups][kLanes];
};

template <unsigned kRadix, unsigned kDigits, unsigned kGroups>
constexpr GroupTable<kRadix, kDigits, kGroups> MakeGroups() {
  GroupTable<kRadix, kDigits, kGroups> table = {};
  for (unsigned group = 0; group < kGroups; ++group) {
    unsigned rest = group;
    for (unsigned digit = 0; digit < kDigits; ++digit, rest /= kRadix) table.digits[group][digit] = rest % kRadix;
  }
  return table;
}

// Groups that no digits give (above kRadix^kDigits - 1) have entries too, so that nothing has to be asked before the
// look-up.
constexpr auto kThrees = MakeGroups<3, 5, 256>();
constexpr auto kFives = MakeGroups<5, 3, 128>();
constexpr unsigned kMostThrees = 242;
constexpr unsigned kMostFives = 124;

// Digits are looked up for so many values, whole groups of both kinds in whole bytes, before they are added: a group's
// stores may overlap the next group's.
constexpr size_t kDigitValues = 960;

template <typename Table>
COLKIT_INLINE void StoreGroup(const Table& table, unsigned group, uint32_t* out) {
  std::memcpy(out, table.digits[group], sizeof table.digits[group]);
}

// The digits of `count` values, and a few more; returns the largest group.
COLKIT_INLINE unsigned LookUpThrees(const uint8_t* plane, size_t count, uint32_t* digits) {
  unsigned largest = 0;
  for (size_t i = 0; i < count; i += 5, ++plane) {
    largest = *plane > largest ? *plane : largest;
    StoreGroup(kThrees, *plane, digits + i);
  }
  return largest;
}

COLKIT_INLINE unsigned LookUpFives(const uint8_t* plane, size_t count, uint32_t* digits) {
  unsigned largest = 0;
  size_t bit = 0;
  for (size_t i = 0; i < count; i += 3, bit += 7) {
    const auto group = static_cast<unsigned>(Load64(plane + bit / 8) >> (bit % 8)) & 127;
    largest = group > largest ? group : largest;
    StoreGroup(kFives, group, digits + i);
  }
  return largest;
}

template <unsigned (*kLookUp)(const uint8_t*, size_t, uint32_t*), size_t kBytes>
COLKIT_INLINE unsigned AddDigits(const uint8_t* plane, size_t count, uint32_t scale, uint32_t* out) {
  uint32_t digits[kDigitValues + 8];
  unsigned largest = 0;
  for (size_t start = 0; start < count; start += kDigitValues, plane += kBytes) {
    const size_t values = count - start < kDigitValues ? count - start : kDigitValues;
    const unsigned group = kLookUp(plane, values, digits);
    largest = group > largest ? group : largest;
    for (size_t i = 0; i < values; ++i) out[start + i] += digits[i] * scale;
  }
  return largest;
}

}  // namespace

void UnpackBits(const uint8_t* stream, unsigned width, size_t count, uint32_t more, uint32_t* out) {
  const bool in_vectors = HasAvx2() && width > 0 && width <= kMostVectorBits;
  const size_t done = in_vectors ? UnpackBitsAvx2(stream, StreamBytes(count, width), width, count, more, out) : 0;
  UnpackBitsPortably(stream + done / 8 * width, width, count - done, more, out + done);
}

void UnpackBitsPortably(const uint8_t* stream, unsigned width, size_t count, uint32_t more, uint32_t* out) {
  if (width == 0) {
    for (size_t i = 0; i < count; ++i) out[i] = more;
    return;
  }
  KernelAt(width - 1, std::make_index_sequence<32>())(stream, count, more, out);
}

bool AddThrees(const uint8_t* plane, size_t count, uint32_t scale, uint32_t* out) {
  return AddDigits<LookUpThrees, kDigitValues / 5>(plane, count, scale, out) <= kMostThrees;
}

bool AddFives(const uint8_t* plane, size_t count, uint32_t scale, uint32_t* out) {
  return AddDigits<LookUpFives, kDigitValues / 3 * 7 / 8>(plane, count, scale, out) <= kMostFives;
}

}  // namespace colkit
