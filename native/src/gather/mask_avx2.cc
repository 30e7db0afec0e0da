// Mask compression with AVX2: a permutation from a table brings the wanted items of a register to its front; the whole
// register is stored, and the destination moves on by the items that were wanted.
#include "gather/mask.h"

#include "platform/intrinsics.h"
#include "gather/mask_words.h"
#include "platform/set_bits.h"

namespace colkit {

#if COLKIT_X86

namespace {

// Places of set bits for 4-bit masks of items of two 32-bit lanes.
struct PairTable {
  uint64_t indices[16];
};

constexpr PairTable MakePairs() {
  PairTable table = {};
  for (unsigned mask = 0; mask < 16; ++mask) {
    const unsigned first_lanes = (mask & 1) | (mask & 2) << 1 | (mask & 4) << 2 | (mask & 8) << 3;
    table.indices[mask] = kSetBits.indices[3 * first_lanes];
  }
  return table;
}

constexpr PairTable kPairs = MakePairs();

#define COLKIT_AVX2 COLKIT_TARGET("avx2,bmi,bmi2,popcnt")

COLKIT_AVX2 inline void PermuteStore(const uint8_t* source, uint64_t lanes, uint8_t* out) {
  const __m256i permutation = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(lanes)));
  const __m256i items = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(items, permutation));
}

COLKIT_AVX2 inline unsigned CountSet(uint64_t word) { return static_cast<unsigned>(_mm_popcnt_u64(word)); }

COLKIT_AVX2 inline uint8_t* Compress4(uint64_t word, const uint8_t* source, uint8_t* out) {
  if (CountSet(word) <= 6) return CopyBits<4>(word, source, out);
  for (unsigned i = 0; i < 8; ++i) {
    const uint64_t mask = word >> (8 * i) & 0xff;
    PermuteStore(source + 32 * i, kSetBits.indices[mask], out);
    out += 4 * CountSet(mask);
  }
  return out;
}

COLKIT_AVX2 inline uint8_t* Compress8(uint64_t word, const uint8_t* source, uint8_t* out) {
  if (CountSet(word) <= 12) return CopyBits<8>(word, source, out);
  for (unsigned i = 0; i < 16; ++i) {
    const uint64_t mask = word >> (4 * i) & 0xf;
    PermuteStore(source + 32 * i, kPairs.indices[mask], out);
    out += 8 * CountSet(mask);
  }
  return out;
}

COLKIT_AVX2 uint64_t ReadWords(const uint8_t* mask, size_t word_count, uint64_t* words) {
  const __m256i zero = _mm256_setzero_si256();
  uint64_t set = 0;
  for (size_t w = 0; w < word_count; ++w) {
    const auto* bytes = reinterpret_cast<const __m256i*>(mask + 64 * w);
    const auto low = static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256(bytes), zero)));
    const auto high =
        static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256(bytes + 1), zero)));
    words[w] = ~(static_cast<uint64_t>(low) | static_cast<uint64_t>(high) << 32);
    set += CountSet(words[w]);
  }
  return set;
}

COLKIT_AVX2 uint64_t CountWords(const uint64_t* words, size_t word_count) {
  uint64_t set = 0;
  for (size_t w = 0; w < word_count; ++w) set += CountSet(words[w]);
  return set;
}

COLKIT_AVX2 uint8_t* CompressWords4(const uint64_t* words, size_t word_count, const uint8_t* source, uint8_t* out,
                                    uint8_t* out_end) {
  COLKIT_MASK_WORDS_LOOP(4, Compress4);
}

COLKIT_AVX2 uint8_t* CompressWords8(const uint64_t* words, size_t word_count, const uint8_t* source, uint8_t* out,
                                    uint8_t* out_end) {
  COLKIT_MASK_WORDS_LOOP(8, Compress8);
}

}  // namespace

MaskKernels Avx2MaskKernels() { return {ReadWords, CountWords, CompressWords4, CompressWords8}; }

#else

MaskKernels Avx2MaskKernels() { return BaselineMaskKernels(); }

#endif

}  // namespace colkit
