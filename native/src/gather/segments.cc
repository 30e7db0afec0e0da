// See segments.h.
#include "gather/segments.h"

#include <algorithm>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr double kExact = 9007199254740992.0;  // 2^53: integers below it are exact as doubles

bool ToInteger(double value, int64_t* integer) {
  if (!(value > -kExact && value < kExact)) return false;
  *integer = static_cast<int64_t>(value);
  return static_cast<double>(*integer) == value;
}

}  // namespace

std::unique_ptr<Segments> Segments::Create(const double* row_starts, size_t segment_count, const int32_t* item_bytes,
                                           size_t column_count, const double* bases, uint64_t mapping_bytes,
                                           std::string* error) {
  return Create(row_starts, segment_count, item_bytes, column_count, bases, {{mapping_bytes, 0}}, nullptr, error);
}

std::unique_ptr<Segments> Segments::Create(const double* row_starts, size_t segment_count, const int32_t* item_bytes,
                                           size_t column_count, const double* bases,
                                           const std::vector<SegmentFile>& files, const int32_t* file_of_segment,
                                           std::string* error) {
  std::unique_ptr<Segments> segments(new Segments());
  std::vector<size_t> kept;
  segments->starts_.push_back(0);
  int64_t before = 0;
  for (size_t s = 0; s <= segment_count; ++s) {
    int64_t start;
    if (!ToInteger(row_starts[s], &start) || start < before || (s == 0 && start != 0)) {
      *error = "rowStarts: expected ascending integers that start at 0 but found " + std::to_string(row_starts[s]) +
               " at position " + std::to_string(s);
      return nullptr;
    }
    if (start > before) {
      kept.push_back(s - 1);
      segments->starts_.push_back(static_cast<uint64_t>(start));
    }
    before = start;
  }
  if (kept.size() > UINT32_MAX) {
    *error = "rowStarts: expected at most 4294967295 segments";
    return nullptr;
  }
  segments->count_ = kept.size();
  for (size_t k = 0; file_of_segment != nullptr && k < kept.size(); ++k) {
    const int32_t file = file_of_segment[kept[k]];
    if (file < 0 || static_cast<size_t>(file) >= files.size()) {
      *error = "files: expected numbers of files in [0, " + std::to_string(files.size()) + ") but found " +
               std::to_string(file) + " at position " + std::to_string(kept[k]);
      return nullptr;
    }
    segments->files_.push_back(static_cast<uint32_t>(file));
  }
  segments->bases_.reserve(column_count * kept.size());
  for (size_t c = 0; c < column_count; ++c) {
    const int64_t width = item_bytes[c];
    if (width < 1) {
      *error = "itemBytes: expected positive integers but found " + std::to_string(width) + " at position " +
               std::to_string(c);
      return nullptr;
    }
    segments->item_bytes_.push_back(static_cast<uint32_t>(width));
    for (size_t k = 0; k < kept.size(); ++k) {
      const size_t at = c * segment_count + kept[k];
      int64_t base;
      bool inside = ToInteger(bases[at], &base);
      const SegmentFile& file = files[segments->file(k)];
      const uint64_t end_row = segments->starts_[k + 1];
      inside = inside && end_row <= static_cast<uint64_t>(INT64_MAX / 4 / width);
      if (inside) {
        const int64_t first = base + static_cast<int64_t>(segments->starts_[k]) * width;
        const int64_t end = base + static_cast<int64_t>(end_row) * width;
        inside = first >= 0 && static_cast<uint64_t>(end) <= file.bytes;
      }
      if (!inside) {
        *error = "bases: expected addresses within the mapping of " + std::to_string(file.bytes) +
                 " bytes but found " + std::to_string(bases[at]) + " for column " + std::to_string(c) + ", segment " +
                 std::to_string(kept[k]);
        return nullptr;
      }
      // Modulo 2^64: files lie on either side of the first.
      segments->bases_.push_back(
          static_cast<int64_t>(static_cast<uint64_t>(base) + static_cast<uint64_t>(file.distance)));
    }
  }
  segments->used_.reset(new std::atomic<bool>[column_count]());
  segments->DetectUniform();
  segments->MakeGuide();
  return segments;
}

