// Which numbers lie in a range, with AVX2, eight at a time: eight that do not are one comparison, and the indices of
// those that do are brought to the front of a register.
#include "pages/number_kernels.h"

#include "platform/intrinsics.h"
#include "platform/set_bits.h"

namespace colkit {

#if COLKIT_X86

COLKIT_TARGET("avx2,popcnt")
size_t SelectWithinAvx2(const uint32_t* numbers, size_t count, uint32_t first, uint32_t above, uint32_t* indices,
                        size_t* done) {
  const __m256i least = _mm256_set1_epi32(static_cast<int>(first));
  const __m256i width = _mm256_set1_epi32(static_cast<int>(above));
  size_t found = 0;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i above = _mm256_sub_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers + i)), least);
    const __m256i within = _mm256_cmpeq_epi32(_mm256_min_epu32(above, width), above);
    const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(within)));
    if (mask == 0) continue;
    const __m256i lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kSetBits.indices[mask])));
    // Eight indices fit behind those that were found: they are no more than the numbers looked at.
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(indices + found),
                        _mm256_add_epi32(lanes, _mm256_set1_epi32(static_cast<int>(i))));
    found += static_cast<size_t>(_mm_popcnt_u32(mask));
  }
  *done = i;
  return found;
}

#else

size_t SelectWithinAvx2(const uint32_t*, size_t, uint32_t, uint32_t, uint32_t*, size_t* done) {
  *done = 0;
  return 0;
}

#endif

}  // namespace colkit
