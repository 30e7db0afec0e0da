// Index arrays of every type: good, negative, out of range, not integers; both widths of row numbers.
#include <cmath>
#include <limits>

#include "gather/rows.h"
#include "tests/test_support.h"

namespace colkit {
namespace {

template <typename T>
void Expect(IndexType type, const std::vector<T>& indices, uint64_t row_count, Status status, size_t position) {
  const IndexView view = {type, indices.data()};
  const bool good = status == Status::kOk;
  std::vector<uint32_t> narrow(indices.size());
  std::vector<uint64_t> wide(indices.size());
  for (const KernelFamily family : Families()) {
    const RowKernels kernels = RowKernelsOf(family);
    CHECK(kernels.check(view, 0, indices.size(), row_count) == good);
    CHECK(kernels.read32(view, 0, indices.size(), row_count, narrow.data()) == good);
    CHECK(kernels.read64(view, 0, indices.size(), row_count, wide.data()) == good);
    for (size_t i = 0; good && i < indices.size(); ++i) {
      const double given = static_cast<double>(indices[i]);
      CHECK(static_cast<double>(wide[i]) == (given < 0 ? given + static_cast<double>(row_count) : given));
      CHECK(narrow[i] == static_cast<uint32_t>(wide[i]));
    }
  }
  CHECK(CheckRows(view, 0, indices.size(), row_count) == good);
  if (!good) {
    const Outcome outcome = ExplainRows(view, 0, indices.size(), row_count);
    CHECK(outcome.status == status && outcome.position == position && outcome.length == row_count);
    return;
  }
  CHECK(ExplainRows(view, 0, indices.size(), row_count).status == Status::kInputChanged);
}

void TestTypes() {
  const Status ok = Status::kOk;
  const Status out = Status::kIndexOutOfRange;
  Expect<int32_t>(IndexType::kInt32, {0, 99, -1, -100, 50}, 100, ok, 0);
  Expect<int32_t>(IndexType::kInt32, {0, 1, 100}, 100, out, 2);
  Expect<int32_t>(IndexType::kInt32, {-101, 1}, 100, out, 0);
  Expect<int32_t>(IndexType::kInt32, {std::numeric_limits<int32_t>::min()}, 100, out, 0);
  Expect<uint32_t>(IndexType::kUint32, {0, 99}, 100, ok, 0);
  Expect<uint32_t>(IndexType::kUint32, {4294967295u}, 100, out, 0);
  Expect<uint32_t>(IndexType::kUint32, {4294967294u}, 4294967295u, ok, 0);
  for (const uint64_t edge : {uint64_t{1} << 31, (uint64_t{1} << 31) + 1, uint64_t{1} << 32}) {
    Expect<int32_t>(IndexType::kInt32, {0, 2147483647, -2147483647, -1}, edge, ok, 0);
    Expect<uint32_t>(IndexType::kUint32, {0, static_cast<uint32_t>(edge - 1)}, edge, ok, 0);
    Expect<int64_t>(IndexType::kBigInt64, {0, static_cast<int64_t>(edge)}, edge, out, 1);
    Expect<double>(IndexType::kFloat64, {-static_cast<double>(edge), -static_cast<double>(edge) - 1}, edge, out, 1);
  }
  Expect<int32_t>(IndexType::kInt32, {0}, 0, out, 0);
  Expect<double>(IndexType::kFloat64, {0}, 0, out, 0);
  Expect<int64_t>(IndexType::kBigInt64, {0, -1, 99}, 100, ok, 0);
  Expect<int64_t>(IndexType::kBigInt64, {0, std::numeric_limits<int64_t>::min()}, 100, out, 1);
  Expect<int64_t>(IndexType::kBigInt64, {std::numeric_limits<int64_t>::max()}, 100, out, 0);
  Expect<int64_t>(IndexType::kBigInt64, {6000000000, -6000000000}, 6000000001, ok, 0);
  Expect<double>(IndexType::kFloat64, {0, -0.0, -1, 99, -100}, 100, ok, 0);
  Expect<double>(IndexType::kFloat64, {0, 100}, 100, out, 1);
  Expect<double>(IndexType::kFloat64, {-101}, 100, out, 0);
  for (const double far : {1e300, -1e300, 2251799813685248.0, -2251799813685248.0, 6755399441055744.0,
                           9007199254740992.0, 13510798882111488.0, -6755399441055744.0, -13510798882111488.0}) {
    Expect<double>(IndexType::kFloat64, {far}, 100, out, 0);
  }
  Expect<double>(IndexType::kFloat64, {-9007199254740992.0}, 100, out, 0);
  Expect<double>(IndexType::kFloat64, {6000000000.0, -6000000000.0}, 6000000001, ok, 0);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.5, -0.5, 99.5, -5.00000000001, std::nan(""), infinity, -infinity, -1e-20, 1e-300}) {
    Expect<double>(IndexType::kFloat64, {3, bad}, 100, Status::kNotAnInteger, 1);
  }
}

// Each position of a long array, so that every lane and the tail of a vector loop is hit.
void TestEveryPosition() {
  std::vector<double> doubles(67, 5);
  std::vector<int32_t> integers(67, 5);
  for (size_t i = 0; i < doubles.size(); ++i) {
    doubles[i] = 10;
    Expect(IndexType::kFloat64, doubles, 10, Status::kIndexOutOfRange, i);
    doubles[i] = 5;
    integers[i] = -11;
    Expect(IndexType::kInt32, integers, 10, Status::kIndexOutOfRange, i);
    integers[i] = 5;
  }
}

}  // namespace
}  // namespace colkit

int main() {
  colkit::TestTypes();
  colkit::TestEveryPosition();
}
