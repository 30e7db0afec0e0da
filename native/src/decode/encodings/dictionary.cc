// DICTIONARY: the different values, and a code for each. docs/formats/columna.md, section 4.2.
#include "decode/encodings/encoding.h"
#include "decode/node_reader.h"
#include "decode/node_values.h"

namespace colkit {

namespace {

struct Parts {
  uint32_t entry_count;
  Node entries;
  Node codes;
};

bool OpenDictionary(const PageBody& body, const Node& node, Parts* parts) {
  NodeReader reader(body, node);
  parts->entry_count = reader.Count(kMaxDictionaryEntries);
  reader.Take(4);
  parts->entries = reader.Child(parts->entry_count, node.domain);
  parts->codes = reader.Child(node.count);
  return reader.AtEnd() && node.domain != Domain::kStrings;
}

}  // namespace

bool DecodeDictionary(const PageBody& body, const Node& node, NodeValues* values) {
  Parts parts;
  NodeValues entries;
  if (!OpenDictionary(body, node, &parts) || !DecodeNode(body, parts.entries, &entries)) return false;
  const uint32_t* codes = DecodeNumbers(body, parts.codes, parts.entry_count);
  if (codes == nullptr) return false;
  if (!node.leaves_entries || parts.entry_count > node.count / kRowsPerEntry)
    return PickValues(entries, codes, node.count, node.domain, body.arena, values);
  values->kind = NodeValues::Kind::kNarrow;
  values->below = parts.entry_count;
  values->numbers = codes;
  values->entries = PatternsOf(entries, node.domain, body.arena);
  values->entry_count = parts.entry_count;
  return values->entries != nullptr;
}

bool PickDictionary(const PageBody& body, const Node& node, const Picks& picks, NodeValues* values) {
  Parts parts;
  if (!OpenDictionary(body, node, &parts)) return false;
  const uint32_t* codes = PickNumbers(body, parts.codes, picks, parts.entry_count);
  return codes != nullptr && PickNode(body, parts.entries, {codes, picks.count}, values);
}

}  // namespace colkit
