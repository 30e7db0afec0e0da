// Loops that compilers make no vectors of for every processor: items of two bytes, the largest of some numbers, and
// items with their nulls in place.
#ifndef COLKIT_NATIVE_ITEM_KERNELS_H_
#define COLKIT_NATIVE_ITEM_KERNELS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// base + step * numbers[i], of which the lowest 16 bits count.
void WriteShorts(const uint32_t* numbers, size_t count, uint32_t base, uint32_t step, uint16_t* out);

// 0 of none.
uint32_t LargestOf(const uint32_t* numbers, size_t count);

// Of eight rows for each byte of a bitmap: the next item where the bit is set, zeros where it is not. Up to 32 bytes
// behind the items may be read. Gives how many items there were.
size_t SpreadEights(const uint8_t* items, const uint8_t* validity, size_t bytes, unsigned item_bytes, uint8_t* out);

// The same for processors that have AVX2: the first two give how many of the numbers they have done, a multiple of 16.
size_t WriteShortsAvx2(const uint32_t* numbers, size_t count, uint32_t base, uint32_t step, uint16_t* out);
size_t LargestOfAvx2(const uint32_t* numbers, size_t count, uint32_t* largest);
size_t SpreadEightsAvx2(const uint8_t* items, const uint8_t* validity, size_t bytes, unsigned item_bytes, uint8_t* out);

}  // namespace colkit

#endif  // COLKIT_NATIVE_ITEM_KERNELS_H_
