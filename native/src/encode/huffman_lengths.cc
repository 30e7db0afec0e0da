// See huffman_lengths.h.
#include "encode/huffman_lengths.h"

#include <algorithm>

namespace colkit {
namespace {

constexpr unsigned kMostBits = 15;

// A tree over `leaves` symbols, two or more, of ascending weights: how deep each of them is.
void Depths(const uint32_t* weights, size_t leaves, uint16_t* depths) {
  uint32_t sums[kMostHuffmanSymbols];
  uint16_t parents[2 * kMostHuffmanSymbols];
  size_t leaf = 0;
  size_t inner = 0;
  // Inner node n is number leaves + n; of equal weights a leaf goes first.
  for (size_t made = 0; made + 1 < leaves; ++made) {
    sums[made] = 0;
    for (int child = 0; child < 2; ++child) {
      if (leaf < leaves && (inner == made || weights[leaf] <= sums[inner])) {
        sums[made] += weights[leaf];
        parents[leaf++] = static_cast<uint16_t>(made);
      } else {
        sums[made] += sums[inner];
        parents[leaves + inner++] = static_cast<uint16_t>(made);
      }
    }
  }
  uint16_t depths_of_inner[kMostHuffmanSymbols];
  depths_of_inner[leaves - 2] = 0;
  for (size_t node = leaves - 2; node-- > 0;)
    depths_of_inner[node] = static_cast<uint16_t>(depths_of_inner[parents[leaves + node]] + 1);
  for (size_t i = 0; i < leaves; ++i) depths[i] = static_cast<uint16_t>(depths_of_inner[parents[i]] + 1);
}

}  // namespace

void HuffmanLengths(uint32_t* times, size_t count, unsigned longest, uint8_t* lengths) {
  size_t leaves = 0;
  for (size_t symbol = 0; symbol < count; ++symbol) leaves += times[symbol] != 0;
  for (size_t symbol = 0; leaves < 2; ++symbol) {
    if (times[symbol] != 0) continue;
    times[symbol] = 1;
    ++leaves;
  }
  uint64_t order[kMostHuffmanSymbols];
  uint32_t weights[kMostHuffmanSymbols];
  uint16_t depths[kMostHuffmanSymbols];
  for (;;) {
    leaves = 0;
    for (size_t symbol = 0; symbol < count; ++symbol) {
      if (times[symbol] != 0) order[leaves++] = uint64_t{times[symbol]} << 16 | symbol;
    }
    std::sort(order, order + leaves);
    for (size_t i = 0; i < leaves; ++i) weights[i] = static_cast<uint32_t>(order[i] >> 16);
    Depths(weights, leaves, depths);
    // The first one is the deepest. Where that is too deep, weights that differ less make the tree flatter.
    if (depths[0] <= longest) break;
    for (size_t symbol = 0; symbol < count; ++symbol) times[symbol] = (times[symbol] + 1) >> 1;
  }
  std::fill(lengths, lengths + count, uint8_t{0});
  for (size_t i = 0; i < leaves; ++i) lengths[order[i] & 0xffff] = static_cast<uint8_t>(depths[i]);
}

void HuffmanCodes(const uint8_t* lengths, size_t count, uint16_t* codes) {
  uint16_t next[kMostBits + 2] = {};
  for (size_t symbol = 0; symbol < count; ++symbol) ++next[lengths[symbol] + 1];
  next[1] = 0;
  for (unsigned length = 1; length <= kMostBits; ++length)
    next[length + 1] = static_cast<uint16_t>((next[length] + next[length + 1]) << 1);
  for (size_t symbol = 0; symbol < count; ++symbol) {
    const unsigned length = lengths[symbol];
    codes[symbol] = 0;
    if (length == 0) continue;
    unsigned code = next[length]++;
    for (unsigned bit = 0; bit < length; ++bit, code >>= 1)
      codes[symbol] = static_cast<uint16_t>(codes[symbol] << 1 | (code & 1));
  }
}

}  // namespace colkit
