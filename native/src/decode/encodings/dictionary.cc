// DICTIONARY: the different values, and a code for each. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "decode/node_values.h"

namespace colkit {

bool DecodeDictionary(const PageBody& body, const Node& node, NodeValues* values) {
  NodeReader reader(body, node);
  const uint32_t entry_count = reader.Count(kMaxDictionaryEntries);
  reader.Take(4);
  const Node entries_node = reader.Child(entry_count, node.domain);
  const Node codes_node = reader.Child(node.count);
  if (!reader.AtEnd() || node.domain == Domain::kStrings) return false;
  NodeValues entries;
  if (!DecodeNode(body, entries_node, &entries)) return false;
  const uint32_t* codes = DecodeNumbers(body, codes_node, entry_count);
  return codes != nullptr && PickValues(entries, codes, node.count, node.domain, body.arena, values);
}

}  // namespace colkit
