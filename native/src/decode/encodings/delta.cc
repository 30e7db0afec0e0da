// DELTA: sums of differences, in blocks that start from a base of their own. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "decode/node_values.h"

namespace colkit {
namespace {

struct Deltas {
  unsigned block_log2;
  NodeValues bases;
  NodeValues gaps;
};

bool ReadDeltas(const PageBody& body, const Node& node, Deltas* deltas) {
  NodeReader reader(body, node);
  deltas->block_log2 = reader.Number<uint8_t>();
  reader.Take(7);
  if (!reader.ok() || deltas->block_log2 < kSmallestBlockLog2 || deltas->block_log2 > kLargestBlockLog2) return false;
  const Node bases_node = reader.Child(((node.count - 1) >> deltas->block_log2) + 1);
  const Node gaps_node = reader.Child(node.count);
  return reader.AtEnd() && DecodeIntegers(body, bases_node, &deltas->bases) &&
         DecodeIntegers(body, gaps_node, &deltas->gaps);
}

void SetWords(const uint64_t* words, NodeValues* values) {
  values->kind = NodeValues::Kind::kWide;
  values->words = words;
}

}  // namespace

bool DecodeDelta(const PageBody& body, const Node& node, NodeValues* values) {
  uint64_t* words =
      node.depth == 1 && body.root_words != nullptr ? body.root_words : body.arena->Take<uint64_t>(node.count);
  Deltas deltas;
  if (words == nullptr || !ReadDeltas(body, node, &deltas)) return false;
  const NodeValues& gaps = deltas.gaps;
  const size_t length = size_t{1} << deltas.block_log2;
  for (size_t first = 0, block = 0; first < node.count; first += length, ++block) {
    const size_t end = node.count - first < length ? node.count : first + length;
    uint64_t sum = WordAt(deltas.bases, block);
    words[first] = sum;
    if (gaps.kind == NodeValues::Kind::kNarrow) {
      const uint64_t base = gaps.base;
      const uint64_t step = gaps.step;
      size_t i = first + 1;
      // Four at a time: only one of four additions waits for the sum before.
      for (; i + 4 <= end; i += 4) {
        const uint64_t a = base + step * gaps.numbers[i];
        const uint64_t b = a + base + step * gaps.numbers[i + 1];
        const uint64_t c = b + base + step * gaps.numbers[i + 2];
        const uint64_t d = c + base + step * gaps.numbers[i + 3];
        words[i] = sum + a;
        words[i + 1] = sum + b;
        words[i + 2] = sum + c;
        words[i + 3] = sum += d;
      }
      for (; i < end; ++i) words[i] = sum += base + step * gaps.numbers[i];
    } else {
      for (size_t i = first + 1; i < end; ++i) words[i] = sum += gaps.words[i];
    }
  }
  SetWords(words, values);
  return true;
}

// Of a block, the gaps up to the last of its picks are summed; all, four at a time, where most blocks have picks.
bool PickDelta(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  const unsigned log2 = NodeReader(body, node).Number<uint8_t>();
  if (log2 > kLargestBlockLog2 || uint64_t{picks.count} << log2 > uint64_t{2} * node.count) {
    NodeValues all;
    all.count = node.count;
    return DecodeDelta(body, node, &all) &&
           PickValues(all, picks.indexes, picks.count, node.domain, body.arena, values);
  }
  uint64_t* words = body.arena->Take<uint64_t>(picks.count);
  Deltas deltas;
  if (words == nullptr || !ReadDeltas(body, node, &deltas)) return false;
  uint64_t sum = 0;
  uint32_t last = UINT32_MAX;
  for (uint32_t i = 0; i < picks.count; ++i) {
    const uint32_t index = picks.indexes[i];
    const uint32_t block = index >> deltas.block_log2;
    if (index < last || block != last >> deltas.block_log2) {
      last = block << deltas.block_log2;
      sum = WordAt(deltas.bases, block);
    }
    while (last < index) sum += WordAt(deltas.gaps, ++last);
    words[i] = sum;
  }
  SetWords(words, values);
  return true;
}

}  // namespace colkit
