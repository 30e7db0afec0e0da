// Grouped rows against a map of exact sums: keys of one column and of several, in segments, swapped, on threads; floats
// of all magnitudes, so that sums in parts are left and come back.
#include <cmath>
#include <cstring>
#include <map>
#include <thread>

#include "raw/groups/raw_groups.h"
#include "raw/raw_request.h"
#include "tests/test_support.h"

using namespace colkit;

namespace {

struct Expected {
  uint64_t first;
  uint64_t count = 0;
  ExactSum sum = {};
  uint64_t low = 0;
};

double DoubleAt(const uint8_t* item) {
  double value;
  std::memcpy(&value, item, sizeof(value));
  return value;
}

// Columns: a key of one byte, a key text of three, a float64 and an int64.
void CheckGroups(const std::vector<uint64_t>& segments, int spread, bool two_keys) {
  TableFixture fixture(segments, {1, 3, 8, 8}, static_cast<uint64_t>(spread) + 1);
  Random random(9);
  for (uint64_t row = 0; row < fixture.row_count(); ++row) {
    fixture.bytes[fixture.offsets[0][row]] %= 23;
    for (size_t i = 0; i < 3; ++i) fixture.bytes[fixture.offsets[1][row] + i] %= 3;
    const int exponent = static_cast<int>(random.Below(static_cast<uint64_t>(spread))) - spread / 2;
    double value = std::ldexp(static_cast<double>(static_cast<int64_t>(random.Next())), exponent - 63);
    if (random.Below(50) == 0) value = random.Below(2) == 0 ? 0 : -0.0;
    std::memcpy(fixture.bytes.data() + fixture.offsets[2][row], &value, sizeof(value));
  }
  const TemporaryFile temporary(fixture.bytes);
  const auto file = temporary.Map();
  std::string error;
  const auto table = fixture.Make(&error);
  const uint64_t start = 5;
  const uint64_t end = fixture.row_count() - 1;
  std::map<std::string, Expected> expected;
  for (uint64_t row = start; row < end; ++row) {
    std::string key(1, static_cast<char>(*fixture.Item(0, row)));
    if (two_keys) key.append(reinterpret_cast<const char*>(fixture.Item(1, row)), 3);
    Expected& group = expected.emplace(key, Expected{row}).first->second;
    ++group.count;
    AddExactly(&group.sum, DoubleAt(fixture.Item(2, row)));
    uint64_t whole;
    std::memcpy(&whole, fixture.Item(3, row), sizeof(whole));
    group.low += whole;
  }
  const double keys = two_keys ? 2 : 1;
  const double most = static_cast<double>(expected.size());
  for (const double room : {most, most - 1}) {
    std::vector<double> numbers = {4,
                                   1,
                                   0,
                                   2,
                                   0,
                                   keys,
                                   room,
                                   0,
                                   kRawUint8,
                                   0,
                                   1,
                                   kRawBytes,
                                   0,
                                   2,
                                   kRawFloat64,
                                   0,
                                   3,
                                   kRawInt64,
                                   0,
                                   static_cast<double>(start),
                                   static_cast<double>(end),
                                   2,
                                   kRawFoldKindSum,
                                   3,
                                   kRawFoldKindSum,
                                   0};
    if (two_keys) numbers.push_back(1);
    RawProgram program;
    CHECK(ParseRawProgram({numbers.data(), numbers.size(), nullptr, 0}, *table, &program, &error));
    std::vector<double> results(RawResultNumbers(program));
    CHECK(RunRaw({file.get(), table.get(), &program, nullptr, results.data(), 2, nullptr}).ok());
    CHECK(results[kRawResultMatches] == static_cast<double>(end - start) || room < most);
    if (room < most) {
      CHECK(results[kRawResultGroups] == room + 1);
      continue;
    }
    CHECK(results[kRawResultGroups] == most);
    double before = -1;
    for (size_t group = 0; group < expected.size(); ++group) {
      double* found = results.data() + kRawResultNumbers + group * (kRawGroupNumbers + 2 * kRawFoldResultNumbers);
      const double first = found[kRawGroupFirst];
      CHECK(first > before);
      before = first;
      std::string key(1, static_cast<char>(*fixture.Item(0, static_cast<uint64_t>(first))));
      if (two_keys) key.append(reinterpret_cast<const char*>(fixture.Item(1, static_cast<uint64_t>(first))), 3);
      Expected& wanted = expected.at(key);
      CHECK(first == static_cast<double>(wanted.first));
      CHECK(found[kRawGroupCount] == static_cast<double>(wanted.count));
      Normalize(&wanted.sum);
      const double* sum = found + kRawGroupNumbers;
      for (size_t i = 0; i < kRawLimbs; ++i)
        CHECK(sum[kRawFoldResultLimbs + i] == static_cast<double>(wanted.sum.limbs[i]));
      const double* whole = sum + kRawFoldResultNumbers;
      const auto low =
          static_cast<uint64_t>(whole[kRawFoldResultWord0]) | (static_cast<uint64_t>(whole[kRawFoldResultWord1]) << 32);
      CHECK(low == wanted.low);
    }
  }
}

// Each piece that a thread takes brings one group more, and holds a row of all those before it. Of several calls at
// once some threads are put aside between their pieces: whichever ends first, groups say their first rows.
void CheckFirstRows() {
  constexpr uint64_t kPieceRows = 65536;
  constexpr uint64_t kGroups = 48;
  const uint64_t rows = kGroups * kPieceRows;
  TableFixture fixture({rows}, {1}, 1);
  for (uint64_t row = 0; row < rows; ++row) {
    const uint64_t place = row % kPieceRows;
    fixture.bytes[fixture.offsets[0][row]] = static_cast<uint8_t>(place <= row / kPieceRows ? place : 0);
  }
  const TemporaryFile temporary(fixture.bytes);
  const auto file = temporary.Map();
  std::string error;
  const auto table = fixture.Make(&error);
  const std::vector<double> numbers = {1, 1, 0, 0, 0, 1, kGroups, 0, kRawUint8, 0, 0, static_cast<double>(rows), 0};
  RawProgram program;
  CHECK(ParseRawProgram({numbers.data(), numbers.size(), nullptr, 0}, *table, &program, &error));
  const auto run = [&] {
    std::vector<double> results(RawResultNumbers(program));
    for (int round = 0; round < 50; ++round) {
      CHECK(RunRaw({file.get(), table.get(), &program, nullptr, results.data(), 16, nullptr}).ok());
      CHECK(results[kRawResultGroups] == kGroups);
      for (uint64_t group = 0; group < kGroups; ++group) {
        const double* found = results.data() + kRawResultNumbers + group * kRawGroupNumbers;
        CHECK(found[kRawGroupFirst] == static_cast<double>(group * kPieceRows + group));
        if (group > 0) CHECK(found[kRawGroupCount] == static_cast<double>(kGroups - group));
      }
    }
  };
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 8; ++caller) callers.emplace_back(run);
  for (std::thread& caller : callers) caller.join();
}

}  // namespace

int main() {
  for (const int spread : {1, 20, 24, 60, 900, 2000}) {
    for (const bool two_keys : {false, true}) {
      CheckGroups({150000}, spread, two_keys);
      CheckGroups({1, 700, 3000, 40}, spread, two_keys);
    }
  }
  CheckFirstRows();
}
