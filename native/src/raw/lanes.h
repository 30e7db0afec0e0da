// A few numbers that are treated alike: a vector where the compiler has them, which should fit a register of the
// target; an array elsewhere.
#ifndef COLKIT_NATIVE_LANES_H_
#define COLKIT_NATIVE_LANES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {

#if defined(__GNUC__) || defined(__clang__)

template <typename T, size_t kLaneCount>
struct Lanes {
  static constexpr size_t kCount = kLaneCount;
  typedef T Vector __attribute__((vector_size(sizeof(T) * kCount)));
  Vector values;

  static COLKIT_INLINE Lanes Of(T value) {
    Lanes lanes;
    for (size_t k = 0; k < kCount; ++k) lanes.values[k] = value;
    return lanes;
  }
  static COLKIT_INLINE Lanes At(const uint8_t* items) {
    Lanes lanes;
    std::memcpy(&lanes.values, items, sizeof(lanes.values));
    return lanes;
  }
  template <typename S>
  static COLKIT_INLINE Lanes From(const Lanes<S, kCount>& other) {
    return {__builtin_convertvector(other.values, Vector)};
  }
  COLKIT_INLINE T operator[](size_t k) const { return values[k]; }
  friend COLKIT_INLINE Lanes operator+(Lanes a, Lanes b) { return {a.values + b.values}; }
  friend COLKIT_INLINE Lanes operator-(Lanes a, Lanes b) { return {a.values - b.values}; }
  friend COLKIT_INLINE Lanes operator*(Lanes a, Lanes b) { return {a.values * b.values}; }
  friend COLKIT_INLINE Lanes operator&(Lanes a, Lanes b) { return {a.values & b.values}; }
  friend COLKIT_INLINE Lanes operator|(Lanes a, Lanes b) { return {a.values | b.values}; }
  friend COLKIT_INLINE Lanes operator^(Lanes a, Lanes b) { return {a.values ^ b.values}; }
  friend COLKIT_INLINE Lanes operator<<(Lanes a, int bits) { return {a.values << bits}; }
  // Of integers: b where a is not 0, else 0.
  friend COLKIT_INLINE Lanes WhereNotZero(Lanes a, Lanes b) { return {(Vector)(a.values != 0) & b.values}; }
  friend COLKIT_INLINE Lanes Larger(Lanes a, Lanes b) { return {a.values > b.values ? a.values : b.values}; }
  friend COLKIT_INLINE Lanes Smaller(Lanes a, Lanes b) { return {a.values < b.values ? a.values : b.values}; }
};

#else

template <typename T, size_t kLaneCount>
struct Lanes {
  static constexpr size_t kCount = kLaneCount;
  T values[kCount];

  template <typename F>
  static Lanes Each(F f) {
    Lanes lanes;
    for (size_t k = 0; k < kCount; ++k) lanes.values[k] = static_cast<T>(f(k));
    return lanes;
  }
  static Lanes Of(T value) {
    return Each([&](size_t) { return value; });
  }
  static Lanes At(const uint8_t* items) {
    Lanes lanes;
    std::memcpy(lanes.values, items, sizeof(lanes.values));
    return lanes;
  }
  template <typename S>
  static Lanes From(const Lanes<S, kCount>& other) {
    return Each([&](size_t k) { return other[k]; });
  }
  T operator[](size_t k) const { return values[k]; }
  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return Each([&](size_t k) { return a[k] + b[k]; });
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return Each([&](size_t k) { return a[k] - b[k]; });
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return Each([&](size_t k) { return a[k] * b[k]; });
  }
  friend Lanes operator&(const Lanes& a, const Lanes& b) {
    return Each([&](size_t k) { return a[k] & b[k]; });
  }
  friend Lanes operator|(const Lanes& a, const Lanes& b) {
    return Each([&](size_t k) { return a[k] | b[k]; });
  }
  friend Lanes operator^(const Lanes& a, const Lanes& b) {
    return Each([&](size_t k) { return a[k] ^ b[k]; });
  }
  friend Lanes operator<<(const Lanes& a, int bits) {
    return Each([&](size_t k) { return a[k] << bits; });
  }
  friend Lanes WhereNotZero(const Lanes& a, const Lanes& b) {
    return Each([&](size_t k) { return a[k] != 0 ? b[k] : 0; });
  }
  friend Lanes Larger(const Lanes& a, const Lanes& b) {
    return Each([&](size_t k) { return a[k] > b[k] ? a[k] : b[k]; });
  }
  friend Lanes Smaller(const Lanes& a, const Lanes& b) {
    return Each([&](size_t k) { return a[k] < b[k] ? a[k] : b[k]; });
  }
};

#endif

// The same bits as another type of the same size.
template <typename To, typename From, size_t kCount>
COLKIT_INLINE Lanes<To, kCount> BitsAs(const Lanes<From, kCount>& lanes) {
  Lanes<To, kCount> out;
  static_assert(sizeof(out.values) == sizeof(lanes.values), "the same size");
  std::memcpy(&out.values, &lanes.values, sizeof(out.values));
  return out;
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_LANES_H_
