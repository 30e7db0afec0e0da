// Bytes -> blocks that are deflated one by one (RFC 1951), each with the same bytes in front of it: the same streams as
// in TypeScript, to the byte.
#ifndef COLKIT_NATIVE_DEFLATE_BLOCKS_H_
#define COLKIT_NATIVE_DEFLATE_BLOCKS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// What stands in front of a block and the block together are at most as far as a distance of DEFLATE reaches.
constexpr unsigned kMostDeflateWindowLog2 = 15;
constexpr size_t kMostDeflateWindow = size_t{1} << kMostDeflateWindowLog2;

struct DeflateInput {
  const uint8_t* bytes;
  size_t count;
  unsigned log2;  // of the bytes of a block
  const uint8_t* history;
  size_t history_bytes;
};

// Writes the blocks (the last one may be shorter) back to back, and what each of them takes: as many bytes as it has
// where DEFLATE does not make it shorter, and then they are its bytes. There is room for all bytes, elsewhere. Returns
// how many were written.
size_t DeflateBlocks(const DeflateInput& input, uint8_t* out, uint32_t* sizes);

}  // namespace colkit

#endif  // COLKIT_NATIVE_DEFLATE_BLOCKS_H_
