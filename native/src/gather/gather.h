// Copies rows of several columns out of a mapping in one go: the rows as a range, as indices or as a mask; one segment
// or many; on as many threads as the work is worth. Everything is checked before the first byte is written, and again
// where another thread could have changed it since.
#ifndef COLKIT_NATIVE_GATHER_H_
#define COLKIT_NATIVE_GATHER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "map/mapping.h"
#include "platform/outcome.h"
#include "gather/rows.h"
#include "gather/segments.h"

namespace colkit {

enum class RowKind : uint8_t { kRange, kIndices, kMask };

struct RowSource {
  RowKind kind = RowKind::kRange;
  uint64_t count = 0;  // rows that come out
  uint64_t start = 0;  // kRange: start + k * step lies within the table for each k
  int64_t step = 1;
  IndexView indices = {IndexType::kInt32, nullptr};
  const uint8_t* mask = nullptr;  // kMask: one byte for each row of the table
};

// One column and where it goes: item i at out + i * stride, stride >= its item bytes.
struct ColumnTarget {
  uint32_t column;
  uint8_t* out;
  size_t stride;
};

struct GatherRequest {
  const MappedFile* file;
  const Segments* segments;
  RowSource rows;
  const ColumnTarget* targets;
  size_t target_count;
  unsigned workers;                    // most threads; 0: the process-wide setting
  const std::atomic<bool>* cancelled;  // null where nobody cancels
};

Outcome RunGather(const GatherRequest& request);

}  // namespace colkit

#endif  // COLKIT_NATIVE_GATHER_H_
