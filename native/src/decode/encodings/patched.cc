// PATCHED: another node with some of its values replaced. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "decode/node_values.h"

namespace colkit {

bool DecodePatched(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const uint32_t count = reader.Count(node.count);
  reader.Take(4);
  const Node values_node = reader.Child(node.count, node.domain);
  const Node positions_node = reader.Child(count);
  const Node replacements_node = reader.Child(count);
  if (!reader.AtEnd()) return false;
  NodeValues below;
  NodeValues replacements;
  if (!DecodeNode(body, values_node, &below) || !DecodeIntegers(body, replacements_node, &replacements)) return false;
  const uint32_t* positions = DecodeNumbers(body, positions_node, node.count);
  if (positions == nullptr) return false;
  for (uint32_t i = 1; i < count; ++i) {
    if (positions[i] <= positions[i - 1]) return false;
  }
  if (!ApplyPatches(&below, node.domain, body.arena)) return false;
  *values = below;
  values->patch_count = count;
  values->positions = positions;
  values->replacements = PatternsOf(replacements, Domain::kIntegers, body.arena);
  return values->replacements != nullptr;
}

}  // namespace colkit
