// What the three ways to name rows share inside gather*.cc: the cut of the rows into pieces and batches, and the copy of one batch of row numbers to all columns.
#ifndef COLKIT_NATIVE_GATHER_CONTEXT_H_
#define COLKIT_NATIVE_GATHER_CONTEXT_H_

#include "copy_kernels.h"
#include "gather.h"
#include "guarded_run.h"

namespace colkit {

struct GatherContext {
  const GatherRequest* request;
  size_t total = 0;        // rows to walk: of the output, or of the table for a mask
  size_t piece_rows = 0;   // a multiple of 64
  size_t batch_rows = 0;   // at most kBatchRows, a multiple of 64
  bool narrow = true;      // row numbers fit 32 bits

  size_t begin(size_t piece) const { return piece * piece_rows; }
  size_t end(size_t piece) const { return begin(piece) + piece_rows < total ? begin(piece) + piece_rows : total; }
  size_t pieces() const { return (total + piece_rows - 1) / piece_rows; }
  bool single_batch() const { return total <= piece_rows && total <= batch_rows; }
  bool cancelled() const { return request->cancelled != nullptr && request->cancelled->load(std::memory_order_relaxed); }
  ColumnCopy CopyOf(const ColumnTarget& target, size_t first_row) const {
    return {request->file->data(), request->segments->item_bytes(target.column), target.out + first_row * target.stride, target.stride, false};
  }
};

// Fills in the cut for `total` rows on `threads` threads.
void CutIntoPieces(GatherContext* context, size_t total, unsigned threads);

// Copies a batch whose row numbers stand in the scratch memory (32 bits wide where context.narrow) to rows [first, first + count) of all outputs.
void CopyBatch(const GatherContext& context, Scratch* scratch, size_t count, size_t first);
// The two halves of it, for callers that copy only some of the columns so.
void FindBatchSegments(const GatherContext& context, Scratch* scratch, size_t count);
void CopyBatchColumn(const GatherContext& context, const ColumnCopy& copy, uint32_t column, Scratch* scratch, size_t count);

// The sum over the columns of `per_item + per_byte * item bytes`, in nanoseconds.
double CostOfRow(const GatherRequest& request, double per_item, double per_byte);

Outcome GatherRange(const GatherRequest& request);
Outcome GatherIndices(const GatherRequest& request);
Outcome GatherMask(const GatherRequest& request);

}  // namespace colkit

#endif  // COLKIT_NATIVE_GATHER_CONTEXT_H_
