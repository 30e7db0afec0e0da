// AFFINE: base + step * row. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"

namespace colkit {
namespace {

// Value i is that of the number i.
bool ReadLine(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  values->kind = NodeValues::Kind::kNarrow;
  values->base = reader.Number<uint64_t>();
  values->step = reader.Number<uint64_t>();
  values->below = node.count;
  return reader.AtEnd();
}

}  // namespace

bool DecodeAffine(const PageBody& body, const Node& node, NodeValues* values) {
  uint32_t* numbers = body.arena->Take<uint32_t>(node.count);
  if (!ReadLine(body, node, values) || numbers == nullptr) return false;
  for (uint32_t i = 0; i < node.count; ++i) numbers[i] = i;
  values->numbers = numbers;
  return true;
}

bool PickAffine(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  values->numbers = picks.indexes;
  return ReadLine(body, node, values);
}

}  // namespace colkit
