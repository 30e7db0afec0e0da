// Whole gathers from a mapped file against a loop over items: ranges, indices and masks; one, equal, unequal and empty
// segments; packed and interleaved outputs; several thread counts. Outputs are allocated to the byte.
#include <cstring>

#include "copy/copy_ranges.h"
#include "gather/gather.h"
#include "tests/test_support.h"

namespace colkit {
namespace {

struct Loaded {
  TableFixture table;
  TemporaryFile on_disk;
  std::shared_ptr<MappedFile> file;
  std::unique_ptr<Segments> segments;

  Loaded(const std::vector<uint64_t>& segment_rows, std::vector<int32_t> widths)
      : table(segment_rows, std::move(widths), 3), on_disk(table.bytes), file(on_disk.Map()) {
    std::string error;
    segments = table.Make(&error);
    CHECK(file != nullptr && segments != nullptr);
  }
};

// Gathers all columns and compares with `expected` row numbers; `interleaved` into one buffer of packed records.
void Expect(const Loaded& loaded, const RowSource& rows, const std::vector<uint64_t>& expected, bool interleaved,
            unsigned workers) {
  const size_t columns = loaded.table.widths.size();
  size_t record = 0;
  for (const int32_t width : loaded.table.widths) record += static_cast<size_t>(width);
  std::vector<std::unique_ptr<uint8_t[]>> buffers;
  std::vector<ColumnTarget> targets;
  size_t at = 0;
  for (size_t c = 0; c < columns; ++c) {
    const size_t width = static_cast<size_t>(loaded.table.widths[c]);
    if (!interleaved || c == 0) buffers.emplace_back(new uint8_t[expected.size() * (interleaved ? record : width)]);
    targets.push_back(
        {static_cast<uint32_t>(c), buffers.back().get() + (interleaved ? at : 0), interleaved ? record : width});
    at += width;
  }
  const GatherRequest request = {
      loaded.file.get(), loaded.segments.get(), rows, targets.data(), targets.size(), workers, nullptr};
  CHECK(RunGather(request).ok());
  for (size_t c = 0; c < columns; ++c) {
    for (size_t i = 0; i < expected.size(); ++i) {
      CHECK(std::memcmp(targets[c].out + i * targets[c].stride, loaded.table.Item(c, expected[i]),
                        static_cast<size_t>(loaded.table.widths[c])) == 0);
    }
  }
}

void TestRanges(const Loaded& loaded, unsigned workers) {
  const int64_t row_count = static_cast<int64_t>(loaded.table.row_count());
  for (const int64_t step : {1, -1, 2, -3, 100, -1000}) {
    const int64_t distance = step < 0 ? -step : step;
    RowSource rows;
    rows.count = static_cast<uint64_t>((row_count - 1) / distance + 1);
    rows.start = step < 0 ? static_cast<uint64_t>(row_count - 1) : 0;
    rows.step = step;
    std::vector<uint64_t> expected;
    for (uint64_t k = 0; k < rows.count; ++k) expected.push_back(rows.start + static_cast<uint64_t>(step) * k);
    Expect(loaded, rows, expected, false, workers);
    Expect(loaded, rows, expected, true, workers);
  }
}

void TestIndices(const Loaded& loaded, size_t count, bool sorted, unsigned workers) {
  Random random(count + workers);
  const uint64_t row_count = loaded.table.row_count();
  std::vector<int32_t> indices;
  std::vector<uint64_t> expected;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t row = sorted ? i * row_count / count : random.Below(row_count);
    expected.push_back(row);
    indices.push_back(static_cast<int32_t>(random.Below(2) == 0
                                               ? static_cast<int64_t>(row)
                                               : static_cast<int64_t>(row) - static_cast<int64_t>(row_count)));
  }
  RowSource rows;
  rows.kind = RowKind::kIndices;
  rows.count = count;
  rows.indices = {IndexType::kInt32, indices.data()};
  Expect(loaded, rows, expected, false, workers);
  Expect(loaded, rows, expected, true, workers);
}

void TestMasks(const Loaded& loaded, unsigned percent, unsigned workers) {
  Random random(percent + 17);
  std::vector<uint8_t> mask(loaded.table.row_count());
  RowSource rows;
  rows.kind = RowKind::kMask;
  rows.mask = mask.data();
  std::vector<uint64_t> expected;
  for (uint64_t row = 0; row < mask.size(); ++row) {
    mask[row] = random.Below(100) < percent ? 1 : 0;
    if (mask[row] != 0) expected.push_back(row);
  }
  rows.count = expected.size();
  Expect(loaded, rows, expected, false, workers);
  Expect(loaded, rows, expected, true, workers);
}

void TestFailures(const Loaded& loaded) {
  uint8_t untouched[64];
  std::memset(untouched, 0xab, sizeof(untouched));
  const int32_t bad[] = {0, 1, static_cast<int32_t>(loaded.table.row_count())};
  const ColumnTarget target = {0, untouched, static_cast<size_t>(loaded.table.widths[0])};
  GatherRequest request = {loaded.file.get(), loaded.segments.get(), RowSource(), &target, 1, 1, nullptr};
  request.rows.kind = RowKind::kIndices;
  request.rows.count = 3;
  request.rows.indices = {IndexType::kInt32, bad};
  const Outcome outcome = RunGather(request);
  CHECK(outcome.status == Status::kIndexOutOfRange && outcome.position == 2);
  const std::vector<uint8_t> mask(loaded.table.row_count(), 1);
  request.rows.kind = RowKind::kMask;
  request.rows.mask = mask.data();
  request.rows.count = mask.size() - 1;
  CHECK(RunGather(request).status == Status::kMaskCount);
  std::atomic<bool> cancelled{true};
  request.cancelled = &cancelled;
  request.rows.kind = RowKind::kRange;
  request.rows.count = 1;
  CHECK(RunGather(request).status == Status::kCancelled);
  for (const uint8_t byte : untouched) CHECK(byte == 0xab);
}

// The lowest bad position is reported whatever the number of threads.
void TestFirstFailure(const Loaded& loaded) {
  std::vector<int32_t> indices(300000, 0);
  for (const size_t position : {120003u, 120005u, 299999u}) indices[position] = -2000000000;
  std::vector<uint8_t> out(indices.size() * static_cast<size_t>(loaded.table.widths[0]));
  const ColumnTarget target = {0, out.data(), static_cast<size_t>(loaded.table.widths[0])};
  GatherRequest request = {loaded.file.get(), loaded.segments.get(), RowSource(), &target, 1, 0, nullptr};
  request.rows.kind = RowKind::kIndices;
  request.rows.count = indices.size();
  request.rows.indices = {IndexType::kInt32, indices.data()};
  for (const unsigned workers : {1u, 2u, 4u}) {
    request.workers = workers;
    CHECK(RunGather(request).position == 120003);
  }
}

// Rows that ascend at first, and a bad one far behind: nothing is written.
void TestScatteredFailures(const Loaded& loaded) {
  Random random(7);
  const uint64_t row_count = loaded.table.row_count();
  for (const size_t ascending : {0u, 64u, 40000u}) {
    std::vector<uint32_t> rows(100000);
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<uint32_t>(random.Below(row_count));
    for (size_t i = 0; i < ascending; ++i) rows[i] = static_cast<uint32_t>(i);
    std::vector<uint8_t> wide(rows.size() * 8, 0xab), narrow(rows.size() * 4, 0xab);
    const ColumnTarget targets[] = {{0, wide.data(), 8}, {1, narrow.data(), 4}};
    GatherRequest request = {loaded.file.get(), loaded.segments.get(), RowSource(), targets, 2, 2, nullptr};
    request.rows.kind = RowKind::kIndices;
    request.rows.count = rows.size();
    request.rows.indices = {IndexType::kUint32, rows.data()};
    rows[77777] = static_cast<uint32_t>(row_count);
    const Outcome outcome = RunGather(request);
    CHECK(outcome.status == Status::kIndexOutOfRange && outcome.position == 77777);
    for (const uint8_t byte : wide) CHECK(byte == 0xab);
    rows[77777] = 0;
    CHECK(RunGather(request).ok());
    for (size_t i = 0; i < rows.size(); ++i)
      CHECK(std::memcmp(wide.data() + i * 8, loaded.table.Item(0, rows[i]), 8) == 0 &&
            std::memcmp(narrow.data() + i * 4, loaded.table.Item(1, rows[i]), 4) == 0);
  }
}

// Enough to go past the caches; every offset that a line can start at.
void TestStreamedCopies() {
  const Loaded loaded({4400000}, {8, 1});
  for (const size_t shift : {0u, 1u, 7u, 8u}) {
    const size_t rows = 4300000 - shift;
    std::vector<uint8_t> wide(rows * 8 + 64, 0xa5), narrow(rows + 64, 0xa5);
    const ColumnTarget targets[] = {{0, wide.data() + shift, 8}, {1, narrow.data() + shift, 1}};
    GatherRequest request = {loaded.file.get(), loaded.segments.get(), RowSource(), targets, 2, 2, nullptr};
    request.rows.count = rows;
    request.rows.start = 1000 + shift;
    CHECK(RunGather(request).ok());
    CHECK(std::memcmp(targets[0].out, loaded.table.Item(0, request.rows.start), rows * 8) == 0);
    CHECK(std::memcmp(targets[1].out, loaded.table.Item(1, request.rows.start), rows) == 0);
    CHECK(targets[0].out[rows * 8] == 0xa5 && targets[1].out[rows] == 0xa5);
  }
}

// Columns and gathers that are large enough for rows to be put in order: few segments, and more than there are buckets;
// all widths, of which that of three bytes is copied in the order of the rows.
void TestScattered() {
  Random random(5);
  std::vector<uint64_t> many;
  for (int i = 0; i < 5000; ++i) many.push_back(random.Below(1000));
  for (const auto& segment_rows : {std::vector<uint64_t>(3, 700000), std::vector<uint64_t>(1000, 2200), many}) {
    const Loaded loaded(segment_rows, {8, 4, 16, 3, 1, 2});
    for (const unsigned workers : {1u, 3u}) {
      for (const size_t count : {8191, 8192, 32768, 100001}) TestIndices(loaded, count, false, workers);
      TestIndices(loaded, 100001, true, workers);
    }
    TestScatteredFailures(loaded);
  }
}

// 100 batches: how many went in each order, where one takes so long and the other so long.
void TestRowOrders() {
  for (const bool by_segment : {false, true}) {
    RowOrders orders;
    // The very first batch meets pages that nobody has looked at.
    CHECK(orders.Next() == RowOrders::kAsAsked);
    orders.Took(RowOrders::kAsAsked, 40.0f);
    const RowOrders::Order faster = by_segment ? RowOrders::kBySegment : RowOrders::kAsAsked;
    size_t first = 0, later = 0;
    for (int batch = 1; batch < 100; ++batch) {
      const RowOrders::Order order = orders.Next();
      if (order == faster) ++(batch < 8 ? first : later);
      // One batch was interrupted.
      orders.Took(order, batch == 50 ? 1000.0f : order == faster ? 5.0f : 6.5f);
    }
    CHECK(first == (by_segment ? 4 : 3));
    CHECK(later >= 80 && later < 92);
  }
}

void TestCopyRanges() {
  std::vector<uint8_t> bytes(20000000);
  Random random(1);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Next());
  const TemporaryFile on_disk(bytes);
  const auto file = on_disk.Map();
  for (const bool overlapping : {false, true}) {
    for (const unsigned workers : {1u, 2u, 4u}) {
      std::vector<double> offsets, lengths, out_offsets;
      size_t at = 0;
      for (int k = 0; k < 2000; ++k) {
        lengths.push_back(static_cast<double>(k == 1000 ? 9000001 : random.Below(300)));
        offsets.push_back(static_cast<double>(random.Below(bytes.size() - static_cast<size_t>(lengths.back()) + 1)));
        out_offsets.push_back(static_cast<double>(overlapping ? at / 2 : at));
        at += static_cast<size_t>(lengths.back());
      }
      std::vector<uint8_t> expected(at, 0), out(at, 0);
      for (size_t k = 0; k < lengths.size(); ++k)
        std::memcpy(expected.data() + static_cast<size_t>(out_offsets[k]),
                    bytes.data() + static_cast<size_t>(offsets[k]), static_cast<size_t>(lengths[k]));
      RangesRequest request = {file.get(),         offsets.data(), lengths.data(),
                               out_offsets.data(), lengths.size(), out.data(),
                               out.size(),         workers,        nullptr};
      CHECK(RunCopyRanges(request).ok());
      CHECK(out == expected);
      for (const double bad : {-1.0, 0.5, 20000001.0, 1e300}) {
        const double before = offsets[1500];
        offsets[1500] = bad;
        const Outcome outcome = RunCopyRanges(request);
        CHECK(outcome.status == Status::kRangeInvalid && outcome.position == 1500);
        offsets[1500] = before;
      }
    }
  }
}

}  // namespace
}  // namespace colkit

