// Rows of a page -> counts, sums and extremes of their values for each group: exact, whatever the type.
#ifndef COLKIT_NATIVE_FOLDS_H_
#define COLKIT_NATIVE_FOLDS_H_

#include "pages/page_forms.h"
#include "platform/arena.h"

namespace colkit {

// For each group of the chain, or for all of its rows as one, a record to the job's output. False where there is no
// room, or two doubles do not hold a sum.
bool WriteFolds(const PageJob& job, const DecodedPage& page, Arena* arena, Chain* chain, double* results);

}  // namespace colkit

#endif  // COLKIT_NATIVE_FOLDS_H_
