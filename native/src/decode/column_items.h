// Decoded values -> items of a column's type.
#ifndef COLKIT_NATIVE_COLUMN_ITEMS_H_
#define COLKIT_NATIVE_COLUMN_ITEMS_H_

#include <cstddef>
#include <cstdint>

#include "decode/column_nodes.h"

namespace colkit {

// The type of an id in page headers; false for ids without one.
bool ItemTypeOf(unsigned id, ItemType* type);

// Values [start, end) as items, one after another, to `out`, which is aligned for them.
void WriteItems(const NodeValues& values, size_t start, size_t end, const ItemType& type, uint8_t* out);

// Items of the values among rows [start, end) -> an item a row, zeros for nulls. `items` holds the values of these rows
// alone.
void SpreadItems(const uint8_t* items, const uint8_t* validity, size_t start, size_t end, unsigned item_bytes,
                 uint8_t* out);

}  // namespace colkit

#endif  // COLKIT_NATIVE_COLUMN_ITEMS_H_
