// Bit streams -> 32-bit numbers with AVX2, eight at a time: a shuffle brings the bytes of each value into its lane, a
// shift brings its first bit to the lane's end.
#include "decode/bit_unpack.h"

#include "platform/intrinsics.h"

namespace colkit {

#if COLKIT_X86

namespace {

constexpr unsigned kLanes = 8;
constexpr unsigned kHalf = kLanes / 2;

// For each width which bytes of the two halves (four values each, in 16 bytes from where they begin) go to which lane,
// and at which bit of the lane the value begins.
struct LaneTable {
  uint8_t bytes[kMostVectorBits + 1][32];
  uint32_t shifts[kMostVectorBits + 1][kLanes];
};

constexpr LaneTable MakeLanes() {
  LaneTable table = {};
  for (unsigned width = 1; width <= kMostVectorBits; ++width) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned first = lane < kHalf ? 0 : kHalf * width % 8;
      const unsigned bit = first + lane % kHalf * width;
      for (unsigned byte = 0; byte < 4; ++byte)
        table.bytes[width][4 * lane + byte] = static_cast<uint8_t>(bit / 8 + byte);
      table.shifts[width][lane] = bit % 8;
    }
  }
  return table;
}

constexpr LaneTable kLaneTable = MakeLanes();

}  // namespace

COLKIT_TARGET("avx2")
size_t UnpackBitsAvx2(const uint8_t* stream, size_t stream_bytes, unsigned width, size_t count, uint32_t more,
                      uint32_t* out) {
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kLaneTable.bytes[width]));
  const __m256i shifts = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kLaneTable.shifts[width]));
  const __m256i mask = _mm256_set1_epi32(static_cast<int>((1u << width) - 1));
  const __m256i added = _mm256_set1_epi32(static_cast<int>(more));
  const size_t second = kHalf * width / 8;
  // A group's second load reads 16 bytes, whatever it needs of them.
  if (stream_bytes < second + 16) return 0;
  const size_t groups = (stream_bytes - second - 16) / width + 1;
  const size_t most = count / kLanes < groups ? count / kLanes : groups;
  for (size_t group = 0; group < most; ++group, stream += width) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(stream));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(stream + second));
    const __m256i lanes = _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1), bytes);
    const __m256i values = _mm256_add_epi32(_mm256_and_si256(_mm256_srlv_epi32(lanes, shifts), mask), added);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + group * kLanes), values);
  }
  return most * kLanes;
}

#else

size_t UnpackBitsAvx2(const uint8_t*, size_t, unsigned, size_t, uint32_t, uint32_t*) { return 0; }

#endif

}  // namespace colkit
