// The innermost loops over the items of raw columns but for sums, for any instruction set: whoever inlines them
// compiles them for its own. Items lie at any address, in the machine's byte order. Blocks have at most kBlockRows.
#ifndef COLKIT_NATIVE_RAW_LOOPS_H_
#define COLKIT_NATIVE_RAW_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "platform/intrinsics.h"
#include "raw/lanes.h"
#include "raw/raw_items.h"
#include "raw/raw_kernels.h"

namespace colkit {
namespace raw_loops {

// 1 where low <= item <= high, else 0, and the other way round with `flip`. NaN is in no range.
template <typename T>
COLKIT_INLINE void Within(const uint8_t* items, size_t count, const uint8_t* bounds, uint8_t flip, uint8_t* mask) {
  if constexpr (std::is_same<T, Half>::value) {
    const auto low = ItemAt<int16_t>(bounds, 0);
    const auto high = ItemAt<int16_t>(bounds + kRawBoundBytes, 0);
    for (size_t i = 0; i < count; ++i) {
      const int16_t key = HalfKey(ItemAt<uint16_t>(items, i));
      mask[i] = static_cast<uint8_t>((key >= low) & (key <= high)) ^ flip;
    }
  } else {
    const T low = ItemAt<T>(bounds, 0);
    const T high = ItemAt<T>(bounds + kRawBoundBytes, 0);
    InSteps<T>(items, count, [&](size_t start, size_t end) {
      for (size_t i = start; i < end; ++i) {
        const T item = ItemAt<T>(items, i);
        mask[i] = static_cast<uint8_t>((item >= low) & (item <= high)) ^ flip;
      }
    });
  }
}

// An item as the bits of a T, less `less` modulo 2^n, and then each bit of `turned` the other way round.
template <typename T, typename Bits>
COLKIT_INLINE T TurnedAt(const uint8_t* items, size_t i, Bits less, Bits turned) {
  const auto bits = static_cast<Bits>(static_cast<Bits>(ItemAt<Bits>(items, i) - less) ^ turned);
  T item;
  std::memcpy(&item, &bits, sizeof(item));
  return item;
}

template <typename T, typename Bits, size_t kCount>
COLKIT_INLINE Lanes<T, kCount> TurnedLanes(const uint8_t* items, size_t i, Lanes<Bits, kCount> less,
                                           Lanes<Bits, kCount> turned) {
  return BitsAs<T>((Lanes<Bits, kCount>::At(items + i * sizeof(T)) - less) ^ turned);
}

// The largest of the items as TurnedAt has them, and of `worst`. NaN is passed over. A comparison waits for the one
// before it in its own chain only; chains have names, for compilers would keep an array of them in memory.
template <typename T, typename Bits, size_t kRegister>
COLKIT_INLINE T Largest(const uint8_t* items, size_t count, T worst, Bits less, Bits turned) {
  constexpr size_t kCount = kRegister / sizeof(T);
  using Group = Lanes<T, kCount>;
  const auto all_less = Lanes<Bits, kCount>::Of(less);
  const auto all_turned = Lanes<Bits, kCount>::Of(turned);
  Group first = Group::Of(worst);
  Group second = first;
  Group third = first;
  Group fourth = first;
  size_t i = 0;
  for (; i + 4 * kCount <= count; i += 4 * kCount) {
    first = Larger(TurnedLanes<T>(items, i, all_less, all_turned), first);
    second = Larger(TurnedLanes<T>(items, i + kCount, all_less, all_turned), second);
    third = Larger(TurnedLanes<T>(items, i + 2 * kCount, all_less, all_turned), third);
    fourth = Larger(TurnedLanes<T>(items, i + 3 * kCount, all_less, all_turned), fourth);
  }
  const Group group = Larger(Larger(first, second), Larger(third, fourth));
  T best = worst;
  for (size_t k = 0; k < kCount; ++k) best = group[k] > best ? group[k] : best;
  for (; i < count; ++i) {
    const T item = TurnedAt<T>(items, i, less, turned);
    best = item > best ? item : best;
  }
  return best;
}

// The same of halves, by HalfKey; kNoHalf where all are NaN.
COLKIT_INLINE int16_t LargestHalf(const uint8_t* items, size_t count, int16_t turned) {
  int16_t best = kNoHalf;
  for (size_t i = 0; i < count; ++i) {
    const int16_t key = HalfKey(ItemAt<uint16_t>(items, i));
    const auto item = static_cast<int16_t>(key ^ turned);
    const bool is_number = key >= -kHalfInfinity && key <= kHalfInfinity;
    const int16_t number = is_number ? item : kNoHalf;
    best = number > best ? number : best;
  }
  return best;
}

// Items whose mask is 1, one behind the other.
template <typename T>
COLKIT_INLINE void PackItems(const uint8_t* items, size_t count, const uint8_t* mask, uint8_t* out) {
  size_t used = 0;
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(out + used * sizeof(T), items + i * sizeof(T), sizeof(T));
    used += mask[i];
  }
}

COLKIT_INLINE size_t CountOnes(const uint8_t* mask, size_t count) {
  size_t total = 0;
  // Bytes hold up to 255 of them.
  for (size_t start = 0; start < count; start += 128) {
    uint8_t part = 0;
    const size_t end = start + 128 < count ? start + 128 : count;
    for (size_t i = start; i < end; ++i) part = static_cast<uint8_t>(part + mask[i]);
    total += part;
  }
  return total;
}

COLKIT_INLINE void AndMasks(const uint8_t* other, size_t count, uint8_t* mask) {
  for (size_t i = 0; i < count; ++i) mask[i] &= other[i];
}

COLKIT_INLINE void OrMasks(const uint8_t* other, size_t count, uint8_t* mask) {
  for (size_t i = 0; i < count; ++i) mask[i] |= other[i];
}

// One bit a row, least significant first; `count` is a multiple of 8, its last bytes may be padding of zeros.
COLKIT_INLINE void BitsOfMask(const uint8_t* mask, size_t count, uint8_t* bits) {
  for (size_t i = 0; i < count; i += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, mask + i, sizeof(bytes));
    // The product moves bit 0 of byte k to bit 56 + k.
    bits[i / 8] = static_cast<uint8_t>((bytes * 0x0102040810204080ull) >> 56);
  }
}

}  // namespace raw_loops
}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_LOOPS_H_
