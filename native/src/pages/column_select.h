// Values of a page -> which of its rows pass a test: the values are looked through in the form in which they are
// packed.
#ifndef COLKIT_NATIVE_COLUMN_SELECT_H_
#define COLKIT_NATIVE_COLUMN_SELECT_H_

#include <cstdint>

#include "platform/arena.h"
#include "decode/column_items.h"
#include "decode/column_nodes.h"

namespace colkit {

// Rows of a page, ascending: [start, end), or a list in the arena.
struct RowSet {
  uint32_t start = 0;
  uint32_t end = 0;
  uint32_t* list = nullptr;
  uint32_t list_count = 0;

  uint32_t count() const { return list == nullptr ? end - start : list_count; }
};

// The test of a column without a dictionary: two words. Of integers the least value and how far above it the greatest
// one is, modulo 2^64; of floats the least and the greatest as doubles, which are the two ends of what passes, and NaN
// does not. Where the first of these is above the second, what lies from the second to the first does not pass, and all
// else does, NaN too.
struct IntervalTest {
  uint64_t words[2];
};

// What a test is applied to: the values of a page, and which of its rows are null (null: none).
struct TestedPage {
  const NodeValues* values;
  const ItemType* type;
  const uint8_t* validity;
  uint32_t row_count;
};

// Leaves the rows that pass. False where the working memory is too small, or the values wrap around so that they are in
// no order.
bool SelectInterval(const TestedPage& page, const IntervalTest& test, Arena* arena, RowSet* rows);

// Two words before the slots of a list.
constexpr uint32_t kListHeadBytes = 16;

// The same by a list of values: their patterns in a table of as many slots as the test says, a power of two. Each is in
// the first free slot from `ListSlot` on. Two words before it: what free slots hold, which is one of the list's values
// (of none: no value's pattern), and 1 where the values that are not in the list pass. NaN is in no list.
bool SelectListed(const TestedPage& page, const uint8_t* test, uint32_t test_bytes, Arena* arena, RowSet* rows);

// The rows that are null, or those that are not.
bool SelectNulls(const TestedPage& page, bool nulls, Arena* arena, RowSet* rows);

// The same by code: a byte for each of `code_count` codes, of which the lowest bit says whether it passes. False also
// for another code.
bool SelectCodes(const TestedPage& page, const uint8_t* passing, uint32_t code_count, Arena* arena, RowSet* rows);

// The same by a byte that is 0 or 1: one a value, or where there are `codes` (null: none) for each of them.
bool SelectMarked(const TestedPage& page, const uint8_t* passes, const uint32_t* codes, Arena* arena, RowSet* rows);

}  // namespace colkit

#endif  // COLKIT_NATIVE_COLUMN_SELECT_H_
