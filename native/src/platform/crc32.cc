// Ways to the same remainder. With carry-less multiplication, 64 or 128 bytes at a time are folded forward: a
// polynomial times x^n mod P is what it is worth n bits further on. Elsewhere tables for eight bytes at a time.
#include "platform/crc32.h"

#include <cstring>

#include "platform/cpu.h"
#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr uint32_t kPolynomial = 0xEDB88320u;

struct Tables {
  uint32_t of[8][256];
};

constexpr Tables MakeTables() {
  Tables tables = {};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = remainder >> 1 ^ (kPolynomial & (0u - (remainder & 1u)));
    tables.of[0][byte] = remainder;
  }
  for (int further = 1; further < 8; ++further) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables.of[further - 1][byte];
      tables.of[further][byte] = before >> 8 ^ tables.of[0][before & 255];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

uint32_t ByTables(uint32_t crc, const uint8_t* bytes, size_t count) {
  for (; count >= 8; count -= 8, bytes += 8) {
    uint64_t word;
    std::memcpy(&word, bytes, 8);
    word ^= crc;
    crc = 0;
    for (int byte = 0; byte < 8; ++byte) crc ^= kTables.of[7 - byte][word >> (8 * byte) & 255];
  }
  for (; count > 0; --count, ++bytes) crc = crc >> 8 ^ kTables.of[0][(crc ^ *bytes) & 255];
  return crc;
}

#if COLKIT_X86

// x^n mod P with its bits reversed, at the bit where a product of two reversed polynomials wants it: one bit higher.
constexpr uint64_t PowerOfX(int n) {
  uint32_t power = 0x80000000u;  // x^0
  for (int i = 0; i < n; ++i) power = power >> 1 ^ (kPolynomial & (0u - (power & 1u)));
  return static_cast<uint64_t>(power) << 1;
}

constexpr size_t kFoldedBytes = 64;
constexpr size_t kWideFoldedBytes = 128;

// A register's halves, each worth `distance` bits more, plus what stands there. (32 bits more or less: where a product
// of reversed halves comes to lie.)
#define COLKIT_FOLD(value, powers, next)                                                                             \
  _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(value, powers, 0x00), _mm_clmulepi64_si128(value, powers, 0x11)), \
                next)

// Folds whole blocks of 64 bytes; what is left of them, 16 bytes, goes through the tables like any other bytes.
COLKIT_TARGET("pclmul,sse2")
uint32_t ByFolding(uint32_t crc, const uint8_t* bytes, size_t count) {
  const auto load = [](const uint8_t* at)
                        COLKIT_TARGET("sse2") { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); };
  const __m128i by_512 =
      _mm_set_epi64x(static_cast<int64_t>(PowerOfX(512 - 32)), static_cast<int64_t>(PowerOfX(512 + 32)));
  const __m128i by_128 =
      _mm_set_epi64x(static_cast<int64_t>(PowerOfX(128 - 32)), static_cast<int64_t>(PowerOfX(128 + 32)));
  __m128i a = _mm_xor_si128(load(bytes), _mm_cvtsi32_si128(static_cast<int>(crc)));
  __m128i b = load(bytes + 16);
  __m128i c = load(bytes + 32);
  __m128i d = load(bytes + 48);
  for (bytes += kFoldedBytes, count -= kFoldedBytes; count >= kFoldedBytes;
       bytes += kFoldedBytes, count -= kFoldedBytes) {
    a = COLKIT_FOLD(a, by_512, load(bytes));
    b = COLKIT_FOLD(b, by_512, load(bytes + 16));
    c = COLKIT_FOLD(c, by_512, load(bytes + 32));
    d = COLKIT_FOLD(d, by_512, load(bytes + 48));
  }
  b = COLKIT_FOLD(a, by_128, b);
  c = COLKIT_FOLD(b, by_128, c);
  d = COLKIT_FOLD(c, by_128, d);
  uint8_t left[16];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(left), d);
  return ByTables(ByTables(0, left, sizeof left), bytes, count);
}

#define COLKIT_WIDE_FOLD(value, powers, next)                                                                         \
  _mm256_xor_si256(                                                                                                   \
      _mm256_xor_si256(_mm256_clmulepi64_epi128(value, powers, 0x00), _mm256_clmulepi64_epi128(value, powers, 0x11)), \
      next)

// The same for blocks of 128 bytes, two polynomials a register.
COLKIT_TARGET("vpclmulqdq,pclmul,avx2")
uint32_t ByWideFolding(uint32_t crc, const uint8_t* bytes, size_t count) {
  const auto* from = reinterpret_cast<const __m256i*>(bytes);
  const __m256i by_1024 = _mm256_broadcastsi128_si256(
      _mm_set_epi64x(static_cast<int64_t>(PowerOfX(1024 - 32)), static_cast<int64_t>(PowerOfX(1024 + 32))));
  const __m256i by_256 = _mm256_broadcastsi128_si256(
      _mm_set_epi64x(static_cast<int64_t>(PowerOfX(256 - 32)), static_cast<int64_t>(PowerOfX(256 + 32))));
  const __m128i by_128 =
      _mm_set_epi64x(static_cast<int64_t>(PowerOfX(128 - 32)), static_cast<int64_t>(PowerOfX(128 + 32)));
  __m256i a = _mm256_xor_si256(_mm256_loadu_si256(from), _mm256_set_epi32(0, 0, 0, 0, 0, 0, 0, static_cast<int>(crc)));
  __m256i b = _mm256_loadu_si256(from + 1);
  __m256i c = _mm256_loadu_si256(from + 2);
  __m256i d = _mm256_loadu_si256(from + 3);
  for (from += 4, count -= kWideFoldedBytes; count >= kWideFoldedBytes; from += 4, count -= kWideFoldedBytes) {
    a = COLKIT_WIDE_FOLD(a, by_1024, _mm256_loadu_si256(from));
    b = COLKIT_WIDE_FOLD(b, by_1024, _mm256_loadu_si256(from + 1));
    c = COLKIT_WIDE_FOLD(c, by_1024, _mm256_loadu_si256(from + 2));
    d = COLKIT_WIDE_FOLD(d, by_1024, _mm256_loadu_si256(from + 3));
  }
  b = COLKIT_WIDE_FOLD(a, by_256, b);
  c = COLKIT_WIDE_FOLD(b, by_256, c);
  d = COLKIT_WIDE_FOLD(c, by_256, d);
  uint8_t left[16];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(left),
                   COLKIT_FOLD(_mm256_castsi256_si128(d), by_128, _mm256_extracti128_si256(d, 1)));
  crc = ByTables(0, left, sizeof left);
  bytes = reinterpret_cast<const uint8_t*>(from);
  return count >= kFoldedBytes ? ByFolding(crc, bytes, count) : ByTables(crc, bytes, count);
}

#endif  // COLKIT_X86

}  // namespace

uint32_t Crc32(const uint8_t* bytes, size_t count) { return Crc32By(CarrylessMultiplyBits(), bytes, count); }

uint32_t Crc32By(unsigned bits, const uint8_t* bytes, size_t count) {
#if COLKIT_X86
  if (bits == 256 && count >= kWideFoldedBytes) return ~ByWideFolding(~0u, bytes, count);
  if (bits >= 128 && count >= kFoldedBytes) return ~ByFolding(~0u, bytes, count);
#else
  static_cast<void>(bits);
#endif
  return ~ByTables(~0u, bytes, count);
}

}  // namespace colkit
