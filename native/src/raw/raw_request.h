// What is asked of raw columns, checked: the numbers that a caller sent, as a program that kernels can rely on.
#ifndef COLKIT_NATIVE_RAW_REQUEST_H_
#define COLKIT_NATIVE_RAW_REQUEST_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gather/segments.h"
#include "map/mapping.h"
#include "platform/outcome.h"
#include "raw/raw_program.h"

namespace colkit {

struct RawColumn {
  uint32_t number;
  RawType type;
  bool swapped;
  uint32_t item_bytes;
};

struct RawRange {
  uint64_t start;
  uint64_t end;
  uint64_t bits;  // the byte of the output where its bits start
};

// Code points, which may be none; without a bound every text lies on its side.
struct TextBound {
  bool bounded;
  const uint32_t* points;
  uint32_t length;
  bool open;
};

struct RawComputation {
  const uint32_t* steps;  // three words each
  uint32_t count;
  RawComparison comparison;
};

struct RawNode {
  RawOperation operation;
  uint8_t flip;
  uint32_t column;
  const uint8_t* bounds;  // within
  TextBound low;          // text, prefix
  TextBound high;
  RawComputation computed;
};

struct RawFold {
  uint32_t column;
  RawFoldKind kind;
};

// Owns what its nodes point to.
struct RawProgram {
  std::vector<RawColumn> columns;
  std::vector<RawRange> ranges;
  std::vector<RawNode> nodes;
  std::vector<RawFold> folds;
  // Which of the columns rows are grouped by; none: all rows are one group.
  std::vector<uint32_t> keys;
  uint32_t most_groups = 0;
  std::vector<uint32_t> constants;
  bool bits = false;
  uint64_t row_count = 0;  // of the ranges together
  uint64_t bit_bytes = 0;  // that the output needs
};

struct RawNumbers {
  const double* numbers;
  size_t count;
  const uint8_t* constants;
  size_t constant_bytes;
};

// False where a number is not what the table of the program says; `error` then names it. Copies what it needs.
bool ParseRawProgram(const RawNumbers& numbers, const Segments& segments, RawProgram* program, std::string* error);

inline size_t RawResultNumbers(const RawProgram& program) {
  const size_t folds = program.folds.size() * kRawFoldResultNumbers;
  return kRawResultNumbers + (program.keys.empty() ? folds : program.most_groups * (kRawGroupNumbers + folds));
}

struct RawRequest {
  const MappedFile* file;
  const Segments* segments;
  const RawProgram* program;
  uint8_t* bits;                       // program->bit_bytes
  double* results;                     // RawResultNumbers(*program)
  unsigned workers;                    // most threads; 0: the process-wide setting
  const std::atomic<bool>* cancelled;  // null where nobody cancels
};

Outcome RunRaw(const RawRequest& request);

}  // namespace colkit

#endif  // COLKIT_NATIVE_RAW_REQUEST_H_
