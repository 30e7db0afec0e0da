// The inner loops that copy items of one column: by row numbers, by row numbers over segments, with a stride,
// contiguously. Items of 1, 2, 4, 8 and 16 bytes have loops of their own, all other widths share one. Unchecked: rows
// lie within the segments, outputs are long enough; the callers have seen to it.
#ifndef COLKIT_NATIVE_COPY_KERNELS_H_
#define COLKIT_NATIVE_COPY_KERNELS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// Items of one column in a mapping, and where they go.
struct ColumnCopy {
  const uint8_t* data;  // the mapping's first byte
  uint32_t item_bytes;
  uint8_t* out;       // where the first item goes
  size_t out_stride;  // bytes from one item to the next
  bool prefetched;    // PrefetchRows has asked for the items already
  bool streamed;      // contiguous items are copied past the caches
};

// Item i comes from byte base + rows[i] * item_bytes.
void CopyRowsUnchecked(const ColumnCopy& copy, int64_t base, const uint32_t* rows, size_t count);
void CopyRowsUnchecked(const ColumnCopy& copy, int64_t base, const uint64_t* rows, size_t count);

// Item i comes from byte bases[segments[i]] + rows[i] * item_bytes.
void CopySegmentRowsUnchecked(const ColumnCopy& copy, const int64_t* bases, const uint32_t* segments,
                              const uint32_t* rows, size_t count);
void CopySegmentRowsUnchecked(const ColumnCopy& copy, const int64_t* bases, const uint32_t* segments,
                              const uint64_t* rows, size_t count);

// Item i comes from byte first + i * byte_step; byte_step may be negative.
void CopyStridedUnchecked(const ColumnCopy& copy, uint64_t first, int64_t byte_step, size_t count);

// Asks for the lines of all rows, ahead of several columns' copies: for small gathers, whose time is the sum of the
// misses.
void PrefetchRows(const ColumnCopy& copy, int64_t base, const uint32_t* rows, size_t count);
void PrefetchRows(const ColumnCopy& copy, int64_t base, const uint64_t* rows, size_t count);

}  // namespace colkit

#endif  // COLKIT_NATIVE_COPY_KERNELS_H_
