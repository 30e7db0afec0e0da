// Where the rows of fixed-width columns lie in a mapping: row g of column c, in segment s, is at byte bases[c * S +
// s] + g * item_bytes[c] (bases are folded: the column's offset in the segment minus the bytes of all rows before it,
// so they may be negative). Checked against the mapping's size when made.
#ifndef COLKIT_NATIVE_SEGMENTS_H_
#define COLKIT_NATIVE_SEGMENTS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gather/row_orders.h"

namespace colkit {

// Of several joined files one: how many bytes it has, and where they lie from the first file's.
struct SegmentFile {
  uint64_t bytes;
  int64_t distance;
};

class Segments {
 public:
  // Null where a value is not what index.d.ts says; `error` then names it. `row_starts` has segment_count + 1 entries,
  // `bases` column_count * segment_count.
  static std::unique_ptr<Segments> Create(const double* row_starts, size_t segment_count, const int32_t* item_bytes,
                                          size_t column_count, const double* bases, uint64_t mapping_bytes,
                                          std::string* error);
  // The same over joined files: bases count from the start of the segment's own file, `files[file_of_segment[s]]`.
  static std::unique_ptr<Segments> Create(const double* row_starts, size_t segment_count, const int32_t* item_bytes,
                                          size_t column_count, const double* bases,
                                          const std::vector<SegmentFile>& files, const int32_t* file_of_segment,
                                          std::string* error);

  uint64_t row_count() const { return starts_[count_]; }
  // Segments that have rows; empty ones are dropped when made.
  size_t count() const { return count_; }
  size_t column_count() const { return item_bytes_.size(); }
  uint32_t item_bytes(size_t column) const { return item_bytes_[column]; }
  const int64_t* bases(size_t column) const { return bases_.data() + column * count(); }
  uint64_t start(size_t segment) const { return starts_[segment]; }
  size_t allocated_bytes() const {
    return starts_.size() * sizeof(uint64_t) + bases_.size() * sizeof(int64_t) +
           files_.size() * sizeof(uint32_t) + guide_.size() * sizeof(uint32_t);
  }

  // The file of a segment; 0 where there is one.
  size_t file(size_t segment) const { return files_.empty() ? 0 : files_[segment]; }

  // Whether this is the first call for the column: what is done for a column once, from whichever thread.
  bool FirstUse(size_t column) const { return !used_[column].exchange(true, std::memory_order_relaxed); }

  RowOrders& row_orders() const { return row_orders_; }

  // The segment of one row; row < row_count().
  size_t Find(uint64_t row) const;
  // The segment of each of `count` rows (at least one, all below row_count()). Returns whether the rows ascend (then so
  // do the segments); they need not.
  bool FindAll(const uint32_t* rows, size_t count, uint32_t* segments) const;
  bool FindAll(const uint64_t* rows, size_t count, uint32_t* segments) const;

 private:
  Segments() = default;
  void DetectUniform();
  void MakeGuide();
  template <typename Row>
  bool FindAllOf(const Row* rows, size_t count, uint32_t* segments) const;
  template <typename Row>
  void WalkAscending(const Row* rows, size_t count, uint32_t* segments) const;

  size_t count_ = 0;
  // count() + 1, strictly ascending; for the search so many more that it never looks past the end
  std::vector<uint64_t> starts_;
  std::vector<uint32_t> item_bytes_;
  std::vector<int64_t> bases_;
  std::vector<uint32_t> files_;
  mutable std::unique_ptr<std::atomic<bool>[]> used_;
  mutable RowOrders row_orders_;
  // Segments of equal length: rows of each but the last, which has at most as many; 0 where they differ. The division
  // of a 32-bit row is the high half of a product with ceil(2^64 / uniform_rows_).
  uint64_t uniform_rows_ = 0;
  uint64_t reciprocal_ = 0;
  // Segments of different lengths: for rows g with g >> guide_shift_ == i the segment is guide_[i] or one of the next
  // 2^guide_steps_ - 1. The search always takes all steps and has no branch that depends on the row: a mispredicted one
  // costs more than they do.
  std::vector<uint32_t> guide_;
  unsigned guide_shift_ = 0;
  unsigned guide_steps_ = 0;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_SEGMENTS_H_
