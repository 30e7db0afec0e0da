// See copy_bytes.h.
#include "copy/copy_bytes.h"

#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {

#if COLKIT_X86

namespace {

constexpr size_t kLineBytes = 64;
constexpr size_t kShortest = 4096;
constexpr size_t kAheadBytes = 2048;

}  // namespace

void CopyBytes(uint8_t* out, const uint8_t* from, size_t bytes, bool streamed) {
  if (!streamed || bytes < kShortest) {
    std::memcpy(out, from, bytes);
    return;
  }
  const size_t head = (kLineBytes - reinterpret_cast<uintptr_t>(out) % kLineBytes) % kLineBytes;
  std::memcpy(out, from, head);
  const size_t end = head + (bytes - head) / kLineBytes * kLineBytes;
  for (size_t at = head; at < end; at += kLineBytes) {
    _mm_prefetch(reinterpret_cast<const char*>(reinterpret_cast<uintptr_t>(from) + at + kAheadBytes), _MM_HINT_NTA);
    const auto* source = reinterpret_cast<const __m128i*>(from + at);
    auto* target = reinterpret_cast<__m128i*>(out + at);
    const __m128i a = _mm_loadu_si128(source);
    const __m128i b = _mm_loadu_si128(source + 1);
    const __m128i c = _mm_loadu_si128(source + 2);
    const __m128i d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  _mm_sfence();  // other threads see the stores before they see that the copy is done
  std::memcpy(out + end, from + end, bytes - end);
}

#else

void CopyBytes(uint8_t* out, const uint8_t* from, size_t bytes, bool) { std::memcpy(out, from, bytes); }

#endif

}  // namespace colkit
