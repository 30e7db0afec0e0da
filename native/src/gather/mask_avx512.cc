// Mask compression with AVX-512: vpcompress in the register and a whole store (the form that compresses into memory is
// slow on some processors).
#include "gather/mask.h"

#include "platform/intrinsics.h"
#include "gather/mask_words.h"

namespace colkit {

#if COLKIT_X86

namespace {

#define COLKIT_AVX512 COLKIT_TARGET("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,popcnt")

COLKIT_AVX512 inline uint8_t* Compress4(uint64_t word, const uint8_t* source, uint8_t* out) {
  for (unsigned i = 0; i < 4; ++i) {
    const __mmask16 mask = static_cast<__mmask16>(word >> (16 * i));
    const __m512i items = _mm512_loadu_si512(source + 64 * i);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(mask, items));
    out += 4 * static_cast<unsigned>(_mm_popcnt_u64(mask));
  }
  return out;
}

COLKIT_AVX512 inline uint8_t* Compress8(uint64_t word, const uint8_t* source, uint8_t* out) {
  for (unsigned i = 0; i < 8; ++i) {
    const __mmask8 mask = static_cast<__mmask8>(word >> (8 * i));
    const __m512i items = _mm512_loadu_si512(source + 64 * i);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(mask, items));
    out += 8 * static_cast<unsigned>(_mm_popcnt_u64(mask));
  }
  return out;
}

COLKIT_AVX512 uint64_t ReadWords(const uint8_t* mask, size_t word_count, uint64_t* words) {
  uint64_t set = 0;
  for (size_t w = 0; w < word_count; ++w) {
    const __m512i bytes = _mm512_loadu_si512(mask + 64 * w);
    words[w] = _mm512_test_epi8_mask(bytes, bytes);
    set += static_cast<uint64_t>(_mm_popcnt_u64(words[w]));
  }
  return set;
}

COLKIT_AVX512 uint8_t* CompressWords4(const uint64_t* words, size_t word_count, const uint8_t* source, uint8_t* out,
                                      uint8_t* out_end) {
  COLKIT_MASK_WORDS_LOOP(4, Compress4);
}

COLKIT_AVX512 uint8_t* CompressWords8(const uint64_t* words, size_t word_count, const uint8_t* source, uint8_t* out,
                                      uint8_t* out_end) {
  COLKIT_MASK_WORDS_LOOP(8, Compress8);
}

}  // namespace

MaskKernels Avx512MaskKernels() { return {ReadWords, Avx2MaskKernels().count, CompressWords4, CompressWords8}; }

#else

MaskKernels Avx512MaskKernels() { return BaselineMaskKernels(); }

#endif

}  // namespace colkit
