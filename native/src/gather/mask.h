// Masks of one byte a row turned into bits (row i is bit i % 64 of word i / 64), and what kernels do with the bits:
// count, list the rows, or copy the rows of a contiguous column: words of zeros are skipped, runs of ones copied whole,
// the rest compressed with the widest form that the processor has.
#ifndef COLKIT_NATIVE_MASK_H_
#define COLKIT_NATIVE_MASK_H_

#include <cstddef>
#include <cstdint>

#include "platform/cpu.h"

namespace colkit {

// Arrays of words go on for so many words behind the last one that is worked on: what stands there is looked at, to ask
// for memory ahead, and has no other effect.
constexpr size_t kMaskWordsAhead = 8;

// The loops over whole words, in the form of one family; all give the same. `compress` copies the items of 4 or 8 bytes
// whose bits are set, packed, from `source` (where the item of bit 0 lies) to `out`, and returns the end of what it
// wrote; nothing is written from `out_end` on.
struct MaskKernels {
  using Compress = uint8_t* (*)(const uint64_t* words, size_t word_count, const uint8_t* source, uint8_t* out,
                                uint8_t* out_end);
  // 64 mask bytes a word; returns how many are set.
  uint64_t (*read)(const uint8_t* mask, size_t word_count, uint64_t* words);
  uint64_t (*count)(const uint64_t* words, size_t word_count);
  Compress compress4;
  Compress compress8;
};
MaskKernels BaselineMaskKernels();
MaskKernels Avx2MaskKernels();
MaskKernels Avx512MaskKernels();
MaskKernels MaskKernelsOf(KernelFamily family);

// Writes ceil(count / 64) words; bits past `count` are 0. Returns how many rows are set.
uint64_t ReadMask(const MaskKernels& kernels, const uint8_t* mask, size_t count, uint64_t* words);

// Writes first + i for each bit i that is set in `word_count` words, ascending; returns how many. `rows` has room for 8
// more than that.
size_t ListRows(const uint64_t* words, size_t word_count, uint64_t first, uint32_t* rows);
size_t ListRows(const uint64_t* words, size_t word_count, uint64_t first, uint64_t* rows);

// Whether CopyMasked handles items of this width.
bool CanCopyMasked(uint32_t item_bytes);

// Copies the items of rows [begin, end) whose bits are set to `out`, packed; `source` is where the item of bit 0 would
// lie (it is not touched unless its row is in the range). `out_end` is the end of this range's own output: nothing is
// written from there on. Returns the end of what it wrote.
uint8_t* CopyMasked(const MaskKernels& kernels, const uint64_t* words, size_t begin, size_t end, uintptr_t source,
                    uint32_t item_bytes, uint8_t* out, uint8_t* out_end);

}  // namespace colkit

#endif  // COLKIT_NATIVE_MASK_H_
