// Gathers from files that are not in memory: CopyBatchFromAnywhere. See gather_context.h.
#include "gather/gather_context.h"

namespace colkit {
namespace {

constexpr size_t kProbeRows = 32;
// From memory an item takes some tens of nanoseconds, with a fault on a page that is in the page cache a microsecond or
// two; a fault that waits for a device takes 50 us and more, and pages that were asked for together come every 5 to 15
// us.
constexpr double kSlowNanoseconds = 8000;
constexpr double kSlowWhenAskedNanoseconds = 2500;

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

// The first rows are copied by themselves (a small batch is nothing else) and timed. What they met is what the next
// ones expect; the first of all expect the worst.
void CopyBatchFromAnywhere(const GatherContext& context, const Batch& batch, size_t first) {
  const GatherRequest& request = *context.request;
  if (context.dense || request.target_count == 0) return CopyBatch(context, batch, first);
  const size_t probe_rows = batch.count <= kSmallGather ? batch.count : kProbeRows;
  const Batch probe = {batch.scratch, batch.at, probe_rows, batch.ascending, batch.long_runs};
  const bool asked = request.file->expects_cold();
  const auto start = std::chrono::steady_clock::now();
  if (asked) AskForPages(context, probe);
  CopyBatch(context, probe, first);
  const double items = static_cast<double>(probe_rows * request.target_count);
  const bool slow = NanosecondsSince(start) > items * (asked ? kSlowWhenAskedNanoseconds : kSlowNanoseconds);
  if (slow != asked) request.file->set_expects_cold(slow);
  if (probe_rows == batch.count) return;
  const Batch rest = {batch.scratch, batch.at + probe_rows, batch.count - probe_rows, batch.ascending,
                      batch.long_runs};
  if (slow) AskForPages(context, rest);
  CopyBatch(context, rest, first + probe_rows);
}

}  // namespace colkit
