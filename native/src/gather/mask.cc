// See mask.h.
#include "gather/mask.h"

#include "platform/intrinsics.h"
#include "gather/mask_words.h"

namespace colkit {
namespace {

#if COLKIT_X86

COLKIT_INLINE uint64_t PackWord(const uint8_t* mask) {
  const __m128i zero = _mm_setzero_si128();
  uint64_t unset = 0;
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask + 16 * i));
    unset |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, zero)))) << (16 * i);
  }
  return ~unset;
}

#else

// 8 mask bytes to 8 bits.
COLKIT_INLINE uint64_t PackBytes(const uint8_t* mask) {
  uint64_t bytes;
  std::memcpy(&bytes, mask, 8);
  const uint64_t low = 0x7f7f7f7f7f7f7f7full;
  const uint64_t set = (((bytes & low) + low) | bytes) >> 7 & 0x0101010101010101ull;  // 1 in each byte that is not 0
  return set * 0x0102040810204080ull >> 56;
}

COLKIT_INLINE uint64_t PackWord(const uint8_t* mask) {
  uint64_t word = 0;
  for (int i = 0; i < 8; ++i) word |= PackBytes(mask + 8 * i) << (8 * i);
  return word;
}

#endif

template <typename Row>
size_t ListRowsOf(const uint64_t* words, size_t word_count, uint64_t first, Row* rows) {
  Row* out = rows;
  for (size_t w = 0; w < word_count; ++w) {
    uint64_t word = words[w];
    if (word == 0) continue;
    const unsigned count = PopCount(word);
    const uint64_t base = first + 64 * w;
    // Eight at a time without asking how many are left: mispredicted ends of short loops cost more than a few stores
    // too many.
    for (unsigned done = 0; done < count; done += 8) {
      for (unsigned i = 0; i < 8; ++i) {
        out[done + i] = static_cast<Row>(base + (word == 0 ? 0 : CountTrailingZeros(word)));
        word &= word - 1;
      }
    }
    out += count;
  }
  return static_cast<size_t>(out - rows);
}

// Every item is stored, and the destination moves on only after one that is wanted.
template <uint32_t kWidth>
COLKIT_INLINE uint8_t* CompressPlain(uint64_t word, const uint8_t* source, uint8_t* out) {
  if (PopCount(word) <= 12) return CopyBits<kWidth>(word, source, out);
  for (unsigned i = 0; i < 63; ++i) {
    std::memcpy(out, source + i * kWidth, kWidth);
    out += (word >> i & 1) * kWidth;
  }
  if ((word >> 63) != 0) {
    std::memcpy(out, source + 63 * kWidth, kWidth);
    out += kWidth;
  }
  return out;
}

template <uint32_t kWidth>
uint8_t* CompressWordsPlain(const uint64_t* words, size_t word_count, const uint8_t* source, uint8_t* out,
                            uint8_t* out_end) {
  COLKIT_MASK_WORDS_LOOP(kWidth, CompressPlain<kWidth>);
}

template <uint32_t kWidth>
uint8_t* CopyMaskedOf(MaskKernels::Compress compress, const uint64_t* words, size_t begin, size_t end, uintptr_t source,
                      uint8_t* out, uint8_t* out_end) {
  if (begin >= end) return out;
  const auto at = [source](size_t word) { return reinterpret_cast<const uint8_t*>(source + word * 64 * kWidth); };
  const size_t first = begin / 64;
  const size_t last = (end - 1) / 64;
  // Words that the range cuts are taken bit by bit: wide loads there could reach out of the mapping.
  const uint64_t first_bits = ~uint64_t{0} << (begin % 64);
  const uint64_t last_bits = ~uint64_t{0} >> (63 - (end - 1) % 64);
  if (first == last) return CopyBits<kWidth>(words[first] & first_bits & last_bits, at(first), out);
  const size_t whole_begin = begin % 64 == 0 ? first : first + 1;
  const size_t whole_end = end % 64 == 0 ? last + 1 : last;
  if (whole_begin != first) out = CopyBits<kWidth>(words[first] & first_bits, at(first), out);
  if (whole_begin < whole_end)
    out = compress(words + whole_begin, whole_end - whole_begin, at(whole_begin), out, out_end);
  if (whole_end == last) out = CopyBits<kWidth>(words[last] & last_bits, at(last), out);
  return out;
}

uint64_t ReadWordsPlain(const uint8_t* mask, size_t word_count, uint64_t* words) {
  uint64_t set = 0;
  for (size_t w = 0; w < word_count; ++w) {
    words[w] = PackWord(mask + 64 * w);
    set += PopCount(words[w]);
  }
  return set;
}

uint64_t CountWordsPlain(const uint64_t* words, size_t word_count) {
  uint64_t set = 0;
  for (size_t w = 0; w < word_count; ++w) set += PopCount(words[w]);
  return set;
}

}  // namespace

uint64_t ReadMask(const MaskKernels& kernels, const uint8_t* mask, size_t count, uint64_t* words) {
  const size_t whole = count / 64;
  uint64_t set = kernels.read(mask, whole, words);
  if (count % 64 != 0) {
    uint8_t rest[64] = {};
    std::memcpy(rest, mask + 64 * whole, count % 64);
    set += kernels.read(rest, 1, words + whole);
  }
  return set;
}

size_t ListRows(const uint64_t* words, size_t word_count, uint64_t first, uint32_t* rows) {
  return ListRowsOf(words, word_count, first, rows);
}
size_t ListRows(const uint64_t* words, size_t word_count, uint64_t first, uint64_t* rows) {
  return ListRowsOf(words, word_count, first, rows);
}

bool CanCopyMasked(uint32_t item_bytes) {
  return item_bytes == 1 || item_bytes == 2 || item_bytes == 4 || item_bytes == 8;
}

uint8_t* CopyMasked(const MaskKernels& kernels, const uint64_t* words, size_t begin, size_t end, uintptr_t source,
                    uint32_t item_bytes, uint8_t* out, uint8_t* out_end) {
  switch (item_bytes) {
    case 1:
      return CopyMaskedOf<1>(CompressWordsPlain<1>, words, begin, end, source, out, out_end);
    case 2:
      return CopyMaskedOf<2>(CompressWordsPlain<2>, words, begin, end, source, out, out_end);
    case 4:
      return CopyMaskedOf<4>(kernels.compress4, words, begin, end, source, out, out_end);
    case 8:
      return CopyMaskedOf<8>(kernels.compress8, words, begin, end, source, out, out_end);
    default:
      return out;
  }
}

MaskKernels BaselineMaskKernels() {
  return {ReadWordsPlain, CountWordsPlain, CompressWordsPlain<4>, CompressWordsPlain<8>};
}

MaskKernels MaskKernelsOf(KernelFamily family) {
  switch (family) {
    case KernelFamily::kAvx512:
      return Avx512MaskKernels();
    case KernelFamily::kAvx2:
      return Avx2MaskKernels();
    case KernelFamily::kNeon:
    case KernelFamily::kBaseline:
      break;
  }
  return BaselineMaskKernels();
}

}  // namespace colkit
