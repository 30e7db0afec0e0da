// CODES: codes of the chunk's dictionary. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"

namespace colkit {

namespace {

bool OpenCodes(const PageBody& body, const Node& node, Node* codes) {
  NodeReader reader(body, node);
  *codes = reader.Child(node.count);
  return reader.AtEnd() && node.depth == 1 && body.entry_count > 0;
}

// As codes: what they stand for is not known here.
bool SetCodes(const uint32_t* codes, NodeValues* values) {
  if (codes == nullptr) return false;
  values->kind = NodeValues::Kind::kNarrow;
  values->numbers = codes;
  // How many entries there are is not known here: whoever knows compares.
  uint32_t largest = 0;
  for (uint32_t i = 0; i < values->count; ++i) largest = values->numbers[i] > largest ? values->numbers[i] : largest;
  values->below = uint64_t{largest} + 1;
  return true;
}

}  // namespace

bool DecodeCodes(const PageBody& body, const Node& node, NodeValues* values) {
  Node codes;
  return OpenCodes(body, node, &codes) && SetCodes(DecodeNumbers(body, codes, body.entry_count), values);
}

bool PickCodes(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  Node codes;
  return OpenCodes(body, node, &codes) && SetCodes(PickNumbers(body, codes, picks, body.entry_count), values);
}

}  // namespace colkit
