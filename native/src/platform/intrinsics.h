// The few things that compilers spell differently: prefetch, bit counts, the high half of a product, division of 128
// bits, and which x86 forms can be compiled here.
#ifndef COLKIT_NATIVE_INTRINSICS_H_
#define COLKIT_NATIVE_INTRINSICS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) || defined(_M_X64)
#define COLKIT_X86 1
#include <immintrin.h>
#else
#define COLKIT_X86 0
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define COLKIT_INLINE __forceinline
#define COLKIT_TARGET(features)
#else
#define COLKIT_INLINE inline __attribute__((always_inline))
#define COLKIT_TARGET(features) __attribute__((target(features)))
#endif

namespace colkit {

// Brings a line towards the second-level cache. That hint and not the first level's: a core has few slots for
// first-level misses, and with this one 1.4 to 1.75 times as many random reads are under way. It never faults, so any
// address will do.
COLKIT_INLINE void Prefetch(uintptr_t address) {
#if COLKIT_X86
  _mm_prefetch(reinterpret_cast<const char*>(address), _MM_HINT_T1);
#elif defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(reinterpret_cast<const void*>(address), 0, 2);
#else
  (void)address;
#endif
}

// Without the processor's own instruction, which is not in the oldest x86: the compiler's builtin would be a call
// there.
COLKIT_INLINE unsigned PopCount(uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555ull;
  word = (word & 0x3333333333333333ull) + ((word >> 2) & 0x3333333333333333ull);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return static_cast<unsigned>((word * 0x0101010101010101ull) >> 56);
}

// Number of zero bits below the lowest set bit; `word` is not 0.
COLKIT_INLINE unsigned CountTrailingZeros(uint64_t word) {
#if defined(__GNUC__) || defined(__clang__)
  return static_cast<unsigned>(__builtin_ctzll(word));
#else
  unsigned long index;
  _BitScanForward64(&index, word);
  return static_cast<unsigned>(index);
#endif
}

// Number of zero bits above the highest set bit; `word` is not 0.
COLKIT_INLINE unsigned CountLeadingZeros(uint64_t word) {
#if defined(__GNUC__) || defined(__clang__)
  return static_cast<unsigned>(__builtin_clzll(word));
#else
  unsigned long index;
  _BitScanReverse64(&index, word);
  return 63 - static_cast<unsigned>(index);
#endif
}

COLKIT_INLINE uint64_t SwapBytes(uint64_t word) {
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_bswap64(word);
#else
  return _byteswap_uint64(word);
#endif
}

COLKIT_INLINE uint64_t MultiplyHigh(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
  return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
#else
  return __umulh(a, b);
#endif
}

// high * 2^64 + low, divided; `high` is below `divisor`.
COLKIT_INLINE uint64_t DivideWide(uint64_t high, uint64_t low, uint64_t divisor, uint64_t* rest) {
#if defined(__SIZEOF_INT128__)
  const unsigned __int128 dividend = (static_cast<unsigned __int128>(high) << 64) | low;
  const auto quotient = static_cast<uint64_t>(dividend / divisor);
  *rest = low - quotient * divisor;
  return quotient;
#elif COLKIT_X86
  return _udiv128(high, low, divisor, rest);
#else
  // Bit by bit, where no compiler has more to offer.
  uint64_t quotient = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const bool carry = (high >> 63) != 0;
    high = (high << 1) | ((low >> bit) & 1);
    if (!carry && high < divisor) continue;
    high -= divisor;
    quotient |= uint64_t{1} << bit;
  }
  *rest = high;
  return quotient;
#endif
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_INTRINSICS_H_
