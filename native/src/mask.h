// Masks of one byte a row turned into bits (row i is bit i % 64 of word i / 64), and what kernels do with the bits: count, list the rows, or copy the rows of a
// contiguous column: words of zeros are skipped, runs of ones copied whole, the rest compressed with the widest form that the processor has.
#ifndef COLKIT_NATIVE_MASK_H_
#define COLKIT_NATIVE_MASK_H_

#include <cstddef>
#include <cstdint>

#include "cpu.h"

namespace colkit {

// Writes ceil(count / 64) words; bits past `count` are 0. Returns how many rows are set.
uint64_t ReadMask(const uint8_t* mask, size_t count, uint64_t* words);

uint64_t CountBits(const uint64_t* words, size_t count);

// Writes first + i for each bit i that is set in `word_count` words, ascending; returns how many. `rows` has room for 8 more than that.
size_t ListRows(const uint64_t* words, size_t word_count, uint64_t first, uint32_t* rows);
size_t ListRows(const uint64_t* words, size_t word_count, uint64_t first, uint64_t* rows);

// Whether CopyMasked handles items of this width.
bool CanCopyMasked(uint32_t item_bytes);

// Copies the items of rows [begin, end) whose bits are set to `out`, packed; `source` is where the item of bit 0 would lie (it is not touched unless its row is in
// the range). `out_end` is the end of this range's own output: nothing is written from there on. Returns the end of what it wrote.
uint8_t* CopyMasked(KernelFamily family, const uint64_t* words, size_t begin, size_t end, uintptr_t source, uint32_t item_bytes, uint8_t* out, uint8_t* out_end);

// The compression of whole words, one form for each family: items of 4 and 8 bytes. Internal to mask*.cc, here so that the tests can compare the families.
using CompressWords = uint8_t* (*)(const uint64_t* words, size_t word_count, const uint8_t* source, uint8_t* out, uint8_t* out_end);
struct MaskKernels {
  CompressWords compress4;
  CompressWords compress8;
};
MaskKernels BaselineMaskKernels();
MaskKernels Avx2MaskKernels();
MaskKernels Avx512MaskKernels();

}  // namespace colkit

#endif  // COLKIT_NATIVE_MASK_H_
