// See item_kernels.h: sixteen numbers, or eight rows, at a time, with AVX2.
#include "decode/item_kernels.h"

#include "platform/intrinsics.h"

namespace colkit {

#if COLKIT_X86

namespace {

constexpr size_t kNumbers = 16;

COLKIT_TARGET("avx2") COLKIT_INLINE __m256i LoadEight(const uint32_t* numbers) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers));
}

// For each byte of a bitmap and each of its bits, lowest first: how many are set below it, or kNoItem where it is not
// set itself. Twice that, which shuffles of two bytes need, still has the bit of a byte that is to be 0.
constexpr uint8_t kNoItem = 0xc0;

struct RanksTable {
  uint8_t of[256][8];
};

constexpr RanksTable MakeRanks() {
  RanksTable table = {};
  for (unsigned byte = 0; byte < 256; ++byte) {
    uint8_t rank = 0;
    for (unsigned bit = 0; bit < 8; ++bit) table.of[byte][bit] = (byte >> bit & 1) != 0 ? rank++ : kNoItem;
  }
  return table;
}

constexpr RanksTable kRanks = MakeRanks();

COLKIT_TARGET("avx2") COLKIT_INLINE __m128i RanksOf(unsigned byte) {
  return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kRanks.of[byte]));
}

// Items of `kBytes` of the rows of one byte.
template <unsigned kBytes>
COLKIT_TARGET("avx2")
COLKIT_INLINE void SpreadEight(const uint8_t* items, unsigned byte, uint8_t* out) {
  if constexpr (kBytes == 1) {
    const __m128i all = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(items));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(all, RanksOf(byte)));
  } else if constexpr (kBytes == 2) {
    const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(items));
    const __m128i ranks = _mm_unpacklo_epi8(RanksOf(byte), RanksOf(byte));
    const __m128i at = _mm_add_epi8(_mm_add_epi8(ranks, ranks), _mm_set1_epi16(0x0100));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(all, at));
  } else if constexpr (kBytes == 4) {
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(items));
    const __m256i ranks = _mm256_cvtepi8_epi32(RanksOf(byte));
    // Those of rows without an item are negative.
    const __m256i spread = _mm256_permutevar8x32_epi32(all, ranks);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_andnot_si256(_mm256_srai_epi32(ranks, 31), spread));
  } else {
    // Four rows, each of two halves.
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(items));
    const __m256i ranks = _mm256_cvtepi8_epi64(RanksOf(byte));
    const __m256i low = _mm256_add_epi64(ranks, ranks);
    const __m256i high = _mm256_slli_epi64(_mm256_add_epi64(low, _mm256_set1_epi64x(1)), 32);
    const __m256i at = _mm256_blend_epi32(low, high, 0xaa);
    const __m256i spread = _mm256_permutevar8x32_epi32(all, at);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                        _mm256_andnot_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), ranks), spread));
  }
}

template <unsigned kBytes>
COLKIT_TARGET("avx2,popcnt")
size_t SpreadAll(const uint8_t* items, const uint8_t* validity, size_t bytes, uint8_t* out) {
  constexpr unsigned kRows = kBytes == 8 ? 4 : 8;
  const uint8_t* from = items;
  for (size_t i = 0; i < bytes; ++i) {
    unsigned byte = validity[i];
    for (unsigned row = 0; row < 8; row += kRows, byte >>= kRows, out += kRows * kBytes) {
      const unsigned bits = byte & ((1u << kRows) - 1);
      SpreadEight<kBytes>(from, bits, out);
      from += static_cast<size_t>(_mm_popcnt_u32(bits)) * kBytes;
    }
  }
  return static_cast<size_t>(from - items) / kBytes;
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

size_t SpreadEightsAvx2(const uint8_t* items, const uint8_t* validity, size_t bytes, unsigned item_bytes,
                        uint8_t* out) {
  switch (item_bytes) {
    case 1:
      return SpreadAll<1>(items, validity, bytes, out);
    case 2:
      return SpreadAll<2>(items, validity, bytes, out);
    case 4:
      return SpreadAll<4>(items, validity, bytes, out);
    default:
      return SpreadAll<8>(items, validity, bytes, out);
  }
}

#else

size_t WriteShortsAvx2(const uint32_t*, size_t, uint32_t, uint32_t, uint16_t*) { return 0; }
size_t LargestOfAvx2(const uint32_t*, size_t, uint32_t*) { return 0; }
size_t SpreadEightsAvx2(const uint8_t*, const uint8_t*, size_t, unsigned, uint8_t*) { return 0; }

#endif

}  // namespace colkit