void Segments::DetectUniform() {
  const size_t segment_count = count();
  if (segment_count < 2) return;
  const uint64_t rows = starts_[1];
  for (size_t s = 1; s < segment_count; ++s) {
    const uint64_t own = starts_[s + 1] - starts_[s];
    if (own > rows || (own < rows && s + 1 < segment_count)) return;
  }
  uniform_rows_ = rows;
  reciprocal_ = rows < 2 ? 0 : UINT64_MAX / rows + 1;
}

void Segments::MakeGuide() {
  if (count_ < 2 || uniform_rows_ != 0) return;
  // One to two entries for each segment.
  const uint64_t last = row_count() - 1;
  while ((last >> guide_shift_) >= 2 * count_) ++guide_shift_;
  uint32_t segment = 0;
  uint32_t widest = 0;
  for (uint64_t i = 0; i <= last >> guide_shift_; ++i) {
    while (starts_[segment + 1] <= i << guide_shift_) ++segment;
    if (i > 0) widest = std::max(widest, segment - guide_.back());
    guide_.push_back(segment);
  }
  widest = std::max(widest, static_cast<uint32_t>(count_ - 1) - guide_.back());
  while ((uint64_t{1} << guide_steps_) - 1 < widest) ++guide_steps_;
  starts_.resize(starts_.size() + (size_t{1} << guide_steps_), UINT64_MAX);
}

size_t Segments::Find(uint64_t row) const {
  if (uniform_rows_ != 0) return static_cast<size_t>(row / uniform_rows_);
  if (guide_.empty()) return 0;
  size_t segment = guide_[static_cast<size_t>(row >> guide_shift_)];
  for (unsigned step = guide_steps_; step-- > 0;)
    segment += starts_[segment + (size_t{1} << step)] <= row ? size_t{1} << step : 0;
  return segment;
}

bool Segments::FindAll(const uint32_t* rows, size_t count, uint32_t* segments) const {
  return FindAllOf(rows, count, segments);
}
bool Segments::FindAll(const uint64_t* rows, size_t count, uint32_t* segments) const {
  return FindAllOf(rows, count, segments);
}

template <typename Row>
bool Segments::FindAllOf(const Row* rows, size_t count, uint32_t* segments) const {
  bool descends = false;
  for (size_t i = 1; i < count; ++i) descends |= rows[i] < rows[i - 1];
  if (!descends) {
    WalkAscending(rows, count, segments);
  } else if (uniform_rows_ == 0) {
    for (size_t i = 0; i < count; ++i) segments[i] = static_cast<uint32_t>(Find(rows[i]));
  } else if (reciprocal_ != 0 && row_count() <= UINT32_MAX) {
    for (size_t i = 0; i < count; ++i) segments[i] = static_cast<uint32_t>(MultiplyHigh(reciprocal_, rows[i]));
  } else {
    for (size_t i = 0; i < count; ++i) segments[i] = static_cast<uint32_t>(rows[i] / uniform_rows_);
  }
  return !descends;
}

// From run to run of rows of one segment.
template <typename Row>
void Segments::WalkAscending(const Row* rows, size_t count, uint32_t* segments) const {
  constexpr size_t kStride = 16;
  size_t segment = Find(rows[0]);
  for (size_t i = 0; i < count;) {
    const uint64_t row = rows[i];
    if (row >= starts_[segment + 1]) segment = row < starts_[std::min(segment + 2, count_)] ? segment + 1 : Find(row);
    const uint64_t end = starts_[segment + 1];
    size_t j = i + 1;
    while (j + kStride <= count && rows[j + kStride - 1] < end) j += kStride;
    while (j < count && rows[j] < end) ++j;
    std::fill(segments + i, segments + j, static_cast<uint32_t>(segment));
    i = j;
  }
}

}  // namespace colkit
