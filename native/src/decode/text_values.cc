// See text_values.h. docs/formats/columna.md, section 4.2.
#include "decode/text_values.h"

#include "decode/node_reader.h"

namespace colkit {
namespace {

bool DecodePlainTexts(const PageBody& body, const Node& node, TextValues* texts) {
  NodeReader reader(body, node);
  const uint32_t byte_length = reader.Number<uint32_t>();
  reader.Take(4);
  const Node ends_node = reader.Child(node.count);
  texts->bytes = reader.Take(byte_length);
  texts->byte_length = byte_length;
  texts->count = node.count;
  if (!reader.AtEnd() || node.parameter != 0) return false;
  texts->ends = DecodeNumbers(body, ends_node, uint64_t{byte_length} + 1);
  if (texts->ends == nullptr) return false;
  uint32_t last = 0;
  bool falls = false;
  for (uint32_t i = 0; i < node.count; ++i) {
    falls |= texts->ends[i] < last;
    last = texts->ends[i];
  }
  return !falls && last == byte_length;
}

}  // namespace

bool DecodeTexts(const PageBody& body, const Node& node, TextValues* texts) {
  if (node.encoding == kPlain) return DecodePlainTexts(body, node, texts);
  if (node.encoding != kDictionary) return false;
  NodeReader reader(body, node);
  const uint32_t entry_count = reader.Count(kMaxDictionaryEntries);
  reader.Take(4);
  const Node entries = reader.Child(entry_count, node.domain);
  const Node codes = reader.Child(node.count);
  if (!reader.AtEnd() || entries.encoding != kPlain || !DecodePlainTexts(body, entries, texts)) return false;
  texts->codes = DecodeNumbers(body, codes, entry_count);
  return texts->codes != nullptr;
}

}  // namespace colkit
