// CODES: codes of the chunk's dictionary. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"

namespace colkit {

// As codes: what they stand for is not known here.
bool DecodeCodes(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const Node codes_node = reader.Child(node.count);
  if (!reader.AtEnd() || node.depth != 1 || body.entry_count == 0) return false;
  values->kind = NodeValues::Kind::kNarrow;
  values->numbers = DecodeNumbers(body, codes_node, body.entry_count);
  if (values->numbers == nullptr) return false;
  // How many entries there are is not known here: whoever knows compares.
  uint32_t largest = 0;
  for (uint32_t i = 0; i < node.count; ++i) largest = values->numbers[i] > largest ? values->numbers[i] : largest;
  values->below = uint64_t{largest} + 1;
  return true;
}

}  // namespace colkit
