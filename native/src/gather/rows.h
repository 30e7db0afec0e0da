// Row numbers as JavaScript gives them (four element types, negatives from the end) turned into checked row numbers in
// a kernel's own memory. What another thread does to the array afterwards can no longer lead outside the mapping.
#ifndef COLKIT_NATIVE_ROWS_H_
#define COLKIT_NATIVE_ROWS_H_

#include <cstddef>
#include <cstdint>

#include "platform/cpu.h"
#include "platform/outcome.h"

namespace colkit {

enum class IndexType : uint8_t { kInt32, kUint32, kFloat64, kBigInt64 };

struct IndexView {
  IndexType type;
  const void* data;
};

// Checks indices [begin, begin + count) without keeping them. False where one is bad.
bool CheckRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count);
// The same, and writes the folded row numbers to `rows`. What it wrote is good only where it returns true. The first
// needs row_count <= 2^32.
bool ReadRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count, uint32_t* rows);
bool ReadRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count, uint64_t* rows);
// Says what is wrong with the first bad index of the range, or kInputChanged where none is (any more).
Outcome ExplainRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count);

// The loops behind them in the form of one family, for the tests: all give the same.
struct RowKernels {
  bool (*check)(const IndexView&, size_t, size_t, uint64_t);
  bool (*read32)(const IndexView&, size_t, size_t, uint64_t, uint32_t*);
  bool (*read64)(const IndexView&, size_t, size_t, uint64_t, uint64_t*);
};
RowKernels RowKernelsOf(KernelFamily family);

}  // namespace colkit

#endif  // COLKIT_NATIVE_ROWS_H_
