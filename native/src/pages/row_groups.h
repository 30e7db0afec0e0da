// Rows -> groups by their values on one or several pages of the same rows: a number for each row, and for each number
// a record.
#ifndef COLKIT_NATIVE_ROW_GROUPS_H_
#define COLKIT_NATIVE_ROW_GROUPS_H_

#include <cstdint>

#include "pages/page_forms.h"
#include "platform/arena.h"

namespace colkit {

// The groups of the chain's rows by a page, and by the groups so far; their records go to the job's output. False where
// there is no room for so many.
bool WriteGroups(const PageJob& job, const DecodedPage& page, Arena* arena, Chain* chain, double* results);

}  // namespace colkit

#endif  // COLKIT_NATIVE_ROW_GROUPS_H_
