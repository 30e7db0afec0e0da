// AFFINE: base + step * row. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"

namespace colkit {

bool DecodeAffine(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  values->base = reader.Number<uint64_t>();
  values->step = reader.Number<uint64_t>();
  uint32_t* numbers = body.arena->Take<uint32_t>(node.count);
  if (!reader.AtEnd() || numbers == nullptr) return false;
  for (uint32_t i = 0; i < node.count; ++i) numbers[i] = i;
  values->kind = NodeValues::Kind::kNarrow;
  values->below = node.count;
  values->numbers = numbers;
  return true;
}

}  // namespace colkit
