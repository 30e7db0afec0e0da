// DELTA: sums of differences, in blocks that start from a base of their own. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "decode/node_values.h"

namespace colkit {

bool DecodeDelta(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const unsigned block_log2 = reader.Number<uint8_t>();
  reader.Take(7);
  if (!reader.ok() || block_log2 < kSmallestBlockLog2 || block_log2 > kLargestBlockLog2) return false;
  const Node bases_node = reader.Child(((node.count - 1) >> block_log2) + 1);
  const Node gaps_node = reader.Child(node.count);
  if (!reader.AtEnd()) return false;
  uint64_t* words =
      node.depth == 1 && body.root_words != nullptr ? body.root_words : body.arena->Take<uint64_t>(node.count);
  NodeValues bases;
  NodeValues gaps;
  if (words == nullptr || !DecodeIntegers(body, bases_node, &bases) || !DecodeIntegers(body, gaps_node, &gaps))
    return false;
  const size_t length = size_t{1} << block_log2;
  for (size_t first = 0, block = 0; first < node.count; first += length, ++block) {
    const size_t end = node.count - first < length ? node.count : first + length;
    uint64_t sum = WordAt(bases, block);
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
  values->kind = NodeValues::Kind::kWide;
  values->words = words;
  return true;
}

}  // namespace colkit
