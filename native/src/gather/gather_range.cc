// Gather of start + k * step: no index array. Each segment's part is one strided copy (a plain memory copy for step 1);
// where segments hold only a few of the rows each, the row numbers are written out and go the way of indices.
#include <algorithm>

#include "copy/copy_bytes.h"
#include "gather/gather_context.h"

namespace colkit {
namespace {

constexpr uint64_t kFewRowsOfSegment = 16;

struct RangeContext : GatherContext {
  bool by_rows = false;
};

uint64_t RowAt(const RowSource& rows, size_t k) { return rows.start + static_cast<uint64_t>(rows.step) * k; }

template <typename Row>
void WriteRows(const RowSource& rows, size_t first, size_t count, Row* out) {
  const uint64_t start = RowAt(rows, first);
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<Row>(start + static_cast<uint64_t>(rows.step) * i);
}

// How many of the next rows, the one at `row` included, lie in the same segment.
uint64_t RowsLeftInSegment(const Segments& segments, size_t segment, uint64_t row, int64_t step) {
  if (step > 0) return (segments.start(segment + 1) - row - 1) / static_cast<uint64_t>(step) + 1;
  return (row - segments.start(segment)) / (uint64_t{0} - static_cast<uint64_t>(step)) + 1;
}

void CopyStretch(const GatherContext& context, size_t segment, uint64_t row, size_t count, size_t first) {
  const GatherRequest& request = *context.request;
  for (size_t k = 0; k < request.target_count; ++k) {
    const ColumnTarget& target = request.targets[k];
    const ColumnCopy copy = context.CopyOf(target, first);
    const uint64_t from =
        static_cast<uint64_t>(request.segments->bases(target.column)[segment]) + row * copy.item_bytes;
    CopyStridedUnchecked(copy, from, request.rows.step * static_cast<int64_t>(copy.item_bytes), count);
  }
}

void CopyRangePiece(Piece* piece) {
  const auto& context = *static_cast<const RangeContext*>(piece->context);
  const RowSource& rows = context.request->rows;
  const Segments& segments = *context.request->segments;
  const size_t end = context.end(piece->number);
  for (size_t first = context.begin(piece->number); first < end;) {
    if (context.cancelled()) {
      piece->outcome.status = Status::kCancelled;
      return;
    }
    size_t count = std::min(context.batch_rows, end - first);
    if (context.by_rows) {
      if (context.narrow) {
        WriteRows(rows, first, count, piece->scratch->rows32);
      } else {
        WriteRows(rows, first, count, piece->scratch->rows64);
      }
      Batch batch = {piece->scratch, 0, count};
      FindBatchSegments(context, &batch);
      CopyBatch(context, batch, first);
    } else {
      const uint64_t row = RowAt(rows, first);
      const size_t segment = segments.Find(row);
      count = static_cast<size_t>(std::min<uint64_t>(count, RowsLeftInSegment(segments, segment, row, rows.step)));
      CopyStretch(context, segment, row, count, first);
    }
    first += count;
  }
}

}  // namespace

Outcome GatherRange(const GatherRequest& request) {
  const RowSource& rows = request.rows;
  const size_t count = static_cast<size_t>(rows.count);
  if (count == 0) return Outcome();
  const Segments& segments = *request.segments;
  RangeContext context;
  context.request = &request;
  context.narrow = segments.row_count() <= UINT32_MAX;
  const uint64_t distance =
      rows.step < 0 ? uint64_t{0} - static_cast<uint64_t>(rows.step) : static_cast<uint64_t>(rows.step);
  context.by_rows = segments.count() > 1 && segments.row_count() / segments.count() / distance < kFewRowsOfSegment;
  const double cost =
      distance == 1 && rows.step == 1 ? CostOfRow(request, 0, 0.1) : CostOfRow(request, distance < 8 ? 1 : 4, 0.1);
  const unsigned threads = ThreadsFor(cost * static_cast<double>(count), request.workers);
  CutIntoPieces(&context, count, threads);
  context.streamed = CostOfRow(request, 0, 1) * static_cast<double>(count) >= static_cast<double>(kStreamedBytes);
  GuardedRun run(*request.file, request.cancelled);
  return run.Run(context.pieces(), threads, CopyRangePiece, &context);
}

}  // namespace colkit
