// Numbers -> the distinct ones, ascending, and for each the index of its own among them.
#ifndef COLKIT_NATIVE_DISTINCT_NUMBERS_H_
#define COLKIT_NATIVE_DISTINCT_NUMBERS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// Room for `most` entries and for as many codes as there are values. Returns how many entries there are; `most` + 1,
// and nothing of use, where there are more, after as much work as that took.
size_t DistinctNumbers(const uint32_t* values, size_t count, size_t most, uint32_t* entries, uint32_t* codes);

// The same of patterns of 64 bits, two numbers each, in the order in which they first occur. Room for twice as many
// entries.
size_t DistinctWords(const uint32_t* words, size_t count, size_t most, uint32_t* entries, uint32_t* codes);

}  // namespace colkit

#endif  // COLKIT_NATIVE_DISTINCT_NUMBERS_H_
