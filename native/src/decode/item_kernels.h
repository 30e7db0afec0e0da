// Loops that compilers make no vectors of for every processor: items of two bytes, and the largest of some numbers.
#ifndef COLKIT_NATIVE_ITEM_KERNELS_H_
#define COLKIT_NATIVE_ITEM_KERNELS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// base + step * numbers[i], of which the lowest 16 bits count.
void WriteShorts(const uint32_t* numbers, size_t count, uint32_t base, uint32_t step, uint16_t* out);

// 0 of none.
uint32_t LargestOf(const uint32_t* numbers, size_t count);

// The same for processors that have AVX2: they give how many of the numbers they have done, a multiple of 16.
size_t WriteShortsAvx2(const uint32_t* numbers, size_t count, uint32_t base, uint32_t step, uint16_t* out);
size_t LargestOfAvx2(const uint32_t* numbers, size_t count, uint32_t* largest);

}  // namespace colkit

#endif  // COLKIT_NATIVE_ITEM_KERNELS_H_
