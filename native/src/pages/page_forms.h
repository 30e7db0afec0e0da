// What is made of a decoded page in the form that a job asks for.
#ifndef COLKIT_NATIVE_PAGE_FORMS_H_
#define COLKIT_NATIVE_PAGE_FORMS_H_

#include <cstddef>
#include <cstdint>

#include "platform/arena.h"
#include "decode/column_nodes.h"
#include "decode/texts/text_values.h"
#include "pages/column_select.h"
#include "pages/page_job.h"

namespace colkit {

// Rows of a page that are asked for in any order, in the arena, and the values that they have.
struct RowPicks {
  const uint32_t* rows = nullptr;  // null: all of the page
  uint32_t count = 0;
  const uint32_t* values = nullptr;  // of the rows that are not null
  uint32_t value_count = 0;
  const uint8_t* validity = nullptr;  // a bit for each; null: none is null
};

// A page that was decoded, in the arena.
struct DecodedPage {
  const PageJob* job = nullptr;  // that it was decoded for
  uint32_t value_count = 0;
  NodeValues values;
  TextValues texts;                   // where `are_texts`; of the values there is only how many they are
  const uint8_t* validity = nullptr;  // null where no row is null, and where all are
  bool are_codes = false;
  bool are_texts = false;
  RowPicks picks;  // where there are, the values are theirs alone
};

// What jobs that follow each other have found so far.
struct Chain {
  RowSet rows;
  // Of each of the rows, once they were grouped; all are below the count.
  const uint32_t* groups = nullptr;
  uint32_t group_count = 0;
  // The records of these groups, as long as nobody has counted their rows, and room for that.
  void* uncounted = nullptr;
  uint32_t* counts = nullptr;
  uint64_t needed = 0;  // bytes for texts, where there was not enough room
  // A column that is asked about may be asked for too.
  static constexpr size_t kMostKept = 4;
  DecodedPage kept[kMostKept];
  size_t kept_count = 0;
};

// Rows of a bitmap's first `count` that are not null.
uint32_t CountOnes(const uint8_t* bitmap, uint32_t count);

// All rows of a set; those of a range are listed, and `rows` is null where there is no room for it.
RowPicks PicksOf(const RowSet& rows, Arena* arena);

// Finds the values of picked rows. False where there is no room.
bool LocatePicks(const uint8_t* validity, uint32_t row_count, Arena* arena, RowPicks* picks);

// Tells of values that are narrow, or decimals of narrow ones, what their numbers mean.
void WriteLine(const NodeValues& values, double* results);

// Writes what the job asks for, and what there is to say of it to `results`; false where the page is left.
bool WriteForm(const PageJob& job, const DecodedPage& page, Arena* arena, Chain* chain, double* results);

}  // namespace colkit

#endif  // COLKIT_NATIVE_PAGE_FORMS_H_
