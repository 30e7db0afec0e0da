// Items of pages that hold codes, of which the caller tells what they stand for.
#ifndef COLKIT_NATIVE_ENTRY_ITEMS_H_
#define COLKIT_NATIVE_ENTRY_ITEMS_H_

#include "pages/page_forms.h"
#include "pages/page_job.h"

namespace colkit {

// What the codes of a page stand for in place of them; a page of a chunk with a dictionary may have values as well.
// False for a code without an entry.
bool LookUp(const PageJob& job, Arena* arena, DecodedPage* page);

// Items of consecutive rows, straight to where they are wanted. False where this is no such page: codes of all rows,
// none of them null and each with an entry.
bool WriteLookedUp(const PageJob& job, const DecodedPage& page);

// Items where some entries are null: zeros for these, and a bit for each row. False where this is no page of codes,
// each with an entry.
bool WriteNullable(const PageJob& job, const DecodedPage& page, double* results);

}  // namespace colkit

#endif  // COLKIT_NATIVE_ENTRY_ITEMS_H_
