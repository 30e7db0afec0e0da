// Bit streams and planes of digits -> 32-bit numbers: the innermost loops of decoding. Streams are filled from the
// least significant bit; up to eight bytes behind one are read.
#ifndef COLKIT_NATIVE_BIT_UNPACK_H_
#define COLKIT_NATIVE_BIT_UNPACK_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// Values [0, count) of a stream of `width` (0 to 32) bits a value, each plus `more` modulo 2^32.
void UnpackBits(const uint8_t* stream, unsigned width, size_t count, uint32_t more, uint32_t* out);

// The two ways of doing it. The second one, for processors that have AVX2, takes widths up to kMostVectorBits, reads no
// further than `stream_bytes`, and returns how many of the values it has done: a multiple of 8.
void UnpackBitsPortably(const uint8_t* stream, unsigned width, size_t count, uint32_t more, uint32_t* out);
constexpr unsigned kMostVectorBits = 25;
size_t UnpackBitsAvx2(const uint8_t* stream, size_t stream_bytes, unsigned width, size_t count, uint32_t more,
                      uint32_t* out);

// Adds scale * digit for the base-3 digits of `count` values, five to a byte. False where a byte is above 242.
bool AddThrees(const uint8_t* plane, size_t count, uint32_t scale, uint32_t* out);

// The same for base-5 digits, three to seven bits. False where a group is above 124.
bool AddFives(const uint8_t* plane, size_t count, uint32_t scale, uint32_t* out);

// Bytes of a stream, padded to whole 32-bit words.
constexpr size_t StreamBytes(size_t count, unsigned width) { return (count * width + 31) / 32 * 4; }
constexpr size_t ThreesBytes(size_t count) { return ((count + 4) / 5 + 3) / 4 * 4; }
constexpr size_t FivesBytes(size_t count) { return StreamBytes((count + 2) / 3, 7); }

}  // namespace colkit

#endif  // COLKIT_NATIVE_BIT_UNPACK_H_
