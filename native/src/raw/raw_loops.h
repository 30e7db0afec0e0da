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
    for (size_t i = 0; i < count; ++i) {
      const T item = ItemAt<T>(items, i);
      mask[i] = static_cast<uint8_t>((item >= low) & (item <= high)) ^ flip;
    }
  }
}

// The better of two, or what the other is where one is no number.
template <bool kMost, typename T>
COLKIT_INLINE T Better(T item, T best) {
  return kMost ? (item > best ? item : best) : (item < best ? item : best);
}

template <bool kMost, typename T>
COLKIT_INLINE void OfferBest(T best, RawExtreme* extreme) {
  T held;
  std::memcpy(&held, extreme->bytes, sizeof(held));
  if (extreme->found != kRawFoundValue || (kMost ? best > held : best < held)) {
    std::memcpy(extreme->bytes, &best, sizeof(best));
    extreme->found = kRawFoundValue;
  }
}

// Integers less `less`, modulo 2^n; floats as they are.
template <typename T>
COLKIT_INLINE T LessAt(const uint8_t* items, size_t i, T less) {
  if constexpr (std::is_integral<T>::value) {
    using Bits = typename std::make_unsigned<T>::type;
    return static_cast<T>(static_cast<Bits>(ItemAt<Bits>(items, i) - static_cast<Bits>(less)));
  } else {
    return ItemAt<T>(items, i);
  }
}

template <typename T, size_t kCount>
COLKIT_INLINE Lanes<T, kCount> LessLanes(const uint8_t* items, T less) {
  if constexpr (std::is_integral<T>::value) {
    using Bits = typename std::make_unsigned<T>::type;
    return BitsAs<T>(Lanes<Bits, kCount>::At(items) - Lanes<Bits, kCount>::Of(static_cast<Bits>(less)));
  } else {
    return Lanes<T, kCount>::At(items);
  }
}

// The best of the items, each of them less `less`, and of `worst`. NaN is passed over. A comparison waits for the one
// before it in its own chain only.
template <bool kMost, typename T, size_t kRegister>
COLKIT_INLINE T BestItem(const uint8_t* items, size_t count, T worst, T less = 0) {
  constexpr size_t kChains = 4;
  using Group = Lanes<T, kRegister / sizeof(T)>;
  Group chains[kChains];
  for (size_t c = 0; c < kChains; ++c) chains[c] = Group::Of(worst);
  size_t i = 0;
  for (; i + kChains * Group::kCount <= count; i += kChains * Group::kCount) {
    for (size_t c = 0; c < kChains; ++c) {
      const auto lanes = LessLanes<T, Group::kCount>(items + (i + c * Group::kCount) * sizeof(T), less);
      chains[c] = kMost ? Larger(lanes, chains[c]) : Smaller(lanes, chains[c]);
    }
  }
  for (size_t c = 1; c < kChains; ++c) chains[0] = kMost ? Larger(chains[c], chains[0]) : Smaller(chains[c], chains[0]);
  T best = worst;
  for (; i < count; ++i) best = Better<kMost, T>(LessAt<T>(items, i, less), best);
  for (size_t k = 0; k < Group::kCount; ++k) best = Better<kMost, T>(chains[0][k], best);
  return best;
}

template <bool kMost, typename T, size_t kRegister>
COLKIT_INLINE void ExtremeOfIntegers(const uint8_t* items, size_t count, RawExtreme* extreme) {
  if (count == 0) return;
  OfferBest<kMost, T>(BestItem<kMost, T, kRegister>(items, count, ItemAt<T>(items, 0)), extreme);
}

template <bool kMost>
COLKIT_INLINE void ExtremeOfBools(const uint8_t* items, size_t count, RawExtreme* extreme) {
  if (count == 0) return;
  uint8_t best = kMost ? 0 : 1;
  for (size_t i = 0; i < count; ++i) best = Better<kMost, uint8_t>(items[i] != 0 ? 1 : 0, best);
  OfferBest<kMost, uint8_t>(best, extreme);
}

// NaT is the smallest of all. So it is never the largest; and with 1 less, modulo 2^64, it is the largest instead, and
// never the smallest: unless there is nothing else.
template <bool kMost, size_t kRegister>
COLKIT_INLINE void ExtremeOfTicks(const uint8_t* items, size_t count, RawExtreme* extreme) {
  if (count == 0) return;
  constexpr int64_t kLess = kMost ? 0 : 1;
  constexpr int64_t kNaT =
      kMost ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  const int64_t best = BestItem<kMost, int64_t, kRegister>(items, count, kNaT, kLess);
  if (best != kNaT) {
    OfferBest<kMost, int64_t>(best + kLess, extreme);
  } else if (extreme->found == kRawFoundNothing) {
    extreme->found = kRawFoundUnknown;
  }
}

template <typename T>
COLKIT_INLINE bool IsNumber(const uint8_t* items, size_t i) {
  if constexpr (std::is_same<T, Half>::value) {
    return (ItemAt<uint16_t>(items, i) & 0x7fff) <= static_cast<uint16_t>(kHalfInfinity);
  } else {
    const T item = ItemAt<T>(items, i);
    return item == item;
  }
}

// Kept as doubles. NaN is passed over; of 0 and -0 the first one counts, as where rows are looked at in order.
template <bool kMost, typename T, size_t kRegister>
COLKIT_INLINE void ExtremeOfFloats(const uint8_t* items, size_t count, RawExtreme* extreme) {
  if (count == 0) return;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kWorst = kMost ? -kInfinity : kInfinity;
  double best = kWorst;
  if constexpr (std::is_same<T, Half>::value) {
    constexpr auto kEnd = static_cast<int16_t>(kMost ? -kHalfInfinity : kHalfInfinity);
    int16_t key = kEnd;
    for (size_t i = 0; i < count; ++i) {
      const int16_t item = HalfKey(ItemAt<uint16_t>(items, i));
      const bool number = item >= -kHalfInfinity && item <= kHalfInfinity;
      key = Better<kMost, int16_t>(number ? item : kEnd, key);
    }
    const auto size = static_cast<uint16_t>(key < 0 ? -key : key);
    best = size == static_cast<uint16_t>(kHalfInfinity) ? kInfinity : FloatOfHalf(size);
    if (key < 0) best = -best;
  } else {
    best = static_cast<double>(BestItem<kMost, T, kRegister>(items, count, static_cast<T>(kWorst)));
  }
  if (best == kWorst) {
    // That, or nothing but NaN.
    bool any = false;
    for (size_t i = 0; i < count && !any; ++i) any = IsNumber<T>(items, i);
    if (!any) {
      if (extreme->found == kRawFoundNothing) extreme->found = kRawFoundUnknown;
      return;
    }
  }
  if (best == 0) {
    for (size_t i = 0; i < count; ++i) {
      if constexpr (std::is_same<T, Half>::value) {
        const uint16_t bits = ItemAt<uint16_t>(items, i);
        if ((bits & 0x7fff) != 0) continue;
        best = (bits & 0x8000) != 0 ? -0.0 : 0.0;
      } else {
        const T item = ItemAt<T>(items, i);
        if (item != 0) continue;
        best = static_cast<double>(item);
      }
      break;
    }
  }
  OfferBest<kMost, double>(best, extreme);
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
