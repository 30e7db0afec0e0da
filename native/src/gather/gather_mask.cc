// Gather by a mask of one byte a row. First pass: the mask becomes bits in memory of our own, and is counted, so
// nothing that another thread does to it later matters. Second pass, piece by piece at output positions known from the
// counts: packed columns of the common widths are compressed word by word (at one row in ten that takes a tenth longer
// than reading the column); for other columns and sparse masks the bits become row numbers.
#include <algorithm>
#include <memory>

#include "platform/block_pool.h"
#include "gather/gather_context.h"
#include "gather/mask.h"

namespace colkit {
namespace {

// with less than one row in so many, most lines are not needed: the rows are listed and asked for one by one
constexpr size_t kSparse = 24;
constexpr uint64_t kShortSegment = 1024;  // rows: shorter segments are walked by row numbers
constexpr size_t kPooledBytes = size_t{64} << 10;

// Working memory of the call: from the pool where fresh pages would cost more than the pass that fills them.
class Words {
 public:
  explicit Words(size_t count) {
    if (count * sizeof(uint64_t) >= kPooledBytes) {
      block_ = BlockPool::Instance().Take(count * sizeof(uint64_t));
      data_ = static_cast<uint64_t*>(block_.data);
    } else {
      own_.reset(new uint64_t[count]);
      data_ = own_.get();
    }
  }
  ~Words() {
    if (block_.data != nullptr) BlockPool::Instance().Return(block_);
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  uint64_t* data() const { return data_; }

 private:
  Block block_;
  std::unique_ptr<uint64_t[]> own_;
  uint64_t* data_;
};

struct MaskContext : GatherContext {
  uint64_t* words;
  uint64_t* counts;  // rows set in each piece; then where each piece's output starts
  MaskKernels kernels;
  bool by_words;  // segments are long enough to be compressed word by word
};

void CountPiece(Piece* piece) {
  const auto& context = *static_cast<const MaskContext*>(piece->context);
  const size_t begin = context.begin(piece->number);
  context.counts[piece->number] = ReadMask(context.kernels, context.request->rows.mask + begin,
                                           context.end(piece->number) - begin, context.words + begin / 64);
}

bool IsPacked(const MaskContext& context, const ColumnTarget& target) {
  return target.stride == context.request->segments->item_bytes(target.column);
}

// Rows [begin, end) of the table, all in batches of whole words, to output rows [first, first + count).
void CopyColumnByWords(const MaskContext& context, const ColumnTarget& target, size_t begin, size_t end, size_t first,
                       size_t count) {
  const Segments& segments = *context.request->segments;
  const uint32_t width = segments.item_bytes(target.column);
  const uint64_t* words = context.words + begin / 64;
  uint8_t* out = target.out + first * width;
  uint8_t* const out_end = out + count * width;
  size_t segment = segments.Find(begin);
  for (size_t row = begin; row < end; ++segment) {
    const size_t stop = static_cast<size_t>(std::min<uint64_t>(end, segments.start(segment + 1)));
    const uint64_t origin =
        static_cast<uint64_t>(segments.bases(target.column)[segment]) + static_cast<uint64_t>(begin) * width;
    out = CopyMasked(context.kernels, words, row - begin, stop - begin,
                     reinterpret_cast<uintptr_t>(context.request->file->data()) + static_cast<uintptr_t>(origin), width,
                     out, out_end);
    row = stop;
  }
}

void ListBatch(const MaskContext& context, Batch* batch, size_t begin, size_t word_count) {
  if (context.narrow) {
    ListRows(context.words + begin / 64, word_count, begin, batch->scratch->rows32);
  } else {
    ListRows(context.words + begin / 64, word_count, begin, batch->scratch->rows64);
  }
  FindBatchSegments(context, batch);
}

void CopyMaskPiece(Piece* piece) {
  const auto& context = *static_cast<const MaskContext*>(piece->context);
  const GatherRequest& request = *context.request;
  const size_t end = context.end(piece->number);
  size_t first = static_cast<size_t>(context.counts[piece->number]);
  for (size_t begin = context.begin(piece->number); begin < end; begin += context.batch_rows) {
    if (context.cancelled()) {
      piece->outcome.status = Status::kCancelled;
      return;
    }
    const size_t batch_end = std::min(begin + context.batch_rows, end);
    const size_t word_count = (batch_end - begin + 63) / 64;
    const size_t count = static_cast<size_t>(context.kernels.count(context.words + begin / 64, word_count));
    if (count == 0) continue;
    const bool by_words = context.by_words && count * kSparse >= batch_end - begin;
    Batch batch = {piece->scratch, 0, count};
    bool listed = false;
    for (size_t k = 0; k < request.target_count; ++k) {
      const ColumnTarget& target = request.targets[k];
      if (by_words && IsPacked(context, target) && CanCopyMasked(request.segments->item_bytes(target.column))) {
        CopyColumnByWords(context, target, begin, batch_end, first, count);
        continue;
      }
      if (!listed) ListBatch(context, &batch, begin, word_count);
      listed = true;
      CopyBatchColumn(context, context.CopyOf(target, first), target.column, batch);
    }
    first += count;
  }
}

}  // namespace

Outcome GatherMask(const GatherRequest& request) {
  Outcome outcome;
  const Segments& segments = *request.segments;
  const size_t row_count = static_cast<size_t>(segments.row_count());
  if (row_count == 0) return outcome;
  MaskContext context;
  context.request = &request;
  context.narrow = segments.row_count() <= UINT32_MAX;
  context.kernels = MaskKernelsOf(SupportedFamily());
  context.by_words = segments.row_count() / segments.count() >= kShortSegment;
  const double rows = static_cast<double>(row_count);
  const unsigned threads = ThreadsFor(0.05 * rows + CostOfRow(request, 0, 0.04) * rows +
                                          CostOfRow(request, 1, 0) * static_cast<double>(request.rows.count),
                                      request.workers);
  CutIntoPieces(&context, row_count, threads);
  const size_t pieces = context.pieces();
  const size_t word_count = (row_count + 63) / 64;
  const Words words(word_count + kMaskWordsAhead);
  const Words counts(pieces);
  if (words.data() == nullptr || counts.data() == nullptr) {
    outcome.status = Status::kOutOfMemory;
    return outcome;
  }
  context.words = words.data();
  std::fill_n(context.words + word_count, kMaskWordsAhead, uint64_t{0});
  context.counts = counts.data();
  GuardedRun run(*request.file, request.cancelled);
  outcome = run.Run(pieces, threads, CountPiece, &context);
  if (!outcome.ok()) return outcome;
  uint64_t total = 0;
  for (size_t p = 0; p < pieces; ++p) {
    const uint64_t count = counts.data()[p];
    counts.data()[p] = total;
    total += count;
  }
  if (total != request.rows.count) {
    outcome.status = Status::kMaskCount;
    outcome.value = static_cast<double>(total);
    outcome.length = request.rows.count;
    return outcome;
  }
  return run.Run(pieces, threads, CopyMaskPiece, &context);
}

}  // namespace colkit
