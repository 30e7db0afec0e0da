// RLE: runs of equal values. docs/formats/columna.md, section 4.2.
#include <algorithm>

#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "decode/node_values.h"

namespace colkit {

namespace {

struct Runs {
  uint32_t count;
  Node values;
  const uint32_t* lengths;
};

bool OpenRuns(const PageBody& body, const Node& node, Runs* runs) {
  NodeReader reader(body, node);
  runs->count = reader.Count(node.count);
  reader.Take(4);
  runs->values = reader.Child(runs->count, node.domain);
  const Node lengths_node = reader.Child(runs->count);
  if (!reader.AtEnd()) return false;
  runs->lengths = DecodeNumbers(body, lengths_node, uint64_t{node.count} + 1);
  if (runs->lengths == nullptr) return false;
  uint64_t sum = 0;
  for (uint32_t run = 0; run < runs->count; ++run) {
    if (runs->lengths[run] == 0) return false;
    sum += runs->lengths[run];
  }
  return sum == node.count;
}

}  // namespace

bool DecodeRle(const PageBody& body, const Node& node, NodeValues* values) {
  Runs opened;
  if (!OpenRuns(body, node, &opened)) return false;
  const auto [run_count, values_node, lengths] = opened;
  uint32_t* indexes = body.arena->Take<uint32_t>(node.count);
  NodeValues runs;
  if (indexes == nullptr || !DecodeNode(body, values_node, &runs)) return false;
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

bool PickRle(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  Runs runs;
  if (!OpenRuns(body, node, &runs)) return false;
  uint32_t* ends = body.arena->Take<uint32_t>(runs.count);
  uint32_t* of_picks = body.arena->Take<uint32_t>(picks.count);
  if (ends == nullptr || of_picks == nullptr) return false;
  uint32_t end = 0;
  for (uint32_t run = 0; run < runs.count; ++run) ends[run] = end += runs.lengths[run];
  for (uint32_t i = 0; i < picks.count; ++i)
    of_picks[i] = static_cast<uint32_t>(std::upper_bound(ends, ends + runs.count, picks.indexes[i]) - ends);
  return PickNode(body, runs.values, {of_picks, picks.count}, values);
}

}  // namespace colkit
