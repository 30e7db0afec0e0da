// Rows of a page -> a word for each, whatever the page's encoding: what groups and folds look at where the packed
// numbers do not do.
#ifndef COLKIT_NATIVE_WIDE_ROWS_H_
#define COLKIT_NATIVE_WIDE_ROWS_H_

#include <cstdint>

#include "pages/page_forms.h"
#include "platform/arena.h"

namespace colkit {

struct WideRows {
  uint32_t count = 0;
  // Integers in two's complement, floats of either width as doubles; 0 of a null.
  const uint64_t* words = nullptr;
  // A byte for each, 1 where there is a value; null where all have one.
  const uint8_t* present = nullptr;
};

// A word of which the lowest bits are an item of the type, as WideRows has it.
uint64_t ValueOf(const ItemType& type, uint64_t word);

// False where there is no room.
bool WidenRows(const DecodedPage& page, const ItemType& type, const RowSet& rows, Arena* arena, WideRows* wide);

// Which of the rows have a value: a byte for each, or null where all have one. False where there is no room.
bool PresentRows(const DecodedPage& page, const RowSet& rows, Arena* arena, const uint8_t** present);

}  // namespace colkit

#endif  // COLKIT_NATIVE_WIDE_ROWS_H_
