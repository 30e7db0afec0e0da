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

// Completes the records of the chain's groups: how many rows each has, and the first of them. `counts` holds how many
// where a fold has counted them already, so that the rows are not gone through once more; else null.
void CountGroups(const double* counts, Chain* chain);

}  // namespace colkit

#endif  // COLKIT_NATIVE_ROW_GROUPS_H_
