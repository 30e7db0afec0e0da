// See copy_ranges.h.
#include "copy/copy_ranges.h"

#include <algorithm>

#include "copy/copy_bytes.h"
#include "map/guarded_run.h"
#include "platform/intrinsics.h"
#include "platform/whole_number.h"

namespace colkit {
namespace {

constexpr size_t kRangesPerPiece = 512;
constexpr uint64_t kSmallestShare = uint64_t{4} << 20;
constexpr unsigned kSharesPerThread = 4;
constexpr size_t kAhead = 4;

struct Range {
  uint64_t offset;
  uint64_t length;
  uint64_t out_offset;
};

struct RangesContext {
  const RangesRequest* request;
  // Results of the check.
  uint64_t total_bytes = 0;
  uint64_t longest = 0;
  bool in_order = true;      // outputs ascend and do not overlap
  uint64_t share_bytes = 0;  // longer ranges are cut into shares of this size, so that all threads help
};

// Reads range `k` once, so that what was checked is what is used.
COLKIT_INLINE bool ReadRange(const RangesRequest& request, size_t k, Range* range) {
  const uint64_t size = request.file->size();
  return ToWholeNumber(request.offsets[k], size, &range->offset) &&
         ToWholeNumber(request.lengths[k], size - range->offset, &range->length) &&
         ToWholeNumber(request.out_offsets[k], request.out_bytes, &range->out_offset) &&
         range->length <= request.out_bytes - range->out_offset;
}

void CheckAll(Piece* piece) {
  auto& context = *static_cast<RangesContext*>(piece->context);
  uint64_t out_end = 0;
  for (size_t k = 0; k < context.request->count; ++k) {
    Range range;
    if (!ReadRange(*context.request, k, &range)) {
      piece->outcome.status = Status::kRangeInvalid;
      piece->outcome.position = k;
      return;
    }
    context.in_order = context.in_order && range.out_offset >= out_end;
    out_end = range.out_offset + range.length;
    context.total_bytes += range.length;
    context.longest = std::max(context.longest, range.length);
  }
}

bool Cancelled(const RangesRequest& request) {
  return request.cancelled != nullptr && request.cancelled->load(std::memory_order_relaxed);
}

// Copies ranges [begin, end), of each only the bytes [from, until).
void CopyPart(const RangesContext& context, Piece* piece, size_t begin, size_t end, uint64_t from, uint64_t until) {
  const RangesRequest& request = *context.request;
  const bool streamed = context.total_bytes >= kStreamedBytes;
  const uint8_t* data = request.file->data();
  const uintptr_t origin = reinterpret_cast<uintptr_t>(data);
  for (size_t k = begin; k < end; ++k) {
    Range range;
    if (!ReadRange(request, k, &range)) {
      piece->outcome.status = Status::kInputChanged;
      piece->outcome.position = k;
      return;
    }
    if (k + kAhead < end) {
      const double ahead = request.offsets[k + kAhead];
      if (ahead >= 0 && ahead < 9e18) Prefetch(origin + static_cast<uintptr_t>(ahead));
    }
    const uint64_t stop = std::min(range.length, until);
    if (from < stop)
      CopyBytes(request.out + range.out_offset + from, data + range.offset + from, static_cast<size_t>(stop - from),
                streamed);
  }
}

void CopyPiece(Piece* piece) {
  const auto& context = *static_cast<const RangesContext*>(piece->context);
  const RangesRequest& request = *context.request;
  if (Cancelled(request)) {
    piece->outcome.status = Status::kCancelled;
    return;
  }
  const size_t groups = (request.count + kRangesPerPiece - 1) / kRangesPerPiece;
  const size_t begin = piece->number % groups * kRangesPerPiece;
  const uint64_t share = piece->number / groups;
  CopyPart(context, piece, begin, std::min(begin + kRangesPerPiece, request.count), share * context.share_bytes,
           (share + 1) * context.share_bytes);
}

void CopySerially(Piece* piece) {
  const auto& context = *static_cast<const RangesContext*>(piece->context);
  const RangesRequest& request = *context.request;
  for (size_t begin = 0; begin < request.count && piece->outcome.ok(); begin += kRangesPerPiece) {
    if (Cancelled(request)) piece->outcome.status = Status::kCancelled;
    if (piece->outcome.ok())
      CopyPart(context, piece, begin, std::min(begin + kRangesPerPiece, request.count), 0, UINT64_MAX);
  }
}

}  // namespace

Outcome RunCopyRanges(const RangesRequest& request) {
  Outcome outcome;
  if (!request.file->StillWhole()) {
    outcome.status = Status::kFileChanged;
    return outcome;
  }
  if (request.count == 0) return outcome;
  RangesContext context;
  context.request = &request;
  GuardedRun run(*request.file, request.cancelled);
  outcome = run.Run(1, 1, CheckAll, &context);
  if (!outcome.ok()) return outcome;
  const double cost = static_cast<double>(context.total_bytes) * 0.1 + static_cast<double>(request.count) * 20;
  const unsigned threads = context.in_order ? ThreadsFor(cost, request.workers) : 1;
  if (threads == 1) return run.Run(1, 1, CopySerially, &context);
  const size_t groups = (request.count + kRangesPerPiece - 1) / kRangesPerPiece;
  context.share_bytes = std::max(kSmallestShare, context.longest / (threads * kSharesPerThread) + 1);
  const size_t shares = static_cast<size_t>(context.longest / context.share_bytes + 1);
  return run.Run(groups * shares, threads, CopyPiece, &context);
}

}  // namespace colkit
