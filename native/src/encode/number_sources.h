// What a writer asks of the numbers of a page before it chooses an encoding: their normal form (least value 0, no
// common divisor), the ranges of their blocks, how many lie where, where they change. The same answers as the loops in
// TypeScript, which run where the addon does not: files are the same to the byte.
#ifndef COLKIT_NATIVE_NUMBER_SOURCES_H_
#define COLKIT_NATIVE_NUMBER_SOURCES_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// Numbers are least + divisor * normal[i]; the largest normal number is (most - least) / divisor, below 2^32.
struct NormalForm {
  double least;
  double most;
  double divisor;
};

// False where the numbers are not all whole ones in [-2^53, 2^53], or span too much for 32 bits after the division;
// nothing but `normal` was changed then. Where `normal` is null only the form is told. Of int8_t to uint32_t, int64_t,
// uint64_t and double.
template <typename T>
bool NormalizeItems(const T* items, size_t count, uint32_t* normal, NormalForm* form);

// The same of the differences of neighbours, where the first one repeats the second.
bool NormalizeGaps(const uint32_t* values, size_t count, uint32_t* normal, NormalForm* form);

// Least and largest of each 2^log2 numbers.
void BlockRanges(const uint32_t* values, size_t count, unsigned log2, uint32_t* least, uint32_t* most);

// Adds to counts[value >> shift]; false where that is no bucket.
bool CountBuckets(const uint32_t* values, size_t count, unsigned shift, uint32_t* counts, size_t bucket_count);

// Where each run of equal numbers starts; `most` + 1 where there are more than `most`.
size_t RunStarts(const uint32_t* values, size_t count, uint32_t* starts, size_t most);

// The numbers inside of [first, first + above] as distances to `first`, those outside as 0, all divided by their common
// divisor, to `normal`, which may be the numbers themselves. Tells how many are outside, and the form.
size_t PackInside(const uint32_t* values, size_t count, uint32_t first, uint32_t above, uint32_t* normal,
                  NormalForm* form);

// Positions of the numbers that are not first + factor * normal[i]. Room for `count`.
size_t FindOthers(const uint32_t* values, const uint32_t* normal, size_t count, uint32_t first, uint32_t factor,
                  uint32_t* positions);

}  // namespace colkit

#endif  // COLKIT_NATIVE_NUMBER_SOURCES_H_
