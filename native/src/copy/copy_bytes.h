// Copies bytes from a mapping to an output, in one of two ways.
#ifndef COLKIT_NATIVE_COPY_BYTES_H_
#define COLKIT_NATIVE_COPY_BYTES_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// A copy in all larger than this leaves the caches' size behind: what is written will not be read from them anyway.
constexpr uint64_t kStreamedBytes = uint64_t{32} << 20;

// `streamed`: past the caches, where the processor can. Storing that way does not read the output's lines first, which
// makes copies of tens of megabytes a third quicker.
void CopyBytes(uint8_t* out, const uint8_t* from, size_t bytes, bool streamed);

}  // namespace colkit

#endif  // COLKIT_NATIVE_COPY_BYTES_H_