int main() {
  using colkit::Loaded;
  const std::vector<int32_t> widths = {1, 2, 3, 4, 5, 8, 16, 40};
  std::vector<uint64_t> short_segments, long_segments;
  colkit::Random random(2);
  for (int i = 0; i < 4000; ++i) short_segments.push_back(random.Below(20));
  for (int i = 0; i < 12; ++i) long_segments.push_back(2000 + random.Below(4000));
  for (const auto& segment_rows : {std::vector<uint64_t>{40013}, std::vector<uint64_t>(20, 2000),
                                   std::vector<uint64_t>{0, 17000, 0, 1, 23000}, short_segments, long_segments}) {
    const Loaded loaded(segment_rows, widths);
    for (const unsigned workers : {1u, 2u, 4u}) {
      TestRanges(loaded, workers);
      for (const size_t count : {1, 63, 300, 20000, 40000}) {
        TestIndices(loaded, count, false, workers);
        TestIndices(loaded, count, true, workers);
      }
      for (const unsigned percent : {0u, 3u, 40u, 97u, 100u}) TestMasks(loaded, percent, workers);
    }
  }
  const Loaded small({200}, {8});
  TestFailures(small);
  TestFirstFailure(small);
  colkit::TestStreamedCopies();
  colkit::TestScattered();
  colkit::TestRowOrders();
  colkit::TestCopyRanges();
}
