// Cells of CSV against the plainest search, numbers against strtod, and cells that lie nowhere.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "csv/csv_cells.h"
#include "csv/csv_columns.h"
#include "csv/nearest_double.h"
#include "tests/test_support.h"

namespace {

using namespace colkit;

bool SameBits(double a, double b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

void CheckDoubles(Random* random) {
  size_t done = 0;
  for (int round = 0; round < 400'000; ++round) {
    // Few digits, many, and those next to half of the distance between two doubles.
    uint64_t digits = random->Next() >> random->Below(64);
    if (round % 3 == 0) digits = (((uint64_t{1} << 53) + random->Below(1000)) << random->Below(11)) + (round % 5) - 2;
    const int exponent = static_cast<int>(random->Below(60)) - 30;
    char text[64];
    std::snprintf(text, sizeof(text), "%llue%d", static_cast<unsigned long long>(digits), exponent);
    double value = -1;
    if (!NearestDouble(digits, exponent, &value)) {
      CHECK(exponent < -27 || exponent > 27);
      continue;
    }
    ++done;
    CHECK(SameBits(value, std::strtod(text, nullptr)));
  }
  CHECK(done > 300'000);
}

struct Found {
  std::vector<int32_t> starts;
  std::vector<int32_t> ends;
  std::vector<uint8_t> flags;
  std::vector<int32_t> lines;
  CsvRows rows;
  CsvOutcome outcome;
};

Found Find(const std::string& text, size_t columns, bool is_final, uint16_t quote = '"', size_t room = 4096) {
  Found found{std::vector<int32_t>(room), std::vector<int32_t>(room), std::vector<uint8_t>(room),
              std::vector<int32_t>(room), {}, CsvOutcome::kDone};
  // Memory of just this length, so that a sanitizer sees what is read behind it.
  std::vector<uint8_t> bytes(text.begin(), text.end());
  bytes.shrink_to_fit();
  const CsvCells cells = {found.starts.data(), found.ends.data(), found.flags.data(), room, found.lines.data(), room};
  found.outcome = FindCsvCells(bytes.data(), bytes.size(), {',', quote, columns, is_final, columns > 1}, cells,
                               &found.rows);
  return found;
}

std::string CellOf(const std::string& text, const Found& found, size_t cell) {
  const auto start = static_cast<size_t>(found.starts[cell]);
  return text.substr(start, static_cast<size_t>(found.ends[cell]) - start);
}

void CheckCells() {
  const std::string text = "a,\"b \"\"c\"\"\n\",d\r\n\n1,,3\r\n\"x\",y\"z,\"\"\nrest";
  const Found found = Find(text, 3, false);
  CHECK(found.outcome == CsvOutcome::kDone && found.rows.row_count == 3 && found.rows.line_count == 5);
  CHECK(found.rows.byte_length == text.size() - 4 && found.rows.is_ascii);
  const char* expected[] = {"a", "b \"\"c\"\"\n", "d", "1", "", "3", "x", "y\"z", ""};
  const uint8_t flags[] = {0, 2, 0, 0, 0, 0, 1, 0, 1};
  for (size_t cell = 0; cell < 9; ++cell)
    CHECK(CellOf(text, found, cell) == expected[cell] && found.flags[cell] == flags[cell]);
  CHECK(found.lines[0] == 0 && found.lines[1] == 3 && found.lines[2] == 4);

  CHECK(Find("1,2\n3", 2, true).outcome == CsvOutcome::kLeft);
  CHECK(Find("1,2\n3,4", 2, true).rows.row_count == 2);
  CHECK(Find("1,2\n3,4", 2, false).rows.row_count == 1);
  CHECK(Find("1,2,3\n", 2, true).outcome == CsvOutcome::kLeft);
  CHECK(Find("\"a\"b,2\n", 2, true).outcome == CsvOutcome::kLeft);
  CHECK(Find("\"a,2\n", 2, true).outcome == CsvOutcome::kLeft);
  CHECK(Find("\"a,2\n", 2, false).rows.row_count == 0);
  CHECK(Find("\"a,2\n", 2, true, UINT16_MAX).rows.row_count == 1);
  CHECK(Find("1,2\n3,4\n", 2, true, '"', 3).outcome == CsvOutcome::kNoRoom);
  CHECK(Find("", 2, true).rows.row_count == 0);
  CHECK(!Find("\xc3\xa4,2\n", 2, true).rows.is_ascii);
}

// Lines of cells without quotes, found one byte after the other.
void CheckRandomCells(Random* random) {
  for (int round = 0; round < 3000; ++round) {
    const size_t columns = 2 + random->Below(4);
    std::string text;
    std::vector<std::string> expected;
    size_t whole = 0;
    const size_t rows = random->Below(30);
    for (size_t row = 0; row < rows; ++row) {
      for (size_t column = 0; column < columns; ++column) {
        std::string cell;
        // A row of nothing but a line break would be passed over.
        for (uint64_t left = random->Below(12); left > 0; --left) cell += static_cast<char>('a' + random->Below(9));
        const bool quoted = random->Below(5) == 0;
        text += column == 0 ? "" : ",";
        text += quoted ? '"' + cell + '"' : cell;
        expected.push_back(cell);
      }
      text += random->Below(2) == 0 ? "\n" : "\r\n";
      whole = text.size();
    }
    text += std::string(random->Below(40), 'x');
    const Found found = Find(text, columns, false);
    CHECK(found.outcome == CsvOutcome::kDone);
    CHECK(found.rows.row_count == rows && found.rows.byte_length == whole);
    for (size_t cell = 0; cell < expected.size(); ++cell) CHECK(CellOf(text, found, cell) == expected[cell]);
  }
}

CsvBlock BlockOf(const std::vector<uint8_t>& bytes, const Found& found, size_t columns) {
  CsvBlock block{};
  block.bytes = bytes.data();
  block.length = bytes.size();
  block.starts = found.starts.data();
  block.ends = found.ends.data();
  block.flags = found.flags.data();
  block.rows = found.rows.row_count;
  block.columns = columns;
  block.quote = '"';
  block.null_words = {{}};
  block.longest_word = 0;
  return block;
}

void CheckColumns() {
  const std::string text =
      "1,0.1,a,true,2024-02-29,2024-02-29T12:00:00.5Z\n"
      ",,,,,\n"
      "-9223372036854775808,-1234567.875,a,FALSE,1969-12-31,1970-01-01\n"
      "9007199254740993,12345678901234567.25,\"b\"\"\",true,0000-03-01,9999-12-31 23:59:59.999999\n";
  std::vector<uint8_t> bytes(text.begin(), text.end());
  const Found found = Find(text, 6, true);
  CHECK(found.outcome == CsvOutcome::kDone && found.rows.row_count == 4);
  const CsvBlock block = BlockOf(bytes, found, 6);
  uint8_t validity[1];
  CsvLeft left{8, {}};
  int64_t words[4] = {};
  auto* values = reinterpret_cast<uint8_t*>(words);
  const auto fill = [&](size_t column, CsvKind kind, uint32_t types) {
    std::memset(words, 0, sizeof(words));
    CsvFacts facts;
    CHECK(FillCsvNumbers(block, column, kind, values, validity, &left, &facts) == CsvFill::kDone);
    CHECK(facts.types == types && facts.null_count == 1 && validity[0] == 0b1101);
  };
  fill(0, CsvKind::kInteger, kCsvInteger | kCsvFloat);
  CHECK(words[0] == 1 && words[2] == INT64_MIN && words[3] == 9007199254740993);
  // Whether it is written like a double is not known here.
  CHECK(left.cells.size() == 1 && left.cells[0].column == 0 && left.cells[0].row == 3);
  fill(1, CsvKind::kFloat, kCsvFloat);
  const double doubles[] = {0.1, 0, -1234567.875, 12345678901234567.25};
  CHECK(std::memcmp(doubles, words, sizeof(words)) == 0);
  fill(4, CsvKind::kDays, kCsvDate | kCsvDatetime);
  CHECK(words[0] == 19782 && words[2] == -1 && words[3] == -719468);
  fill(5, CsvKind::kMicroseconds, kCsvDatetime);
  CHECK(words[0] == 1709208000500000 && words[2] == 0 && words[3] == 253402300799999999);
  fill(3, CsvKind::kBool, kCsvBool);
  CHECK(values[0] == 1 && values[2] == 0 && values[3] == 1);
  CsvFacts facts;
  CHECK(FillCsvNumbers(block, 1, CsvKind::kInteger, values, validity, &left, &facts) == CsvFill::kLeft);

  uint8_t texts[64];
  facts = {};
  CHECK(FillCsvTexts(block, 2, values, validity, texts, sizeof(texts), &facts) == CsvFill::kDone);
  CHECK(facts.text_count == 2 && facts.text_bytes == 3 && facts.is_coded && facts.null_count == 1);
  CHECK(std::memcmp(texts + 8, "ab\"", 3) == 0);
  facts = {};
  CHECK(FillCsvTexts(block, 2, values, validity, texts, 10, &facts) == CsvFill::kLeft);
}

void CheckBadCells() {
  const std::vector<uint8_t> bytes = {'1', '2', '3'};
  for (const auto& [start, end] : std::vector<std::pair<int32_t, int32_t>>{{-1, 2}, {2, 1}, {0, 4}, {3, 2147483647}}) {
    Found found{{start}, {end}, {0}, {0}, {3, 1, 0, true}, CsvOutcome::kDone};
    const CsvBlock block = BlockOf(bytes, found, 1);
    uint8_t out[8];
    uint8_t validity[1];
    CsvLeft left{1, {}};
    CsvFacts facts;
    CHECK(FillCsvNumbers(block, 0, CsvKind::kInteger, out, validity, &left, &facts) == CsvFill::kBad);
    CHECK(FillCsvTexts(block, 0, out, validity, out, 0, &facts) == CsvFill::kBad);
  }
}

}  // namespace

int main() {
  Random random(11);
  CheckDoubles(&random);
  CheckCells();
  CheckRandomCells(&random);
  CheckColumns();
  CheckBadCells();
  std::puts("csv: ok");
  return 0;
}
