// Rows of a page -> how far the values of each group lie from their mean.
#ifndef COLKIT_NATIVE_MOMENTS_H_
#define COLKIT_NATIVE_MOMENTS_H_

#include <cstdint>

#include "pages/folds/float_folds.h"
#include "pages/page_forms.h"
#include "pages/wide_rows.h"
#include "platform/arena.h"

namespace colkit {

// Of packed numbers: `groups` null: all are one group. False where there is no room.
bool WriteMoments(const uint32_t* numbers, uint32_t count, const uint32_t* groups, uint32_t group_count, Arena* arena,
                  FoldRecord* records);

// Of values: floats, and integers of at most 4 bytes. False for others, or where there is no room.
bool FoldMoments(const PageJob& job, const WideRows& rows, const Chain& chain, Arena* arena, FoldRecord* records);

}  // namespace colkit

#endif  // COLKIT_NATIVE_MOMENTS_H_
