// CODES: codes of the chunk's dictionary. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/item_kernels.h"
#include "decode/node_reader.h"

namespace colkit {

namespace {

bool OpenCodes(const PageBody& body, const Node& node, Node* codes) {
  NodeReader reader(body, node);
  *codes = reader.Child(node.count);
  return reader.AtEnd() && node.depth == 1 && body.entry_count > 0;
}

// Of any size: the largest is looked for once.
constexpr uint64_t kAnyCode = uint64_t{1} << 32;

// As codes below `limit`: what they stand for is not known here.
bool SetCodes(const uint32_t* codes, uint32_t limit, NodeValues* values) {
  if (codes == nullptr) return false;
  values->kind = NodeValues::Kind::kNarrow;
  values->numbers = codes;
  // How many entries there are is not known here: whoever knows compares.
  const uint32_t largest = LargestOf(codes, values->count);
  values->below = uint64_t{largest} + 1;
  return largest < limit;
}

}  // namespace

bool DecodeCodes(const PageBody& body, const Node& node, NodeValues* values) {
  Node codes;
  return OpenCodes(body, node, &codes) && SetCodes(DecodeNumbers(body, codes, kAnyCode), body.entry_count, values);
}

bool PickCodes(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  Node codes;
  return OpenCodes(body, node, &codes) && SetCodes(PickNumbers(body, codes, picks, kAnyCode), body.entry_count, values);
}

}  // namespace colkit
