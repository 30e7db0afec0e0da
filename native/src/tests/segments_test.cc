// Segment tables: what is refused, and the segment of every row against a walk from the start, for equal, unequal and
// empty segments.
#include <cmath>

#include "gather/segments.h"
#include "tests/test_support.h"

namespace colkit {
namespace {

template <typename Row>
void ExpectAll(const Segments& segments, const std::vector<Row>& rows) {
  std::vector<uint32_t> found(rows.size());
  segments.FindAll(rows.data(), rows.size(), found.data());
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(segments.start(found[i]) <= rows[i] && rows[i] < segments.start(found[i] + 1));
    CHECK(segments.Find(rows[i]) == found[i]);
  }
}

void TestFind(const std::vector<uint64_t>& segment_rows) {
  const TableFixture table(segment_rows, {8, 1}, 5);
  std::string error;
  const auto segments = table.Make(&error);
  CHECK(segments != nullptr);
  const uint64_t row_count = segments->row_count();
  std::vector<uint32_t> ascending;
  std::vector<uint32_t> random_rows;
  std::vector<uint64_t> sparse;
  Random random(7);
  for (uint64_t row = 0; row < row_count; ++row) ascending.push_back(static_cast<uint32_t>(row));
  for (int i = 0; i < 500; ++i) random_rows.push_back(static_cast<uint32_t>(random.Below(row_count)));
  for (uint64_t row = random.Below(5); row < row_count; row += 1 + random.Below(1 + row_count / 4))
    sparse.push_back(row);
  ExpectAll(*segments, ascending);
  ExpectAll(*segments, random_rows);
  ExpectAll(*segments, std::vector<uint64_t>(random_rows.begin(), random_rows.end()));
  if (!sparse.empty()) ExpectAll(*segments, sparse);
  for (uint64_t row = 0; row < row_count; ++row) {
    const size_t s = segments->Find(row);
    for (size_t c = 0; c < 2; ++c) {
      CHECK(segments->bases(c)[s] + static_cast<int64_t>(row) * segments->item_bytes(c) ==
            table.Item(c, row) - table.bytes.data());
    }
  }
}

void TestRefusals() {
  std::string error;
  const int32_t width = 8;
  const auto make = [&](std::vector<double> starts, std::vector<double> bases, int32_t item_bytes,
                        uint64_t mapping_bytes) {
    error.clear();
    return Segments::Create(starts.data(), starts.size() - 1, &item_bytes, 1, bases.data(), mapping_bytes, &error) !=
           nullptr;
  };
  CHECK(make({0, 10}, {0}, width, 80));
  CHECK(make({0}, {}, width, 0));
  CHECK(make({0, 0}, {1e15}, width, 0));          // no rows: the base is not looked at
  CHECK(make({0, 5, 10}, {40, -40}, width, 80));  // segments in the other order, negative base
  CHECK(!make({0, 10}, {1}, width, 80));
  CHECK(error.find("bases: expected addresses within the mapping of 80 bytes") == 0);
  CHECK(!make({0, 10}, {-1}, width, 80));
  CHECK(!make({0, 11}, {0}, width, 80));
  CHECK(!make({0, 10}, {0.5}, width, 80));
  CHECK(!make({0, 10}, {std::nan("")}, width, 80));
  CHECK(!make({0, 10}, {9007199254740992.0}, width, 80));
  CHECK(!make({0, 9007199254740991.0}, {0}, 2147483647, 80));
  CHECK(!make({0, 9007199254740991.0}, {-9007199254740991.0}, 1, UINT64_MAX));
  CHECK(!make({1, 10}, {0}, width, 80));
  CHECK(!make({0, 10, 9}, {0, 0}, width, 800));
  CHECK(!make({0, 9.5}, {0}, width, 80));
  CHECK(!make({0, 10}, {0}, 0, 80));
  CHECK(!make({0, 10}, {0}, -8, 80));
}

}  // namespace
}  // namespace colkit

int main() {
  colkit::TestRefusals();
  colkit::TestFind({1});
  colkit::TestFind({1000});
  colkit::TestFind({10, 10, 10, 10});
  colkit::TestFind({7, 7, 7, 3});
  colkit::TestFind({1, 1, 1, 1, 1});
  colkit::TestFind({10, 10, 11});
  colkit::TestFind({0, 5, 0, 0, 9, 1, 0});
  std::vector<uint64_t> many;
  colkit::Random random(11);
  for (int i = 0; i < 3000; ++i) many.push_back(random.Below(4));
  colkit::TestFind(many);
}
