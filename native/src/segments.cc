// See segments.h.
#include "segments.h"

#include <algorithm>

#include "intrinsics.h"

namespace colkit {
namespace {

constexpr double kExact = 9007199254740992.0;  // 2^53: integers below it are exact as doubles

bool ToInteger(double value, int64_t* integer) {
  if (!(value > -kExact && value < kExact)) return false;
  *integer = static_cast<int64_t>(value);
  return static_cast<double>(*integer) == value;
}

}  // namespace

std::unique_ptr<Segments> Segments::Create(const double* row_starts, size_t segment_count, const int32_t* item_bytes, size_t column_count, const double* bases,
                                           uint64_t mapping_bytes, std::string* error) {
  std::unique_ptr<Segments> segments(new Segments());
  std::vector<size_t> kept;
  segments->starts_.push_back(0);
  int64_t before = 0;
  for (size_t s = 0; s <= segment_count; ++s) {
    int64_t start;
    if (!ToInteger(row_starts[s], &start) || start < before || (s == 0 && start != 0)) {
      *error = "rowStarts: expected ascending integers that start at 0 but found " + std::to_string(row_starts[s]) + " at position " + std::to_string(s);
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
  segments->bases_.reserve(column_count * kept.size());
  for (size_t c = 0; c < column_count; ++c) {
    const int64_t width = item_bytes[c];
    if (width < 1) {
      *error = "itemBytes: expected positive integers but found " + std::to_string(width) + " at position " + std::to_string(c);
      return nullptr;
    }
    segments->item_bytes_.push_back(static_cast<uint32_t>(width));
    for (size_t k = 0; k < kept.size(); ++k) {
      const size_t at = c * segment_count + kept[k];
      int64_t base;
      bool inside = ToInteger(bases[at], &base);
      const uint64_t end_row = segments->starts_[k + 1];
      inside = inside && end_row <= static_cast<uint64_t>(INT64_MAX / 4 / width);
      if (inside) {
        const int64_t first = base + static_cast<int64_t>(segments->starts_[k]) * width;
        const int64_t end = base + static_cast<int64_t>(end_row) * width;
        inside = first >= 0 && static_cast<uint64_t>(end) <= mapping_bytes;
      }
      if (!inside) {
        *error = "bases: expected addresses within the mapping of " + std::to_string(mapping_bytes) + " bytes but found " + std::to_string(bases[at]) + " for column " +
                 std::to_string(c) + ", segment " + std::to_string(kept[k]);
        return nullptr;
      }
      segments->bases_.push_back(base);
    }
  }
  segments->used_.reset(new std::atomic<bool>[column_count]());
  segments->DetectUniform();
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

size_t Segments::Find(uint64_t row) const {
  if (uniform_rows_ != 0) return static_cast<size_t>(row / uniform_rows_);
  // The last start <= row, by halving without a branch on the comparison (a mispredicted one costs as much as five steps).
  const uint64_t* base = starts_.data();
  size_t length = count();
  while (length > 1) {
    const size_t half = length / 2;
    base += base[half] <= row ? half : 0;
    length -= half;
  }
  return static_cast<size_t>(base - starts_.data());
}

void Segments::FindAll(const uint32_t* rows, size_t count, uint32_t* segments) const { FindAllOf(rows, count, segments); }
void Segments::FindAll(const uint64_t* rows, size_t count, uint32_t* segments) const { FindAllOf(rows, count, segments); }

template <typename Row>
void Segments::FindAllOf(const Row* rows, size_t count, uint32_t* segments) const {
  if (uniform_rows_ != 0) {
    if (reciprocal_ != 0 && row_count() <= UINT32_MAX) {
      for (size_t i = 0; i < count; ++i) segments[i] = static_cast<uint32_t>(MultiplyHigh(reciprocal_, rows[i]));
    } else {
      for (size_t i = 0; i < count; ++i) segments[i] = static_cast<uint32_t>(rows[i] / uniform_rows_);
    }
    return;
  }
  bool descends = false;
  for (size_t i = 1; i < count; ++i) descends |= rows[i] < rows[i - 1];
  if (!descends) {
    WalkAscending(rows, count, segments);
    return;
  }
  for (size_t i = 0; i < count; ++i) segments[i] = static_cast<uint32_t>(Find(rows[i]));
}

// Steps from segment to segment; after a few steps in vain it doubles its stride and searches the rest, so few rows over many segments cost little too.
template <typename Row>
void Segments::WalkAscending(const Row* rows, size_t count, uint32_t* segments) const {
  size_t s = Find(rows[0]);
  uint64_t end = starts_[s + 1];
  for (size_t i = 0; i < count; ++i) {
    const uint64_t row = rows[i];
    if (row >= end) {
      size_t stride = 1;
      while (s + stride < this->count() && starts_[s + stride] <= row) {
        s += stride;
        stride = stride < 4 ? stride + 1 : stride * 2;
      }
      const auto from = starts_.begin() + static_cast<std::ptrdiff_t>(s);
      const auto until = starts_.begin() + static_cast<std::ptrdiff_t>(std::min(s + stride, this->count()));
      s = static_cast<size_t>(std::upper_bound(from, until, row) - starts_.begin()) - 1;
      end = starts_[s + 1];
    }
    segments[i] = static_cast<uint32_t>(s);
  }
}

}  // namespace colkit
