// Before the first gather that needs nearly all pages of a column, in whatever order: they are brought into memory from
// front to back, in large pages. Random rows would wait for the device again and again.
#ifndef COLKIT_NATIVE_GATHER_DENSE_H_
#define COLKIT_NATIVE_GATHER_DENSE_H_

#include "gather/gather.h"

namespace colkit {

// Whether so many rows are taken of a column that reading all of it takes no longer than single pages.
bool IsDense(uint64_t column_bytes, uint64_t count);

// What is in memory already is looked at in passing. Once for each column.
Outcome ReadDenseColumns(const GatherRequest& request);

}  // namespace colkit

#endif  // COLKIT_NATIVE_GATHER_DENSE_H_
