// Cells of CSV -> the values of a column, of the type that it is expected to have. The same values, and the same
// answers on which other types the cells could have, as the parsers in TypeScript give (typed-chunks.ts and
// text-chunks.ts in packages/table/src/text-input/cells). Cells that are not surely understood here are left to these,
// one by one.
#ifndef COLKIT_NATIVE_CSV_COLUMNS_H_
#define COLKIT_NATIVE_CSV_COLUMNS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "csv/csv_cells.h"

namespace colkit {

// The types that a cell could have, a bit each, as in cells/classify.ts.
constexpr uint32_t kCsvBool = 1;
constexpr uint32_t kCsvInteger = 2;
constexpr uint32_t kCsvFloat = 4;
constexpr uint32_t kCsvDate = 8;
constexpr uint32_t kCsvDatetime = 16;

// What a column is parsed as. The numbers are those of packages/table/src/text-input/cells/addon-columns.ts.
enum class CsvKind : uint32_t { kNone, kText, kBool, kInteger, kFloat, kDays, kMicroseconds };

// Rows of cells as `FindCsvCells` gives them, or anybody: where they lie is looked at again.
struct CsvBlock {
  const uint8_t* bytes;
  size_t length;
  const int32_t* starts;
  const int32_t* ends;
  const uint8_t* flags;
  size_t rows;
  size_t columns;
  uint8_t quote;
  // What stands for null where it is not quoted.
  std::vector<std::vector<uint8_t>> null_words;
  // Bytes of the longest of them; -1: none is.
  int64_t longest_word;
};

// A cell that is left, by column and row.
struct CsvLeftCell {
  uint32_t column;
  uint32_t row;
};

struct CsvLeft {
  size_t most;
  std::vector<CsvLeftCell> cells;

  bool Add(size_t column, size_t row) {
    if (cells.size() == most) return false;
    cells.push_back({static_cast<uint32_t>(column), static_cast<uint32_t>(row)});
    return true;
  }
};

enum class CsvFill : uint8_t {
  kDone,
  // A cell is something else, too many would be left, or there is no room.
  kLeft,
  // A cell that does not lie in the bytes.
  kBad,
};

struct CsvFacts {
  // Types that every cell could have that was not left.
  uint32_t types = 0;
  uint32_t null_count = 0;
  // Of texts: how many there are in `out`, and whether rows have codes.
  uint32_t text_count = 0;
  uint32_t text_bytes = 0;
  bool is_coded = false;
};

// One byte, or eight, a row to `values`, which is zeroed, and a bit a row to `validity`: 0 for nulls.
CsvFill FillCsvNumbers(const CsvBlock& block, size_t column, CsvKind kind, uint8_t* values, uint8_t* validity,
                       CsvLeft* left, CsvFacts* facts);

// The ends of distinct texts, and then their bytes, to `texts`, with a code of two bytes a row to `codes`; or, where
// most are distinct, those of all rows.
CsvFill FillCsvTexts(const CsvBlock& block, size_t column, uint8_t* codes, uint8_t* validity, uint8_t* texts,
                     size_t room, CsvFacts* facts);

// Bounds of a cell, looked at once.
struct CsvCell {
  const uint8_t* from;
  const uint8_t* to;
  uint8_t flag;

  size_t length() const { return static_cast<size_t>(to - from); }
};

inline bool ReadCsvCell(const CsvBlock& block, size_t number, CsvCell* cell) {
  const int64_t start = block.starts[number];
  const int64_t end = block.ends[number];
  if (start < 0 || start > end || end > static_cast<int64_t>(block.length)) return false;
  *cell = {block.bytes + start, block.bytes + end, block.flags[number]};
  return true;
}

// Ones for all rows, zeros behind them.
void SetAllValid(uint8_t* validity, size_t rows);

bool IsCsvNullWord(const CsvBlock& block, const CsvCell& cell);

inline bool IsCsvNull(const CsvBlock& block, const CsvCell& cell) {
  const auto length = static_cast<int64_t>(cell.length());
  return length <= block.longest_word && cell.flag == kPlainCell && IsCsvNullWord(block, cell);
}

}  // namespace colkit

#endif  // COLKIT_NATIVE_CSV_COLUMNS_H_
