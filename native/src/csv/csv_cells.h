// Bytes of CSV -> where the cells of its rows are. The same cells as the tokenizer in TypeScript finds
// (packages/table/src/csv/cells/tokenizer.ts), of blocks that have nothing to complain about; others are left to it.
#ifndef COLKIT_NATIVE_CSV_CELLS_H_
#define COLKIT_NATIVE_CSV_CELLS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

// How a cell was written.
constexpr uint8_t kPlainCell = 0;
constexpr uint8_t kQuotedCell = 1;
// Quoted, with doubled quotes in it.
constexpr uint8_t kEscapedCell = 2;

struct CsvDialect {
  uint8_t separator;
  // Not in any byte: there are no quotes.
  uint16_t quote;
  // Cells of a row.
  size_t columns;
  // Whether nothing follows: then the last row needs no line break.
  bool is_final;
  // Whether rows of one empty cell are passed over.
  bool skips_blank;
};

// Room for what is found: cell i, without its quotes, is bytes [starts[i], ends[i]), row k begins on row_lines[k].
struct CsvCells {
  int32_t* starts;
  int32_t* ends;
  uint8_t* flags;
  size_t cell_room;
  int32_t* row_lines;
  size_t row_room;
};

struct CsvRows {
  // Bytes of the whole rows.
  size_t byte_length;
  size_t row_count;
  size_t line_count;
  bool is_ascii;
};

enum class CsvOutcome : uint8_t { kDone, kNoRoom, kLeft };

// Whole rows of as many cells as there are columns. `length` is below 2^31.
CsvOutcome FindCsvCells(const uint8_t* bytes, size_t length, const CsvDialect& dialect, const CsvCells& cells,
                        CsvRows* rows);

}  // namespace colkit

#endif  // COLKIT_NATIVE_CSV_CELLS_H_
