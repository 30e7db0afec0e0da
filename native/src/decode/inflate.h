// Raw DEFLATE (RFC 1951) -> the bytes that it was made of.
#ifndef COLKIT_NATIVE_INFLATE_H_
#define COLKIT_NATIVE_INFLATE_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// Whether all of `stored` is one stream that gives exactly `byte_length` bytes, which are then in `out`. Streams that
// zlib refuses are refused; so are a few odd codes that nobody writes (a code without a use for all of its bits).
// A few bytes behind `stored` may be read, and behind `out` written: Arena::kSlack. Distances may reach back into
// `history` bytes in front of `out`.
bool Inflate(const uint8_t* stored, size_t stored_bytes, uint8_t* out, size_t byte_length, size_t history = 0);

}  // namespace colkit

#endif  // COLKIT_NATIVE_INFLATE_H_
