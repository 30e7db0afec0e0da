// What can be done with the values of a node, whatever its encoding.
#ifndef COLKIT_NATIVE_NODE_VALUES_H_
#define COLKIT_NATIVE_NODE_VALUES_H_

#include <cstddef>
#include <cstdint>

#include "decode/column_nodes.h"
#include "platform/arena.h"

namespace colkit {

// Of values that are no decimals.
inline uint64_t WordAt(const NodeValues& values, size_t i) {
  return values.kind == NodeValues::Kind::kNarrow ? values.base + values.step * values.numbers[i] : values.words[i];
}

// Makes values with patches plain patterns, where their positions are about to change their meaning. False where there
// is no room.
bool ApplyPatches(NodeValues* values, Domain domain, Arena* arena);

// values[indexes[i]] for every i, in the arena; indexes are below the number of values. False where there is no room.
bool PickValues(NodeValues source, const uint32_t* indexes, uint32_t count, Domain domain, Arena* arena,
                NodeValues* picked);

// The bit patterns of all values, in the arena; null where there is no room.
const uint64_t* PatternsOf(const NodeValues& values, Domain domain, Arena* arena);

}  // namespace colkit

#endif  // COLKIT_NATIVE_NODE_VALUES_H_
