// The entry of a gather, what its three forms share, and the form by indices. See gather.h.
#include "gather/gather.h"

#include <algorithm>

#include "gather/gather_context.h"
#include "gather/gather_scattered.h"

namespace colkit {
namespace {

// so that a thread that starts late or is interrupted leaves its work to the others
constexpr size_t kPiecesPerThread = 16;
// whose batches are worth more the larger they are
constexpr size_t kScatteredPiecesPerThread = 4;
// outputs with strides share lines between columns: keep a batch of them in the cache
constexpr size_t kInterleavedBatchRows = 2048;
constexpr size_t kLongRun = 256;
constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;
// from one row in so many bytes of a column on, reading all of it takes no longer than single pages
constexpr uint64_t kDenseRowBytes = kHugePageBytes / 128;
constexpr size_t kMostAdvisedSegments = 64;

// What it takes to check one index, in nanoseconds.
double CheckCost(IndexType type) {
  switch (type) {
    case IndexType::kInt32:
    case IndexType::kUint32:
      return 0.1;
    case IndexType::kBigInt64:
      return 0.2;
    case IndexType::kFloat64:
      return 0.35;
  }
  return 0.35;
}

bool AnyInterleaved(const GatherRequest& request) {
  for (size_t k = 0; k < request.target_count; ++k) {
    if (request.targets[k].stride != request.segments->item_bytes(request.targets[k].column)) return true;
  }
  return false;
}

bool IsDense(uint64_t column_bytes, uint64_t count) {
  return column_bytes >= kHugePageBytes && count >= column_bytes / kDenseRowBytes;
}

// Before the first dense gather from a column: with huge pages random rows of a column that was not in memory take half
// the time, then and later. Where few rows are read they would bring in far too much, and the caller may have asked for
// random access.
void ExpectDenseReads(const GatherRequest& request) {
  const Segments& segments = *request.segments;
  if (segments.count() > kMostAdvisedSegments || request.file->advice() == Advice::kRandom) return;
  for (size_t k = 0; k < request.target_count; ++k) {
    const uint32_t column = request.targets[k].column;
    const uint64_t width = segments.item_bytes(column);
    if (!IsDense(segments.row_count() * width, request.rows.count) || !segments.FirstUse(column)) continue;
    for (size_t s = 0; s < segments.count(); ++s) {
      const uint64_t bytes = (segments.start(s + 1) - segments.start(s)) * width;
      const uint64_t first = static_cast<uint64_t>(segments.bases(column)[s]) + segments.start(s) * width;
      if (bytes >= kHugePageBytes) request.file->ExpectDenseReads(first, bytes);
    }
  }
}

bool ReadBatch(const GatherContext& context, Scratch* scratch, size_t begin, size_t count) {
  const GatherRequest& request = *context.request;
  const uint64_t row_count = request.segments->row_count();
  return context.narrow ? ReadRows(request.rows.indices, begin, count, row_count, scratch->rows32)
                        : ReadRows(request.rows.indices, begin, count, row_count, scratch->rows64);
}

void CheckPiece(Piece* piece) {
  const auto& context = *static_cast<const GatherContext*>(piece->context);
  const IndexView& indices = context.request->rows.indices;
  const uint64_t row_count = context.request->segments->row_count();
  const size_t begin = context.begin(piece->number);
  const size_t count = context.end(piece->number) - begin;
  if (!CheckRows(indices, begin, count, row_count)) piece->outcome = ExplainRows(indices, begin, count, row_count);
}

void CopyPiece(Piece* piece) {
  const auto& context = *static_cast<const GatherContext*>(piece->context);
  const size_t end = context.end(piece->number);
  for (size_t first = context.begin(piece->number); first < end; first += context.batch_rows) {
    if (context.cancelled()) {
      piece->outcome.status = Status::kCancelled;
      return;
    }
    const size_t count = std::min(context.batch_rows, end - first);
    // This read is the one that counts for memory safety: the array may have been changed since it was checked.
    if (!ReadBatch(context, piece->scratch, first, count)) {
      piece->outcome = ExplainRows(context.request->rows.indices, first, count, context.request->segments->row_count());
      // all were checked before: this one is new
      if (!context.single_batch()) piece->outcome.status = Status::kInputChanged;
      return;
    }
    Batch batch = {piece->scratch, 0, count};
    FindBatchSegments(context, &batch);
    if (context.scattered && !batch.ascending) {
      CopyScatteredBatch(context, batch, first);
    } else {
      CopyBatchFromAnywhere(context, batch, first);
    }
  }
}

}  // namespace

// Of joined files those that are read: a few rows touch few of them. Indices that are no rows are told of later.
bool FilesStillWhole(const GatherRequest& request) {
  const auto& parts = request.file->parts();
  if (parts.empty() || request.rows.kind != RowKind::kIndices || request.rows.count >= parts.size())
    return request.file->StillWhole();
  for (size_t i = 0; i < request.rows.count; ++i) {
    uint64_t row;
    if (!ReadRows(request.rows.indices, i, 1, request.segments->row_count(), &row)) return true;
    if (!parts[request.segments->file(request.segments->Find(row))]->StillWhole()) return false;
  }
  return true;
}

Outcome RunGather(const GatherRequest& request) {
  if (!FilesStillWhole(request)) {
    Outcome outcome;
    outcome.status = Status::kFileChanged;
    return outcome;
  }
  ExpectDenseReads(request);
  switch (request.rows.kind) {
    case RowKind::kRange:
      return GatherRange(request);
    case RowKind::kIndices:
      return GatherIndices(request);
    case RowKind::kMask:
      return GatherMask(request);
  }
  return Outcome();
}

Outcome GatherIndices(const GatherRequest& request) {
  GatherContext context;
  context.request = &request;
  context.narrow = request.segments->row_count() <= UINT32_MAX;
  context.dense = request.target_count > 0 && request.file->advice() != Advice::kRandom &&
                  IsDense(request.segments->row_count() * request.segments->item_bytes(request.targets[0].column),
                          request.rows.count);
  context.scattered = IsScattered(context);
  const size_t count = static_cast<size_t>(request.rows.count);
  if (count == 0) return Outcome();
  GuardedRun run(*request.file, request.cancelled);
  const unsigned threads = ThreadsFor(CostOfRow(request, 5, 0.1) * static_cast<double>(count), request.workers);
  CutIntoPieces(&context, count, threads);
  // A single batch is checked when it is read, all of it before anything is written.
  if (!context.single_batch()) {
    const Outcome checked =
        run.Run(context.pieces(),
                ThreadsFor(CheckCost(request.rows.indices.type) * static_cast<double>(count), request.workers),
                CheckPiece, &context);
    if (!checked.ok()) return checked;
  }
  return run.Run(context.pieces(), threads, CopyPiece, &context);
}

void CutIntoPieces(GatherContext* context, size_t total, unsigned threads) {
  context->total = total;
  context->batch_rows = context->scattered                   ? kScatteredRows
                        : AnyInterleaved(*context->request) ? kInterleavedBatchRows
                                                            : kBatchRows;
  const size_t pieces = context->scattered ? kScatteredPiecesPerThread : kPiecesPerThread;
  const size_t wanted = threads <= 1 ? 1 : threads * pieces;
  const size_t rows = std::max<size_t>((total + wanted - 1) / wanted, 1024);
  context->piece_rows = (rows + 63) / 64 * 64;
}

void FindBatchSegments(const GatherContext& context, Batch* batch) {
  const Segments& segments = *context.request->segments;
  if (segments.count() < 2 || batch->count == 0) return;
  uint32_t* found = batch->scratch->segments + batch->at;
  batch->ascending = context.narrow ? segments.FindAll(batch->scratch->rows32 + batch->at, batch->count, found)
                                    : segments.FindAll(batch->scratch->rows64 + batch->at, batch->count, found);
  batch->long_runs = batch->ascending && batch->count / (found[batch->count - 1] - found[0] + 1) >= kLongRun;
}

namespace {

// Rows of one segment.
void CopyRun(const GatherContext& context, const ColumnCopy& copy, int64_t base, const Batch& batch) {
  if (context.narrow) {
    CopyRowsUnchecked(copy, base, batch.scratch->rows32 + batch.at, batch.count);
  } else {
    CopyRowsUnchecked(copy, base, batch.scratch->rows64 + batch.at, batch.count);
  }
}

}  // namespace

void CopyBatchColumn(const GatherContext& context, const ColumnCopy& copy, uint32_t column, const Batch& batch) {
  const Segments& segments = *context.request->segments;
  const int64_t* bases = segments.bases(column);
  if (segments.count() == 1) return CopyRun(context, copy, bases[0], batch);
  const uint32_t* found = batch.scratch->segments + batch.at;
  if (batch.long_runs) {
    for (size_t begin = 0; begin < batch.count;) {
      const size_t end =
          static_cast<size_t>(std::upper_bound(found + begin, found + batch.count, found[begin]) - found);
      ColumnCopy run = copy;
      run.out += begin * copy.out_stride;
      CopyRun(context, run, bases[found[begin]], {batch.scratch, batch.at + begin, end - begin});
      begin = end;
    }
    return;
  }
  if (context.narrow) {
    CopySegmentRowsUnchecked(copy, bases, found, batch.scratch->rows32 + batch.at, batch.count);
  } else {
    CopySegmentRowsUnchecked(copy, bases, found, batch.scratch->rows64 + batch.at, batch.count);
  }
}

void CopyBatch(const GatherContext& context, const Batch& batch, size_t first) {
  const GatherRequest& request = *context.request;
  // A small gather over several columns is the sum of its misses: ask for all lines of all columns first.
  const bool prefetched =
      batch.count <= kSmallGather && request.target_count > 1 && request.segments->count() == 1 && context.narrow;
  for (size_t k = 0; prefetched && k < request.target_count; ++k) {
    const uint32_t column = request.targets[k].column;
    PrefetchRows(context.CopyOf(request.targets[k], first), request.segments->bases(column)[0],
                 batch.scratch->rows32 + batch.at, batch.count);
  }
  for (size_t k = 0; k < request.target_count; ++k) {
    ColumnCopy copy = context.CopyOf(request.targets[k], first);
    copy.prefetched = prefetched;
    CopyBatchColumn(context, copy, request.targets[k].column, batch);
  }
}

double CostOfRow(const GatherRequest& request, double per_item, double per_byte) {
  double cost = 0;
  for (size_t k = 0; k < request.target_count; ++k)
    cost += per_item + per_byte * request.segments->item_bytes(request.targets[k].column);
  return cost;
}

}  // namespace colkit
