// How often symbols occur -> the lengths of their codes, and the codes, as DEFLATE (RFC 1951) wants them. By integers
// alone, so that TypeScript finds the same.
#ifndef COLKIT_NATIVE_HUFFMAN_LENGTHS_H_
#define COLKIT_NATIVE_HUFFMAN_LENGTHS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

constexpr size_t kMostHuffmanSymbols = 288;

// Lengths of at most `longest` bits for the symbols that occur, 0 for the others. Where fewer than two occur, the first
// symbols count as though they did: the code is complete then. `times` is changed; there are 2 to 288 symbols.
void HuffmanLengths(uint32_t* times, size_t count, unsigned longest, uint8_t* lengths);

// The code of each symbol, its first bit the lowest.
void HuffmanCodes(const uint8_t* lengths, size_t count, uint16_t* codes);

}  // namespace colkit

#endif  // COLKIT_NATIVE_HUFFMAN_LENGTHS_H_
