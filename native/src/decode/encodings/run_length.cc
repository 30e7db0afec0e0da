// RLE: runs of equal values. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "decode/node_values.h"

namespace colkit {

bool DecodeRle(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const uint32_t run_count = reader.Count(node.count);
  reader.Take(4);
  const Node values_node = reader.Child(run_count, node.domain);
  const Node lengths_node = reader.Child(run_count);
  if (!reader.AtEnd()) return false;
  const uint32_t* lengths = DecodeNumbers(body, lengths_node, uint64_t{node.count} + 1);
  uint32_t* indexes = body.arena->Take<uint32_t>(node.count);
  NodeValues runs;
  if (lengths == nullptr || indexes == nullptr || !DecodeNode(body, values_node, &runs)) return false;
  uint64_t sum = 0;
  for (uint32_t run = 0; run < run_count; ++run) {
    if (lengths[run] == 0) return false;
    sum += lengths[run];
  }
  if (sum != node.count) return false;
  // For small numbers row -> number at once, else row -> run.
  const bool direct = runs.numbers != nullptr && runs.patch_count == 0;
  uint32_t* to = indexes;
  for (uint32_t run = 0; run < run_count; ++run) {
    const uint32_t value = direct ? runs.numbers[run] : run;
    for (uint32_t* const end = to + lengths[run]; to < end; ++to) *to = value;
  }
  if (!direct) return PickValues(runs, indexes, node.count, node.domain, body.arena, values);
  *values = runs;
  values->count = node.count;
  values->numbers = indexes;
  return true;
}

}  // namespace colkit
