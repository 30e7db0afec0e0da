// BITS: eight values of one bit to a byte. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"

namespace colkit {

bool DecodeBits(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const Node octets_node = reader.Child((node.count + 7) / 8);
  uint32_t* numbers = body.arena->Take<uint32_t>(node.count);
  if (!reader.AtEnd() || numbers == nullptr) return false;
  const uint8_t* octets = DecodeOctets(body, octets_node);
  if (octets == nullptr) return false;
  for (uint32_t i = 0; i < node.count; ++i) numbers[i] = octets[i / 8] >> (i % 8) & 1;
  values->kind = NodeValues::Kind::kNarrow;
  values->below = 2;
  values->numbers = numbers;
  return true;
}

}  // namespace colkit
