// Gathers from files that are not in memory: CopyBatchFromAnywhere. See gather_context.h.
#include <chrono>

#include "gather_context.h"

namespace colkit {
namespace {

constexpr size_t kProbeRows = 32;
// From memory an item takes some tens of nanoseconds, with a page fault on a page that is in the page cache a microsecond or two; from a device 50 us and more.
constexpr double kSlowNanoseconds = 8000;

double NanosecondsSince(std::chrono::steady_clock::time_point start) { return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count(); }

void AskForPages(const GatherContext& context, const Batch& batch) {
  const GatherRequest& request = *context.request;
  const Segments& segments = *request.segments;
  for (size_t k = 0; k < request.target_count; ++k) {
    const uint32_t column = request.targets[k].column;
    const uint64_t width = segments.item_bytes(column);
    const int64_t* bases = segments.bases(column);
    for (size_t i = batch.at; i < batch.at + batch.count; ++i) {
      const uint64_t row = context.narrow ? batch.scratch->rows32[i] : batch.scratch->rows64[i];
      const int64_t base = bases[segments.count() == 1 ? 0 : batch.scratch->segments[i]];
      request.file->WillRead(static_cast<uint64_t>(base) + row * width, width);
    }
  }
}

}  // namespace

void CopyBatchFromAnywhere(const GatherContext& context, const Batch& batch, size_t first) {
  const GatherRequest& request = *context.request;
  const double slow = kSlowNanoseconds * static_cast<double>(request.target_count);
  const auto start = std::chrono::steady_clock::now();
  if (batch.count <= kSmallGather) {
    // Too small to try out: what the last ones met is what this one expects, and the first one expects the worst.
    const bool cold = request.file->expects_cold();
    if (cold) AskForPages(context, batch);
    CopyBatch(context, batch, first);
    const bool was_slow = NanosecondsSince(start) > slow * static_cast<double>(batch.count);
    if (was_slow != cold) request.file->set_expects_cold(was_slow);
    return;
  }
  const Batch probe = {batch.scratch, batch.at, kProbeRows};
  const Batch rest = {batch.scratch, batch.at + kProbeRows, batch.count - kProbeRows};
  CopyBatch(context, probe, first);
  if (!context.dense && NanosecondsSince(start) > slow * kProbeRows) AskForPages(context, rest);
  CopyBatch(context, rest, first + kProbeRows);
}

}  // namespace colkit
