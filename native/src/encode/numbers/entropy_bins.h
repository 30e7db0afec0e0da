// Numbers -> bins of unequal probability and what ENTROPY stores of them: which bins are cheapest, the stream of their
// numbers, and the offsets inside. columns/bins.ts and kernels/rans.ts of columna have the same loops, and give the
// same to the bit: logarithms come from there, as a table.
#ifndef COLKIT_NATIVE_ENTROPY_BINS_H_
#define COLKIT_NATIVE_ENTROPY_BINS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

constexpr unsigned kEntropyLanes = 4;
constexpr uint32_t kEntropyOne = 4096;

// Logarithms of 0, 1, 2, ... to the base 2.
struct Logs {
  const double* data;
  size_t count;
};

// How often each bucket of 2^shift numbers is met.
struct Buckets {
  const uint32_t* counts;
  size_t count;
  unsigned shift;
};

// Bits that no bins can do without: which bucket a number is in, and where in it. Negative where there is no logarithm
// for a count.
double EntropyBits(const Buckets& buckets, Logs logs);

// Bins, each [low, low + 2^width) and met `weight` times.
struct BinArrays {
  uint32_t* lows;
  uint32_t* widths;
  uint32_t* weights;
  size_t room;
};

// The cheapest bins among joins of at most about `most` quantiles, and the bits of everything. Returns how many there
// are; 0 where there is nothing to join, no logarithm for a count, or no room: 2 * most + 2 is enough.
size_t JoinBuckets(const Buckets& buckets, size_t most, Logs logs, const BinArrays& bins, double* bits);

// Bins by bucket: the bins are whole buckets, ascending.
struct CodedBins {
  const uint32_t* lows;
  size_t count;
  unsigned shift;
};

// The numbers of the bins of `values`, the last one first, as words of 16 bits in the order in which they are read, and
// the states that reading begins with. `frequencies` are at least 1 and add up to 4096. There is room for as many words
// as values; returns how many there are, or SIZE_MAX where frequencies are others.
size_t CodeBins(const uint32_t* values, size_t count, const CodedBins& bins, const uint32_t* frequencies,
                uint16_t* stream, uint32_t* states);

// What is above the low of each value's bin, in the bin's width (at most 32 bits), back to back to zeroed words. False
// where there is too little room.
bool PackBinOffsets(const uint32_t* values, size_t count, const CodedBins& bins, const uint32_t* widths,
                    uint32_t* words, size_t room);

}  // namespace colkit

#endif  // COLKIT_NATIVE_ENTROPY_BINS_H_
