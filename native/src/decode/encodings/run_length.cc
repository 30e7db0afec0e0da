// RLE: runs of equal values. docs/formats/columna.md, section 4.2.
#include <algorithm>

#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "decode/node_values.h"

namespace colkit {

namespace {

// Runs that are passed one by one before the run of a row is searched.
constexpr unsigned kMostSteps = 8;

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

// Each value as many times as its run is long. Most runs are short: a block of values goes down whatever of it the next
// run writes over.
template <typename T>
const T* Repeated(const T* values, const Runs& runs, uint32_t count, Arena* arena) {
  constexpr uint32_t kAtOnce = 32 / sizeof(T);
  T* const all = arena->Take<T>(size_t{count} + kAtOnce);
  if (all == nullptr) return nullptr;
  T* to = all;
  for (uint32_t run = 0; run < runs.count; ++run) {
    const T value = values[run];
    T* const end = to + runs.lengths[run];
    do {
      for (uint32_t i = 0; i < kAtOnce; ++i) to[i] = value;
      to += kAtOnce;
    } while (to < end);
    to = end;
  }
  return all;
}

}  // namespace

bool DecodeRle(const PageBody& body, const Node& node, NodeValues* values) {
  Runs runs;
  if (!OpenRuns(body, node, &runs) || !DecodeNode(body, runs.values, values) ||
      !ApplyPatches(values, node.domain, body.arena))
    return false;
  values->count = node.count;
  if (values->numbers != nullptr) {
    values->numbers = Repeated(values->numbers, runs, node.count, body.arena);
    return values->numbers != nullptr;
  }
  values->words = Repeated(values->words, runs, node.count, body.arena);
  return values->words != nullptr;
}

bool PickRle(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  Runs runs;
  if (!OpenRuns(body, node, &runs)) return false;
  uint32_t* ends = body.arena->Take<uint32_t>(runs.count);
  uint32_t* of_picks = body.arena->Take<uint32_t>(picks.count);
  if (ends == nullptr || of_picks == nullptr) return false;
  uint32_t end = 0;
  for (uint32_t run = 0; run < runs.count; ++run) ends[run] = end += runs.lengths[run];
  const uint32_t* const last = ends + runs.count;
  const uint32_t* at = ends;
  for (uint32_t i = 0; i < picks.count; ++i) {
    const uint32_t index = picks.indexes[i];
    const uint32_t* from = ends;
    bool is_far = true;
    // Most rows come close behind the one before.
    if (at == ends || at[-1] <= index) {
      for (unsigned step = 0; step < kMostSteps && at != last && *at <= index; ++step) ++at;
      from = at;
      is_far = at != last && *at <= index;
    }
    if (is_far) at = std::upper_bound(from, last, index);
    of_picks[i] = static_cast<uint32_t>(at - ends);
  }
  return PickNode(body, runs.values, {of_picks, picks.count}, values);
}

}  // namespace colkit
