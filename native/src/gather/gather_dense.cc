// See gather_dense.h.
#include "gather/gather_dense.h"

#include <algorithm>
#include <new>
#include <vector>

#include "map/guarded_run.h"

namespace colkit {
namespace {

constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;
constexpr uint64_t kDenseRowBytes = kHugePageBytes / 128;
constexpr size_t kMostAdvisedSegments = 64;
// Rows that stand for all of them: a large page of a column is in one of so many with all but certainty.
constexpr size_t kSampledRows = 2048;
// More than that may not stay in memory until it is used.
constexpr uint64_t kMostReadBytes = uint64_t{2} << 30;

// A large page of one of the files.
struct LargePage {
  size_t file;
  uint64_t offset;
  bool operator<(const LargePage& other) const {
    return file != other.file ? file < other.file : offset < other.offset;
  }
  bool operator==(const LargePage& other) const { return file == other.file && offset == other.offset; }
};

struct Reading {
  const GatherRequest* request;
  std::vector<uint32_t> columns;
  std::vector<LargePage> pages;
};

// With huge pages random rows of a column that was not in memory take half the time, then and later. Where few rows are
// read they would bring in far too much, and the caller may have asked for random access.
void FindDenseColumns(Reading* reading) {
  const GatherRequest& request = *reading->request;
  const Segments& segments = *request.segments;
  if (request.file->advice() == Advice::kRandom) return;
  for (size_t k = 0; k < request.target_count; ++k) {
    const uint32_t column = request.targets[k].column;
    const uint64_t width = segments.item_bytes(column);
    if (!IsDense(segments.row_count() * width, request.rows.count) || !segments.FirstUse(column)) continue;
    reading->columns.push_back(column);
    for (size_t s = 0; s < segments.count() && segments.count() <= kMostAdvisedSegments; ++s) {
      const uint64_t bytes = (segments.start(s + 1) - segments.start(s)) * width;
      const uint64_t first = static_cast<uint64_t>(segments.bases(column)[s]) + segments.start(s) * width;
      if (bytes >= kHugePageBytes) request.file->ExpectDenseReads(first, bytes);
    }
  }
}

const MappedFile& FileOf(const MappedFile& file, const LargePage& page) {
  return file.parts().empty() ? file : *file.parts()[page.file];
}

uint64_t BytesOf(const MappedFile& file, const LargePage& page) {
  return std::min(kHugePageBytes, FileOf(file, page).size() - page.offset);
}

// Where a sample of the rows lies, in the order of the files. None where it is not sure that they fit.
void FindLargePages(Reading* reading) {
  const GatherRequest& request = *reading->request;
  const Segments& segments = *request.segments;
  const auto& parts = request.file->parts();
  const uint64_t step = request.rows.count / kSampledRows + 1;
  for (uint64_t i = 0; i < request.rows.count; i += step) {
    uint64_t row;
    // What is wrong with it is told later.
    if (!ReadRows(request.rows.indices, static_cast<size_t>(i), 1, segments.row_count(), &row)) continue;
    const size_t segment = segments.Find(row);
    const size_t file = segments.file(segment);
    for (const uint32_t column : reading->columns) {
      uint64_t offset = static_cast<uint64_t>(segments.bases(column)[segment]) + row * segments.item_bytes(column);
      if (!parts.empty()) offset -= static_cast<uint64_t>(request.file->distance(file));
      reading->pages.push_back({file, offset / kHugePageBytes * kHugePageBytes});
    }
  }
  std::sort(reading->pages.begin(), reading->pages.end());
  reading->pages.erase(std::unique(reading->pages.begin(), reading->pages.end()), reading->pages.end());
  uint64_t bytes = 0;
  for (const LargePage& page : reading->pages) bytes += BytesOf(*request.file, page);
  if (bytes > kMostReadBytes) reading->pages.clear();
}

// One touch of a large page brings it, and the system reads ahead as it sees the next one.
void ReadLargePages(Piece* piece) {
  const auto& reading = *static_cast<const Reading*>(piece->context);
  const GatherRequest& request = *reading.request;
  for (const LargePage& page : reading.pages) {
    if (request.cancelled != nullptr && request.cancelled->load(std::memory_order_relaxed)) return;
    (void)*static_cast<const volatile uint8_t*>(request.file->data() + page.offset);
  }
}

}  // namespace

bool IsDense(uint64_t column_bytes, uint64_t count) {
  return column_bytes >= kHugePageBytes && count >= column_bytes / kDenseRowBytes;
}

Outcome ReadDenseColumns(const GatherRequest& request) {
  Outcome outcome;
  Reading reading = {&request, {}, {}};
  try {
    FindDenseColumns(&reading);
    if (reading.columns.empty() || request.rows.kind != RowKind::kIndices) return outcome;
    FindLargePages(&reading);
  } catch (const std::bad_alloc&) {
    outcome.status = Status::kOutOfMemory;
    return outcome;
  }
  if (reading.pages.empty()) return outcome;
  if (!request.file->parts().empty()) {
    // Small files have no large pages: all of each is asked for, and the device works on many at once.
    for (const LargePage& page : reading.pages)
      FileOf(*request.file, page).WillRead(page.offset, BytesOf(*request.file, page));
    return outcome;
  }
  if (request.segments->count() > kMostAdvisedSegments) {
    const uint64_t first = reading.pages.front().offset;
    const LargePage& last = reading.pages.back();
    request.file->ExpectDenseReads(first, last.offset + BytesOf(*request.file, last) - first);
  }
  GuardedRun run(*request.file, request.cancelled);
  return run.Run(1, 1, ReadLargePages, &reading);
}

}  // namespace colkit
