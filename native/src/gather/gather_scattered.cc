// See gather_scattered.h.
#include "gather/gather_scattered.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace colkit {
namespace {

// Wider items are copied for longer than their pages are waited for.
constexpr size_t kWidestItem = 16;
// Segments that follow each other share a bucket where there are more.
constexpr unsigned kBucketBits = 11;
constexpr uint64_t kLeastColumnBytes = uint64_t{8} << 20;  // what the page tables' own cache reaches
constexpr size_t kLeastRows = 8192;
constexpr uint64_t kPageBytes = 4096;
// Of a column: so that a batch has a row in each of them, about.
constexpr uint64_t kMostPages = kScatteredRows;
constexpr size_t kLookedAt = 64;

struct Order {
  uint32_t rows[kScatteredRows];
  uint32_t segments[kScatteredRows];
  uint16_t places[kScatteredRows];  // where each row of the batch went
  uint32_t starts[(size_t{1} << kBucketBits) + 1];
  uint8_t items[kScatteredRows * kWidestItem];
};
static_assert(kScatteredRows <= size_t{UINT16_MAX} + 1, "places have 16 bits");

Order* ThreadOrder() {
  thread_local std::unique_ptr<Order> order(new Order);
  return order.get();
}

// Looked at before all rows are: where the first ones ascend, the others most likely do too.
bool SeemsAscending(const GatherRequest& request) {
  uint32_t rows[kLookedAt];
  if (!ReadRows(request.rows.indices, 0, kLookedAt, request.segments->row_count(), rows)) return true;
  return std::is_sorted(rows, rows + kLookedAt);
}

// By counting: rows of a bucket keep their order.
void Sort(const Batch& batch, size_t segment_count, Order* order) {
  const uint32_t* rows = batch.scratch->rows32 + batch.at;
  const uint32_t* segments = batch.scratch->segments + batch.at;
  unsigned shift = 0;
  while (((segment_count - 1) >> shift) >> kBucketBits != 0) ++shift;
  const size_t buckets = ((segment_count - 1) >> shift) + 1;
  std::fill_n(order->starts, buckets + 1, 0u);
  for (size_t i = 0; i < batch.count; ++i) ++order->starts[(segments[i] >> shift) + 1];
  for (size_t b = 1; b < buckets; ++b) order->starts[b + 1] += order->starts[b];
  for (size_t i = 0; i < batch.count; ++i) {
    const uint32_t place = order->starts[segments[i] >> shift]++;
    order->rows[place] = rows[i];
    order->segments[place] = segments[i];
    order->places[i] = static_cast<uint16_t>(place);
  }
}

template <size_t kWidth>
void Spread(const Order& order, const ColumnCopy& copy, size_t count) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(copy.out + i * copy.out_stride, order.items + order.places[i] * kWidth, kWidth);
}

bool SpreadOfWidth(const Order& order, const ColumnCopy& copy, size_t count) {
  switch (copy.item_bytes) {
    case 1:
      Spread<1>(order, copy, count);
      return true;
    case 2:
      Spread<2>(order, copy, count);
      return true;
    case 4:
      Spread<4>(order, copy, count);
      return true;
    case 8:
      Spread<8>(order, copy, count);
      return true;
    case 16:
      Spread<16>(order, copy, count);
      return true;
    default:
      return false;
  }
}

bool HasWidth(uint32_t item_bytes) {
  return item_bytes <= kWidestItem && (item_bytes & (item_bytes - 1)) == 0;
}

void CopyBySegment(const GatherContext& context, const Batch& batch, size_t first) {
  const GatherRequest& request = *context.request;
  const Segments& segments = *request.segments;
  Order* order = ThreadOrder();
  Sort(batch, segments.count(), order);
  for (size_t k = 0; k < request.target_count; ++k) {
    const uint32_t column = request.targets[k].column;
    const ColumnCopy copy = context.CopyOf(request.targets[k], first);
    if (!HasWidth(copy.item_bytes)) {
      CopyBatchColumn(context, copy, column, batch);
      continue;
    }
    const ColumnCopy ordered = {copy.data, copy.item_bytes, order->items, copy.item_bytes, false, false};
    CopySegmentRowsUnchecked(ordered, segments.bases(column), order->segments, order->rows, batch.count);
    SpreadOfWidth(*order, copy, batch.count);
  }
}

}  // namespace

bool IsScattered(const GatherContext& context) {
  const GatherRequest& request = *context.request;
  const Segments& segments = *request.segments;
  if (!context.narrow || !context.dense || segments.count() < 2 || request.rows.count < kLeastRows) return false;
  // Putting rows in order costs about as much as it spares one column.
  size_t columns = 0;
  for (size_t k = 0; k < request.target_count; ++k) {
    const uint64_t width = segments.item_bytes(request.targets[k].column);
    const uint64_t bytes = segments.row_count() * width;
    // Outputs that share lines have smaller batches.
    if (request.targets[k].stride != width) return false;
    if (HasWidth(static_cast<uint32_t>(width)) && bytes >= kLeastColumnBytes && bytes / kPageBytes <= kMostPages)
      ++columns;
  }
  return columns >= 2 && !SeemsAscending(request);
}

void CopyScatteredBatch(const GatherContext& context, const Batch& batch, size_t first) {
  RowOrders& orders = context.request->segments->row_orders();
  const RowOrders::Order order = orders.Next();
  const auto start = std::chrono::steady_clock::now();
  if (order == RowOrders::kBySegment) {
    CopyBySegment(context, batch, first);
  } else {
    CopyBatch(context, batch, first);
  }
  const double items = static_cast<double>(batch.count * context.request->target_count);
  orders.Took(order, static_cast<float>(NanosecondsSince(start) / items));
}

}  // namespace colkit
