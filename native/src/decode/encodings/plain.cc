// PLAIN: items of 1, 2, 4 or 8 bytes. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"

namespace colkit {
namespace {

template <typename T>
const T* Aligned(const uint8_t* bytes) {
  return reinterpret_cast<const T*>(bytes);
}

}  // namespace

bool DecodePlain(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  if (node.parameter > 3) return false;
  const unsigned width = 1u << node.parameter;
  if (node.depth == 1 && width != body.item_bytes) return false;
  const uint8_t* items = reader.Take(static_cast<uint64_t>(node.count) * width);
  if (!reader.AtEnd()) return false;
  if (width == 8) {
    values->kind = NodeValues::Kind::kWide;
    values->words = Aligned<uint64_t>(items);  // nodes start at multiples of 8
    return true;
  }
  values->kind = NodeValues::Kind::kNarrow;
  values->below = uint64_t{1} << (8 * width);
  if (width == 4) {
    values->numbers = Aligned<uint32_t>(items);
    return true;
  }
  uint32_t* numbers = body.arena->Take<uint32_t>(node.count);
  if (numbers == nullptr) return false;
  if (width == 1) {
    for (uint32_t i = 0; i < node.count; ++i) numbers[i] = items[i];
  } else {
    for (uint32_t i = 0; i < node.count; ++i) numbers[i] = Aligned<uint16_t>(items)[i];
  }
  values->numbers = numbers;
  return true;
}

}  // namespace colkit
