// Rows from anywhere in a table of many segments. In their own order each of them waits for the system's page tables,
// since few segments lie in large pages. Batches of many rows can be put in the order of their segments first, once for
// all columns, copied in that order into memory that stays in the caches, and out of it in the order wanted. On some
// machines that takes a fifth less time and on others a fifth more: row_orders.h finds out.
#ifndef COLKIT_NATIVE_GATHER_SCATTERED_H_
#define COLKIT_NATIVE_GATHER_SCATTERED_H_

#include "gather/gather_context.h"

namespace colkit {

// Rows of a batch that is worth it: with fewer, segments are come back to in nearly every batch.
constexpr size_t kScatteredRows = 2 * kBatchRows;

// Whether rows of the gather may be worth it, where they do not ascend: before they are read.
bool IsScattered(const GatherContext& context);

// As CopyBatch, in either order, for a batch of rows that do not ascend. Rows have 32 bits.
void CopyScatteredBatch(const GatherContext& context, const Batch& batch, size_t first);

}  // namespace colkit

#endif  // COLKIT_NATIVE_GATHER_SCATTERED_H_
