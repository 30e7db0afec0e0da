// Rows -> what is kept for each group: how many there are, sums, extremes. Groups may be more than a cache holds: what
// belongs to the rows ahead is asked for early.
#ifndef COLKIT_NATIVE_GROUP_ROWS_H_
#define COLKIT_NATIVE_GROUP_ROWS_H_

#include <cstddef>
#include <cstdint>

namespace colkit {

struct GroupedRows {
  const uint32_t* groups;
  size_t count;
  // One bit a row: 0 for those that are passed over. Null: none is.
  const uint8_t* valid;
  // A double or two words a row; only one of them is given, and none to count rows.
  const double* numbers;
  const uint32_t* words;
};

// What is kept: up to three doubles a group, each in an array of its own.
struct GroupStates {
  double* first;
  double* second;
  double* third;
  size_t group_count;
};

enum class GroupFold : uint32_t {
  // first: how many.
  kCount,
  // first: how many; second: their sum.
  kSum,
  // first: how many; second: nearly their sum; third: what it misses. It ends at a row where two doubles are too few.
  kExactSum,
  // first: how many; second and third: sums of the lower and of the upper words.
  kWordSum,
  // first: the extreme, NaN at first; second: 1 where there was a row.
  kExtreme,
  // first and second: the words of the extreme; third: 0 no row, 1 nothing but NaT, 2 a value.
  kWordExtreme,
};
constexpr uint32_t kGroupFolds = 6;

// Properties of the values and of what is wanted of them, as bits.
constexpr uint32_t kFoldsMost = 1;
constexpr uint32_t kUnsignedWords = 2;
constexpr uint32_t kHasNaT = 4;
constexpr uint32_t kFoldFlags = 8;

// Takes the rows from `first` on. Returns how many are done: all, or those before one that it cannot take.
size_t FoldByGroup(GroupFold fold, uint32_t flags, const GroupedRows& rows, size_t first, const GroupStates& states);

}  // namespace colkit

#endif  // COLKIT_NATIVE_GROUP_ROWS_H_
