// See rows.h. The loops have no branch, so that compilers make vectors of them.
#include "rows.h"

#include <cmath>
#include <cstring>

#include "intrinsics.h"

namespace colkit {
namespace {

constexpr double kTwo52 = 4503599627370496.0;  // a double of [2^52, 2^53) has its integer part in the low 52 bits

// Each folds one index: the row, and whether it is bad.
struct FoldInt32 {
  using Element = int32_t;
  static COLKIT_INLINE uint64_t Fold(int32_t index, uint64_t row_count, uint64_t* bad) {
    const uint64_t row = static_cast<uint64_t>(static_cast<int64_t>(index)) + (index < 0 ? row_count : 0);
    *bad |= row >= row_count;
    return row;
  }
};

struct FoldUint32 {
  using Element = uint32_t;
  static COLKIT_INLINE uint64_t Fold(uint32_t index, uint64_t row_count, uint64_t* bad) {
    *bad |= index >= row_count;
    return index;
  }
};

struct FoldBigInt64 {
  using Element = int64_t;
  static COLKIT_INLINE uint64_t Fold(int64_t index, uint64_t row_count, uint64_t* bad) {
    const uint64_t row = static_cast<uint64_t>(index) + (index < 0 ? row_count : 0);
    *bad |= row >= row_count;
    return row;
  }
};

struct FoldFloat64 {
  using Element = double;
  static COLKIT_INLINE uint64_t Fold(double index, uint64_t row_count, uint64_t* bad) {
    const double length = static_cast<double>(row_count);
    const double row = index + (index < 0 ? length : 0.0);
    const double shifted = row + kTwo52;
    *bad |= static_cast<uint64_t>(!(row >= 0.0)) | static_cast<uint64_t>(!(row < length)) | static_cast<uint64_t>(!(shifted - kTwo52 == row));
    uint64_t bits;
    std::memcpy(&bits, &shifted, sizeof(bits));
    return bits & 0xfffffffffffffull;
  }
};

template <typename Folder, typename Row>
COLKIT_INLINE bool Run(const void* data, size_t begin, size_t count, uint64_t row_count, Row* rows) {
  const auto* elements = static_cast<const typename Folder::Element*>(data) + begin;
  uint64_t bad = 0;
  for (size_t i = 0; i < count; ++i) rows[i] = static_cast<Row>(Folder::Fold(elements[i], row_count, &bad));
  return bad == 0;
}

template <typename Folder>
COLKIT_INLINE bool Check(const void* data, size_t begin, size_t count, uint64_t row_count) {
  const auto* elements = static_cast<const typename Folder::Element*>(data) + begin;
  uint64_t bad = 0;
  for (size_t i = 0; i < count; ++i) Folder::Fold(elements[i], row_count, &bad);
  return bad == 0;
}

template <typename Row>
bool ReadRowsOf(const IndexView& indices, size_t begin, size_t count, uint64_t row_count, Row* rows) {
  switch (indices.type) {
    case IndexType::kInt32: return Run<FoldInt32>(indices.data, begin, count, row_count, rows);
    case IndexType::kUint32: return Run<FoldUint32>(indices.data, begin, count, row_count, rows);
    case IndexType::kFloat64: return Run<FoldFloat64>(indices.data, begin, count, row_count, rows);
    case IndexType::kBigInt64: return Run<FoldBigInt64>(indices.data, begin, count, row_count, rows);
  }
  return false;
}

double ElementAt(const IndexView& indices, size_t position) {
  switch (indices.type) {
    case IndexType::kInt32: return static_cast<const int32_t*>(indices.data)[position];
    case IndexType::kUint32: return static_cast<const uint32_t*>(indices.data)[position];
    case IndexType::kFloat64: return static_cast<const double*>(indices.data)[position];
    case IndexType::kBigInt64: return static_cast<double>(static_cast<const int64_t*>(indices.data)[position]);
  }
  return 0;
}

}  // namespace

bool CheckRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count) {
  switch (indices.type) {
    case IndexType::kInt32: return Check<FoldInt32>(indices.data, begin, count, row_count);
    case IndexType::kUint32: return Check<FoldUint32>(indices.data, begin, count, row_count);
    case IndexType::kFloat64: return Check<FoldFloat64>(indices.data, begin, count, row_count);
    case IndexType::kBigInt64: return Check<FoldBigInt64>(indices.data, begin, count, row_count);
  }
  return false;
}

bool ReadRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count, uint32_t* rows) { return ReadRowsOf(indices, begin, count, row_count, rows); }
bool ReadRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count, uint64_t* rows) { return ReadRowsOf(indices, begin, count, row_count, rows); }

Outcome ExplainRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count) {
  Outcome outcome;
  outcome.length = row_count;
  for (size_t i = begin; i < begin + count; ++i) {
    if (CheckRows(indices, i, 1, row_count)) continue;
    outcome.value = ElementAt(indices, i);
    outcome.position = i;
    const bool integer = std::isfinite(outcome.value) && outcome.value == std::trunc(outcome.value);
    outcome.status = integer ? Status::kIndexOutOfRange : Status::kNotAnInteger;
    return outcome;
  }
  outcome.status = Status::kInputChanged;
  return outcome;
}

}  // namespace colkit
