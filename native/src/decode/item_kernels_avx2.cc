// See item_kernels.h: sixteen numbers at a time, with AVX2.
#include "decode/item_kernels.h"

#include "platform/intrinsics.h"

namespace colkit {

#if COLKIT_X86

namespace {

constexpr size_t kNumbers = 16;

COLKIT_TARGET("avx2") COLKIT_INLINE __m256i LoadEight(const uint32_t* numbers) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers));
}

}  // namespace

COLKIT_TARGET("avx2")
size_t WriteShortsAvx2(const uint32_t* numbers, size_t count, uint32_t base, uint32_t step, uint16_t* out) {
  const __m256i bases = _mm256_set1_epi32(static_cast<int>(base));
  const __m256i steps = _mm256_set1_epi32(static_cast<int>(step));
  const __m256i mask = _mm256_set1_epi32(0xffff);
  size_t i = 0;
  for (; i + kNumbers <= count; i += kNumbers) {
    __m256i low = LoadEight(numbers + i);
    __m256i high = LoadEight(numbers + i + kNumbers / 2);
    if (step != 1) {
      low = _mm256_mullo_epi32(low, steps);
      high = _mm256_mullo_epi32(high, steps);
    }
    low = _mm256_and_si256(_mm256_add_epi32(low, bases), mask);
    high = _mm256_and_si256(_mm256_add_epi32(high, bases), mask);
    // Halves are packed each by themselves, and put into order behind.
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), packed);
  }
  return i;
}

COLKIT_TARGET("avx2")
size_t LargestOfAvx2(const uint32_t* numbers, size_t count, uint32_t* largest) {
  __m256i low = _mm256_setzero_si256();
  __m256i high = _mm256_setzero_si256();
  size_t i = 0;
  for (; i + kNumbers <= count; i += kNumbers) {
    low = _mm256_max_epu32(low, LoadEight(numbers + i));
    high = _mm256_max_epu32(high, LoadEight(numbers + i + kNumbers / 2));
  }
  uint32_t lanes[kNumbers / 2];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), _mm256_max_epu32(low, high));
  for (const uint32_t lane : lanes) *largest = lane > *largest ? lane : *largest;
  return i;
}

#else

size_t WriteShortsAvx2(const uint32_t*, size_t, uint32_t, uint32_t, uint16_t*) { return 0; }
size_t LargestOfAvx2(const uint32_t*, size_t, uint32_t*) { return 0; }

#endif

}  // namespace colkit
