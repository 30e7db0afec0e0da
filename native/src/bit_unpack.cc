// See bit_unpack.h. Every width is a loop of its own with all shifts known; values start within 64 bits of a byte, so one load has all of any value.
#include "bit_unpack.h"

#include <cstring>
#include <utility>

#include "intrinsics.h"

namespace colkit {
namespace {

constexpr size_t kGroup = 32;

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
  for (; i + kGroup <= count; i += kGroup, stream += kGroup / 8 * kWidth) UnpackGroup<kWidth>(stream, more, out + i, std::make_index_sequence<kGroup>());
  for (size_t bit = 0; i < count; ++i, bit += kWidth) out[i] = (static_cast<uint32_t>(Load64(stream + bit / 8) >> (bit % 8)) & MaskOf(kWidth)) + more;
}

using Kernel = void (*)(const uint8_t*, size_t, uint32_t, uint32_t*);

template <size_t... kWidth>
constexpr Kernel KernelAt(size_t index, std::index_sequence<kWidth...>) {
  constexpr Kernel kernels[] = {UnpackWidth<kWidth + 1>...};
  return kernels[index];
}

constexpr uint16_t kInvalid = 0x8000;

struct GroupTable {
  uint16_t digits[256];
};

// For every group its digits, `bits` bits each.
constexpr GroupTable MakeGroups(unsigned radix, unsigned count, unsigned bits) {
  GroupTable table = {};
  for (unsigned group = 0; group < 256; ++group) {
    unsigned rest = group;
    unsigned packed = 0;
    for (unsigned digit = 0; digit < count; ++digit, rest /= radix) packed |= rest % radix << (digit * bits);
    table.digits[group] = rest != 0 ? kInvalid : static_cast<uint16_t>(packed);
  }
  return table;
}

constexpr GroupTable kThrees = MakeGroups(3, 5, 2);
constexpr GroupTable kFives = MakeGroups(5, 3, 3);

// Adds the digits of one group, `kCount` of them, or the first `count` of the last group.
template <unsigned kCount, unsigned kBits>
COLKIT_INLINE void AddGroup(unsigned digits, uint32_t scale, uint32_t* out) {
  for (unsigned digit = 0; digit < kCount; ++digit) out[digit] += (digits >> (digit * kBits) & ((1u << kBits) - 1)) * scale;
}

template <unsigned kBits>
COLKIT_INLINE void AddSome(unsigned digits, size_t count, uint32_t scale, uint32_t* out) {
  for (size_t digit = 0; digit < count; ++digit) out[digit] += (digits >> (digit * kBits) & ((1u << kBits) - 1)) * scale;
}

}  // namespace

void UnpackBits(const uint8_t* stream, unsigned width, size_t count, uint32_t more, uint32_t* out) {
  if (width == 0) {
    for (size_t i = 0; i < count; ++i) out[i] = more;
    return;
  }
  KernelAt(width - 1, std::make_index_sequence<32>())(stream, count, more, out);
}

bool AddThrees(const uint8_t* plane, size_t count, uint32_t scale, uint32_t* out) {
  unsigned seen = 0;
  size_t i = 0;
  for (; i + 5 <= count; i += 5, ++plane) {
    const unsigned digits = kThrees.digits[*plane];
    seen |= digits;
    AddGroup<5, 2>(digits, scale, out + i);
  }
  if (i < count) {
    const unsigned digits = kThrees.digits[*plane];
    seen |= digits;
    AddSome<2>(digits, count - i, scale, out + i);
  }
  return (seen & kInvalid) == 0;
}

bool AddFives(const uint8_t* plane, size_t count, uint32_t scale, uint32_t* out) {
  unsigned seen = 0;
  size_t i = 0;
  const auto group = [plane](size_t bit) { return static_cast<unsigned>(Load64(plane + bit / 8) >> (bit % 8)) & 127; };
  size_t bit = 0;
  for (; i + 3 <= count; i += 3, bit += 7) {
    const unsigned digits = kFives.digits[group(bit)];
    seen |= digits;
    AddGroup<3, 3>(digits, scale, out + i);
  }
  if (i < count) {
    const unsigned digits = kFives.digits[group(bit)];
    seen |= digits;
    AddSome<3>(digits, count - i, scale, out + i);
  }
  return (seen & kInvalid) == 0;
}

}  // namespace colkit
