// See raw_extremes.h.
#include "raw/folds/raw_extremes.h"

#include <limits>

#include "raw/raw_items.h"

namespace colkit {
namespace {

using raw_loops::ItemAt;

constexpr bool IsUnsigned(RawType type) { return type == kRawBool || (type >= kRawUint8 && type <= kRawUint64); }

RawExtreme WholeExtreme(const RawKernels& kernels, RawType type, bool most, const uint8_t* items, size_t count) {
  constexpr unsigned kLogarithms[] = {0, 0, 1, 0, 2, 0, 0, 0, 3};
  const unsigned bytes = kRawTypeBytes[type];
  const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  const uint64_t all = sign | (sign - 1);
  // NaT is the smallest of all, and never the largest. With 1 less, modulo 2^64, it is the largest, and never the
  // smallest: unless there is nothing else.
  const uint64_t less = type == kRawTicks && !most ? 1 : 0;
  const uint64_t turned = (most ? 0 : all) ^ (IsUnsigned(type) ? sign : 0);
  const int64_t best = kernels.largest_whole[kLogarithms[bytes]](items, count, less, turned);
  if (type == kRawTicks && best == std::numeric_limits<int64_t>::min()) return {kRawFoundUnknown, 0, 0};
  const uint64_t bits = (((static_cast<uint64_t>(best) ^ turned) & all) + less) ^ BiasOf(type);
  if (type == kRawBool) return {kRawFoundValue, bits != 0, 0};
  // The sign of a narrower one, over all bits above it.
  const uint64_t item = IsUnsigned(type) ? bits : (bits ^ sign) - sign;
  return {kRawFoundValue, static_cast<int64_t>(item), 0};
}

double HalfOf(int16_t key) {
  const auto magnitude = static_cast<uint16_t>(key < 0 ? -key : key);
  const double value = magnitude == static_cast<uint16_t>(raw_loops::kHalfInfinity)
                           ? std::numeric_limits<double>::infinity()
                           : static_cast<double>(raw_loops::FloatOfHalf(magnitude));
  return key < 0 ? -value : value;
}

template <typename T>
bool HasNumber(const uint8_t* items, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (ItemAt<T>(items, i) == ItemAt<T>(items, i)) return true;
  return false;
}

RawExtreme FloatExtreme(const RawKernels& kernels, RawType type, bool most, const uint8_t* items, size_t count) {
  if (type == kRawFloat16) {
    const int16_t turned = most ? 0 : -1;
    const int16_t best = kernels.largest_half(items, count, turned);
    if (best == raw_loops::kNoHalf) return {kRawFoundUnknown, 0, 0};
    return {kRawFoundValue, 0, HalfOf(static_cast<int16_t>(best ^ turned))};
  }
  const bool is_double = type == kRawFloat64;
  const double best = kernels.largest_float[is_double](items, count, !most);
  // That, or nothing but NaN.
  if (best == -std::numeric_limits<double>::infinity() &&
      !(is_double ? HasNumber<double>(items, count) : HasNumber<float>(items, count)))
    return {kRawFoundUnknown, 0, 0};
  return {kRawFoundValue, 0, most ? best : -best};
}

template <typename Bits>
double FirstZero(const uint8_t* items, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const auto bits = ItemAt<Bits>(items, i);
    if (static_cast<Bits>(bits << 1) == 0) return bits == 0 ? 0.0 : -0.0;
  }
  return 0;
}

double FirstZeroOf(RawType type, const uint8_t* items, size_t count) {
  if (type == kRawFloat16) return FirstZero<uint16_t>(items, count);
  return type == kRawFloat32 ? FirstZero<uint32_t>(items, count) : FirstZero<uint64_t>(items, count);
}

// Of what both have of one kind: the other field is 0 in both.
bool IsBetter(bool most, const RawExtreme& item, const RawExtreme& best) {
  return most ? item.whole > best.whole || item.number > best.number
              : item.whole < best.whole || item.number < best.number;
}

bool Replaces(bool most, const RawExtreme& item, const RawExtreme& best) {
  if (best.found != kRawFoundValue) return item.found > best.found;
  return item.found == kRawFoundValue && IsBetter(most, item, best);
}

}  // namespace

void FoldExtreme(const RawKernels& kernels, RawType type, bool most, const uint8_t* items, size_t count,
                 RawExtreme* extreme) {
  if (count == 0) return;
  const bool is_float = IsFloatType(type);
  RawExtreme found =
      is_float ? FloatExtreme(kernels, type, most, items, count) : WholeExtreme(kernels, type, most, items, count);
  if (!Replaces(most, found, *extreme)) return;
  if (is_float && found.found == kRawFoundValue && found.number == 0) found.number = FirstZeroOf(type, items, count);
  *extreme = found;
}

void MergeExtremes(bool most, const RawExtreme& other, RawExtreme* extreme) {
  if (Replaces(most, other, *extreme)) *extreme = other;
}

}  // namespace colkit
