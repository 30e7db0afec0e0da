// What folds have in common, and those of floats.
#ifndef COLKIT_NATIVE_FLOAT_FOLDS_H_
#define COLKIT_NATIVE_FLOAT_FOLDS_H_

#include <cstdint>

#include "pages/page_forms.h"
#include "pages/wide_rows.h"
#include "platform/arena.h"

namespace colkit {

constexpr unsigned kWantsSums = 1;
constexpr unsigned kWantsExtremes = 2;
// Alone.
constexpr unsigned kWantsMoments = 4;

// As the caller's memory has it.
struct FoldRecord {
  double count;
  double sum;
  double more;
  double least;
  double most;
  double special;
  double rest;
};
static_assert(sizeof(FoldRecord) == kFoldBytes, "see page-program-table.mjs");

// Rows of no group are dealt to so many in turn, which are brought together at the end: no addition waits for the one
// before.
constexpr uint32_t kLanes = 4;

// For each row where it is added: its group, or a lane; behind all others what is null. Null where there is no room.
const uint32_t* SlotsOf(const Chain& chain, const WideRows& rows, uint32_t nulls, Arena* arena);

// Counts, sums and extremes of the groups, or of all rows as one. False where three doubles do not hold a sum.
bool FoldFloats(const PageJob& job, const WideRows& rows, const Chain& chain, Arena* arena, FoldRecord* records);

// The same of all rows as one by the entries of a dictionary: each once, as often as it is met.
bool FoldFloatEntries(const PageJob& job, const WideRows& entries, const uint32_t* times, const uint32_t* codes,
                      uint32_t count, FoldRecord* record);

}  // namespace colkit

#endif  // COLKIT_NATIVE_FLOAT_FOLDS_H_
