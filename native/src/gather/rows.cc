// See rows.h. The loops have no branch, so that compilers make vectors of them.
#include "gather/rows.h"

#include <cmath>
#include <cstring>

#include "platform/intrinsics.h"

namespace colkit {
namespace {

constexpr uint64_t kShortRows = uint64_t{1} << 31;

// Where each way to fold adds up what is wrong: `outside` has its top bit set once a row was not below the row count
// (row | (last - row) is negative then, without a comparison, which the oldest x86 lacks for 64 bits), `fraction` is
// not 0 once a number was not whole.
template <typename Integer>
struct Faults {
  Integer outside = 0;
  uint64_t fraction = 0;
  bool none() const { return (outside >> (8 * sizeof(Integer) - 1)) == 0 && fraction == 0; }
};

struct FoldFloat64 {
  using Element = double;
  using Integer = uint64_t;
  static COLKIT_INLINE uint64_t Fold(double index, uint64_t row_count, Faults<uint64_t>* faults) {
    // Added to 1.5 * 2^52 a number loses its fraction, and the difference of the bit patterns is the integer; farther
    // than 2^51 from 0 the difference is too large to pass for a row. NaN and infinity end up there too.
    constexpr double kShift = 6755399441055744.0;
    constexpr uint64_t kShiftBits = 0x4338000000000000ull;
    const double shifted = index + kShift;
    const double whole = (shifted - kShift) + 0.0;  // + 0.0: -0 is a good index
    const double given = index + 0.0;
    uint64_t shifted_bits, whole_bits, given_bits;
    std::memcpy(&shifted_bits, &shifted, 8);
    std::memcpy(&whole_bits, &whole, 8);
    std::memcpy(&given_bits, &given, 8);
    const uint64_t row = shifted_bits - kShiftBits + (index < 0 ? row_count : 0);
    faults->outside |= row | (row_count - 1 - row);
    faults->fraction |= whole_bits ^ given_bits;
    return row;
  }
};

struct FoldBigInt64 {
  using Element = int64_t;
  using Integer = uint64_t;
  static COLKIT_INLINE uint64_t Fold(int64_t index, uint64_t row_count, Faults<uint64_t>* faults) {
    const uint64_t row = static_cast<uint64_t>(index) + (index < 0 ? row_count : 0);
    faults->outside |= row | (row_count - 1 - row);
    return row;
  }
};

// The 32-bit types, for tables of any length and, in 32-bit arithmetic, for those of at most 2^31 rows.
template <typename ElementType>
struct FoldInteger {
  using Element = ElementType;
  using Integer = uint64_t;
  static COLKIT_INLINE uint64_t Fold(ElementType index, uint64_t row_count, Faults<uint64_t>* faults) {
    const uint64_t row = static_cast<uint64_t>(static_cast<int64_t>(index)) + (index < 0 ? row_count : 0);
    faults->outside |= row | (row_count - 1 - row);
    return row;
  }
};

template <typename ElementType>
struct FoldShortInteger {
  using Element = ElementType;
  using Integer = uint32_t;
  static COLKIT_INLINE uint32_t Fold(ElementType index, uint64_t row_count, Faults<uint32_t>* faults) {
    const uint32_t length = static_cast<uint32_t>(row_count);
    const uint32_t row = static_cast<uint32_t>(index) + (index < 0 ? length : 0);
    faults->outside |= row | (length - 1 - row);
    return row;
  }
};

template <typename Folder>
COLKIT_INLINE bool Check(const void* elements, size_t begin, size_t count, uint64_t row_count) {
  const auto* in = static_cast<const typename Folder::Element*>(elements) + begin;
  Faults<typename Folder::Integer> faults;
  for (size_t i = 0; i < count; ++i) Folder::Fold(in[i], row_count, &faults);
  return faults.none();
}

template <typename Folder, typename Row>
COLKIT_INLINE bool Read(const void* elements, size_t begin, size_t count, uint64_t row_count, Row* rows) {
  const auto* in = static_cast<const typename Folder::Element*>(elements) + begin;
  Faults<typename Folder::Integer> faults;
  for (size_t i = 0; i < count; ++i) rows[i] = static_cast<Row>(Folder::Fold(in[i], row_count, &faults));
  return faults.none();
}

#define COLKIT_BY_INDEX_TYPE(CALL, ...)                                                                           \
  const bool is_short = row_count <= kShortRows;                                                                  \
  switch (indices.type) {                                                                                         \
    case IndexType::kInt32:                                                                                       \
      return is_short ? CALL<FoldShortInteger<int32_t>>(__VA_ARGS__) : CALL<FoldInteger<int32_t>>(__VA_ARGS__);   \
    case IndexType::kUint32:                                                                                      \
      return is_short ? CALL<FoldShortInteger<uint32_t>>(__VA_ARGS__) : CALL<FoldInteger<uint32_t>>(__VA_ARGS__); \
    case IndexType::kFloat64:                                                                                     \
      return CALL<FoldFloat64>(__VA_ARGS__);                                                                      \
    case IndexType::kBigInt64:                                                                                    \
      return CALL<FoldBigInt64>(__VA_ARGS__);                                                                     \
  }                                                                                                               \
  return false

// The same loops compiled for one instruction set; with AVX2 they take a third of the time.
#define COLKIT_ROW_KERNELS(NAME, TARGET)                                                                   \
  struct NAME {                                                                                            \
    TARGET static bool Checked(const IndexView& indices, size_t begin, size_t count, uint64_t row_count) { \
      COLKIT_BY_INDEX_TYPE(Check, indices.data, begin, count, row_count);                                  \
    }                                                                                                      \
    TARGET static bool Read32(const IndexView& indices, size_t begin, size_t count, uint64_t row_count,    \
                              uint32_t* rows) {                                                            \
      COLKIT_BY_INDEX_TYPE(Read, indices.data, begin, count, row_count, rows);                             \
    }                                                                                                      \
    TARGET static bool Read64(const IndexView& indices, size_t begin, size_t count, uint64_t row_count,    \
                              uint64_t* rows) {                                                            \
      COLKIT_BY_INDEX_TYPE(Read, indices.data, begin, count, row_count, rows);                             \
    }                                                                                                      \
  }

COLKIT_ROW_KERNELS(Baseline, );
#if COLKIT_X86
COLKIT_ROW_KERNELS(Avx2, COLKIT_TARGET("avx2,bmi,bmi2"));
#endif

const RowKernels kKernels = RowKernelsOf(SupportedFamily());

double ElementAt(const IndexView& indices, size_t position) {
  switch (indices.type) {
    case IndexType::kInt32:
      return static_cast<const int32_t*>(indices.data)[position];
    case IndexType::kUint32:
      return static_cast<const uint32_t*>(indices.data)[position];
    case IndexType::kFloat64:
      return static_cast<const double*>(indices.data)[position];
    case IndexType::kBigInt64:
      return static_cast<double>(static_cast<const int64_t*>(indices.data)[position]);
  }
  return 0;
}

}  // namespace

RowKernels RowKernelsOf(KernelFamily family) {
#if COLKIT_X86
  if (HasAvx2(family)) return {Avx2::Checked, Avx2::Read32, Avx2::Read64};
#else
  (void)family;
#endif
  return {Baseline::Checked, Baseline::Read32, Baseline::Read64};
}

bool CheckRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count) {
  return kKernels.check(indices, begin, count, row_count);
}
bool ReadRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count, uint32_t* rows) {
  return kKernels.read32(indices, begin, count, row_count, rows);
}
bool ReadRows(const IndexView& indices, size_t begin, size_t count, uint64_t row_count, uint64_t* rows) {
  return kKernels.read64(indices, begin, count, row_count, rows);
}

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
