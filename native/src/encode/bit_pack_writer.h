// Numbers -> streams of bits: the lowest bits of each behind those of the one before.
#ifndef COLKIT_NATIVE_BIT_PACK_WRITER_H_
#define COLKIT_NATIVE_BIT_PACK_WRITER_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// The lowest `width` bits, 1 to 32, of each number minus `less`, to words of which there are ceil(count * width / 32).
void PackBits(const uint32_t* values, size_t count, unsigned width, uint32_t less, uint32_t* words);

}  // namespace colkit

#endif  // COLKIT_NATIVE_BIT_PACK_WRITER_H_
