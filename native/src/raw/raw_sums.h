// Sums of the items of a block, for any instruction set, as the other loops of raw_loops.h.
#ifndef COLKIT_NATIVE_RAW_SUMS_H_
#define COLKIT_NATIVE_RAW_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "platform/intrinsics.h"
#include "raw/exact_sum.h"
#include "raw/lanes.h"
#include "raw/raw_items.h"
#include "raw/raw_kernels.h"

namespace colkit {
namespace raw_loops {

template <typename T>
COLKIT_INLINE void SumIntegers(const uint8_t* items, size_t count, RawSum* sum) {
  if constexpr (sizeof(T) == 8) {
    // Biased to unsigned, so that both halves are sums of unsigned words.
    constexpr uint64_t kBias = std::is_signed<T>::value ? uint64_t{1} << 63 : 0;
    uint64_t low = 0;
    uint64_t high = 0;
    for (size_t i = 0; i < count; ++i) {
      const uint64_t item = static_cast<uint64_t>(ItemAt<T>(items, i)) ^ kBias;
      low += item & 0xffffffff;
      high += item >> 32;
    }
    sum->low += low;
    sum->high += static_cast<int64_t>(high - (kBias >> 32) * count);
  } else {
    // Words that hold the sum of a block: narrow items are added in them, many at a time.
    using Word = typename std::conditional<sizeof(T) == 4, int64_t, int32_t>::type;
    Word total = 0;
    InSteps<T>(items, count, [&](size_t start, size_t end) {
      for (size_t i = start; i < end; ++i) {
        if constexpr (std::is_same<T, bool>::value) {
          total += items[i] != 0;
        } else {
          total += static_cast<Word>(ItemAt<T>(items, i));
        }
      }
    });
    const auto whole = static_cast<int64_t>(total);
    sum->low += static_cast<uint64_t>(whole) & 0xffffffff;
    sum->high += whole >> 32;
  }
}

template <typename T>
COLKIT_INLINE double DoubleAt(const uint8_t* items, size_t i) {
  if constexpr (std::is_same<T, Half>::value) {
    return FloatOfHalf(ItemAt<uint16_t>(items, i));
  } else {
    return static_cast<double>(ItemAt<T>(items, i));
  }
}

// The magnitudes of a block as bit patterns, which order as they do: the largest, and the smallest that is not 0, less
// 1.
template <typename Bits, size_t kRegister>
COLKIT_INLINE void Magnitudes(const uint8_t* items, size_t count, uint64_t* most, uint64_t* least) {
  using Group = Lanes<Bits, kRegister / sizeof(Bits)>;
  constexpr Bits kMagnitude = std::numeric_limits<Bits>::max();
  const Group magnitude = Group::Of(kMagnitude);
  const Group one = Group::Of(1);
  Group large = Group::Of(0);
  Group small = magnitude;
  size_t i = 0;
  for (; i + Group::kCount <= count; i += Group::kCount) {
    const Group size = Group::At(items + i * sizeof(Bits)) & magnitude;
    large = Larger(size, large);
    // Of 0 it is the largest of all.
    small = Smaller((size - one) & magnitude, small);
  }
  Bits largest = 0;
  Bits smallest = kMagnitude;
  for (; i < count; ++i) {
    const auto size = static_cast<Bits>(ItemAt<Bits>(items, i) & kMagnitude);
    const auto below = static_cast<Bits>((size - 1) & kMagnitude);
    largest = size > largest ? size : largest;
    smallest = below < smallest ? below : smallest;
  }
  for (size_t k = 0; k < Group::kCount; ++k) {
    largest = large[k] > largest ? large[k] : largest;
    smallest = small[k] < smallest ? small[k] : smallest;
  }
  *most = static_cast<uint64_t>(largest);
  *least = static_cast<uint64_t>(smallest);
}

template <typename T, size_t kCount>
COLKIT_INLINE Lanes<double, kCount> DoublesAt(const uint8_t* items) {
  if constexpr (std::is_same<T, Half>::value) {
    // By the sign that is spread over the upper bits, which one mask leaves of them.
    const auto bits = BitsAs<uint32_t>(Lanes<int32_t, kCount>::From(Lanes<int16_t, kCount>::At(items)));
    const auto small = BitsAs<float>((bits << 13) & Lanes<uint32_t, kCount>::Of(0x8fffe000));
    return Lanes<double, kCount>::From(small * Lanes<float, kCount>::Of(0x1p112f));
  } else {
    return Lanes<double, kCount>::From(Lanes<T, kCount>::At(items));
  }
}

COLKIT_INLINE double PowerOfTwo(int exponent) {
  const uint64_t bits = static_cast<uint64_t>(exponent + 1023) << 52;
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// How far apart the exponents of the items of a block may be: so far, the sums below lose nothing.
constexpr int kMantissaBits = 52;
constexpr int kBlockBits = 10;
static_assert(kBlockRows == size_t{1} << kBlockBits, "see SumFloats");

// Exponents are kept above 0; a column that was met out of reach again and again is tried less often.
constexpr int kExpectedBias = 2048;
constexpr uint32_t kMostPatience = 255;

// The exponents that items may have for a block to be added in one pass, so many from `exponent` downwards.
constexpr int kSpreadBits = 5;

// Floats of 32 bits have so few bits that in half of that range they need no cut: doubles hold their sum.
template <size_t kRegister>
COLKIT_INLINE bool SumExpectedSingles(const uint8_t* items, size_t count, int exponent, RawSum* sum) {
  constexpr size_t kCount = kRegister / sizeof(float);
  constexpr size_t kChains = 4;
  constexpr int kSingleBits = 23;
  constexpr int kSingleSpread = kSpreadBits - 1;
  static_assert(kSingleBits + (1 << kSingleSpread) + kBlockBits <= kMantissaBits + 1, "the sum of a block is exact");
  using Group = Lanes<double, kCount / 2>;
  using Bits = Lanes<uint32_t, kCount>;
  const int lowest = exponent + 1 - (1 << kSingleSpread) + 127;
  if (count % (kChains * kCount) != 0 || lowest <= 0) return false;
  const Bits magnitude = Bits::Of(~uint32_t{0} >> 1);
  const Bits floors = Bits::Of(static_cast<uint32_t>(lowest) << kSingleBits);
  Group sums[2 * kChains];
  Bits reach = Bits::Of(0);
  for (size_t c = 0; c < 2 * kChains; ++c) sums[c] = Group::Of(0);
  for (size_t i = 0; i < count; i += kChains * kCount) {
    PrefetchAhead(items + i * sizeof(float), kChains * kRegister);
    for (size_t c = 0; c < kChains; ++c) {
      const uint8_t* at = items + (i + c * kCount) * sizeof(float);
      const Bits size = Bits::At(at) & magnitude;
      reach = reach | WhereNotZero(size, size - floors);
      sums[2 * c] = sums[2 * c] + DoublesAt<float, kCount / 2>(at);
      sums[2 * c + 1] = sums[2 * c + 1] + DoublesAt<float, kCount / 2>(at + kRegister / 2);
    }
  }
  uint32_t beyond = 0;
  double total = 0;
  for (size_t k = 0; k < kCount; ++k) beyond |= reach[k];
  for (size_t c = 0; c < 2 * kChains; ++c) {
    for (size_t k = 0; k < kCount / 2; ++k) total += sums[c][k];
  }
  if (beyond >> (kSingleBits + kSingleSpread) != 0) return false;
  AddExactly(&sum->exact, total);
  return true;
}

// The cut of SumFloats by an exponent that the block before it had. Whether all items are in reach of it is found on
// the way: their bit patterns, from that of the smallest on, have no more bits than a range of 2^kSpreadBits exponents.
// A zero is in reach of every cut. False where one is not: nothing is added then.
template <typename T, size_t kRegister>
COLKIT_INLINE bool SumExpected(const uint8_t* items, size_t count, int exponent, RawSum* sum) {
  if constexpr (sizeof(T) == sizeof(float)) return SumExpectedSingles<kRegister>(items, count, exponent, sum);
  constexpr size_t kCount = kRegister / sizeof(double);
  constexpr size_t kChains = 4;
  using Group = Lanes<double, kCount>;
  using Bits = Lanes<uint64_t, kCount>;
  if (count % (kChains * kCount) != 0) return false;
  const double cut = 1.5 * PowerOfTwo(exponent + kBlockBits);
  const uint64_t floor = static_cast<uint64_t>(exponent + 1 - (1 << kSpreadBits) + 1023) << kMantissaBits;
  const Group cuts = Group::Of(cut);
  const Bits magnitude = Bits::Of(~uint64_t{0} >> 1);
  const Bits floors = Bits::Of(floor);
  Group upper[kChains];
  Group lower[kChains];
  Bits reach = Bits::Of(0);
  for (size_t c = 0; c < kChains; ++c) upper[c] = lower[c] = Group::Of(0);
  for (size_t i = 0; i < count; i += kChains * kCount) {
    PrefetchAhead(items + i * sizeof(T), kChains * kRegister);
    for (size_t c = 0; c < kChains; ++c) {
      const Group item = DoublesAt<T, kCount>(items + (i + c * kCount) * sizeof(T));
      const Group part = (cuts + item) - cuts;
      upper[c] = upper[c] + part;
      lower[c] = lower[c] + (item - part);
      const Bits size = BitsAs<uint64_t>(item) & magnitude;
      reach = reach | WhereNotZero(size, size - floors);
    }
  }
  uint64_t beyond = 0;
  double above = 0;
  double below = 0;
  for (size_t k = 0; k < kCount; ++k) {
    beyond |= reach[k];
    for (size_t c = 0; c < kChains; ++c) {
      above += upper[c][k];
      below += lower[c][k];
    }
  }
  if (beyond >> (kMantissaBits + kSpreadBits) != 0) return false;
  AddExactly(&sum->exact, above);
  AddExactly(&sum->exact, below);
  return true;
}

// Halves are multiples of 2^-24 below 2^16: doubles hold the sum of a block of them.
template <size_t kRegister>
COLKIT_INLINE void SumHalves(const uint8_t* items, size_t count, RawSum* sum) {
  constexpr size_t kCount = kRegister / sizeof(double);
  constexpr size_t kChains = 4;
  static_assert(16 + 24 + kBlockBits <= kMantissaBits + 1, "the sum of a block is exact");
  using Group = Lanes<double, kCount>;
  using Bits = Lanes<uint16_t, kCount>;
  const Bits magnitude = Bits::Of(0x7fff);
  Group sums[kChains];
  Bits most = Bits::Of(0);
  for (size_t c = 0; c < kChains; ++c) sums[c] = Group::Of(0);
  size_t i = 0;
  for (; i + kChains * kCount <= count; i += kChains * kCount) {
    for (size_t c = 0; c < kChains; ++c) {
      const uint8_t* at = items + (i + c * kCount) * sizeof(uint16_t);
      most = Larger(Bits::At(at) & magnitude, most);
      sums[c] = sums[c] + DoublesAt<Half, kCount>(at);
    }
  }
  uint16_t largest = 0;
  double total = 0;
  for (; i < count; ++i) {
    const auto size = static_cast<uint16_t>(ItemAt<uint16_t>(items, i) & 0x7fff);
    largest = size > largest ? size : largest;
    total += FloatOfHalf(ItemAt<uint16_t>(items, i));
  }
  for (size_t k = 0; k < kCount; ++k) {
    largest = most[k] > largest ? most[k] : largest;
    for (size_t c = 0; c < kChains; ++c) total += sums[c][k];
  }
  if (largest < static_cast<uint16_t>(kHalfInfinity)) return AddExactly(&sum->exact, total);
  for (i = 0; i < count; ++i) {
    const uint16_t bits = ItemAt<uint16_t>(items, i);
    if ((bits & 0x7fff) < static_cast<uint16_t>(kHalfInfinity)) {
      AddExactly(&sum->exact, FloatOfHalf(bits));
      continue;
    }
    const double infinity = std::numeric_limits<double>::infinity();
    sum->exact.special += (bits & 0x3ff) != 0    ? std::numeric_limits<double>::quiet_NaN()
                          : (bits & 0x8000) != 0 ? -infinity
                                                 : infinity;
  }
}

// Each item is cut in two at a bit that is the same for all of them: the upper parts are multiples of one power of
// two and add up exactly, and so do the lower parts as long as the smallest item is not too small. A plain sum would
// have to wait for each addition before the next; these are independent, many at a time.
template <typename T, size_t kRegister>
COLKIT_INLINE void SumFloats(const uint8_t* items, size_t count, RawSum* sum) {
  if constexpr (std::is_same<T, Half>::value) return SumHalves<kRegister>(items, count, sum);
  if (sum->expected != 0 && sum->waiting == 0) {
    if (SumExpected<T, kRegister>(items, count, sum->expected - kExpectedBias, sum)) {
      sum->patience /= 2;
      return;
    }
    sum->patience = sum->patience < kMostPatience ? 2 * sum->patience + 1 : sum->patience;
    sum->waiting = sum->patience;
  } else if (sum->waiting > 0) {
    --sum->waiting;
  }
  using Bits = typename std::conditional<sizeof(T) == 8, int64_t, int32_t>::type;
  constexpr int kFraction = sizeof(T) == 8 ? 52 : 23;
  constexpr int kBias = sizeof(T) == 8 ? 1023 : 127;
  uint64_t most;
  uint64_t least;
  Magnitudes<Bits, kRegister>(items, count, &most, &least);
  if (most == 0) return;
  const int top = static_cast<int>(most >> kFraction);
  const int bottom = static_cast<int>((least + 1) >> kFraction);
  const int exponent = top - kBias + 1;  // |item| < 2^exponent
  // Not NaN or infinite, nor so large that the cut would be; and the last bits of the smallest are in reach. (Where
  // that is subnormal, so is its last bit.)
  const bool exact = top < 2 * kBias + 1 && exponent >= -900 && exponent + kBlockBits + 1 < 1023 &&
                     top - (bottom == 0 ? 1 : bottom) <= 2 * kMantissaBits - kFraction - 2 * kBlockBits + 1;
  if (!exact) {
    for (size_t i = 0; i < count; ++i) AddExactly(&sum->exact, DoubleAt<T>(items, i));
    return;
  }
  sum->expected = exponent + kExpectedBias;
  const double cut = 1.5 * PowerOfTwo(exponent + kBlockBits);
  // Several chains of additions: each waits for its own last one only.
  constexpr size_t kCount = kRegister / sizeof(double);
  constexpr size_t kChains = 4;
  using Group = Lanes<double, kCount>;
  const Group cuts = Group::Of(cut);
  Group upper[kChains];
  Group lower[kChains];
  for (size_t c = 0; c < kChains; ++c) upper[c] = lower[c] = Group::Of(0);
  size_t i = 0;
  for (; i + kChains * kCount <= count; i += kChains * kCount) {
    for (size_t c = 0; c < kChains; ++c) {
      const Group item = DoublesAt<T, kCount>(items + (i + c * kCount) * sizeof(T));
      const Group part = (cuts + item) - cuts;
      upper[c] = upper[c] + part;
      lower[c] = lower[c] + (item - part);
    }
  }
  double above = 0;
  double below = 0;
  for (; i < count; ++i) {
    const double item = DoubleAt<T>(items, i);
    const double part = (cut + item) - cut;
    above += part;
    below += item - part;
  }
  for (size_t c = 0; c < kChains; ++c) {
    for (size_t k = 0; k < kCount; ++k) {
      above += upper[c][k];
      below += lower[c][k];
    }
  }
  AddExactly(&sum->exact, above);
  AddExactly(&sum->exact, below);
}

}  // namespace raw_loops
}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_SUMS_H_
