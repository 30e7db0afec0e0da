// CRC-32 of zlib and Ethernet: polynomial 0xEDB88320 (bits reversed), initial value and final xor 0xFFFFFFFF.
#ifndef COLKIT_NATIVE_CRC32_H_
#define COLKIT_NATIVE_CRC32_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

uint32_t Crc32(const uint8_t* bytes, size_t count);

// The same by carry-less multiplication of registers of so many bits, which this processor has; 0: without.
uint32_t Crc32By(unsigned bits, const uint8_t* bytes, size_t count);

}  // namespace colkit

#endif  // COLKIT_NATIVE_CRC32_H_
