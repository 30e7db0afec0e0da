// What the three ways to name rows share inside gather*.cc: the cut of the rows into pieces and batches, and the copy
// of one batch of row numbers to all columns.
#ifndef COLKIT_NATIVE_GATHER_CONTEXT_H_
#define COLKIT_NATIVE_GATHER_CONTEXT_H_

#include <chrono>

#include "copy/copy_kernels.h"
#include "gather/gather.h"
#include "map/guarded_run.h"

namespace colkit {

// Up to so many rows of several columns are asked for all at once, before the first is copied.
constexpr size_t kSmallGather = 256;

struct GatherContext {
  const GatherRequest* request;
  size_t total = 0;        // rows to walk: of the output, or of the table for a mask
  size_t piece_rows = 0;   // a multiple of 64
  size_t batch_rows = 0;   // at most kBatchRows (twice as many where rows are scattered), a multiple of 64
  bool narrow = true;      // row numbers fit 32 bits
  bool streamed = false;   // so much is copied that it goes past the caches
  bool scattered = false;  // rows that do not ascend may go in the order of their segments: see gather_scattered.h
  bool dense = false;      // of each column so much is read that huge pages are better than single ones

  size_t begin(size_t piece) const { return piece * piece_rows; }
  size_t end(size_t piece) const { return begin(piece) + piece_rows < total ? begin(piece) + piece_rows : total; }
  size_t pieces() const { return (total + piece_rows - 1) / piece_rows; }
  bool single_batch() const { return total <= piece_rows && total <= batch_rows; }
  bool cancelled() const {
    return request->cancelled != nullptr && request->cancelled->load(std::memory_order_relaxed);
  }
  ColumnCopy CopyOf(const ColumnTarget& target, size_t first_row) const {
    return {request->file->data(),
            request->segments->item_bytes(target.column),
            target.out + first_row * target.stride,
            target.stride,
            false,
            streamed};
  }
};

// Fills in the cut for `total` rows on `threads` threads.
void CutIntoPieces(GatherContext* context, size_t total, unsigned threads);

// Row numbers [at, at + count) of the scratch memory (32 bits wide where context.narrow).
struct Batch {
  Scratch* scratch;
  size_t at;
  size_t count;
  bool ascending = false;
  bool long_runs = false;  // many rows of one segment follow each other: FindBatchSegments says so
};

// Copies a batch to rows [first, first + batch.count) of all outputs. Its segments must have been found.
void CopyBatch(const GatherContext& context, const Batch& batch, size_t first);
// The same for one column.
void CopyBatchColumn(const GatherContext& context, const ColumnCopy& copy, uint32_t column, const Batch& batch);
// Writes the segment of each row of the batch into the scratch memory, where there are several.
void FindBatchSegments(const GatherContext& context, Batch* batch);

// CopyBatch for rows anywhere in a file that may not be in memory. A page fault waits for its own page, one at a time;
// where the first rows turn out to be slow, all pages of the rest are asked for before the first of them is touched,
// and the device works on many at once.
void CopyBatchFromAnywhere(const GatherContext& context, const Batch& batch, size_t first);

inline double NanosecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

// The sum over the columns of `per_item + per_byte * item bytes`, in nanoseconds.
double CostOfRow(const GatherRequest& request, double per_item, double per_byte);

Outcome GatherRange(const GatherRequest& request);
Outcome GatherIndices(const GatherRequest& request);
Outcome GatherMask(const GatherRequest& request);

}  // namespace colkit

#endif  // COLKIT_NATIVE_GATHER_CONTEXT_H_
